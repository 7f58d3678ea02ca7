extension Fault {
  /// What the catalogue knows about it.
  public var entry: Entry { Self.entries[Int(rawValue)] }

  private static let entries: [Entry] = allCases.map(\.described)

  private var described: Entry {
    switch self {
    case .appCrash:
      Entry(
        code: "F01", name: "app-crash", short: "the app dies",
        about: """
          The app's process ends: when a callback arrives, before or after any use of the \
          payment queue, the network, storage or the screen, or when a handler is done. What was \
          not stored is gone; the person opens the app again seconds later.
          """,
        evidence: ["bizz84/SwiftyStoreKit#50", "bizz84/SwiftyStoreKit#191", "expo/expo#4416"],
        oneIn: 40)
    case .lateObserver:
      Entry(
        code: "F02", name: "late-observer", short: "the page that listens is opened late",
        about: """
          The screen on which a design attaches its observer is visited late after a launch, or \
          not at all in that launch. A design that listens from the start does not notice.
          """,
        evidence: ["Apple forum 716059", "mozilla-mobile/mozilla-vpn-client#10489"],
        oneIn: 4)
    case .failureFirst:
      Entry(
        code: "F03", name: "failure-first", short: "another payment fails first",
        about: """
          A payment is declined and the failure is called back, no money moves. A design that \
          stops listening when one purchase ends may miss another that is under way.
          """,
        evidence: ["Apple forum 6431"],
        oneIn: 10)
    case .handlerTwice, .identityDrift, .finishedElsewhere, .storefrontChanged, .clockWrong:
      describedOfClient
    case .finishLost:
      Entry(
        code: "F05", name: "finish-lost", short: "finish is lost or late",
        about: """
          The call that finishes a transaction does not reach the store, or reaches it half a \
          minute later; until it does the transaction stays unfinished.
          """,
        evidence: ["expo/expo#13486", "RevenueCat/purchases-ios#2148"],
        oneIn: 10)
    case .reinstall:
      Entry(
        code: "F06", name: "reinstall", short: "the app is reinstalled",
        about: """
          The app is deleted and installed again before a launch: local data and the receipt \
          file are gone, the store's unfinished transactions are not.
          """,
        evidence: ["Apple: unfinished transactions survive deletion"],
        oneIn: 10)
    case .backupRestored:
      Entry(
        code: "F06b", name: "backup-restored", short: "an old backup comes back",
        about: """
          The device is restored from a backup before a launch: records that were already dealt \
          with are back, and the receipt file is gone, as the app is installed anew.
          """,
        evidence: ["adaptyteam/AdaptySDK-iOS 9dbea767", "mullvad/mullvadvpn-app f2d8a5448b"],
        oneIn: 10)
    case .accountSwitch:
      Entry(
        code: "F07", name: "account-switch", short: "another user logs in",
        about: """
          In the middle of a purchase another of the app's users logs in on the same device: \
          soon after it is paid, charged, called back, reported or answered.
          """,
        evidence: ["react-native-iap#1419", "RevenueCat/purchases-flutter#332"],
        oneIn: 5)
    case .doubleTap:
      Entry(
        code: "F08", name: "double-tap", short: "the person taps twice",
        about: """
          A second tap follows the first at once, for the same product or for the next one.
          """,
        evidence: ["MKSG-MugunthKumar/MKStoreKit#132"],
        oneIn: 10)
    case .recordLost:
      Entry(
        code: "F09", name: "record-lost", short: "a local record is lost",
        about: """
          A record that the app wrote never reaches the disk, or cannot be read at the next \
          launch.
          """,
        evidence: ["Apple: UserDefaults writes are asynchronous"],
        oneIn: 20)
    case .duplicateCallback:
      Entry(
        code: "F10", name: "duplicate-callback", short: "the store calls back twice",
        about: """
          The same transaction is handed to the running app a second time, at once or seconds \
          later; with StoreKit 2 through Transaction.updates, possibly before purchase() \
          returns.
          """,
        evidence: [
          "Apple forum 816320", "RevenueCat/purchases-ios#7072",
          "j3k0/cordova-plugin-purchase#1392",
        ],
        oneIn: 10)
    case .replayFinished:
      Entry(
        code: "F11", name: "replay-finished", short: "a finished transaction comes back",
        about: """
          At a launch the store hands over a transaction that was finished long ago, as the \
          sandbox does, and at times production.
          """,
        evidence: ["react-native-iap#1104", "react-native-iap#1139", "Apple forum 843363"],
        oneIn: 10)
    case .missingRedelivery:
      Entry(
        code: "F12", name: "missing-redelivery",
        short: "an unfinished transaction is not called back",
        about: """
          At a launch some unfinished transaction is not handed to the observer, now or ever \
          again on this installation. A snapshot (Transaction.unfinished, the receipt) still has \
          it.
          """,
        evidence: ["bizz84/SwiftyStoreKit#624", "openradar 50132756", "Unity IAP 5.2.0 changelog"],
        oneIn: 10)
    case .delayedDelivery:
      Entry(
        code: "F13", name: "delayed-delivery", short: "the callback comes late",
        about: """
          The callback arrives seconds late, or only in the next session.
          """,
        evidence: ["flutter/flutter#171581"],
        oneIn: 10)
    case .failedThenPurchased:
      Entry(
        code: "F14", name: "failed-then-purchased", short: "failed, but charged",
        about: """
          The app is called back with a failure although the charge is made: `purchased` follows \
          after the person has dealt with the interruption, or only at the next launch.
          """,
        evidence: ["Apple forum 6431", "openradar 48860805", "bizz84/SwiftyStoreKit#626"],
        oneIn: 10)
    case .askToBuy:
      Entry(
        code: "F15", name: "ask-to-buy", short: "somebody must agree first",
        about: """
          A payment waits until somebody else agrees, a parent for instance: the app is told \
          "pending" or "deferred". Later it is charged and called back, in this launch or another, or \
          declined, which StoreKit 2 tells nobody. It strikes hosted apps.
          """,
        evidence: ["expo/expo#13420", "RevenueCat/purchases-ios#273", "apphud/ApphudSDK 1445891"],
        oneIn: 20)
    case .buyWhileUnfinished:
      Entry(
        code: "F16", name: "buy-while-unfinished",
        short: "bought again before the first is finished",
        about: """
          The person buys the same product again while its transaction is unfinished; the store \
          answers with the old one and charges nothing.
          """,
        evidence: ["russell-archer/StoreHelper#65", "bizz84/SwiftyStoreKit#275"],
        oneIn: 10)
    case .tokenHidden:
      Entry(
        code: "F19", name: "token-hidden", short: "the account token is missing",
        about: """
          A transaction that is handed over again carries no applicationUsername or \
          appAccountToken on the device. The store's servers still know a UUID.
          """,
        evidence: ["flutter/flutter#129203", "Apple forum 707677"],
        oneIn: 3)
    case .unverified:
      Entry(
        code: "F22", name: "unverified", short: "a transaction is unverified",
        about: """
          StoreKit 2 hands over a transaction as `unverified`. It was charged, and the device cannot \
          check the signature in this launch; or nothing was charged, and a person with a device that \
          lies has forged it. It strikes hosted apps.
          """,
        evidence: [
          "superwall/Superwall-iOS: verification was happening after the finishing",
          "Apple forum 773198",
        ],
        oneIn: 20)
    case .productsFail:
      Entry(
        code: "F23", name: "products-fail", short: "there is no product list",
        about: """
          The products that the app asks for do not come, but an error, or come ten seconds late; \
          at a launch as well as after a tap. A request of StoreKit 1 that the app has not kept may \
          be answered to nobody.
          """,
        evidence: ["Unity IAP 5.3.1: purchases lost while the product cache is empty"],
        oneIn: 10)
    case .paymentRefused:
      Entry(
        code: "F24", name: "payment-refused", short: "cancelled, or refused",
        about: """
          The person cancels on the payment sheet, or StoreKit refuses the payment with one of its \
          errors: payments are not allowed, the product is not sold in this storefront, and so on. \
          Nothing is charged. It strikes hosted apps.
          """,
        evidence: [
          "RevenueCat/purchases-ios#296", "apphud/ApphudSDK#68", "bizz84/SwiftyStoreKit#358",
        ],
        oneIn: 10)
    case .receiptMissing:
      Entry(
        code: "F30", name: "receipt-missing", short: "there is no receipt file",
        about: """
          The receipt file does not exist when the app is launched.
          """,
        evidence: ["Apple TN2413"],
        oneIn: 10)
    case .receiptStale:
      Entry(
        code: "F31", name: "receipt-stale", short: "the receipt is stale",
        about: """
          The receipt file is not rewritten after a charge: it lacks the purchase it is to \
          prove. What was bought in the store itself is always in it.
          """,
        evidence: ["chirag04/react-native-in-app-utils#111", "react-native-iap#1303"],
        oneIn: 8)
    case .refreshFails:
      Entry(
        code: "F32", name: "refresh-fails", short: "the receipt cannot be refreshed",
        about: """
          A receipt refresh is cancelled at the password prompt, offline or throttled.
          """,
        evidence: ["RevenueCat/purchases-ios#2116"],
        oneIn: 4)
    case .foreignReceipt:
      Entry(
        code: "F33", name: "foreign-receipt", short: "the receipt is another Apple ID's",
        about: """
          The receipt file belongs to the Apple ID that installed the app, not to the one that \
          pays.
          """,
        evidence: ["bizz84/SwiftyStoreKit#362", "qonversion-ios-sdk#110"],
        oneIn: 12)
    case .receiptRewritten:
      Entry(
        code: "F34", name: "receipt-rewritten", short: "the receipt forgets a finished consumable",
        about: """
          When a consumable is finished the receipt file is rewritten without it.
          """,
        evidence: ["Apple forum 125368", "react-native-iap#2110"],
        oneIn: 3)
    case .requestLost:
      Entry(
        code: "F40", name: "request-lost", short: "the report is lost",
        about: """
          A request of the app to its backend never arrives.
          """,
        evidence: ["glassonion1/RxStoreKit#2", "bizz84/SwiftyStoreKit#411"],
        oneIn: 8)
    case .responseLost:
      Entry(
        code: "F41", name: "response-lost", short: "the answer is lost",
        about: """
          The backend has done its work, but its answer never reaches the app.
          """,
        evidence: ["RevenueCat/purchases-ios#5795"],
        oneIn: 8)
    case .lateResponse:
      Entry(
        code: "F42", name: "late-response", short: "the answer comes after the time-out",
        about: """
          The backend's answer arrives when the app has given up waiting and tries again.
          """,
        evidence: ["RevenueCat/purchases-ios#5795"],
        oneIn: 12)
    case .reordering:
      Entry(
        code: "F43", name: "reordering", short: "messages overtake each other",
        about: """
          A message arrives after one that was sent later.
          """,
        evidence: ["RevenueCat/purchases-ios#7072"],
        oneIn: 10)
    case .slowServer:
      Entry(
        code: "F44", name: "slow-server", short: "the report arrives late",
        about: """
          A request takes longer than the app waits for its answer.
          """,
        evidence: ["react-native-iap#545"],
        oneIn: 12)
    case .partition:
      Entry(
        code: "F45", name: "partition", short: "the device is offline",
        about: """
          The device loses its network for a while, when it sends a report or asks for a payment: \
          nothing goes out or comes in. A payment asked for meanwhile fails on the device; what the \
          store sends, and a finish or a restore, wait until it is back.
          """,
        evidence: ["bizz84/SwiftyStoreKit#411"],
        oneIn: 20)
    case .serverError:
      Entry(
        code: "F46", name: "server-error", short: "the backend answers 5xx",
        about: """
          The backend answers with a server error and has done nothing.
          """,
        evidence: ["expo/expo#4416", "RevenueCat/purchases-ios#2841"],
        oneIn: 8)
    case .businessError:
      Entry(
        code: "F47", name: "business-error", short: "the backend answers 200 with an error inside",
        about: """
          The backend answers with HTTP 200 and an error code in the body, and has done nothing.
          """,
        evidence: ["Apple forum 717602: HTTP 200 with a failing status in the body"],
        oneIn: 10)
    case .sessionExpired:
      Entry(
        code: "F48", name: "session-expired", short: "the session has expired",
        about: """
          The backend answers 401 because the session has run out.
          """,
        evidence: ["mullvad/mullvadvpn-app 1a6193d839"],
        oneIn: 10)
    case .serverCrash:
      Entry(
        code: "F50", name: "server-crash", short: "the backend dies between two steps",
        about: """
          A server process dies before or after any step on the ledger, and what it was doing is \
          lost; it is back seconds later.
          """,
        evidence: ["saleor/apps#2446"],
        oneIn: 20)
    case .concurrentDuplicate:
      Entry(
        code: "F51", name: "concurrent-duplicate", short: "the same report arrives twice at once",
        about: """
          A message is delivered twice; the two copies of a request go to two replicas of the \
          backend.
          """,
        evidence: ["hyodotdev/openiap#152", "PrestaShopCorp/ps_checkout#331"],
        oneIn: 12)
    case .errorAfterCommit:
      Entry(
        code: "F52", name: "error-after-commit", short: "the backend credits, then answers 5xx",
        about: """
          The work is committed and the answer is a server error all the same.
          """,
        evidence: ["saleor/apps#2446"],
        oneIn: 12)
    case .dedupePruned:
      Entry(
        code: "F53", name: "dedupe-pruned", short: "the memory of old requests is pruned",
        about: """
          A cache of handled requests forgets one. The ledger itself never forgets.
          """,
        evidence: ["Stripe: idempotency keys can be pruned after 24 hours"],
        oneIn: 4)
    case .jobRepeated, .staleRead, .commitUnknown, .historyShortened: describedOfDatabase
    case .verifierStatus:
      Entry(
        code: "F60", name: "verifier-status", short: "Apple cannot say now",
        about: """
          verifyReceipt answers with a status that decides nothing (21002, 21004, 21005, 21009, \
          21100 retryable), or with 21010: the charge is to be treated as never made.
          """,
        evidence: [
          "Apple: App Store receipt status codes", "chirag04/react-native-in-app-utils#111",
        ],
        oneIn: 8)
    case .verifierOutage:
      Entry(
        code: "F61", name: "verifier-outage", short: "Apple's server fails or is silent",
        about: """
          The verifier answers with a server error, or not at all.
          """,
        evidence: ["apple/app-store-server-library-node#60"],
        oneIn: 12)
    case .transactionUnknown:
      Entry(
        code: "F62", name: "transaction-unknown", short: "Apple does not know it yet",
        about: """
          A look-up of a transaction that was charged within the last half minute answers 4040010, \
          transaction id not found. One of the sandbox, for which the production address always \
          answers that, gets 401 there, as apps do that have no production release.
          """,
        evidence: [
          "apple/app-store-server-library-node#60", "apple/app-store-server-library-node#31",
          "Apple forum 751045",
        ],
        oneIn: 12)
    case .verifierBusy:
      Entry(
        code: "F63", name: "verifier-busy", short: "Apple's server has no time",
        about: """
          A look-up is answered with a code that asks to try again: 4290000 (too many requests), \
          5000001 (general), 4040002 (account), 4040004 (app) or 4040006 (original transaction).
          """,
        evidence: [
          "Apple: App Store Server API error codes",
          "apple/app-store-server-library-swift: APIError",
        ],
        oneIn: 12)
    case .signatureUnchecked:
      Entry(
        code: "F65", name: "signature-unchecked", short: "a signature cannot be checked now",
        about: """
          A look-up brings the signed transaction, but whether the certificates that signed it were \
          revoked cannot be found out at the moment: it proves nothing yet, and is no forgery.
          """,
        evidence: [
          "apple/app-store-server-library-node#345", "apple/app-store-server-library-node#47",
        ],
        oneIn: 20)
    case .notificationLost, .notificationTwice, .notificationRepeated, .notificationOvertaken,
      .notificationDelayed, .notificationEarly, .notificationForged, .refund, .refundReversed,
      .refundProrated, .refundUnannounced, .billingProblem, .renewalOff, .commandLost,
      .refundAsked, .familyLeft, .priceRaised:
      describedOfWholeStore
    case .forgedReceipt:
      Entry(
        code: "F90", name: "forged-receipt", short: "somebody sends a forged receipt",
        about: """
          An attacker posts evidence that the store never signed.
          """,
        evidence: ["voltrue2/in-app-purchase#38"],
        oneIn: 8)
    case .stolenEvidence:
      Entry(
        code: "F91", name: "stolen-evidence", short: "somebody sends another user's receipt",
        about: """
          An attacker posts genuine evidence of somebody else's purchase under an account of \
          their own.
          """,
        evidence: ["bakerframework/baker#113"],
        oneIn: 8)
    case .foreignAppEvidence:
      Entry(
        code: "F92", name: "foreign-app-evidence", short: "somebody sends another app's receipt",
        about: """
          An attacker posts genuine evidence of a purchase in another app.
          """,
        evidence: ["bakerframework/baker#113"],
        oneIn: 8)
    case .sandboxEvidence:
      Entry(
        code: "F93", name: "sandbox-evidence", short: "somebody sends a sandbox receipt",
        about: """
          An attacker posts evidence of a sandbox purchase, for which nobody paid, to the \
          production backend.
          """,
        evidence: ["voltrue2/in-app-purchase#185", "bizz84/SwiftyStoreKit#547"],
        oneIn: 8)
    case .localVerificationSpoofed:
      Entry(
        code: "F94", name: "local-verification-spoofed",
        short: "the check on the device is intercepted",
        about: """
          An attacker answers the verification that the app itself makes. A design that verifies \
          on its server is out of reach.
          """,
        evidence: ["bizz84/SwiftyStoreKit#66"],
        oneIn: 8)
    case .productSubstituted:
      Entry(
        code: "F95", name: "product-substituted",
        short: "a cheap receipt is sent for a dear product",
        about: """
          An attacker buys the cheapest product and reports the dearest.
          """,
        evidence: ["voltrue2/in-app-purchase#38"],
        oneIn: 8)
    case .taskOrder:
      Entry(
        code: "F96", name: "task-order", short: "another task runs first",
        about: """
          Several tasks of the app are ready, and not the one that has waited longest runs next. \
          Swift promises no order between tasks. It strikes apps only whose own code is hosted, \
          with its tasks and actors.
          """,
        evidence: ["Swift Evolution SE-0306", "Swift Evolution SE-0304"],
        oneIn: 8)
    case .reopen: .reopen
    case .visitAgain: .visitAgain
    case .buyMore: .buyMore
    case .background: .background
    }
  }
}
