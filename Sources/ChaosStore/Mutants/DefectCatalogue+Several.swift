extension Defect {
  /// The entry of a defect of several open purchases of one product, and of records on the phone;
  /// nil for any other.
  var ofSeveral: Entry? {
    switch self {
    case .settledByProduct:
      Entry(
        name: "settled-by-product",
        summary:
          "What was delivered is remembered by its product, and finished when it comes again.",
        form: .storeKit2, world: .twoPhones, breaks: "finish-only-after-credit",
        coinciding: 1,
        plan: "repeat person.purchase tx1 #1",
        evidence: ["RevenueCat/purchases-ios#1964"])
    case .openByProduct:
      Entry(
        name: "open-by-product",
        summary: "While a product is being reported, no other purchase of it is.",
        form: .storeKit2, world: .outside, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "delay verifier.answer tx1 #1 = 60ms",
        evidence: [])
    case .finishesByProduct:
      Entry(
        name: "finishes-by-product",
        summary: "The answer about a transaction finishes all of its product.",
        form: .storeKit2, world: .outside, breaks: "finish-only-after-credit",
        coinciding: 1,
        plan: "delay store.charge tx1 #1 = 109ms",
        evidence: [])
    case .reportsLatestOfProduct:
      Entry(
        name: "reports-latest-of-product",
        summary: "What proves a purchase is taken from the latest transaction of its product.",
        form: .storeKit2, world: .outside, breaks: "finish-only-after-credit",
        coinciding: 1,
        plan: "delay store.charge tx1 #1 = 149ms",
        evidence: [])
    case .journalNotFlushed:
      Entry(
        name: "journal-not-flushed",
        summary:
          "A transaction is finished once it is written down, and nobody waits for the disk.",
        form: .storeKit2, world: .twoPhones, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "crash app after finish tx1 #1",
        evidence: ["bizz84/SwiftyStoreKit#50"])
    case .erasedBeforeSend:
      Entry(
        name: "erased-before-send",
        summary: "What a finished transaction is reported from is removed as it is sent.",
        form: .storeKit2, world: .twoPhones, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "crash app before send tx1 #1",
        evidence: ["bizz84/SwiftyStoreKit#50"])
    case .oneRecordSlot:
      Entry(
        name: "one-record-slot",
        summary: "There is one place for what a finished transaction is reported from.",
        form: .storeKit2, world: .twoPhones, breaks: "local-record-discipline",
        coinciding: 1,
        plan: "drop verify.request tx1 #1",
        evidence: [])
    case .erasedOnAnyAnswer:
      Entry(
        name: "erased-on-any-answer",
        summary: "What a finished transaction is reported from is removed by any answer.",
        form: .storeKit2, world: .twoPhones, breaks: "no-charge-without-delivery",
        coinciding: 2,
        plan: "fail server.request tx1 #1, crash app after reply tx1 #1",
        evidence: [])
    default: nil
    }
  }
}
