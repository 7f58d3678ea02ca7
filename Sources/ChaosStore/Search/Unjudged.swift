import Invariants

/// Which rules had nothing to judge in many runs, and which faults never struck, each with the reason.
///
/// Of these a search says nothing, so a report says them first.
package struct Unjudged {
  private var rules: [(code: String, judged: Int, lacking: String)] = []
  /// By fault how often it struck, and why not where it did not.
  private var faults: [Fault: (struck: Int, reason: String)] = [:]
  private var runs = 0

  package init() {}

  /// Adds what a search of a scenario came to. Each fault of the mix counts, and where they are given, more.
  package mutating func add(
    _ findings: Findings, of scenario: Scenario, expecting expected: [Fault] = []
  ) {
    runs += findings.runs
    for (rule, found) in zip(scenario.invariants, findings.rules) {
      let judged = findings.runs - found.idle
      if let place = rules.firstIndex(where: { $0.code == rule.code }) {
        rules[place].judged += judged
      } else {
        rules.append((rule.code, judged, scenario.reasonNotToJudge(rule)))
      }
    }
    for fault in scenario.setup.mix.faults + expected {
      faults[fault, default: (0, scenario.reasonNotToStrike(fault))].struck +=
        findings.coverage[fault]
    }
  }

  /// A sentence each about rules and faults; none where all were judged and struck, or nothing was run.
  package var sentences: [String] {
    guard runs > 0 else { return [] }
    var sentences: [String] = []
    let idle = rules.filter { $0.judged == 0 }.sorted { $0.code < $1.code }
    if !idle.isEmpty {
      sentences.append(
        "Not judged: " + Self.grouped(idle.map { ($0.code, $0.lacking) }, Self.listed) + ".")
    }
    let still = Fault.allCases.filter { faults[$0]?.struck == 0 }
    if !still.isEmpty {
      sentences.append(
        "Never struck: "
          + Self.grouped(still.map { ($0.code, faults[$0]?.reason ?? "") }, Self.ranges) + ".")
    }
    return sentences
  }

  /// Codes by reason, in the order in which the reasons come first.
  private static func grouped(
    _ entries: [(code: String, reason: String)], _ text: ([String]) -> String
  ) -> String {
    var groups: [(reason: String, codes: [String])] = []
    for (code, reason) in entries {
      if let place = groups.firstIndex(where: { $0.reason == reason }) {
        groups[place].codes.append(code)
      } else {
        groups.append((reason, [code]))
      }
    }
    return groups.map { "\(text($0.codes)): \($0.reason)" }.joined(separator: "; ")
  }

  private static func listed(_ codes: [String]) -> String { codes.joined(separator: ", ") }

  /// `F70 to F74` for three or more that stand in a row in the catalogue.
  private static func ranges(_ codes: [String]) -> String {
    let all = Fault.allCases.map(\.code)
    var rows: [[String]] = []
    for code in codes {
      if let last = rows.last?.last, let place = all.firstIndex(of: last),
        all.indices.contains(place + 1), all[place + 1] == code
      {
        rows[rows.count - 1].append(code)
      } else {
        rows.append([code])
      }
    }
    return rows.flatMap { row in
      row.count > 2 ? ["\(row[0]) to \(row[row.count - 1])"] : row
    }.joined(separator: ", ")
  }
}

extension Scenario {
  /// Why a rule may have had nothing to judge in any run.
  fileprivate func reasonNotToJudge(_ rule: any Invariant) -> String {
    if !system.hasBackend, rule.concerns.allSatisfy(\.isOfBackend) { return Self.noBackend }
    if !setup.hasAftermath, rule.concerns.allSatisfy(\.isAftermath) { return Self.noAftermath }
    return rule.lacking
  }

  /// Why a fault may not have struck in any run.
  fileprivate func reasonNotToStrike(_ fault: Fault) -> String {
    if setup.mix.entries[fault] == nil, !fault.needsWholeStore {
      return "it strikes only where a check names it"
    }
    if fault.needsHostedApp, !system.takesAnyOutcome { return "they need a hosted app" }
    if fault.needsSubscription, !setup.sellsSubscriptions { return "no subscription is sold" }
    if fault.needsWholeStore, !setup.hasAftermath { return Self.noAftermath }
    if !system.hasBackend, fault.questions.allSatisfy(\.isOfBackend) { return Self.noBackend }
    if fault == .foreignReceipt, setup.storeAccounts == 1 {
      return "one Apple account pays for all"
    }
    return fault.lack ?? "no run gave them anything to strike before the end"
  }

  private static let noBackend = "the app has no backend"
  private static let noAftermath = "this world has no refunds, renewals and notifications"
}

extension Fact.Kind {
  fileprivate var isOfBackend: Bool {
    switch self {
    case .reported, .verified, .answered, .attributed, .givenUp: true
    default: false
    }
  }

  /// True for what happens only after a purchase was complete.
  fileprivate var isAftermath: Bool {
    switch self {
    case .renewed, .expired, .granted, .refunded, .reversed, .regranted, .givenUp: true
    default: false
    }
  }
}

extension Question {
  fileprivate var isOfBackend: Bool {
    switch step {
    case .request, .verify, .credit, .reply, .notify: true
    // It strikes when a backend asks about the charge.
    default: self == .voidCharge
    }
  }
}

extension Fault {
  /// What an app that never meets this fault does not do.
  fileprivate var lack: String? {
    switch self {
    case .lateObserver, .visitAgain: "no app has a shop page"
    case .tokenHidden: "no payment of StoreKit 1 has an account token"
    case .unverified: "no purchase was made with StoreKit 2"
    case .productsFail: "no app asked for products"
    case .refreshFails: "no app refreshed its receipt"
    case .taskOrder: "never were two tasks of an app ready at once"
    default: nil
    }
  }
}
