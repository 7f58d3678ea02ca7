extension Question {
  /// The catalogue: the name, the fault behind it, what it is about, and how long it takes.
  public var shape: Shape {
    switch self {
    case .tapAgain: .strike("repeat person.tap", .doubleTap, about: .purchase)
    case .tapEarly: .strike("hurry person.tap", .doubleTap, about: .purchase)
    case .buyAgain: .strike("repeat person.purchase", .buyWhileUnfinished, about: .purchase)
    case .switchAccount: .strike("switch person.account", .accountSwitch, about: .purchase)
    case .skipVisit: .strike("skip page.visit", .lateObserver, about: .phone)
    case .reinstallApp: .strike("reinstall app", .reinstall, about: .phone)
    case .restoreBackup: .strike("restore backup", .backupRestored, about: .phone)
    case .delayTapAgain: .delay("delay person.tap", about: .purchase, Self.ms(50...300))
    case .delayBuyAgain: .delay("delay person.purchase", about: .purchase, Self.ms(200...3000))
    case .delaySwitch: .delay("delay person.switch", about: .purchase, Self.ms(0...400))
    case .delaySwitchBack:
      .delay("delay person.return", about: .phone, Self.ms(20_000...60_000))
    case .delayVisit:
      .delay(
        "delay page.visit", about: .phone,
        Delay(range: 500...5000, late: 30_000, lateBy: .lateObserver))
    case .delayRelaunch: .delay("delay app.launch", about: .phone, Self.ms(1000...10_000))

    case .declinePayment: .strike("decline store.payment", .failureFirst, about: .purchase)
    case .interruptPayment:
      .strike("interrupt store.payment", .failedThenPurchased, about: .purchase)
    case .failThoughCharged: .strike("fail store.payment", .failedThenPurchased, about: .purchase)
    case .swallowCallback: .strike("swallow store.callback", .missingRedelivery, about: .purchase)
    case .holdCallback: .strike("hold store.callback", .delayedDelivery, about: .purchase)
    case .duplicateCallback:
      .strike("duplicate store.callback", .duplicateCallback, about: .purchase)
    case .replayFinished: .strike("replay store.finished", .replayFinished, about: .purchase)
    case .hideToken: .strike("hide store.token", .tokenHidden, about: .purchase)
    case .dropFinish: .strike("drop store.finish", .finishLost, about: .purchase)
    case .delayProducts: .delay("delay store.products", about: .purchase, Self.ms(50...300))
    case .delayCharge: .delay("delay store.charge", about: .purchase, Self.ms(50...500))
    case .delayCallback:
      .delay(
        "delay store.callback", about: .purchase,
        Delay(
          range: 1...20, overtaken: 1500, overtakenBy: .delayedDelivery, late: 20_000,
          lateBy: .delayedDelivery))
    case .delayDuplicate:
      .delay("delay store.duplicate", about: .purchase, Self.ms(1...20_000))
    case .delayInterrupted:
      .delay("delay store.interrupted", about: .purchase, Self.ms(1000...20_000))
    case .delayPurchaseResult:
      .delay(
        "delay store.result", about: .purchase,
        Delay(range: 1...20, overtaken: 1500, overtakenBy: .delayedDelivery))
    case .delayFinish:
      .delay(
        "delay store.finish", about: .purchase,
        Delay(range: 0...0, late: 20_000, lateBy: .finishLost))
    case .delayRestore: .delay("delay store.restore", about: .phone, Self.ms(200...2000))

    case .loseReceipt: .strike("lose receipt.file", .receiptMissing, about: .phone)
    case .staleReceipt: .strike("skip receipt.write", .receiptStale, about: .purchase)
    case .swapReceipt: .strike("swap receipt.file", .foreignReceipt, about: .phone)
    case .rewriteReceipt: .strike("rewrite receipt.file", .receiptRewritten, about: .purchase)
    case .failRefresh: .strike("fail receipt.refresh", .refreshFails, about: .phone)
    case .loseWrite: .strike("lose storage.write", .recordLost, about: .either)
    case .corruptRecord: .strike("corrupt storage.record", .recordLost, about: .either)
    case .delayRefresh: .delay("delay receipt.refresh", about: .phone, Self.ms(200...2000))
    case .delayFlush: .delay("delay storage.flush", about: .phone, Self.ms(0...1000))

    case .dropRequest: .strike("drop verify.request", .requestLost, about: .either)
    case .dropReply: .strike("drop verify.reply", .responseLost, about: .either)
    case .duplicateRequest:
      .strike("duplicate verify.request", .concurrentDuplicate, about: .either)
    case .duplicateReply: .strike("duplicate verify.reply", .concurrentDuplicate, about: .either)
    case .partitionPhone: .strike("partition network", .partition, about: .phone)
    case .delayRequest:
      .delay(
        "delay verify.request", about: .either,
        Delay(
          range: 10...200, overtaken: 1500, overtakenBy: .reordering, late: 7000,
          lateBy: .slowServer))
    case .delayReply:
      .delay(
        "delay verify.reply", about: .either,
        Delay(
          range: 10...200, overtaken: 1500, overtakenBy: .reordering, late: 7000,
          lateBy: .lateResponse))
    case .delayNetworkHeal: .delay("delay network.heal", about: .phone, Self.ms(2000...30_000))

    case .failRequest: .strike("fail server.request", .serverError, about: .either)
    case .failCommit: .strike("fail server.commit", .serverError, about: .either)
    case .failAfterCommit: .strike("fail server.reply", .errorAfterCommit, about: .either)
    case .businessError: .strike("refuse server.request", .businessError, about: .either)
    case .expireSession: .strike("expire server.session", .sessionExpired, about: .either)
    case .pruneDedupe: .strike("prune server.dedupe", .dedupePruned, about: .either)
    case .delayDatabase: .delay("delay database.answer", about: .either, Self.ms(1...10))
    case .delayServerStart: .delay("delay server.start", about: .either, Self.ms(500...5000))

    case .statusVerifier:
      .choice(
        "fail verifier.status", .verifierStatus, about: .either,
        values: [21002, 21004, 21005, 21009, 21100])
    case .voidCharge: .strike("void store.charge", .verifierStatus, about: .purchase)
    case .failVerifier: .strike("fail verifier.request", .verifierOutage, about: .either)
    case .dropVerifier: .strike("drop verifier.answer", .verifierOutage, about: .either)
    case .delayVerifier: .delay("delay verifier.answer", about: .either, Self.ms(20...200))

    case .forgeReceipt: .strike("forge attacker.evidence", .forgedReceipt, about: .either)
    case .stealEvidence: .strike("steal attacker.evidence", .stolenEvidence, about: .either)
    case .foreignReceipt: .strike("borrow attacker.evidence", .foreignAppEvidence, about: .either)
    case .sandboxEvidence: .strike("sandbox attacker.evidence", .sandboxEvidence, about: .either)
    case .substituteProduct:
      .strike("substitute attacker.product", .productSubstituted, about: .either)
    case .spoofLocalVerifier:
      .strike("spoof attacker.verifier", .localVerificationSpoofed, about: .either)
    case .delayAttack: .delay("delay attacker.request", about: .either, Self.ms(200...20_000))

    case .crashBeforeObserve: .strike("crash app before observe", .appCrash, about: .phone)
    case .crashAfterObserve: .strike("crash app after observe", .appCrash, about: .phone)
    case .crashBeforeUnobserve: .strike("crash app before unobserve", .appCrash, about: .phone)
    case .crashAfterUnobserve: .strike("crash app after unobserve", .appCrash, about: .phone)
    case .crashBeforeProducts: .strike("crash app before products", .appCrash, about: .purchase)
    case .crashAfterProducts: .strike("crash app after products", .appCrash, about: .purchase)
    case .crashBeforePay: .strike("crash app before pay", .appCrash, about: .purchase)
    case .crashAfterPay: .strike("crash app after pay", .appCrash, about: .purchase)
    case .crashBeforeFinish: .strike("crash app before finish", .appCrash, about: .purchase)
    case .crashAfterFinish: .strike("crash app after finish", .appCrash, about: .purchase)
    case .crashBeforeRestore: .strike("crash app before restore", .appCrash, about: .phone)
    case .crashAfterRestore: .strike("crash app after restore", .appCrash, about: .phone)
    case .crashBeforeReceipt: .strike("crash app before receipt", .appCrash, about: .phone)
    case .crashAfterReceipt: .strike("crash app after receipt", .appCrash, about: .phone)
    case .crashBeforeRefresh: .strike("crash app before refresh", .appCrash, about: .phone)
    case .crashAfterRefresh: .strike("crash app after refresh", .appCrash, about: .phone)
    case .crashBeforeSend: .strike("crash app before send", .appCrash, about: .either)
    case .crashAfterSend: .strike("crash app after send", .appCrash, about: .either)
    case .crashBeforeSave: .strike("crash app before save", .appCrash, about: .either)
    case .crashAfterSave: .strike("crash app after save", .appCrash, about: .either)
    case .crashBeforeErase: .strike("crash app before erase", .appCrash, about: .either)
    case .crashAfterErase: .strike("crash app after erase", .appCrash, about: .either)
    case .crashBeforeFlush: .strike("crash app before flush", .appCrash, about: .phone)
    case .crashAfterFlush: .strike("crash app after flush", .appCrash, about: .phone)
    case .crashBeforeTell: .strike("crash app before tell", .appCrash, about: .either)
    case .crashAfterTell: .strike("crash app after tell", .appCrash, about: .either)
    case .crashBeforeTimer: .strike("crash app before timer", .appCrash, about: .phone)
    case .crashAfterTimer: .strike("crash app after timer", .appCrash, about: .phone)
    case .crashOnCallback: .strike("crash app on callback", .appCrash, about: .purchase)
    case .crashOnReply: .strike("crash app on reply", .appCrash, about: .either)
    case .crashInLaunch: .strike("crash app after launch", .appCrash, about: .phone)
    case .crashInTap: .strike("crash app after tap", .appCrash, about: .purchase)
    case .crashInProducts: .strike("crash app after product-list", .appCrash, about: .purchase)
    case .crashInCallback: .strike("crash app after callback", .appCrash, about: .purchase)
    case .crashInPurchaseResult: .strike("crash app after result", .appCrash, about: .purchase)
    case .crashInReply: .strike("crash app after reply", .appCrash, about: .either)
    case .crashInTimer: .strike("crash app after alarm", .appCrash, about: .either)
    case .crashInVisit: .strike("crash app after visit", .appCrash, about: .phone)
    case .crashInRefresh: .strike("crash app after refreshed", .appCrash, about: .phone)
    case .crashInRestore: .strike("crash app after restored", .appCrash, about: .phone)
    case .crashInSession: .strike("crash app after login", .appCrash, about: .phone)

    case .crashServerBeforeVerify:
      .strike("crash server before verify", .serverCrash, about: .either)
    case .crashServerAfterVerify: .strike("crash server after verify", .serverCrash, about: .either)
    case .crashServerBeforeCredit:
      .strike("crash server before credit", .serverCrash, about: .either)
    case .crashServerAfterCredit: .strike("crash server after credit", .serverCrash, about: .either)
    case .crashServerBeforeRecord:
      .strike("crash server before record", .serverCrash, about: .either)
    case .crashServerAfterRecord: .strike("crash server after record", .serverCrash, about: .either)
    case .crashServerBeforeCommit:
      .strike("crash server before commit", .serverCrash, about: .either)
    case .crashServerAfterCommit: .strike("crash server after commit", .serverCrash, about: .either)
    case .crashServerBeforeReply: .strike("crash server before reply", .serverCrash, about: .either)
    case .crashServerAfterReply: .strike("crash server after reply", .serverCrash, about: .either)

    case .reorderTask: .choice("reorder app.task", .taskOrder, about: .phone, values: [1, 2, 3])

    case .omitStep: .omission("omit person.step", about: .step)
    case .omitPhone: .omission("omit person.phone", about: .phone)
    }
  }

  private static func ms(_ range: ClosedRange<Int64>) -> Delay { Delay(range: range) }
}
