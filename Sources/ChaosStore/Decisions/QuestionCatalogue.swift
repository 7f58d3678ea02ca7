extension Question {
  /// What the catalogue knows about it.
  public var entry: Entry { Self.entries[Int(rawValue)] }

  static let entries: [Entry] = allCases.map(\.described)

  /// One entry a question: its name, the fault behind it, what it is about, the part of a purchase
  /// that it belongs to, and how long it takes.
  private var described: Entry {
    switch self {
    case .tapAgain: .strike("repeat person.tap", .doubleTap, about: .purchase, at: .tap)
    case .tapEarly: .strike("hurry person.tap", .doubleTap, about: .purchase, at: .tap)
    case .buyAgain:
      .strike("repeat person.purchase", .buyWhileUnfinished, about: .purchase, at: .tap)
    case .switchAccount:
      .strike("switch person.account", .accountSwitch, about: .purchase, at: .tap)
    case .switchAtPay: .strike("switch person.payment", .accountSwitch, about: .purchase, at: .pay)
    case .switchAtReport:
      .strike("switch person.report", .accountSwitch, about: .purchase, at: .request)
    case .switchAtCallback:
      .strike("switch person.callback", .accountSwitch, about: .purchase, at: .callback)
    case .switchAtReply:
      .strike("switch person.reply", .accountSwitch, about: .purchase, at: .reply)
    case .reopenApp: .strike("reopen app", .reopen, about: .purchase, at: .launch)
    case .backgroundApp: .strike("background app", .background, about: .purchase, at: .launch)
    case .visitAgain: .strike("repeat page.visit", .visitAgain, about: .purchase, at: .launch)
    case .buyMore: .strike("buy person.more", .buyMore, about: .purchase, at: .tap)
    case .delayForeground:
      .delay("delay app.foreground", about: .phone, at: .launch, Self.ms(1000...20_000))
    case .delayQuit: .delay("delay person.quit", about: .purchase, at: .launch, Self.ms(0...5000))
    case .delayBuyMore:
      .delay("delay person.more", about: .purchase, at: .tap, Self.ms(1000...10_000))
    case .skipVisit: .strike("skip page.visit", .lateObserver, about: .phone, at: .launch)
    case .reinstallApp: .strike("reinstall app", .reinstall, about: .phone, at: .launch)
    case .shiftClock:
      .choice(
        "shift phone.clock", .clockWrong, about: .phone, at: .launch,
        values: [-57_600, -1440, 300, 57_600])
    case .attachTwice: .strike("repeat app.listener", .handlerTwice, about: .phone, at: .launch)
    case .restoreBackup: .strike("restore backup", .backupRestored, about: .phone, at: .launch)
    case .delayTapAgain: .delay("delay person.tap", about: .purchase, at: .tap, Self.ms(50...300))
    case .delayBuyAgain:
      .delay("delay person.purchase", about: .purchase, at: .tap, Self.ms(200...3000))
    case .delaySwitch: .delay("delay person.switch", about: .purchase, at: .tap, Self.ms(0...400))
    case .delaySwitchBack:
      .delay("delay person.return", about: .phone, at: .tap, Self.ms(20_000...60_000))
    case .delayVisit:
      .delay(
        "delay page.visit", about: .phone, at: .launch,
        Delay(range: 500...5000, late: 30_000, lateBy: .lateObserver))
    case .delayRelaunch:
      .delay("delay app.launch", about: .phone, at: .launch, Self.ms(1000...10_000))

    case .declinePayment:
      .strike("decline store.payment", .failureFirst, about: .purchase, at: .pay)
    case .interruptPayment:
      .strike("interrupt store.payment", .failedThenPurchased, about: .purchase, at: .pay)
    case .failThoughCharged:
      .strike("fail store.payment", .failedThenPurchased, about: .purchase, at: .pay)
    case .moveStorefront:
      .choice(
        "move store.storefront", .storefrontChanged, about: .purchase, at: .pay, values: [1, 2])
    case .refusePayment:
      .choice(
        "refuse store.payment", .paymentRefused, about: .purchase, at: .pay,
        values: PaymentError.allCases.map { Int($0.rawValue) })
    case .confirmAgain: .strike("confirm person.payment", .doubleTap, about: .purchase, at: .pay)
    case .deferPayment: .strike("defer store.payment", .askToBuy, about: .purchase, at: .pay)
    case .declineApproval: .strike("decline store.approval", .askToBuy, about: .purchase, at: .pay)
    case .forgePayment: .strike("forge store.payment", .unverified, about: .purchase, at: .pay)
    case .doubtTransaction:
      .choice(
        "doubt store.transaction", .unverified, about: .purchase, at: .callback,
        values: [1, 2, 3, 4, 5, 6])
    case .swallowCallback:
      .strike("swallow store.callback", .missingRedelivery, about: .purchase, at: .callback)
    case .holdCallback:
      .strike("hold store.callback", .delayedDelivery, about: .purchase, at: .callback)
    case .duplicateCallback:
      .strike("duplicate store.callback", .duplicateCallback, about: .purchase, at: .callback)
    case .replayFinished:
      .strike("replay store.finished", .replayFinished, about: .purchase, at: .callback)
    case .renumber:
      .strike("renumber store.transaction", .identityDrift, about: .purchase, at: .callback)
    case .takeTransaction:
      .strike("take store.transaction", .finishedElsewhere, about: .purchase, at: .callback)
    case .hideToken: .strike("hide store.token", .tokenHidden, about: .purchase, at: .callback)
    case .dropFinish: .strike("drop store.finish", .finishLost, about: .purchase, at: .finish)
    case .failProducts: .strike("fail store.products", .productsFail, about: .either, at: .tap)
    case .loseRequest: .strike("lose store.request", .productsFail, about: .phone, at: .tap)
    case .delayProducts:
      .delay(
        "delay store.products", about: .either, at: .tap,
        Delay(range: 50...300, late: 10_000, lateBy: .productsFail))
    case .delayCharge: .delay("delay store.charge", about: .purchase, at: .pay, Self.ms(50...500))
    case .delayApproval:
      .delay("delay store.approval", about: .purchase, at: .pay, Self.ms(5000...60_000))
    case .delayCallback:
      .delay(
        "delay store.callback", about: .purchase, at: .callback,
        Delay(
          range: 1...20, overtaken: 1500, overtakenBy: .delayedDelivery, late: 20_000,
          lateBy: .delayedDelivery))
    case .delayDuplicate:
      .delay("delay store.duplicate", about: .purchase, at: .callback, Self.ms(1...20_000))
    case .delayInterrupted:
      .delay("delay store.interrupted", about: .purchase, at: .pay, Self.ms(1000...20_000))
    case .delayPurchaseResult:
      .delay(
        "delay store.result", about: .purchase, at: .callback,
        Delay(range: 1...20, overtaken: 1500, overtakenBy: .delayedDelivery))
    case .delayFinish:
      .delay(
        "delay store.finish", about: .purchase, at: .finish,
        Delay(range: 0...0, late: 20_000, lateBy: .finishLost))
    case .delayRestore:
      .delay("delay store.restore", about: .phone, at: .restore, Self.ms(200...2000))

    case .cancelRenewal:
      .strike("cancel person.renewal", .renewalOff, about: .purchase, at: .renew)
    case .failRenewal:
      .strike("fail store.renewal", .billingProblem, about: .purchase, at: .renew)
    case .abandonRenewal:
      .strike("abandon store.renewal", .billingProblem, about: .purchase, at: .renew)
    case .refundCharge: .strike("refund store.charge", .refund, about: .purchase, at: .renew)
    case .dropNotification:
      .strike("drop store.notification", .notificationLost, about: .purchase, at: .notify)
    case .duplicateNotification:
      .strike("duplicate store.notification", .notificationTwice, about: .purchase, at: .notify)
    case .repeatNotification:
      .strike("repeat store.notification", .notificationRepeated, about: .purchase, at: .notify)
    case .hastenNotification:
      .strike("hasten store.notification", .notificationEarly, about: .purchase, at: .notify)
    case .forgeNotification:
      .strike("forge store.notification", .notificationForged, about: .purchase, at: .notify)
    case .reverseRefund:
      .strike("reverse store.refund", .refundReversed, about: .purchase, at: .renew)
    case .prorateRefund:
      .choice(
        "prorate store.refund", .refundProrated, about: .purchase, at: .renew,
        values: [250, 500, 750])
    case .hideRefund:
      .strike("swallow store.refund", .refundUnannounced, about: .purchase, at: .renew)
    case .askRefund: .strike("ask store.refund", .refundAsked, about: .purchase, at: .renew)
    case .declineRefund:
      .strike("decline store.refund", .refundAsked, about: .purchase, at: .renew)
    case .leaveFamily:
      .strike("leave person.family", .familyLeft, about: .purchase, at: .renew)
    case .raisePrice: .strike("raise store.price", .priceRaised, about: .purchase, at: .renew)
    case .withholdConsent:
      .strike("withhold person.consent", .priceRaised, about: .purchase, at: .renew)
    case .delayShare:
      .delay("delay store.share", about: .purchase, at: .renew, Self.ms(1000...3_600_000))
    case .delayConsent:
      .delay("delay person.consent", about: .purchase, at: .renew, Self.ms(60_000...1_209_600_000))
    case .delayRecovery:
      .delay(
        "delay store.recovery", about: .purchase, at: .renew,
        Self.ms(3_600_000...1_728_000_000))
    case .delayRefund:
      .delay("delay store.refund", about: .purchase, at: .renew, Self.ms(60_000...1_209_600_000))
    case .delayReversal:
      .delay("delay store.reversal", about: .purchase, at: .renew, Self.ms(60_000...864_000_000))
    case .delayRefundDecision:
      .delay(
        "delay store.decision", about: .purchase, at: .renew, Self.ms(3_600_000...172_800_000))
    case .delayNotification:
      .delay(
        "delay store.notification", about: .purchase, at: .notify,
        Delay(
          range: 200...2000, overtaken: 60_000, overtakenBy: .notificationOvertaken,
          late: 3_960_000, lateBy: .notificationDelayed))

    case .loseReceipt: .strike("lose receipt.file", .receiptMissing, about: .phone, at: .receipt)
    case .staleReceipt: .strike("skip receipt.write", .receiptStale, about: .purchase, at: .receipt)
    case .swapReceipt: .strike("swap receipt.file", .foreignReceipt, about: .phone, at: .receipt)
    case .rewriteReceipt:
      .strike("rewrite receipt.file", .receiptRewritten, about: .purchase, at: .receipt)
    case .failRefresh: .strike("fail receipt.refresh", .refreshFails, about: .phone, at: .receipt)
    case .loseWrite: .strike("lose storage.write", .recordLost, about: .either, at: .storage)
    case .corruptRecord:
      .strike("corrupt storage.record", .recordLost, about: .either, at: .storage)
    case .delayRefresh:
      .delay("delay receipt.refresh", about: .phone, at: .receipt, Self.ms(200...2000))
    case .delayFlush: .delay("delay storage.flush", about: .phone, at: .storage, Self.ms(0...1000))

    case .dropRequest: .strike("drop verify.request", .requestLost, about: .either, at: .request)
    case .dropReply: .strike("drop verify.reply", .responseLost, about: .either, at: .reply)
    case .duplicateRequest:
      .strike("duplicate verify.request", .concurrentDuplicate, about: .either, at: .request)
    case .duplicateReply:
      .strike("duplicate verify.reply", .concurrentDuplicate, about: .either, at: .reply)
    case .partitionPhone: .strike("partition network", .partition, about: .phone, at: .request)
    case .partitionAtPay:
      .strike("partition store.payment", .partition, about: .purchase, at: .pay)
    case .delayRequest:
      .delay(
        "delay verify.request", about: .either, at: .request,
        Delay(
          range: 10...200, overtaken: 1500, overtakenBy: .reordering, late: 7000,
          lateBy: .slowServer))
    case .delayReply:
      .delay(
        "delay verify.reply", about: .either, at: .reply,
        Delay(
          range: 10...200, overtaken: 1500, overtakenBy: .reordering, late: 7000,
          lateBy: .lateResponse))
    case .delayNetworkHeal:
      .delay("delay network.heal", about: .phone, at: .request, Self.ms(2000...30_000))

    case .failRequest: .strike("fail server.request", .serverError, about: .either, at: .request)
    case .failCommit: .strike("fail server.commit", .serverError, about: .either, at: .credit)
    case .failAfterCommit:
      .strike("fail server.reply", .errorAfterCommit, about: .either, at: .reply)
    case .businessError:
      .strike("refuse server.request", .businessError, about: .either, at: .request)
    case .expireSession:
      .strike("expire server.session", .sessionExpired, about: .either, at: .request)
    case .pruneDedupe: .strike("prune server.dedupe", .dedupePruned, about: .either, at: .credit)
    case .repeatJob: .strike("repeat server.job", .jobRepeated, about: .either, at: .credit)
    case .staleRead: .strike("skip database.replica", .staleRead, about: .either, at: .credit)
    case .dropCommit: .strike("drop database.commit", .commitUnknown, about: .either, at: .credit)
    case .dropCommitted:
      .strike("drop database.answer", .commitUnknown, about: .either, at: .credit)
    case .delayDatabase:
      .delay("delay database.answer", about: .either, at: .credit, Self.ms(1...10))
    case .delayServerStart:
      .delay("delay server.start", about: .either, at: .request, Self.ms(500...5000))

    case .statusVerifier:
      .choice(
        "fail verifier.status", .verifierStatus, about: .either, at: .verify,
        values: [21002, 21004, 21005, 21009, 21100])
    case .voidCharge: .strike("void store.charge", .verifierStatus, about: .purchase, at: .pay)
    case .failVerifier:
      .strike("fail verifier.request", .verifierOutage, about: .either, at: .verify)
    case .dropVerifier:
      .strike("drop verifier.answer", .verifierOutage, about: .either, at: .verify)
    case .limitVerifier:
      .choice(
        "limit verifier.request", .verifierBusy, about: .either, at: .verify,
        values: [4_290_000, 5_000_001, 4_040_002, 4_040_004, 4_040_006])
    case .hideTransaction:
      .strike("hide verifier.transaction", .transactionUnknown, about: .either, at: .verify)
    case .refuseLookUp:
      .strike("refuse verifier.transaction", .transactionUnknown, about: .either, at: .verify)
    case .hideFinished:
      .strike("hide verifier.history", .historyShortened, about: .either, at: .verify)
    case .dropCommand: .strike("drop verifier.command", .commandLost, about: .either, at: .verify)
    case .failSignature:
      .strike("fail verifier.signature", .signatureUnchecked, about: .either, at: .verify)
    case .delayVerifier:
      .delay("delay verifier.answer", about: .either, at: .verify, Self.ms(20...200))

    case .forgeReceipt:
      .strike("forge attacker.evidence", .forgedReceipt, about: .either, at: .request)
    case .stealEvidence:
      .strike("steal attacker.evidence", .stolenEvidence, about: .either, at: .request)
    case .foreignReceipt:
      .strike("borrow attacker.evidence", .foreignAppEvidence, about: .either, at: .request)
    case .sandboxEvidence:
      .strike("sandbox attacker.evidence", .sandboxEvidence, about: .either, at: .request)
    case .substituteProduct:
      .strike("substitute attacker.product", .productSubstituted, about: .either, at: .request)
    case .spoofLocalVerifier:
      .strike("spoof attacker.verifier", .localVerificationSpoofed, about: .either, at: .verify)
    case .delayAttack:
      .delay("delay attacker.request", about: .either, at: .request, Self.ms(200...20_000))

    case .crashBeforeObserve:
      .strike("crash app before observe", .appCrash, about: .phone, at: .launch)
    case .crashAfterObserve:
      .strike("crash app after observe", .appCrash, about: .phone, at: .launch)
    case .crashBeforeUnobserve:
      .strike("crash app before unobserve", .appCrash, about: .phone, at: .launch)
    case .crashAfterUnobserve:
      .strike("crash app after unobserve", .appCrash, about: .phone, at: .launch)
    case .crashBeforeProducts:
      .strike("crash app before products", .appCrash, about: .either, at: .tap)
    case .crashAfterProducts:
      .strike("crash app after products", .appCrash, about: .either, at: .tap)
    case .crashBeforePay: .strike("crash app before pay", .appCrash, about: .purchase, at: .pay)
    case .crashAfterPay: .strike("crash app after pay", .appCrash, about: .purchase, at: .pay)
    case .crashBeforeFinish:
      .strike("crash app before finish", .appCrash, about: .purchase, at: .finish)
    case .crashAfterFinish:
      .strike("crash app after finish", .appCrash, about: .purchase, at: .finish)
    case .crashBeforeRestore:
      .strike("crash app before restore", .appCrash, about: .phone, at: .restore)
    case .crashAfterRestore:
      .strike("crash app after restore", .appCrash, about: .phone, at: .restore)
    case .crashBeforeReceipt:
      .strike("crash app before receipt", .appCrash, about: .phone, at: .receipt)
    case .crashAfterReceipt:
      .strike("crash app after receipt", .appCrash, about: .phone, at: .receipt)
    case .crashBeforeRefresh:
      .strike("crash app before refresh", .appCrash, about: .phone, at: .receipt)
    case .crashAfterRefresh:
      .strike("crash app after refresh", .appCrash, about: .phone, at: .receipt)
    case .crashBeforeSend: .strike("crash app before send", .appCrash, about: .either, at: .request)
    case .crashAfterSend: .strike("crash app after send", .appCrash, about: .either, at: .request)
    case .crashBeforeSave: .strike("crash app before save", .appCrash, about: .either, at: .storage)
    case .crashAfterSave: .strike("crash app after save", .appCrash, about: .either, at: .storage)
    case .crashBeforeErase:
      .strike("crash app before erase", .appCrash, about: .either, at: .storage)
    case .crashAfterErase: .strike("crash app after erase", .appCrash, about: .either, at: .storage)
    case .crashBeforeFlush:
      .strike("crash app before flush", .appCrash, about: .phone, at: .storage)
    case .crashAfterFlush: .strike("crash app after flush", .appCrash, about: .phone, at: .storage)
    case .crashBeforeTell: .strike("crash app before tell", .appCrash, about: .either, at: .tell)
    case .crashAfterTell: .strike("crash app after tell", .appCrash, about: .either, at: .tell)
    case .crashBeforeTimer: .strike("crash app before timer", .appCrash, about: .phone, at: .timer)
    case .crashAfterTimer: .strike("crash app after timer", .appCrash, about: .phone, at: .timer)
    case .crashOnCallback:
      .strike("crash app on callback", .appCrash, about: .purchase, at: .callback)
    case .crashOnReply: .strike("crash app on reply", .appCrash, about: .either, at: .reply)
    case .crashInLaunch: .strike("crash app after launch", .appCrash, about: .phone, at: .launch)
    case .crashInTap: .strike("crash app after tap", .appCrash, about: .purchase, at: .tap)
    case .crashInProducts:
      .strike("crash app after product-list", .appCrash, about: .either, at: .tap)
    case .crashInCallback:
      .strike("crash app after callback", .appCrash, about: .purchase, at: .callback)
    case .crashInPurchaseResult:
      .strike("crash app after result", .appCrash, about: .purchase, at: .callback)
    case .crashInReply: .strike("crash app after reply", .appCrash, about: .either, at: .reply)
    case .crashInTimer: .strike("crash app after alarm", .appCrash, about: .either, at: .timer)
    case .crashInVisit: .strike("crash app after visit", .appCrash, about: .phone, at: .launch)
    case .crashInRefresh:
      .strike("crash app after refreshed", .appCrash, about: .phone, at: .receipt)
    case .crashInRestore:
      .strike("crash app after restored", .appCrash, about: .phone, at: .restore)
    case .crashInNews: .strike("crash app after news", .appCrash, about: .phone, at: .callback)
    case .crashInSession: .strike("crash app after login", .appCrash, about: .phone, at: .launch)

    case .crashServerBeforeVerify:
      .strike("crash server before verify", .serverCrash, about: .either, at: .verify)
    case .crashServerAfterVerify:
      .strike("crash server after verify", .serverCrash, about: .either, at: .verify)
    case .crashServerBeforeCredit:
      .strike("crash server before credit", .serverCrash, about: .either, at: .credit)
    case .crashServerAfterCredit:
      .strike("crash server after credit", .serverCrash, about: .either, at: .credit)
    case .crashServerBeforeRecord:
      .strike("crash server before record", .serverCrash, about: .either, at: .credit)
    case .crashServerAfterRecord:
      .strike("crash server after record", .serverCrash, about: .either, at: .credit)
    case .crashServerBeforeCommit:
      .strike("crash server before commit", .serverCrash, about: .either, at: .credit)
    case .crashServerAfterCommit:
      .strike("crash server after commit", .serverCrash, about: .either, at: .credit)
    case .crashServerBeforeReply:
      .strike("crash server before reply", .serverCrash, about: .either, at: .reply)
    case .crashServerAfterReply:
      .strike("crash server after reply", .serverCrash, about: .either, at: .reply)
    case .holdRecord:
      .choice("hold server.record", .serverCrash, about: .either, at: .credit, values: [5, 20, 60])

    case .reorderTask:
      .choice("reorder app.task", .taskOrder, about: .phone, at: .task, values: [1, 2, 3])

    case .omitStep: .omission("omit person.step", about: .step, at: .tap)
    case .omitPhone: .omission("omit person.phone", about: .phone, at: .launch)
    }
  }

  private static func ms(_ range: ClosedRange<Int64>) -> Delay { Delay(range: range) }
}

extension Question.Entry {
  fileprivate static func strike(
    _ name: String, _ fault: Fault, about subject: Question.SubjectKind, at step: Step
  ) -> Self {
    Self(name: name, subject: subject, step: step, shape: .strike(fault))
  }

  fileprivate static func choice(
    _ name: String, _ fault: Fault, about subject: Question.SubjectKind, at step: Step,
    values: [Int]
  ) -> Self {
    Self(name: name, subject: subject, step: step, shape: .choice(fault, values: values))
  }

  fileprivate static func delay(
    _ name: String, about subject: Question.SubjectKind, at step: Step, _ delay: Question.Delay
  ) -> Self {
    Self(name: name, subject: subject, step: step, shape: .delay(delay))
  }

  fileprivate static func omission(
    _ name: String, about subject: Question.SubjectKind, at step: Step
  ) -> Self {
    Self(name: name, subject: subject, step: step, shape: .omission)
  }
}
