extension Fault {
  /// What is known about those that strike after a purchase was made.
  var describedOfWholeStore: Entry {
    switch self {
    case .commandLost:
      Entry(
        code: "F66", name: "command-lost", short: "what Apple is to do never reaches it",
        about: """
          A call with which a backend has Apple do something does not arrive: to finish a transaction, to \
          say whose it is, to put a renewal off. The backend waits in vain.
          """,
        evidence: ["Apple: App Store Server API 1.20, Finish Transaction"],
        oneIn: 10)
    case .notificationLost:
      Entry(
        code: "F70", name: "notification-lost", short: "a notification of Apple's is lost",
        about: """
          A notification does not reach the backend. In production Apple sends it again 1, 12, 24, 48 and \
          72 hours after the attempt before; in the sandbox never.
          """,
        evidence: ["Apple: Responding to App Store Server Notifications", "Apple forum 765924"],
        oneIn: 8)
    case .notificationTwice:
      Entry(
        code: "F71", name: "notification-twice", short: "a notification comes twice",
        about: """
          A notification reaches the backend twice with one notificationUUID, although it was answered.
          """,
        evidence: ["Apple forum 716641", "saleor/apps#2446"],
        oneIn: 10)
    case .notificationRepeated:
      Entry(
        code: "F72", name: "notification-repeated", short: "the same is told in two notifications",
        about: """
          The same event is told in two notifications, each with a notificationUUID of its own.
          """,
        evidence: ["Apple forum 756151"],
        oneIn: 10)
    case .notificationOvertaken:
      Entry(
        code: "F73", name: "notification-overtaken",
        short: "a notification is overtaken by a later one",
        about: """
          A notification comes after one that was signed after it. Apple: of several about one transaction \
          the one with the latest signedDate counts.
          """,
        evidence: ["Apple: signedDate of a notification's payload"],
        oneIn: 10)
    case .notificationDelayed:
      Entry(
        code: "F74", name: "notification-delayed", short: "a notification comes an hour late",
        about: """
          A notification is on its way for more than an hour.
          """,
        evidence: ["Apple forum: 66 minutes"],
        oneIn: 10)
    case .notificationEarly:
      Entry(
        code: "F75", name: "notification-early",
        short: "a notification comes before the app has heard",
        about: """
          A notification reaches the backend at once: before the app has heard of the purchase, and before \
          anybody has told the backend whose it is.
          """,
        evidence: ["RevenueCat/purchases-ios#7072", "Apple: ONE_TIME_CHARGE"],
        oneIn: 10)
    case .notificationForged:
      Entry(
        code: "F76", name: "notification-forged",
        short: "somebody sends a forged notification",
        about: """
          An attacker posts to the address for notifications what Apple never signed: that the money of a \
          purchase was given back. The address is no secret, and who does not verify the signature believes it.
          """,
        evidence: ["Apple: Responding to App Store Server Notifications (verify the JWS)"],
        oneIn: 20)
    case .refundReversed:
      Entry(
        code: "F81", name: "refund-reversed", short: "a refund is reversed",
        about: """
          Apple takes money again that it had given back, as after a dispute: what was taken back for it is \
          to be given again. A consumable that was finished shows on no phone by then.
          """,
        evidence: ["Apple: REFUND_REVERSED"],
        oneIn: 4)
    case .familyLeft:
      Entry(
        code: "F82", name: "family-left", short: "somebody leaves their family",
        about: """
          Somebody leaves the family that shares purchases, up to two weeks after they got something: what \
          the others have bought is theirs no more, and what they have bought is the others' no more (REVOKE). \
          No mix has it unless it is named, and it needs `families`.
          """,
        evidence: [
          "Apple: REVOKE, revocationType FAMILY_REVOKE",
          "Apple: Supporting Family Sharing in your app",
        ],
        oneIn: 4)
    case .refundProrated:
      Entry(
        code: "F83", name: "refund-prorated", short: "a part of the money is given back",
        about: """
          Apple gives a quarter, a half or three quarters of the money of a consumable back, and leaves the \
          rest of the goods paid for.
          """,
        evidence: ["Apple: revocationType REFUND_PRORATED, revocationPercentage"],
        oneIn: 4)
    case .refundUnannounced:
      Entry(
        code: "F84", name: "refund-unannounced", short: "an app is not told of a refund",
        about: """
          An app that runs gets no update for a refund, as one that is closed gets none when it is opened: \
          only the history has it, or the backend.
          """,
        evidence: ["Apple forum 751340"],
        oneIn: 4)
    case .refund:
      Entry(
        code: "F80", name: "refund", short: "the money of a charge is given back",
        about: """
          Apple gives the money of a charge back, up to two weeks after it: before it was credited or after \
          it, and whatever became of the goods. A subscription ends with the refund of its last charge. An app \
          that runs is told; one that is closed finds it in the history.
          """,
        evidence: [
          "Apple forum 751340", "elizaOS/eliza#10920", "RevenueCat/purchases-flutter#323",
        ],
        oneIn: 10)
    case .billingProblem:
      Entry(
        code: "F85", name: "billing-problem", short: "a renewal cannot be charged",
        about: """
          The next period of a subscription cannot be charged. Where the product has a grace period what was \
          bought stays meanwhile; it can be charged later, or never.
          """,
        evidence: ["Apple: Reducing involuntary subscriber churn"],
        oneIn: 8)
    case .renewalOff:
      Entry(
        code: "F86", name: "renewal-off", short: "the renewal is turned off",
        about: """
          A person turns the renewal of a subscription off in the store's settings: it ends with the period \
          that is paid for.
          """,
        evidence: ["Apple: DID_CHANGE_RENEWAL_STATUS"],
        oneIn: 8)
    case .refundAsked:
      Entry(
        code: "F87", name: "refund-asked", short: "Apple asks what became of a purchase",
        about: """
          Somebody asks for the money of a consumable or of a subscription back. Apple tells the backend so \
          (CONSUMPTION_REQUEST), which may answer, and decides an hour to two days later: the money is given \
          back, or it is not (REFUND_DECLINED). No mix has it unless it is named.
          """,
        evidence: ["Apple: CONSUMPTION_REQUEST", "Apple forum 756151"],
        oneIn: 8)
    case .priceRaised:
      Entry(
        code: "F88", name: "price-raised", short: "a subscription is to cost more",
        about: """
          From the next period on a subscription is to cost more. In the middle of the one before the App \
          Store asks whoever pays (PRICE_INCREASE, PENDING): they agree (ACCEPTED), or it ends with what is \
          paid for (EXPIRED, PRICE_INCREASE). No mix has it unless it is named.
          """,
        evidence: [
          "Apple: PRICE_INCREASE",
          "Apple: Managing price increases for auto-renewable subscriptions",
        ],
        oneIn: 4)
    default: fatalError("bug: \(self) needs no whole store")
    }
  }
}
