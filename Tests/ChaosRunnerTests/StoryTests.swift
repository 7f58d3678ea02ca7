import ChaosStore
import Foundation
import Testing

@testable import ChaosRunner

@Suite struct StoryTests {
  @Test func `A story shows what struck, what happened, what broke and why it matters`() {
    let output = Bench().run(
      "--scenario", "hasty-lost", "--plan", "drop verify.request tx1 #1")
    #expect(
      output.out == """
        hasty-lost under a plan, without a seed: 3 invariants broken
          system: hasty-shop, naive backend
          shows: a hasty shop

        Faults that struck
          drop verify.request tx1 #1  F40 the report is lost

        What happened
             seconds  fault  person  app  App Store  network  backend  Apple
               0.000                 phone1 starts
               0.100         user1 taps buy coins on phone1 (tx1)
               0.150                      charges tx1: coins
               0.151                 phone1 is called back with tx1
        ✗      0.151                 phone1 calls finish(tx1)
        ✗             breaks finish-only-after-credit (I03)
               0.151                      tx1 is finished
               0.151  drop verify.request tx1 #1: F40 the report is lost
              20.000                 phone1 ends
              30.000                 phone1 starts
              60.000  -- from here on no fault strikes --
             120.000                 phone1 ends
             121.000                 phone1 starts
                      -- the same 2 lines 2 more times, until 241.000 --
             300.000  -- the run ends --
        ✗             what is left breaks no-charge-without-delivery (I01): tx1
        ✗             what is left breaks conservation (I11)

        What it breaks, and why it matters
          ✗ finish-only-after-credit (I03), at 0.151 s, expected here
            A charged transaction is finished only after it was credited.
            The store keeps an unfinished transaction through crashes, reinstalls and new phones. Finished
            too early, a consumable is as a rule on no phone any more, and only a complaint brings it back.
          ✗ no-charge-without-delivery (I01), at the end for tx1, expected here
            Every charge is credited in the end, or within the time allowed.
            Somebody paid and got nothing. They write to support, ask the store for their money back and do
            not buy again; and nobody can tell them when the goods will come.
          ✗ conservation (I11), at the end, allowed here
            In the end, units credited equal units charged, less what was voided.
            It is the audit that needs no insight into any single purchase: if the ledger and the store's
            report differ, goods were lost or made, even where every step looked right.

        To see it again, paste
          swift run -c release chaos-runner --scenario hasty-lost --plan 'drop verify.request tx1 #1'
          swift run -c release chaos-runner --scenario hasty-lost --plan 'omit person.step step2 #1, omit person.step step3 #1'

        1 of 1 scenario broke something.

        """)
  }

  @Test func `The headline is what the smallest plan breaks, and what follows stands under it`()
    throws
  {
    let single = Bench().run("--scenario", "hasty-lost", "--plan", "drop verify.request tx1 #1").out
    let paste = try #require(single.range(of: "To see it again, paste"))
    // It takes no fault at all, and the others take one.
    #expect(single[paste.upperBound...].contains("--plan 'omit person.step step2 #1"), "\(single)")
    #expect(!single[paste.upperBound...].contains("Of all this"), "nothing of the plan is needed")
    var bench = Bench()
    bench.systems = [AnySystem(HastyShop.self)]
    bench.scenarios = Bench.usual.filter { $0.name == "hasty-lost" }.map { scenario in
      var strict = scenario
      strict.expects = []
      strict.allows = []
      return strict
    }
    let output = bench.run("--seeds", "200", "--details").out
    let lines = output.split(separator: "\n")
    let head = try #require(lines.firstIndex { $0.hasPrefix("NOT EXPECTED  hasty-lost: ") })
    #expect(lines[head].contains("finish-only-after-credit (I03) broke"), "\(output)")
    #expect(output.contains("\n  with it: conservation (I11) broke in "), "\(output)")
    #expect(output.contains("\n  also: no-charge-without-delivery (I01) broke in "), "\(output)")
  }

  @Test func `A story says at which server a report arrives`() {
    let quiet = Bench().run("--scenario", "sound-lost", "--plan", "[]").out
    #expect(quiet.contains("the report about tx1 arrives at server1"), "\(quiet)")
  }

  @Test func `A story leaves nothing out when details are asked for`() {
    let output = Bench().run(
      "--scenario", "hasty-lost", "--plan", "drop verify.request tx1 #1", "--details")
    #expect(!output.out.contains("more times"))
  }

  @Test func `A story is told of one scenario in any case, and of several only if they break`() {
    let one = Bench().run("--scenario", "sound-lost", "--seed", "1").out
    #expect(one.contains("sound-lost under seed 0x1: every invariant holds"))
    #expect(one.contains("What happened"))
    let all = Bench().run("--seed", "1").out
    #expect(!all.contains("sound-lost under seed"))
    #expect(all.contains("hasty-lost under seed 0x1: "))
    #expect(all.hasSuffix("\n4 of 6 scenarios broke something.\n"))
  }
}
