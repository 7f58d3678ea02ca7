extension Defect {
  /// The entry of a defect of what a backend does about what Apple tells it; nil for any other.
  var ofNews: Entry? {
    switch self {
    case .refundsUnheard:
      Entry(
        name: "refunds-unheard",
        summary: "A notification of a refund is answered, and nothing done.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 1,
        plan: "refund store.charge tx1 #1",
        evidence: ["RevenueCat/purchases-flutter#323"])
    case .refundsStayIn:
      Entry(
        name: "refunds-stay-in",
        summary: "What was credited stays credited, whatever Apple says of it.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 1,
        plan: "refund store.charge tx1 #1",
        evidence: ["voltrue2/in-app-purchase#47"])
    case .eachRefundCounts:
      Entry(
        name: "each-refund-counts",
        summary: "Each notification of a refund takes the goods back.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, duplicate store.notification tx1 #2",
        evidence: ["PrestaShopCorp/ps_checkout#331"])
    case .refundOncePerNumber:
      Entry(
        name: "refund-once-per-number",
        summary: "A refund is known by the number of its notification.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, repeat store.notification tx1 #2",
        evidence: ["Apple forum 756151"])
    case .refundOnceInMemory:
      Entry(
        name: "refund-once-in-memory",
        summary: "What was taken back is remembered by the process that did it.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, crash server after credit tx1 #1",
        evidence: [])
    case .refundMarkedFirst:
      Entry(
        name: "refund-marked-first",
        summary: "A refund is marked as done, and then the goods are taken back.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, crash server before credit tx1 #1",
        evidence: [])
    case .refundMarkedLast:
      Entry(
        name: "refund-marked-last",
        summary: "The goods are taken back, and then the refund is marked as done.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, crash server after credit tx1 #1",
        evidence: ["saleor/apps#2446"])
    case .wholeRefund:
      Entry(
        name: "whole-refund",
        summary: "A part of the money takes all of the goods back.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, prorate store.refund tx1 #1 = 250",
        evidence: [])
    case .partsStayIn:
      Entry(
        name: "parts-stay-in",
        summary: "Goods go back for all of the money alone.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, prorate store.refund tx1 #1 = 250",
        evidence: [])
    case .reversalsUnheard:
      Entry(
        name: "reversals-unheard",
        summary: "Who has paid again after all is not given the goods again.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, reverse store.refund tx1 #1",
        evidence: [])
    case .eachReversalCounts:
      Entry(
        name: "each-reversal-counts",
        summary: "Each notification that a refund is reversed gives the goods again.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 3,
        plan: """
          refund store.charge tx1 #1, reverse store.refund tx1 #1, \
          duplicate store.notification tx1 #3
          """,
        evidence: [])
    case .firstNewsOfEach:
      Entry(
        name: "first-news-of-each",
        summary: "Of a transaction the first notification is handled, and no other.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 1,
        plan: "refund store.charge tx1 #1",
        evidence: [])
    case .kindDecides:
      Entry(
        name: "kind-decides",
        summary: "What kind of notification comes last decides, and not how things stand.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, prorate store.refund tx1 #1 = 250",
        evidence: [])
    case .signatureUnread:
      Entry(
        name: "signature-unread",
        summary: "A notification is believed without a look at its signature.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 1,
        plan: "forge store.notification tx1 #1",
        evidence: [])
    case .newsIsAllThereIs:
      Entry(
        name: "news-is-all-there-is",
        summary: "Nobody asks Apple what it could not deliver.",
        form: .storeKit2, world: .sandboxRefunds, breaks: "no-lost-notification",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, drop store.notification tx1 #2",
        evidence: ["Apple forum 765924"])
    case .productionHistoryOnly:
      Entry(
        name: "production-history-only",
        summary: "Apple is asked what it could not deliver at the production address alone.",
        form: .storeKit2, world: .sandboxRefunds, breaks: "no-lost-notification",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, drop store.notification tx1 #2",
        evidence: [])
    case .historyOfOneHour:
      Entry(
        name: "history-of-one-hour",
        summary: "Apple is asked each day what it could not deliver in the last hour.",
        form: .storeKit2, world: .sandboxRefunds, breaks: "no-lost-notification",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, drop store.notification tx1 #2",
        evidence: [])
    case .answersBeforeLookUp:
      Entry(
        name: "answers-before-look-up",
        summary: "A notification is answered with success before it is looked up.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, fail verifier.request tx1 #3",
        evidence: [])
    case .errorsAreDone:
      Entry(
        name: "errors-are-done",
        summary: "A notification is answered with success whatever came of it.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, fail verifier.request tx1 #3",
        evidence: [])
    case .busyIsDone:
      Entry(
        name: "busy-is-done",
        summary: "A notification is done when Apple has no time for questions.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, limit verifier.request tx1 #3 = 4290000",
        evidence: [])
    case .ledgerDownIsDone:
      Entry(
        name: "ledger-down-is-done",
        summary: "A notification is done when the ledger is down.",
        form: .storeKit2, world: .refunds, breaks: "refund-reverses-once",
        coinciding: 2,
        plan: "refund store.charge tx1 #1, fail server.commit tx1 #3",
        evidence: [])
    case .graceIsIgnored:
      Entry(
        name: "grace-is-ignored",
        summary: "Who is in a grace period is locked out.",
        form: .storeKit2, world: .subscriber, breaks: "access-follows-payment",
        coinciding: 2,
        plan: "fail store.renewal tx1/n2 #1, abandon store.renewal tx1/n2 #1",
        evidence: [])
    case .retryIsAccess:
      Entry(
        name: "retry-is-access",
        summary: "Who has not paid goes on for as long as Apple tries to be paid.",
        form: .storeKit2, world: .subscriber, breaks: "access-follows-payment",
        coinciding: 2,
        plan: "fail store.renewal tx1/n1 #1, abandon store.renewal tx1/n1 #1",
        evidence: [])
    case .renewalIsCertain:
      Entry(
        name: "renewal-is-certain",
        summary: "A renewal that is on is taken for paid.",
        form: .storeKit2, world: .subscriber, breaks: "access-follows-payment",
        coinciding: 2,
        plan: "fail store.renewal tx1/n1 #1, abandon store.renewal tx1/n1 #1",
        evidence: [])
    case .weekFromNow:
      Entry(
        name: "week-from-now",
        summary: "Whoever is entitled is so for a week from when that is looked up.",
        form: .storeKit2, world: .subscriber, breaks: "access-follows-payment",
        coinciding: 1,
        plan: "cancel person.renewal tx1/n2 #1",
        evidence: [])
    case .revokedStays:
      Entry(
        name: "revoked-stays",
        summary: "A subscription whose money was given back is used to its end.",
        form: .storeKit2, world: .subscriber, breaks: "access-follows-payment",
        coinciding: 1,
        plan: "refund store.charge tx1/n3 #1",
        evidence: ["RevenueCat/purchases-flutter#323"])
    case .revokedForEver:
      Entry(
        name: "revoked-for-ever",
        summary: "Who had their money back once is locked out for good.",
        form: .storeKit2, world: .subscriber, breaks: "access-follows-payment",
        coinciding: 2,
        plan: "refund store.charge tx1/n3 #1, reverse store.refund tx1/n3 #1",
        evidence: [])
    case .shorterIsOld:
      Entry(
        name: "shorter-is-old",
        summary: "An end that is earlier than the one that is known is taken for old news.",
        form: .storeKit2, world: .subscriber, breaks: "access-follows-payment",
        coinciding: 1,
        plan: "refund store.charge tx1/n3 #1",
        evidence: [])
    case .lastNewsCounts:
      Entry(
        name: "last-news-counts",
        summary: "The notification that comes last says until when a subscription is used.",
        form: .storeKit2, world: .subscriber, breaks: "news-in-order",
        coinciding: 2,
        plan: "fail store.renewal tx1/n2 #1, delay store.notification tx1/n2 #2 = late",
        evidence: [])
    case .entitlesSession:
      Entry(
        name: "entitles-session",
        summary: "A subscription is used by whoever reports it.",
        form: .storeKit2, world: .subscriber, breaks: "right-account",
        coinciding: 1,
        plan: "switch person.payment tx1 #1",
        evidence: ["hyochan/react-native-iap#1419"])
    case .expiredByClock:
      Entry(
        name: "expired-by-clock",
        summary: "What is over by the phone's clock is finished, and not reported.",
        form: .storeKit2, world: .wrongClock, breaks: "finish-only-after-credit",
        coinciding: 1,
        plan: "shift phone.clock phone1 #1 = 57600",
        evidence: [])
    case .sharedIsRefused:
      Entry(
        name: "shared-is-refused",
        summary: "What somebody else of the family has paid for is refused.",
        form: .storeKit2, world: .family, breaks: "access-follows-payment",
        coinciding: 0,
        plan: "",
        evidence: [])
    case .leaverStays:
      Entry(
        name: "leaver-stays",
        summary: "Who has left a family goes on using what it pays for.",
        form: .storeKit2, world: .family, breaks: "access-follows-payment",
        coinciding: 1,
        plan: "leave person.family tx1/f1 #1",
        evidence: [])
    case .consentIsCertain:
      Entry(
        name: "consent-is-certain",
        summary: "Whoever is asked whether they agree to a higher price is taken to agree.",
        form: .storeKit2, world: .prices, breaks: "access-follows-payment",
        coinciding: 2,
        plan: "raise store.price tx1 #1, withhold person.consent tx1 #1",
        evidence: [])
    default: nil
    }
  }
}
