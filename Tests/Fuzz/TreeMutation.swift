extension Tree {
  /// Does something to one place of it.
  mutating func mutate(_ random: inout Random, _ corpus: Corpus) {
    switch self {
    case .list(var elements) where !elements.isEmpty && !random.oneIn(4):
      elements[random.below(elements.count)].mutate(&random, corpus)
      self = .list(elements)
    case .object(var members) where !members.isEmpty && !random.oneIn(4):
      members[random.below(members.count)].value.mutate(&random, corpus)
      self = .object(members)
    case .list(var elements):
      Self.mutate(&elements, &random, corpus)
      self = .list(elements)
    case .object(var members):
      Self.mutate(&members, &random, corpus)
      self = .object(members)
    case .string(let text) where random.oneIn(3): self = .string(Hostile.mutated(text, &random))
    case .null, .bool, .number, .string, .raw: self = .hostile(&random, corpus)
    }
  }

  private static func mutate(
    _ elements: inout [Tree], _ random: inout Random, _ corpus: Corpus
  ) {
    guard !elements.isEmpty else { return elements.append(.hostile(&random, corpus)) }
    let place = random.below(elements.count)
    switch random.below(6) {
    case 0: elements.remove(at: place)
    case 1: elements.insert(elements[place], at: place)
    case 2: elements.swapAt(place, random.below(elements.count))
    case 3: elements.append(.hostile(&random, corpus))
    case 4 where random.oneIn(8):
      elements += Array(repeating: elements[place], count: random.below(100))
    case 5 where random.oneIn(4): elements = []
    default: elements[place].mutate(&random, corpus)
    }
  }

  private static func mutate(
    _ members: inout [Member], _ random: inout Random, _ corpus: Corpus
  ) {
    let key = random.pick(corpus.keys)
    guard !members.isEmpty else {
      return members.append(Member(key: key, value: .fitting(key, &random, corpus)))
    }
    let place = random.below(members.count)
    switch random.below(9) {
    case 0: members.remove(at: place)
    case 1 where random.oneIn(3): members.append(members[place])
    case 2: members[place].key = Hostile.mutated(members[place].key, &random)
    case 3: members[place].key = key
    case 4: members[place].value = .hostile(&random, corpus)
    case 5:
      members[place].value = .fitting(members[place].key, &random, corpus)
    case 6, 7:
      if members.contains(where: { $0.key == key }), !random.oneIn(20) { fallthrough }
      members.insert(Member(key: key, value: .fitting(key, &random, corpus)), at: place)
    default: members[place].value.mutate(&random, corpus)
    }
  }

  /// Anything at all.
  static func hostile(_ random: inout Random, _ corpus: Corpus) -> Tree {
    switch random.below(14) {
    case 0: return .null
    case 1: return .bool(random.oneIn(2))
    case 2, 3, 4: return .number(random.pick(Hostile.numbers))
    case 5: return .string(random.pick(Hostile.texts))
    case 6: return .string(random.pick(corpus.words))
    case 7: return .string(random.pick(Hostile.times + Hostile.ranges))
    case 8: return .string(random.pick(Hostile.ratios))
    case 9: return .list(random.oneIn(2) ? [] : [.hostile(&random, corpus)])
    case 10:
      let key = random.oneIn(2) ? random.pick(corpus.keys) : random.pick(Hostile.texts)
      return .object(
        random.oneIn(2) ? [] : [Member(key: key, value: .hostile(&random, corpus))])
    case 11: return .raw(Array(random.pick(Hostile.rubbish).utf8))
    case 12: return .raw(random.pick(Hostile.brokenUTF8))
    default:
      // As deep as readers allow, a little deeper, and seldom as deep as stacks do not.
      let depth =
        random.oneIn(400) ? 200_000 : random.pick([2, 30, 55, 60, 62, 63, 64, 65, 66, 100])
      let signs: [(String, String)] = [("[", "]"), (#"{"a":"#, "}"), ("[", "")]
      let (open, close) = random.pick(signs)
      return .raw(
        Array((String(repeating: open, count: depth) + "1").utf8)
          + Array(String(repeating: close, count: depth).utf8))
    }
  }

  /// Something that this key may well have, at or over the edge of what is allowed.
  static func fitting(_ key: String, _ random: inout Random, _ corpus: Corpus) -> Tree {
    func count(_ most: Int) -> Tree { .number("\(random.below(most + 2))") }
    switch key {
    case "heal", "horizon", "reopenEvery", "within", "over":
      if random.oneIn(6) { return .string(random.pick(Hostile.times)) }
      if random.oneIn(4) { return Self.edge(&random) }
      return .number("\(random.below(600) * random.pick([1, 10, 1000]))")
    case "begins":
      return .string(
        random.pick(["2026-11-22", "2026-02-30", "1970-01-01", "2099-12-31T23:59:60Z", "x"]))
    case "at":
      return random.oneIn(3)
        ? .list([.string(random.pick(corpus.words))]) : .string(random.pick(Hostile.times))
    case "accounts", "storeAccounts": return random.oneIn(4) ? Self.edge(&random) : count(4)
    case "devices":
      if random.oneIn(3) { return random.oneIn(4) ? Self.edge(&random) : count(4) }
      return .list((0..<random.below(4)).map { _ in device(&random) })
    case "products":
      return .list(
        (0..<random.below(4)).map { _ in
          var product = Tree.object([
            Member(key: "name", value: .string(random.pick(["coins", "gems", "map", "keys", ""])))
          ])
          if random.oneIn(2) {
            product["kind"] = .string(
              random.pick(["consumable", "non-consumable", "non-renewing", "auto-renewable", "x"]))
          }
          if random.oneIn(3) { product["familyShareable"] = .bool(random.oneIn(2)) }
          if random.oneIn(3) { product["period"] = .string(random.pick(["P1M", "P1W", "P0D"])) }
          return product
        })
    case "families":
      return .list(
        (0..<random.below(3)).map { _ in
          let accounts = ["apple1", "apple2", "apple9", "x"]
          return .list((0..<random.below(4)).map { _ in .string(random.pick(accounts)) })
        })
    case "steps": return .list((0..<random.below(6)).map { _ in step(&random, corpus) })
    case "arrivals":
      return .object([
        Member(key: "count", value: random.oneIn(3) ? Self.edge(&random) : count(40)),
        Member(key: "over", value: .string(random.pick(Hostile.times))),
      ])
    case "eventLimit", "seeds", "most": return random.oneIn(2) ? Self.edge(&random) : count(3000)
    case "retaps", "quantity", "count": return random.oneIn(3) ? Self.edge(&random) : count(12)
    case "relaunches", "swarm": return .bool(random.oneIn(2))
    case "policy": return .string(random.pick(["buyer", "transfer-on-restore", "seller"]))
    case "chance": return .string(random.pick(Hostile.ratios))
    case "mix": return .string(random.pick(["all", "default", "none"]))
    case "delays":
      return .object(
        (0..<random.below(4)).map { _ in
          Member(
            key: random.pick(corpus.words.filter { $0.hasPrefix("delay ") }),
            value: .string(random.pick(Hostile.ranges)))
        })
    case "faults": return faults(&random, corpus)
    case "backend": return .string(random.pick(["naive", "idempotent", "wise"]))
    case "environment": return .string(random.pick(["production", "sandbox", "xcode", "test"]))
    case "invariants", "expect", "allow":
      if random.oneIn(4) { return .string("*") }
      let names = random.oneIn(4) ? corpus.words : corpus.ruleNames
      return .list((0..<random.below(4)).map { _ in .string(random.pick(names)) })
    case "sometimes":
      let names = random.oneIn(4) ? corpus.words : corpus.goalNames
      return .list(
        (0..<random.below(3)).map { _ in
          .string((0..<random.few(upTo: 3)).map { _ in random.pick(names) }.joined(separator: "+"))
        })
    case "about", "topic": return .string(random.pick(Hostile.texts))
    default: return hostile(&random, corpus)
    }
  }

  /// A number at the edge of something.
  private static func edge(_ random: inout Random) -> Tree { .number(random.pick(Hostile.numbers)) }

  private static func device(_ random: inout Random) -> Tree {
    var device = Tree.object([])
    if random.oneIn(2) { device["storeAccount"] = .string("apple\(random.below(4))") }
    if random.oneIn(2) { device["account"] = .string("user\(random.below(4))") }
    if random.oneIn(4) {
      device["environment"] = .string(random.pick(["production", "sandbox", "xcode"]))
    }
    return device
  }

  private static func step(_ random: inout Random, _ corpus: Corpus) -> Tree {
    var step = Tree.object([
      Member(
        key: "at",
        value: random.oneIn(5)
          ? .string(random.pick(Hostile.times)) : .number("\(random.below(300) * 1000)")),
      Member(key: "device", value: .string("phone\(random.below(4))")),
    ])
    switch random.below(4) {
    case 0: step["logIn"] = .string("user\(random.below(4))")
    case 1:
      step["do"] = .string(
        random.pick(["restore", "reinstall", "restore-backup", "quit", "open", "wait"]))
    default:
      let product = random.pick(["coins", "gems", "map", "keys"])
      step[random.oneIn(3) ? "buyOutside" : "buy"] = .string(product)
      if random.oneIn(3) { step["quantity"] = .number(random.pick(["1", "2", "10", "11"])) }
      if random.oneIn(3) { step["account"] = .string("user\(random.below(4))") }
    }
    return step
  }

  private static func faults(_ random: inout Random, _ corpus: Corpus) -> Tree {
    var faults = Tree.object([])
    if random.oneIn(2) { faults["mix"] = .string(random.pick(["all", "default"])) }
    if random.oneIn(3) { faults["swarm"] = .bool(random.oneIn(2)) }
    for _ in 0..<random.below(5) {
      let chance = Tree.string(random.pick(["1/1", "1/2", "1/20", "0", "1"]))
      faults[random.pick(corpus.faultNames)] =
        random.oneIn(2)
        ? chance
        : .object([
          Member(key: "chance", value: chance),
          Member(key: "most", value: random.oneIn(3) ? edge(&random) : .number("2")),
        ])
    }
    return faults
  }
}
