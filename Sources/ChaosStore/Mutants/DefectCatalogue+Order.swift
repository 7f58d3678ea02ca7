extension Defect {
  /// The entry of a defect of order in which messages arrive, and of what has changed meanwhile;
  /// nil for any other.
  var ofOrder: Entry? {
    switch self {
    case .anyCallbackEndsPayment:
      Entry(
        name: "any-callback-ends-payment",
        summary:
          "Whatever is called back for a product ends the payment for it, an older purchase too.",
        form: .storeKit1, world: .boughtTwice, breaks: "one-tap-one-charge",
        coinciding: 3,
        plan: """
          duplicate store.callback tx1 #1, delay store.duplicate tx1 #1 = 3900ms, repeat \
          person.tap tx2 #1
          """,
        evidence: [])
    case .anyUpdateEndsPayment:
      Entry(
        name: "any-update-ends-payment",
        summary:
          "An update about a product ends the purchase that is under way, an older one's too.",
        form: .storeKit2, world: .boughtTwice, breaks: "one-tap-one-charge",
        coinciding: 3,
        plan: """
          duplicate store.callback tx1 #1, delay store.duplicate tx1 #1 = 3900ms, repeat \
          person.tap tx2 #1
          """,
        evidence: [])
    case .lateErrorIsFailure:
      Entry(
        name: "late-error-is-failure",
        summary: "An error that comes after the answer to another report is shown as a failure.",
        form: .storeKit2, world: .twoPhones, breaks: "honest-answers",
        coinciding: 1,
        plan: "drop verifier.answer tx1 #1",
        evidence: ["RevenueCat/purchases-unity#1042"])
    case .secondCallbackFinishes:
      Entry(
        name: "second-callback-finishes",
        summary: "A transaction that is called back a second time is held for done, and finished.",
        form: .storeKit2, world: .twoPhones, breaks: "finish-only-after-credit",
        coinciding: 1,
        plan: "duplicate store.callback tx1 #1",
        evidence: ["Apple forum 816320"])
    case .replyFinishesAll:
      Entry(
        name: "reply-finishes-all",
        summary: "The answer about one transaction finishes all that are unfinished.",
        form: .storeKit2, world: .twoPhones, breaks: "finish-only-after-credit",
        coinciding: 1,
        plan: "fail store.payment tx1 #1",
        evidence: [])
    case .loginNamesOwner:
      Entry(
        name: "login-names-owner",
        summary:
          "When somebody logs in, open reports are sent again in their name, which is believed.",
        form: .storeKit2, world: .onePurchase, breaks: "right-account",
        coinciding: 2,
        plan: "switch person.account tx1 #1, delay verifier.answer tx1 #1 = 100ms",
        evidence: ["hyochan/react-native-iap#1139"])
    case .guardBelowZero:
      Entry(
        name: "guard-below-zero",
        summary: "Payments under way are a number, and whatever comes back takes one off.",
        form: .storeKit2, world: .twoPhones, breaks: "one-tap-one-charge",
        coinciding: 2,
        plan: "duplicate store.callback tx1 #1, repeat person.tap tx2 #1",
        evidence: ["MKSG-MugunthKumar/MKStoreKit#132"])
    case .paysAgainAfterError:
      Entry(
        name: "pays-again-after-error",
        summary: "A payment that ended with an error is made again twenty seconds later.",
        form: .storeKit2, world: .twoPhones, breaks: "one-tap-one-charge",
        coinciding: 1,
        plan: "interrupt store.payment tx1 #1",
        evidence: ["j3k0/cordova-plugin-purchase#1298"])
    case .tokenAfterProducts:
      Entry(
        name: "token-after-products",
        summary:
          "The products are loaded first, and the purchase names whoever is logged in by then.",
        form: .storeKit2, world: .sharedPhone, breaks: "right-account",
        coinciding: 1,
        plan: "delay store.products tx1 #1 = 60ms",
        evidence: ["hyochan/react-native-iap#1419"])
    case .otherSessionIsFailure:
      Entry(
        name: "other-session-is-failure",
        summary: "A success that arrives when somebody else is logged in is shown as a failure.",
        form: .storeKit2, world: .onePurchase, breaks: "honest-answers",
        coinciding: 1,
        plan: "switch person.report tx1 #1",
        evidence: [])
    default: nil
    }
  }
}
