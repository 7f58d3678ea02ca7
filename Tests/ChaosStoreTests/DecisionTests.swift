import Testing

@testable import ChaosStore

@Suite("The hash of a decision")
struct HashingTests {
  @Test(
    "The hash of a name follows from the name alone, the same for ever",
    arguments: [
      ("drop verify.reply", 0xd522_353f_083b_a5f7), ("delay verify.reply", 0x4e76_1a74_b3fe_e69c),
      ("crash app after finish", 0x1fe4_ba9b_2af7_7c9b),
      ("replay store.finished", 0x0eda_a5b8_5aa3_5dd2), ("", 0xe11f_e04f_35c1_29dc),
    ] as [(String, UInt64)])
  func names(name: String, hash: UInt64) {
    #expect(Hashing.name(name) == hash)
  }

  @Test(
    "The hash of a decision follows from seed, question, subject and occurrence, the same for ever",
    arguments: [
      (0, "drop verify.reply", "tx1", 0, 0x84d3_e86c_aef0_0b9c),
      (7, "drop verify.reply", "tx1", 0, 0xea5e_5eb6_b502_c866),
      (7, "drop verify.reply", "tx1", 1, 0x03fa_57f2_62e0_8784),
      (7, "drop verify.reply", "tx2", 0, 0x2294_655a_8120_22c2),
      (7, "crash app after finish", "tx1/r1", 0, 0x61cf_6f64_5cee_fdbd),
      (.max, "delay app.launch", "phone1", 0, 0x9e06_ff21_0d75_ee94),
    ] as [(UInt64, String, String, UInt64, UInt64)])
  func decisions(
    seed: UInt64, question: String, subject: String, occurrence: UInt64, hash: UInt64
  ) throws {
    let key = try #require(Subject(name: subject)).key
    #expect(
      Hashing.decision(
        seed: seed, question: Hashing.name(question), subject: key, occurrence: occurrence)
        == hash)
  }

  @Test("No two questions have one name")
  func distinct() {
    #expect(Set(Question.names).count == Question.count)
    #expect(Set(Question.names.map(Hashing.name)).count == Question.count)
  }

  @Test(
    "The hashes of decisions are spread evenly over seeds, subjects, occurrences and questions",
    arguments: ["seeds", "subjects", "occurrences", "questions"])
  func uniform(along axis: String) {
    let count = 100_000
    let reply = Hashing.name("drop verify.reply")
    let keys = Question.names.map(Hashing.name)
    let subject = Subject.transaction(0).key
    let hashes = (0..<count).map { n -> UInt64 in
      let i = UInt64(n)
      return switch axis {
      case "seeds": Hashing.decision(seed: i, question: reply, subject: subject, occurrence: 0)
      case "subjects":
        Hashing.decision(
          seed: 7, question: reply, subject: Subject.transaction(n).key, occurrence: 0)
      case "occurrences":
        Hashing.decision(seed: 7, question: reply, subject: subject, occurrence: i)
      default:
        Hashing.decision(
          seed: i / UInt64(keys.count), question: keys[n % keys.count], subject: subject,
          occurrence: 0)
      }
    }
    for shift in [0, 8, 24, 32, 48, 56] as [UInt64] {
      let spread = chiSquare(hashes.map { Int($0 >> shift & 0xff) })
      #expect((142...368).contains(spread), "bits \(shift)..<\(shift + 8)")
    }
    // Neighbours have nothing to do with one another.
    let differences = zip(hashes, hashes.dropFirst()).map { Int(($0 &- $1) >> 56) }
    #expect((142...368).contains(chiSquare(differences)))
    #expect(Set(hashes).count == count)
  }

  @Test("The decisions on two questions about one subject under one seed are independent")
  func uncorrelated() {
    let pairs = [
      ("drop verify.reply", "drop verify.request"), ("drop verify.reply", "delay verify.reply"),
      ("crash app before finish", "crash app after finish"),
    ]
    for (one, other) in pairs {
      let keys = (Hashing.name(one), Hashing.name(other))
      let subject = Subject.transaction(0).key
      let both = (0..<100_000 as Range<UInt64>).map { seed -> Int in
        let a = Hashing.decision(seed: seed, question: keys.0, subject: subject, occurrence: 0)
        let b = Hashing.decision(seed: seed, question: keys.1, subject: subject, occurrence: 0)
        return Int((a >> 60) << 4 | b >> 60)
      }
      #expect((142...368).contains(chiSquare(both)), "\(one) and \(other)")
    }
  }

  /// Of 256 kinds: 255 is usual, and 22 a standard deviation.
  private func chiSquare(_ kinds: [Int]) -> Int {
    var counts = [Int](repeating: 0, count: 256)
    for kind in kinds { counts[kind] += 1 }
    let squares = counts.map { ($0 * 256 - kinds.count) * ($0 * 256 - kinds.count) }
    return squares.reduce(0, +) / (256 * kinds.count)
  }
}

@Suite("A subject")
struct SubjectTests {
  @Test("A subject is named by where it comes from")
  func names() {
    #expect(Subject.transaction(0).name == "tx1")
    #expect(Subject.transaction(999_999).name == "tx1000000")
    #expect(Subject.transaction(2).payment(1).name == "tx3/2")
    #expect(Subject.transaction(0).again(1).name == "tx1/a1")
    #expect(Subject.transaction(0).restore(1).name == "tx1/r1")
    #expect(Subject.transaction(0).again(15).payment(255).restore(4095).name == "tx1/a15/256/r4095")
    #expect(Subject.phone(11).name == "phone12")
    #expect(Subject.server(1).name == "server2")
    #expect(Subject.attacker.name == "attacker")
    #expect(Subject.attacker.payment(1).name == "attacker/2")
  }

  @Test("A subject is the same after its name was written and read, and no two have one name")
  func roundTrip() {
    var names: Set<String> = []
    var wrong: [String] = []
    for origin in [0, 1, 8, 9, 99, 65_535, 2_147_483_646] {
      for again in [0, 1, 14, 15] as [UInt64] {
        for payment in [0, 1, 9, 255] as [UInt64] {
          for restore in [0, 1, 10, 4095] as [UInt64] {
            let subject = Subject.transaction(origin).again(again).payment(payment)
              .restore(restore)
            if Subject(name: subject.name) != subject { wrong.append(subject.name) }
            if !names.insert(subject.name).inserted { wrong.append(subject.name) }
          }
        }
      }
      for subject in [Subject.phone(origin), .server(origin)]
      where Subject(name: subject.name) != subject {
        wrong.append(subject.name)
      }
    }
    for payment in [0, 1, 2, 255] as [UInt64] {
      let attacker = Subject.attacker.payment(payment)
      if Subject(name: attacker.name) != attacker { wrong.append(attacker.name) }
    }
    #expect(wrong == [])
    #expect(names.count == 7 * 64)
  }

  @Test(
    "A subject has one name only; what is not one is refused",
    arguments: [
      "", "tx", "tx0", "tx-1", "tx+1", "tx01", "tx 1", "TX1", "tx1/", "tx1/1", "tx1/0", "tx1/257",
      "tx1/a0", "tx1/a16", "tx1/r0", "tx1/r4096", "tx1/a1/a2", "tx1/2/3", "tx1/r1/r2", "tx1/r1/a1",
      "tx1/r+1", "tx2147483648", "phone0", "server0", "server1/2", "phone1/r1", "phone1/2", "phone",
      "purchase1", "/tx1",
      "attacker/1", "attacker1", "attacker/a1",
    ])
  func refusals(name: String) {
    #expect(Subject(name: name) == nil)
  }
}

@Suite("A ratio")
struct RatioTests {
  @Test(
    "A ratio is the exact share of all hashes that lie below its threshold",
    arguments: [
      ("0", 0), ("0/3", 0), ("1/2", 1 << 63), ("1/4", 1 << 62), ("3/4", 3 << 62),
      ("1/3", 0x5555_5555_5555_5555), ("2/3", 0xaaaa_aaaa_aaaa_aaaa),
      ("1/20", 0x0ccc_cccc_cccc_cccc), ("1", .max), ("7/7", .max),
      ("1/18446744073709551615", 1), ("18446744073709551614/18446744073709551615", .max - 1),
    ] as [(String, UInt64)])
  func thresholds(text: String, threshold: UInt64) throws {
    #expect(try #require(Ratio(parsing: text)).threshold == threshold)
  }

  @Test("A ratio is written as it was read")
  func text() throws {
    let ratio = try #require(Ratio(parsing: "3/40"))
    #expect((ratio.numerator, ratio.denominator) == (3, 40))
    #expect(ratio.description == "3/40")
    #expect(Ratio(parsing: "1")?.description == "1/1")
    #expect(Ratio(parsing: ratio.description) == ratio)
  }

  @Test(
    "A ratio is not above one, not below nothing, and not a decimal",
    arguments: ["", "/", "1/", "/2", "2", "3/2", "1/0", "0/0", "-1/2", "1/-2", "0.5", "1/2/3", "a"])
  func refusals(text: String) {
    #expect(Ratio(parsing: text) == nil)
  }
}
