extension Defect {
  /// The entry of a defect of requests that a backend handles at once, and of what names no owner;
  /// nil for any other.
  var ofInterleaving: Entry? {
    switch self {
    case .ownerInAField:
      Entry(
        name: "owner-in-a-field",
        summary: """
          Who is to be credited waits in a property of the process, which the next request \
          overwrites.
          """,
        form: .storeKit2, world: .twoStores, breaks: "right-account",
        coinciding: 1,
        plan: "delay verifier.answer tx1 #1 = 170ms",
        evidence: [])
    case .outcomeInAField:
      Entry(
        name: "outcome-in-a-field",
        summary: """
          What is to be answered waits in a property of the process, which the next request \
          overwrites.
          """,
        form: .storeKit2, world: .twoStores, breaks: "finish-only-after-credit",
        coinciding: 2,
        plan: "fail server.commit tx1 #1, delay verifier.answer tx1 #1 = 170ms",
        evidence: [])
    case .lockPerReplica:
      Entry(
        name: "lock-per-replica",
        summary: "Whether it was credited is asked under a lock that one process alone has.",
        form: .storeKit2, world: .twoPhones, breaks: "no-double-credit",
        coinciding: 1,
        plan: "duplicate verify.request tx1 #1",
        evidence: ["hyodotdev/openiap#152"])
    case .lockIsKept:
      Entry(
        name: "lock-is-kept",
        summary: "A transaction that is worked on is locked, and an outage leaves it so.",
        form: .storeKit2, world: .twoPhones, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "fail verifier.request tx1 #1",
        evidence: [])
    case .recordedBeforeVerify:
      Entry(
        name: "recorded-before-verify",
        summary: "A transaction is recorded as done when its report arrives.",
        form: .storeKit2, world: .twoPhones, breaks: "finish-only-after-credit",
        coinciding: 1,
        plan: "duplicate verify.request tx1 #1",
        evidence: ["saleor/apps#2446"])
    case .inProgressIsDone:
      Entry(
        name: "in-progress-is-done",
        summary: "A report of what is being worked on is answered with success.",
        form: .storeKit2, world: .twoPhones, breaks: "finish-only-after-credit",
        coinciding: 1,
        plan: "drop verifier.answer tx1 #1",
        evidence: ["RevenueCat/purchases-ios#5795"])
    case .parkedForNextReport:
      Entry(
        name: "parked-for-next-report",
        summary:
          "What cannot be entered now is entered with the next report, for whoever sends that.",
        form: .storeKit2, world: .twoStores, breaks: "right-account",
        coinciding: 1,
        plan: "fail server.commit tx1 #1",
        evidence: [])
    case .ownerlessEndsTap:
      Entry(
        name: "ownerless-ends-tap",
        summary: "What comes back without a name is the answer to the tap that waits.",
        form: .storeKit1, world: .outside, breaks: "honest-answers",
        coinciding: 1,
        plan: "partition store.payment tx1 #1",
        evidence: [])
    case .copiedEvidenceCounts:
      Entry(
        name: "copied-evidence-counts",
        summary:
          "What names no owner goes to whoever shows it, from whichever device it was copied.",
        form: .storeKit2, world: .outside, breaks: "right-account",
        coinciding: 2,
        plan: "steal attacker.evidence tx2 #1, drop verify.request tx2 #1",
        evidence: ["Cap-go/capacitor-native-purchases 152397c"])
    case .claimedBeforeVerify:
      Entry(
        name: "claimed-before-verify",
        summary: """
          What names no owner belongs to whoever first reports it, before anybody asks whether \
          it is theirs.
          """,
        form: .storeKit2, world: .outside, breaks: "right-account",
        coinciding: 2,
        plan: "steal attacker.evidence tx2 #1, drop verify.request tx2 #1",
        evidence: ["Cap-go/capacitor-native-purchases 152397c"])
    case .ownerlessToLastBuyer:
      Entry(
        name: "ownerless-to-last-buyer",
        summary: "What names no owner goes to whoever bought last.",
        form: .storeKit2, world: .outside, breaks: "right-account",
        coinciding: 1,
        plan: "drop verify.request tx2 #1",
        evidence: [])
    default: nil
    }
  }
}
