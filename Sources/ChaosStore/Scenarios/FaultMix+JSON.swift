extension Fault {
  /// The faults of a default mix: the most reported ones, the four that every shop meets among them.
  package static let usual: [Fault] = [
    .appCrash, .finishLost, .accountSwitch, .duplicateCallback, .replayFinished,
    .missingRedelivery, .failedThenPurchased, .buyWhileUnfinished, .tokenHidden, .receiptMissing,
    .receiptStale, .requestLost, .responseLost, .serverError, .concurrentDuplicate,
    .verifierStatus,
  ]
}

extension FaultMix {
  /// These faults with their usual chances; each seed may use a subset of them only (swarm).
  public init(_ faults: [Fault]) {
    for fault in faults { entries[fault] = Entry(chance: fault.usualChance) }
    isSwarmed = !faults.isEmpty
  }

  /// Reads `{"mix": "default", "response-lost": "1/8", "app-crash": {"chance": …, …}, …}`.
  ///
  /// A mix that is named as a whole is swarmed, unless `"swarm": false` says otherwise.
  ///
  /// What happens after a purchase was made belongs to `all` where a subscription is sold, and to `whole-store`
  /// everywhere; what happens to subscriptions alone, where there are any. What a `.storekit` file switches on is more
  /// particular than a mix as a whole, and less so than a fault that is named.
  init(
    reading node: JSONNode, sellsSubscriptions: Bool = true,
    over switches: [Fault: Entry] = [:]
  ) throws(ScenarioError) {
    let object = try node.object("an object of faults and their chances")
    let whole = Fault.common.filter { sellsSubscriptions || !$0.needsSubscription }
    let all = whole.filter { sellsSubscriptions || !$0.needsWholeStore }
    let mix = try object["mix"]?.index(among: ["all", "default", "whole-store"], "mixes")
    self.init(mix.map { [all, Fault.usual, whole][$0] } ?? [])
    isSwarmed = try object["swarm"]?.bool() ?? isSwarmed
    entries.merge(switches) { _, switched in switched }
    var named: [Fault] = []
    for (key, node) in object.members where key != "mix" && key != "swarm" {
      guard let fault = Fault(named: key) else {
        throw node.unknownKey(
          key, ["mix", "swarm"] + Fault.allCases.map(\.name),
          "faults that 'chaos-runner list faults' shows")
      }
      guard !named.contains(fault) else {
        throw node.error(
          found: "\(fault.name) a second time", expected: "each fault once, by name or code")
      }
      named.append(fault)
      entries[fault] = try Entry(reading: node, fault)
    }
  }
}

extension Fault {
  fileprivate var usualChance: Ratio { Ratio(1, entry.oneIn)! }
}

extension FaultMix.Entry {
  /// Reads a chance, or a chance with limits; nil where the chance is 0.
  fileprivate init?(reading node: JSONNode, _ fault: Fault) throws(ScenarioError) {
    guard case .object = node.value else {
      let chance = try node.ratio()
      guard chance.numerator > 0 else { return nil }
      self.init(chance: chance)
      return
    }
    let object = try node.object(of: ["chance", "most", "at"])
    self.init(chance: try object["chance"]?.ratio() ?? fault.usualChance)
    if let most = object["most"] { self.most = UInt32(try most.int(Limits.strikes)) }
    if let at = object["at"] { sites = try at.questions(of: fault) }
    if let node = object["chance"], chance.numerator == 0 {
      guard let limit = ["most", "at"].first(where: { object[$0] != nil }) else { return nil }
      throw node.error(expected: "a chance above 0 where '\(limit)' is given")
    }
  }
}

extension JSONNode {
  fileprivate func ratio() throws(ScenarioError) -> Ratio {
    let ratio: Ratio? =
      switch value {
      case .string(let text): Ratio(parsing: text)
      case .int(let number): UInt64(exactly: number).flatMap { Ratio($0, 1) }
      case .null, .bool, .number, .list, .object: nil
      }
    guard let ratio else { throw error(expected: "a ratio from 0 to 1 such as 1/20") }
    return ratio
  }

  fileprivate func questions(of fault: Fault) throws(ScenarioError) -> [Question] {
    let expected = "a list of questions of \(fault.name)"
    let known = fault.questions
    var questions: [Question] = []
    for element in try list(expected) {
      let index = try element.index(among: known.map(\.name), "questions of \(fault.name)")
      guard !questions.contains(known[index]) else {
        throw element.error(expected: "each question once")
      }
      questions.append(known[index])
    }
    guard !questions.isEmpty else { throw error(found: "an empty list", expected: expected) }
    return questions
  }
}
