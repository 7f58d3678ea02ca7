import ChaosStore

/// A column of the table: what goes wrong in the world, in words short enough for a header.
struct Topic: Hashable {
  /// Such as `F41`, `F03+F14` or `mixed`.
  let name: String
  /// The faults it names.
  let faults: [Fault]

  /// From what a scenario says; a finer line of the catalogue, such as F01d, belongs to F01.
  init(_ written: String) {
    faults = written.split { "+/, ".contains($0) }.compactMap { part in
      Fault(named: String(part)) ?? Fault(named: String(part.prefix(3)))
    }
    name = faults.isEmpty ? written : faults.map(\.code).joined(separator: "+")
  }

  /// What stands directly above the cells, and what `explain` takes: `F41`, `F03+F14`, `mixed`.
  var code: String { name.isEmpty ? "other" : name }

  /// The words above the code, one above the other.
  var header: [String] {
    if name == "mixed" { return ["all", "faults"] }
    guard !faults.isEmpty else { return [] }
    return Array(faults.map { Self.header(of: $0) }.joined(separator: ["+"]))
  }

  /// In a sentence, with the code.
  var sentence: String {
    if name == "mixed" { return "all faults (mixed)" }
    if name.isEmpty { return "other scenarios (other)" }
    return faults.isEmpty
      ? name : faults.map(\.entry.short).joined(separator: ", and ") + " (\(code))"
  }

  /// The words of the header, one after the other, and the code.
  var short: String {
    let words = header.reduce("") { text, word in
      text.isEmpty ? word : text.hasSuffix("-") ? text.dropLast() + word : text + " " + word
    }
    return words.isEmpty ? code : "\(words) (\(code))"
  }

  private static let famous: [Fault] = [
    .appCrash, .responseLost, .duplicateCallback, .replayFinished,
  ]

  /// Whether it is one of the four faults that every shop meets.
  var isFamous: Bool { faults.count == 1 && Self.famous.contains(faults[0]) }

  /// The famous come first, then the catalogue's order, `mixed` last.
  var rank: Int {
    if name == "mixed" { return 1000 }
    guard let first = faults.first else { return name.isEmpty ? 999 : 500 }
    return isFamous ? Self.famous.firstIndex(of: first) ?? 0 : 100 + Int(first.rawValue)
  }

  private static func header(of fault: Fault) -> [String] {
    switch fault {
    case .appCrash: ["app", "dies"]
    case .lateObserver: ["listens", "late"]
    case .failureFirst: ["other", "payment", "fails"]
    case .handlerTwice: ["listens", "twice"]
    case .finishLost: ["finish", "lost"]
    case .reinstall: ["app re-", "installed"]
    case .backupRestored: ["old", "backup", "back"]
    case .accountSwitch: ["other", "user", "logs in"]
    case .doubleTap: ["double", "tap"]
    case .recordLost: ["record", "lost"]
    case .duplicateCallback: ["called", "back", "twice"]
    case .replayFinished: ["finished", "one is", "replayed"]
    case .missingRedelivery: ["not", "called", "back"]
    case .delayedDelivery: ["called", "back", "late"]
    case .failedThenPurchased: ["failed", "but", "charged"]
    case .askToBuy: ["parent", "must", "agree"]
    case .buyWhileUnfinished: ["bought", "again"]
    case .identityDrift: ["other", "id for", "the same"]
    case .finishedElsewhere: ["finished", "else-", "where"]
    case .storefrontChanged: ["store-", "front", "changes"]
    case .clockWrong: ["clock", "wrong"]
    case .tokenHidden: ["token", "missing"]
    case .receiptMissing: ["no", "receipt"]
    case .receiptStale: ["stale", "receipt"]
    case .refreshFails: ["receipt", "refresh", "fails"]
    case .foreignReceipt: ["receipt", "of other", "Apple ID"]
    case .receiptRewritten: ["receipt", "forgets"]
    case .requestLost: ["report", "lost"]
    case .responseLost: ["answer", "lost"]
    case .lateResponse: ["answer", "late"]
    case .reordering: ["out of", "order"]
    case .slowServer: ["report", "late"]
    case .partition: ["phone", "offline"]
    case .serverError: ["server", "error"]
    case .businessError: ["error", "in a", "200"]
    case .sessionExpired: ["session", "expired"]
    case .serverCrash: ["server", "dies"]
    case .concurrentDuplicate: ["sent", "twice", "at once"]
    case .errorAfterCommit: ["credit,", "then", "error"]
    case .dedupePruned: ["cache", "pruned"]
    case .jobRepeated: ["job", "run", "twice"]
    case .staleRead: ["stale", "replica"]
    case .commitUnknown: ["commit", "un-", "known"]
    case .verifierStatus: ["Apple", "cannot", "say"]
    case .verifierOutage: ["Apple", "silent"]
    case .transactionUnknown: ["Apple", "does not", "know it"]
    case .verifierBusy: ["Apple", "busy"]
    case .historyShortened: ["history", "too", "short"]
    case .signatureUnchecked: ["sign-", "ature not", "checked"]
    case .commandLost: ["call to", "Apple", "lost"]
    case .notificationLost: ["Apple's", "message", "lost"]
    case .notificationTwice: ["Apple's", "message", "twice"]
    case .notificationRepeated: ["told", "twice"]
    case .notificationOvertaken: ["messages", "out of", "order"]
    case .notificationDelayed: ["Apple's", "message", "late"]
    case .notificationEarly: ["Apple's", "message", "first"]
    case .notificationForged: ["forged", "message"]
    case .refund: ["money", "given", "back"]
    case .refundReversed: ["refund", "taken", "back"]
    case .familyLeft: ["left", "the", "family"]
    case .refundProrated: ["a part", "given", "back"]
    case .refundUnannounced: ["refund", "un-", "told"]
    case .billingProblem: ["renewal", "not", "charged"]
    case .refundAsked: ["refund", "asked", "for"]
    case .renewalOff: ["renewal", "off"]
    case .priceRaised: ["price", "raised"]
    case .forgedReceipt: ["forged", "receipt"]
    case .stolenEvidence: ["stolen", "receipt"]
    case .foreignAppEvidence: ["other", "app's", "receipt"]
    case .sandboxEvidence: ["sandbox", "receipt"]
    case .localVerificationSpoofed: ["phone's", "check", "faked"]
    case .productSubstituted: ["cheap", "for", "dear"]
    case .taskOrder: ["tasks", "in other", "order"]
    case .unverified: ["un-", "verified"]
    case .productsFail: ["no", "product", "list"]
    case .paymentRefused: ["payment", "refused"]
    case .reopen: ["closed", "and", "opened"]
    case .visitAgain: ["page", "visited", "again"]
    case .buyMore: ["more", "is", "bought"]
    case .background: ["in the", "back-", "ground"]
    }
  }
}
