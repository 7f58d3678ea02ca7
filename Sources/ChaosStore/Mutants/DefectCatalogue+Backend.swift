extension Defect {
  /// The entry of a defect of what the backend does; nil for any other.
  var ofBackend: Entry? {
    switch self {
    case .noKey:
      Entry(
        name: "no-key",
        summary: "Each report is credited.",
        form: .storeKit2, world: .twoPhones, breaks: "no-double-credit",
        coinciding: 1,
        plan: "drop verify.reply tx1 #1",
        evidence: ["j3k0/cordova-plugin-purchase#1392"])
    case .keyPerReport:
      Entry(
        name: "key-per-report",
        summary:
          "The key is an id of the report; a callback that comes again makes a report of its own.",
        form: .storeKit2, world: .twoPhones, breaks: "no-double-credit",
        coinciding: 1,
        plan: "duplicate store.callback tx1 #1",
        evidence: ["RevenueCat/purchases-ios#2612", "hyochan/expo-iap#56"])
    case .checkThenCredit:
      Entry(
        name: "check-then-credit",
        summary:
          "Whether it was credited is asked in one round trip, and the credit made in the next.",
        form: .storeKit2, world: .twoPhones, breaks: "no-double-credit",
        coinciding: 1,
        plan: "duplicate verify.request tx1 #1",
        evidence: ["hyodotdev/openiap#152"])
    case .creditThenRecord:
      Entry(
        name: "credit-then-record",
        summary: "The credit and the record of it are two commits.",
        form: .storeKit2, world: .twoPhones, breaks: "no-double-credit",
        coinciding: 1,
        plan: "crash server after credit tx1 #1",
        evidence: ["saleor/apps#2446"])
    case .recordThenCredit:
      Entry(
        name: "record-then-credit",
        summary: "The record of a credit and the credit are two commits.",
        form: .storeKit2, world: .twoPhones, breaks: "finish-only-after-credit",
        coinciding: 1,
        plan: "crash server before credit tx1 #1",
        evidence: ["saleor/apps#2446"])
    case .dedupeByOrder:
      Entry(
        name: "dedupe-by-order",
        summary: "Repeats are known by the order, which is closed before the credit.",
        form: .storeKit2, world: .twoPhones, breaks: "finish-only-after-credit",
        coinciding: 1,
        plan: "fail server.commit tx1 #1",
        evidence: [])
    case .dedupeByProduct:
      Entry(
        name: "dedupe-by-product",
        summary: "The same product for the same account is held for a repeat.",
        form: .storeKit2, world: .twoPhones, breaks: "finish-only-after-credit",
        coinciding: 1,
        plan: "repeat person.purchase tx1 #1",
        evidence: ["RevenueCat/purchases-ios#2148"])
    case .dedupeInMemory:
      Entry(
        name: "dedupe-in-memory",
        summary: "Repeats are known by a list in the memory of the process.",
        form: .storeKit2, world: .twoPhones, breaks: "no-double-credit",
        coinciding: 1,
        plan: "duplicate verify.request tx1 #1",
        evidence: ["hyodotdev/openiap#152"])
    case .keyExpires:
      Entry(
        name: "key-expires",
        summary: "The key of a credited transaction can expire.",
        form: .storeKit2, world: .twoPhones, breaks: "no-double-credit",
        coinciding: 2,
        plan: "drop verify.reply tx1 #1, prune server.dedupe tx1 #1",
        evidence: ["Stripe: idempotency keys can be pruned after 24 hours"])
    case .receiptOnce:
      Entry(
        name: "receipt-once",
        summary: "A receipt that was sent before is not looked into.",
        form: .storeKit1, world: .onePurchase, breaks: "no-charge-without-delivery",
        coinciding: 3,
        plan: """
          crash app after pay tx1 #1, swallow store.callback tx1 #1, fail server.commit phone1 #1
          """,
        evidence: [])
    case .firstResultRepeated:
      Entry(
        name: "first-result-repeated",
        summary: "A repeat is answered with what the first report was answered.",
        form: .storeKit2, world: .twoPhones, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "fail server.commit tx1 #1",
        evidence: ["Stripe: the first result is kept, errors too"])
    case .outageIsSuccess:
      Entry(
        name: "outage-is-success",
        summary: "When the ledger is down, the answer is success all the same.",
        form: .storeKit2, world: .twoPhones, breaks: "finish-only-after-credit",
        coinciding: 1,
        plan: "fail server.commit tx1 #1",
        evidence: [])
    case .repeatIsRefused:
      Entry(
        name: "repeat-is-refused",
        summary: "What was credited before is refused.",
        form: .storeKit2, world: .twoPhones, breaks: "idempotent-acknowledgement",
        coinciding: 1,
        plan: "drop verify.reply tx1 #1",
        evidence: ["RevenueCat/purchases-ios#5795"])
    case .repeatByOtherIsRefused:
      Entry(
        name: "repeat-by-other-is-refused",
        summary: "What was credited before is refused to a session of somebody else.",
        form: .storeKit2, world: .onePurchase, breaks: "idempotent-acknowledgement",
        coinciding: 2,
        plan: "switch person.account tx1 #1, drop verify.reply tx1 #1",
        evidence: ["RevenueCat/purchases-flutter#334"])
    case .creditsSession:
      Entry(
        name: "credits-session",
        summary: "The credit goes to whoever is logged in.",
        form: .storeKit2, world: .onePurchase, breaks: "right-account",
        coinciding: 1,
        plan: "switch person.payment tx1 #1",
        evidence: ["hyochan/react-native-iap#1419"])
    case .receiptOwnerIsSession:
      Entry(
        name: "receipt-owner-is-session",
        summary: "What a receipt lists is credited to whoever sent the receipt.",
        form: .storeKit1, world: .twoPhones, breaks: "right-account",
        coinciding: 2,
        plan: "crash app before observe phone2 #1, delay app.launch phone2 #1 = 2101ms",
        evidence: ["bizz84/SwiftyStoreKit#362", "Cap-go/capacitor-native-purchases 152397c"])
    case .retryNamesOwner:
      Entry(
        name: "retry-names-owner",
        summary: "A retry names its owner, and is believed.",
        form: .storeKit2, world: .twoPhones, breaks: "right-account",
        coinciding: 2,
        plan: "switch person.account tx2 #1, drop verify.request tx2 #1",
        evidence: ["hyochan/react-native-iap#1139"])
    case .secondRetryWithoutKey:
      Entry(
        name: "second-retry-without-key",
        summary: "The second retry goes to an older address, which has no unique key.",
        form: .storeKit2, world: .twoPhones, breaks: "no-double-credit",
        coinciding: 2,
        plan: "drop verify.reply tx1 #1, drop verify.reply tx1 #2",
        evidence: [])
    case .fallbackWithoutKey:
      Entry(
        name: "fallback-without-key",
        summary:
          "When the look-up fails, verifyReceipt is asked, and on that path there is no unique key.",
        form: .storeKit2, world: .twoPhones, breaks: "no-double-credit",
        coinciding: 2,
        plan: "duplicate verify.request tx1 #1, fail verifier.request tx1 #1",
        evidence: ["apple/app-store-server-library-node#60"])
    case .homeStorefrontOnly:
      Entry(
        name: "home-storefront-only",
        summary: "What was charged in another storefront than expected is refused.",
        form: .storeKit2, world: .otherStorefront, breaks: "no-charge-without-delivery",
        coinciding: 1,
        plan: "move store.storefront tx1 #1 = 2",
        evidence: [])
    case .otherAppAccepted:
      Entry(
        name: "other-app-accepted",
        summary: "A receipt of another app is credited.",
        form: .storeKit1, world: .twoPhones, breaks: "no-credit-without-charge",
        coinciding: 1,
        plan: "borrow attacker.evidence phone1 #1",
        evidence: ["bakerframework/baker#113"])
    case .sandboxAccepted:
      Entry(
        name: "sandbox-accepted",
        summary: "A sandbox purchase is credited as a real one.",
        form: .storeKit2, world: .twoPhones, breaks: "environment-isolation",
        coinciding: 1,
        plan: "sandbox attacker.evidence tx1 #1",
        evidence: ["voltrue2/in-app-purchase#185"])
    case .outageAsksSandbox:
      Entry(
        name: "outage-asks-sandbox",
        summary:
          "When the look-up fails, the sandbox is asked, and what it says is credited as real.",
        form: .storeKit2, world: .twoPhones, breaks: "environment-isolation",
        coinciding: 2,
        plan: "sandbox attacker.evidence tx1 #1, fail verifier.request attacker #1",
        evidence: ["voltrue2/in-app-purchase#185"])
    case .creditBeforeVerify:
      Entry(
        name: "credit-before-verify",
        summary: "What the app says is credited before it is verified.",
        form: .storeKit2, world: .twoPhones, breaks: "no-credit-without-charge",
        coinciding: 1,
        plan: "forge attacker.evidence tx1 #1",
        evidence: ["voltrue2/in-app-purchase#38"])
    case .outageTrustsApp:
      Entry(
        name: "outage-trusts-app",
        summary: "When Apple does not answer, what the app says is credited.",
        form: .storeKit2, world: .twoPhones, breaks: "no-credit-without-charge",
        coinciding: 2,
        plan: "forge attacker.evidence tx1 #1, fail verifier.request attacker #1",
        evidence: ["voltrue2/in-app-purchase#38"])
    case .reportNamesProduct:
      Entry(
        name: "report-names-product",
        summary: "The product is taken from the report, where it names one.",
        form: .storeKit2, world: .twoPhones, breaks: "fidelity",
        coinciding: 2,
        plan: "substitute attacker.product tx1 #1, drop verify.request tx1 #1",
        evidence: ["voltrue2/in-app-purchase#38"])
    case .receiptQuantityIsOne:
      Entry(
        name: "receipt-quantity-is-one",
        summary: "What a receipt lists is credited once, whatever its quantity.",
        form: .storeKit1, world: .twoPhones, breaks: "fidelity",
        coinciding: 1,
        plan: "hold store.callback tx2 #1",
        evidence: ["flutter in_app_purchase_storekit 0.4.10+1"])
    case .sessionIsWrittenDown:
      Entry(
        name: "session-is-written-down",
        summary: "A purchase is written down as that of whoever is logged in.",
        form: .storeKit2, world: .twoPhones, breaks: "no-cross-user-leak",
        coinciding: 1,
        plan: "steal attacker.evidence tx1 #1",
        evidence: ["Cap-go/capacitor-native-purchases 152397c"])
    case .status4040002IsFinal:
      Entry(
        name: "status-4040002-is-final",
        summary: "Status 4040002 is taken for a refusal; Apple says to ask again.",
        form: .storeKit2, world: .twoPhones, breaks: "transient-is-not-permanent",
        coinciding: 1,
        plan: "limit verifier.request tx1 #1 = 4040002",
        evidence: ["Apple: App Store Server API error codes"])
    case .third4290000IsFinal:
      Entry(
        name: "third-4290000-is-final",
        summary: "The third status 4290000 about a transaction is taken for a refusal.",
        form: .storeKit2, world: .onePurchase, breaks: "transient-is-not-permanent",
        coinciding: 3,
        plan: """
          limit verifier.request tx1 #1 = 4290000, limit verifier.request tx1 #2 = 4290000, \
          limit verifier.request tx1 #3 = 4290000
          """,
        evidence: ["Apple: App Store Server API error codes"])
    case .second5000001IsFinal:
      Entry(
        name: "second-5000001-is-final",
        summary: "The second status 5000001 about a transaction is taken for a refusal.",
        form: .storeKit2, world: .onePurchase, breaks: "transient-is-not-permanent",
        coinciding: 2,
        plan: """
          limit verifier.request tx1 #1 = 5000001, limit verifier.request tx1 #2 = 5000001
          """,
        evidence: ["Apple: App Store Server API error codes"])
    case .probeRefusedOn21100:
      Entry(
        name: "probe-refused-on-21100",
        summary: "A receipt that is met with status 21100 is refused.",
        form: .storeKit1, world: .heldBack, breaks: "no-charge-without-delivery",
        coinciding: 2,
        plan: "hold store.callback tx1 #1, fail verifier.status phone1 #2 = 21100",
        evidence: ["Apple: App Store receipt status codes"])
    case .receiptEntrySkipped:
      Entry(
        name: "receipt-entry-skipped",
        summary: "An entry of a receipt that cannot be entered now is passed over.",
        form: .storeKit1, world: .heldBack, breaks: "no-charge-without-delivery",
        coinciding: 2,
        plan: "hold store.callback tx1 #1, fail server.commit phone1 #1",
        evidence: [])
    case .unknownIsRefused:
      Entry(
        name: "unknown-is-refused",
        summary: "4040010 is taken for a refusal; the transaction may be seconds old.",
        form: .storeKit2, world: .twoPhones, breaks: "transient-is-not-permanent",
        coinciding: 1,
        plan: "hide verifier.transaction tx1 #1",
        evidence: ["apple/app-store-server-library-node#31"])
    default: nil
    }
  }
}
