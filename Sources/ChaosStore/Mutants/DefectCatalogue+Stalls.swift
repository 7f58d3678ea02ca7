extension Defect {
  /// The entry of a defect of an app that stays open and does not go on;
  /// nil for any other.
  var ofStalls: Entry? {
    switch self {
    case .oneRetryTimer:
      Entry(
        name: "one-retry-timer",
        summary: "There is one timer for retries, and a further report takes it over.",
        form: .storeKit2, world: .leftOpen, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "drop verify.request tx1 #1",
        evidence: [])
    case .replyStopsRetries:
      Entry(
        name: "reply-stops-retries",
        summary: "The answer about one purchase stops the retries of all.",
        form: .storeKit2, world: .leftOpen, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "drop verify.request tx1 #1",
        evidence: [])
    case .errorKeepsGuard:
      Entry(
        name: "error-keeps-guard",
        summary:
          "After an error the product stays marked as being bought, and taps for it do nothing.",
        form: .storeKit2, world: .leftOpen, breaks: "no-endless-wait",
        coinciding: 1,
        plan: "decline store.payment tx1 #1",
        evidence: ["flutter/flutter#60763"])
    case .errorIsSilent:
      Entry(
        name: "error-is-silent",
        summary: "When a payment ends with an error, nobody is told anything.",
        form: .storeKit2, world: .staysOpen, breaks: "no-endless-wait",
        coinciding: 1,
        plan: "decline store.payment tx1 #1",
        evidence: ["RevenueCat/purchases-ios#2415"])
    case .retryIsSilent:
      Entry(
        name: "retry-is-silent",
        summary: "Only the answer to a first report is shown; what a retry brings is not.",
        form: .storeKit2, world: .staysOpen, breaks: "no-endless-wait",
        coinciding: 1,
        plan: "drop verify.request tx1 #1",
        evidence: [])
    case .updatesAreSilent:
      Entry(
        name: "updates-are-silent",
        summary:
          "Only the result of a purchase is followed by a word, not what comes as an update.",
        form: .storeKit2, world: .staysOpen, breaks: "no-endless-wait",
        coinciding: 1,
        plan: "interrupt store.payment tx1 #1",
        evidence: ["RevenueCat/purchases-ios#2415"])
    case .finishesAgainOnce:
      Entry(
        name: "finishes-again-once",
        summary: "The app finishes again once what is still unfinished, and not a second time.",
        form: .storeKit2, world: .staysOpen, breaks: "queue-drains",
        coinciding: 2,
        plan: "drop store.finish tx1 #1, drop store.finish tx1 #2",
        evidence: ["RevenueCat/purchases-ios#2533"])
    case .tryAgainWaitsForLaunch:
      Entry(
        name: "try-again-waits-for-launch",
        summary: "What was answered with an error is reported again at the next launch only.",
        form: .storeKit2, world: .staysOpen, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "fail server.request tx1 #1",
        evidence: ["glassonion1/RxStoreKit#2"])
    case .backOffGrows:
      Entry(
        name: "back-off-grows",
        summary: "The second retry waits for more than three minutes.",
        form: .storeKit2, world: .staysOpen, breaks: "no-charge-without-delivery",
        coinciding: 2,
        plan: "drop verify.request tx1 #1, drop verify.request tx1 #2",
        evidence: [])
    case .scansFirstLaunchOnly:
      Entry(
        name: "scans-first-launch-only",
        summary:
          "The unfinished transactions are looked through in the first life of the app alone.",
        form: .storeKit2, world: .onePurchase, breaks: "no-charge-without-delivery",
        coinciding: 2,
        plan: "crash app after pay tx1 #1, swallow store.callback tx1 #1",
        evidence: ["bizz84/SwiftyStoreKit#624"])
    case .failedEndsObserving:
      Entry(
        name: "failed-ends-observing",
        summary: "The observer is removed when a payment has failed.",
        form: .storeKit1, world: .staysOpen, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "interrupt store.payment tx1 #1",
        evidence: ["Apple forum 6431"])
    case .guardOutlivesApp:
      Entry(
        name: "guard-outlives-app",
        summary: "That a product is being bought is written down, and stays so when the app dies.",
        form: .storeKit2, world: .leftOpen, breaks: "no-endless-wait",
        coinciding: 1,
        plan: "crash app after pay tx1 #1",
        evidence: [])
    case .refusalIsSilent:
      Entry(
        name: "refusal-is-silent",
        summary: "What the backend refuses for good is finished, and nobody is told.",
        form: .storeKit2, world: .staysOpen, breaks: "no-endless-wait",
        coinciding: 1,
        plan: "void store.charge tx1 #1",
        evidence: ["RevenueCat/purchases-ios#2415"])
    default: nil
    }
  }
}
