import TestSupport
import Testing

@testable import ChaosRunner

@Suite struct `A .storekit file at the terminal` {
  private func check(_ text: String?) -> Bench.Output {
    var bench = Bench()
    bench.files["Shop.storekit"] = text
    return bench.run("check", "Shop.storekit")
  }

  private func version(_ major: Int) throws -> String {
    try #require(StoreKitSample.versions.first { $0.major == major }).text
  }

  @Test func `'check' says what it sells, which faults it switches on and what is not simulated`()
    throws
  {
    let output = check(try version(4))
    #expect(output.code == 0 && output.err == "")
    #expect(
      output.out == """
        Shop.storekit: 2 products, 2 faults switched on, 0 things not simulated

        Sells
          gardeners.estate   auto-renewable, P1M, group 60606060, level 1, 16 days of grace, 2 offers
          gardeners.balcony  auto-renewable, P1W, group 60606060, level 2, 6 days of grace

        Strikes at every chance until the heal
          settings._askToBuyEnabled  F15 ask-to-buy: somebody must agree first; strikes hosted apps
          settings._renewalBillingIssuesEnabled  F85 billing-problem: a renewal cannot be charged

        """)
  }

  @Test func `'check' says no more than what it sells where all of it is simulated`() {
    let output = check(StoreKitSample.file())
    #expect(
      output.out.hasPrefix(
        "Shop.storekit: 4 products, 0 faults switched on, 0 things not simulated\n\nSells\n"))
    #expect(output.out.contains("\n  map      non-consumable\n"))
    #expect(!output.out.contains("Not simulated") && !output.out.contains("Strikes"))
  }

  @Test func `'check' refuses what is none with the place, and what sells nothing`() throws {
    let broken = check(try version(3).replacing("\"Consumable\"", with: "\"consumable\""))
    #expect(broken.code == 2 && broken.out == "")
    #expect(
      broken.err
        == "chaos-runner: Shop.storekit: products[0].type: found 'consumable', expected one of Consumable, NonConsumable; did you mean 'Consumable'?\n"
    )
    let gone = check(nil)
    #expect(gone.code == 2 && gone.err == "chaos-runner: there is no file 'Shop.storekit'\n")
    let empty = check(#"{"version": {"major": 4, "minor": 0}, "products": []}"#)
    #expect(empty.code == 2)
    #expect(
      empty.err == "chaos-runner: Shop.storekit: there is no product in it that is simulated\n")
  }

  private static let scenarios = #"""
    {"version": 1, "worlds": {"shop": {"storekit": "Shop.storekit"}}, "scenarios": [{
      "name": "s", "system": "exactly-once", "backend": "idempotent", "world": "shop", "seeds": 5,
      "steps": [{"at": "1s", "buy": "garden.spade"}]}]}
    """#

  @Test func `A scenario file finds it in its own folder, and says what of it is not simulated`()
    throws
  {
    let files = ["s.json": Self.scenarios, "Shop.storekit": try version(2)]
    let shell = try Shell(
      "mkdir d; mv s.json Shop.storekit d; \"$RUNNER\" check d/s.json && \"$RUNNER\" --scenarios d/s.json --seed 3",
      files: files)
    #expect(shell.code == 0)
    #expect(shell.out.contains("d/s.json: 1 scenario of 1 system, all in order\n"))
    #expect(
      shell.err
        == "d/Shop.storekit has 3 things not simulated: chaos-runner check d/Shop.storekit\n")
    // The switch of the file that is on.
    #expect(shell.out.contains("F14"))
  }

  @Test func `A mistake in it is told with its own place, after the scenario file's name`() throws {
    let files = [
      "s.json": Self.scenarios, "Shop.storekit": try version(2).replacing("true", with: "7"),
    ]
    let shell = try Shell("exec \"$RUNNER\" check s.json", files: files)
    #expect(shell.code == 2)
    #expect(
      shell.err
        == "chaos-runner: s.json: Shop.storekit: settings._billingIssuesEnabled: found 7, expected true or false\n"
    )
    let gone = try Shell("exec \"$RUNNER\" check s.json", files: ["s.json": Self.scenarios])
    #expect(
      gone.err
        == "chaos-runner: s.json: worlds.shop.storekit: found 'Shop.storekit', which is not there, expected the path of a .storekit file, from this file's folder on\n"
    )
  }
}
