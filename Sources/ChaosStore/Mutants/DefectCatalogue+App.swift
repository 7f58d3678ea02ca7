extension Defect {
  /// The entry of a defect of what the app does; nil for any other.
  var ofApp: Entry? {
    switch self {
    case .finishBeforeCredit:
      Entry(
        name: "finish-before-credit",
        summary: "A transaction is finished before it is reported.",
        form: .storeKit2, world: .twoPhones, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "crash app after finish tx1 #1",
        evidence: ["bizz84/SwiftyStoreKit#411", "RevenueCat/purchases-ios#2243"])
    case .finishWithJournal:
      Entry(
        name: "finish-with-journal",
        summary:
          "A transaction is finished as soon as the phone has a record of it to report it from.",
        form: .storeKit2, world: .twoPhones, breaks: "no-charge-without-delivery",
        coinciding: 2,
        plan: "crash app after finish tx1 #1, corrupt storage.record tx1 #1",
        evidence: [])
    case .finishOnRetry:
      Entry(
        name: "finish-on-retry",
        summary: "An answer that says to ask again finishes the transaction.",
        form: .storeKit2, world: .twoPhones, breaks: "no-finish-on-doubt",
        coinciding: 1,
        plan: "limit verifier.request tx1 #1 = 5000001",
        evidence: ["flutter/flutter#53534", "hyochan/react-native-iap#1704"])
    case .status200IsFinal:
      Entry(
        name: "status-200-is-final",
        summary: "HTTP 200 finishes the transaction, whatever the body says.",
        form: .storeKit2, world: .twoPhones, breaks: "no-finish-on-doubt",
        coinciding: 1,
        plan: "refuse server.request tx1 #1",
        evidence: ["Apple forum 717602"])
    case .finishAfterThreeAnswers:
      Entry(
        name: "finish-after-three-answers",
        summary: "The third answer that decides nothing finishes the transaction.",
        form: .storeKit2, world: .onePurchase, breaks: "no-finish-on-doubt",
        coinciding: 3,
        plan: """
          fail server.request tx1 #1, fail server.request tx1 #2, fail server.request tx1 #3
          """,
        evidence: ["RevenueCat/purchases-ios#2841"])
    case .finishWhenPatienceEnds:
      Entry(
        name: "finish-when-patience-ends",
        summary: "What has no answer after fifteen seconds is finished.",
        form: .storeKit2, world: .twoPhones, breaks: "finish-only-after-credit",
        coinciding: 2,
        plan: "drop verify.request tx1 #1, drop verify.request tx1 #2",
        evidence: ["expo/expo#4416"])
    case .neverRetries:
      Entry(
        name: "never-retries",
        summary: "A report is sent once in a life of the app.",
        form: .storeKit2, world: .staysOpen, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "drop verify.request tx1 #1",
        evidence: ["glassonion1/RxStoreKit#2"])
    case .retriesOnce:
      Entry(
        name: "retries-once",
        summary: "A report is sent twice in a life of the app and no more.",
        form: .storeKit2, world: .staysOpen, breaks: "no-charge-without-delivery",
        coinciding: 2,
        plan: "drop verify.request tx1 #1, drop verify.request tx1 #2",
        evidence: [])
    case .expiredSessionEndsReport:
      Entry(
        name: "expired-session-ends-report",
        summary: "A report that meets an expired session is not sent again.",
        form: .storeKit2, world: .staysOpen, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "expire server.session tx1 #1",
        evidence: [])
    case .retriesAfterRefusal:
      Entry(
        name: "retries-after-refusal",
        summary: "What was refused for good is reported again and again.",
        form: .storeKit2, world: .twoPhones, breaks: "transient-is-not-permanent",
        coinciding: 1,
        plan: "void store.charge tx1 #1",
        evidence: ["expo/expo#13486"])
    case .refusedStaysInQueue:
      Entry(
        name: "refused-stays-in-queue",
        summary: "What was refused for good is not finished.",
        form: .storeKit2, world: .twoPhones, breaks: "poison-isolation",
        coinciding: 1,
        plan: "void store.charge tx1 #1",
        evidence: ["flutter/flutter#60763"])
    case .successOnAnyAnswer:
      Entry(
        name: "success-on-any-answer",
        summary: "Any answer of the backend is shown as a success.",
        form: .storeKit2, world: .twoPhones, breaks: "honest-answers",
        coinciding: 1,
        plan: "fail server.request tx1 #1",
        evidence: [])
    case .failureOnError:
      Entry(
        name: "failure-on-error",
        summary: "An error thrown by the purchase is shown as a failure.",
        form: .storeKit2, world: .twoPhones, breaks: "honest-answers",
        coinciding: 1,
        plan: "interrupt store.payment tx1 #1",
        evidence: ["openradar 48860805", "bizz84/SwiftyStoreKit#626"])
    case .waitsForEver:
      Entry(
        name: "waits-for-ever",
        summary: "Nobody is told anything until the store calls back.",
        form: .storeKit1, world: .neverOpenedAgain, breaks: "no-endless-wait",
        coinciding: 1,
        plan: "hold store.callback tx1 #1",
        evidence: ["RevenueCat/purchases-ios#2415", "bizz84/SwiftyStoreKit#358"])
    case .paysForEveryTap:
      Entry(
        name: "pays-for-every-tap",
        summary: "Each tap adds a payment, even while one is under way.",
        form: .storeKit2, world: .twoPhones, breaks: "one-tap-one-charge",
        coinciding: 1,
        plan: "repeat person.tap tx1 #1",
        evidence: ["MKSG-MugunthKumar/MKStoreKit#132"])
    case .observesAtFirstTap:
      Entry(
        name: "observes-at-first-tap",
        summary: "The observer is added when somebody buys, not at the launch.",
        form: .storeKit1, world: .twoPhones, breaks: "queue-drains",
        coinciding: 1,
        plan: "crash app before send tx2 #1",
        evidence: ["hyochan/react-native-iap#2344"])
    case .stopsObserving:
      Entry(
        name: "stops-observing",
        summary: "The observer is removed after the first delivery.",
        form: .storeKit1, world: .staysOpen, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "repeat person.purchase tx1 #1",
        evidence: ["Apple forum 6431"])
    case .ignoresUpdates:
      Entry(
        name: "ignores-updates",
        summary: "Only the results of purchases are handled, not Transaction.updates.",
        form: .storeKit2, world: .staysOpen, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "interrupt store.payment tx1 #1",
        evidence: ["hyochan/react-native-iap#2344", "RevenueCat/purchases-ios#2063"])
    case .ignoresUnfinished:
      Entry(
        name: "ignores-unfinished",
        summary: "The unfinished transactions are not looked through at a launch.",
        form: .storeKit2, world: .onePurchase, breaks: "no-charge-without-delivery",
        coinciding: 2,
        plan: "crash app after pay tx1 #1, swallow store.callback tx1 #1",
        evidence: ["bizz84/SwiftyStoreKit#624", "openradar 50132756"])
    case .noReceiptProbe:
      Entry(
        name: "no-receipt-probe",
        summary: "The receipt is not looked at for what is never called back.",
        form: .storeKit1, world: .onePurchase, breaks: "no-charge-without-delivery",
        coinciding: 2,
        plan: "crash app after pay tx1 #1, swallow store.callback tx1 #1",
        evidence: ["bizz84/SwiftyStoreKit#624"])
    case .refreshesOnce:
      Entry(
        name: "refreshes-once",
        summary: "A receipt refresh that fails is not tried again.",
        form: .storeKit1, world: .heldBack, breaks: "no-charge-without-delivery",
        coinciding: 3,
        plan: """
          skip receipt.write tx1 #1, hold store.callback tx1 #1, fail receipt.refresh phone1 #2
          """,
        evidence: ["RevenueCat/purchases-ios#2116"])
    case .asksAtEachLaunch:
      Entry(
        name: "asks-at-each-launch",
        summary:
          "A launch does not look when the password was asked for last, nor what came of it.",
        form: .storeKit1, world: .shortStays, breaks: "few-prompts",
        coinciding: 1,
        plan: "hold store.callback tx1 #1",
        evidence: ["bizz84/SwiftyStoreKit#406", "bizz84/SwiftyStoreKit#489"])
    case .firstProbeAnswerCounts:
      Entry(
        name: "first-probe-answer-counts",
        summary: "The receipt is not sent again after any answer, even one that decides nothing.",
        form: .storeKit1, world: .heldBack, breaks: "no-charge-without-delivery",
        coinciding: 2,
        plan: "fail store.payment tx1 #1, fail server.request phone1 #2",
        evidence: ["chirag04/react-native-in-app-utils#111"])
    case .probesWithoutRefresh:
      Entry(
        name: "probes-without-refresh",
        summary: "The receipt is sent as it lies on the phone, and never refreshed.",
        form: .storeKit1, world: .onePurchase, breaks: "no-charge-without-delivery",
        coinciding: 3,
        plan: """
          crash app after pay tx1 #1, skip receipt.write tx1 #1, swallow store.callback tx1 #1
          """,
        evidence: ["chirag04/react-native-in-app-utils#111", "Apple TN2413"])
    case .settledBeforeAnswer:
      Entry(
        name: "settled-before-answer",
        summary: "What is reported is recorded as settled before there is an answer.",
        form: .storeKit2, world: .twoPhones, breaks: "finish-only-after-credit",
        coinciding: 2,
        plan: "fail server.request tx1 #1, crash app on reply tx1 #1",
        evidence: ["bizz84/SwiftyStoreKit#191"])
    case .inFlightIsSkipped:
      Entry(
        name: "in-flight-is-skipped",
        summary: "What was under way when the app died is held for under way after it.",
        form: .storeKit2, world: .onePurchase, breaks: "no-charge-without-delivery",
        coinciding: 2,
        plan: "drop verify.request tx1 #1, crash app before send tx1 #2",
        evidence: [])
    case .backupIsResent:
      Entry(
        name: "backup-is-resent",
        summary:
          "Records are resent at each launch, and removed only by an answer to a report begun since.",
        form: .storeKit2, world: .twoPhones, breaks: "local-record-discipline",
        coinciding: 2,
        plan: "crash app after finish tx1 #1, restore backup phone1 #1",
        evidence: ["adaptyteam/AdaptySDK-iOS 9dbea767", "mullvad/mullvadvpn-app f2d8a5448b"])
    case .answerForLatest:
      Entry(
        name: "answer-for-latest",
        summary: "The answer to a retry is taken to be about the purchase that began last.",
        form: .storeKit2, world: .twoPhones, breaks: "finish-only-after-credit",
        coinciding: 2,
        plan: "drop verify.request tx1 #1, drop verify.request tx2 #1",
        evidence: ["RevenueCat/purchases-unity#1042"])
    case .userOfLaunch:
      Entry(
        name: "user-of-launch",
        summary: "The account named in a purchase is that of the launch.",
        form: .storeKit2, world: .twoPhones, breaks: "right-account",
        coinciding: 2,
        plan: "switch person.account tx1 #1, crash app after finish tx1 #1",
        evidence: ["hyochan/react-native-iap#1419"])
    case .noAccountToken:
      Entry(
        name: "no-account-token",
        summary: "A purchase names no account; the first to report it gets it.",
        form: .storeKit2, world: .onePurchase, breaks: "right-account",
        coinciding: 1,
        plan: "switch person.payment tx1 #1",
        evidence: ["RevenueCat/purchases-flutter#332"])
    case .plainUserName:
      Entry(
        name: "plain-user-name",
        summary: "The account is named by a name that is no UUID, which the store does not keep.",
        form: .storeKit1, world: .neverOpenedAgain, breaks: "traceability",
        coinciding: 1,
        plan: "crash app after pay tx1 #1",
        evidence: ["robotmedia/RMStore#201", "flutter/flutter#129203"])
    case .logoutDropsReports:
      Entry(
        name: "logout-drops-reports",
        summary: "When somebody else logs in, open reports are forgotten.",
        form: .storeKit2, world: .staysOpen, breaks: "no-charge-without-delivery",
        coinciding: 2,
        plan: "switch person.account tx1 #1, drop verify.request tx1 #1",
        evidence: ["hyochan/react-native-iap#1419"])
    case .replayIsRestore:
      Entry(
        name: "replay-is-restore",
        summary:
          "A finished transaction that comes back is reported as a restore, which is credited anew.",
        form: .storeKit2, world: .twoPhones, breaks: "no-double-credit",
        coinciding: 2,
        plan: "crash app after finish tx1 #1, replay store.finished tx1 #1",
        evidence: ["hyochan/react-native-iap#1139", "Apple forum 843363"])
    case .looksAtLaunchesOnly:
      Entry(
        name: "looks-at-launches-only",
        summary: "What is unfinished is looked for at launches, and not while the app stays open.",
        form: .storeKit2, world: .staysOpen, breaks: "queue-drains",
        coinciding: 1,
        plan: "drop store.finish tx1 #1",
        evidence: ["RevenueCat/purchases-ios#2533"])
    default: nil
    }
  }
}
