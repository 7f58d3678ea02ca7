import Invariants

/// Ordinary use: what people do with an app of their own accord. Nothing of it is a fault.
extension World {
  /// After a tap, and after being told something about a wish, a person may do something else.
  @inline(__always)
  mutating func mayUse(_ intent: IntentID, _ device: DeviceID, wasTold: Bool) {
    if _slowPath(asksUses) { use(intent, device, wasTold: wasTold) }
  }

  @inline(never)
  private mutating func use(_ intent: IntentID, _ device: DeviceID, wasTold: Bool) {
    guard devices[device].isRunning else { return }
    let who = who(intent: intent)
    let life = devices[device].life
    if setup.relaunches, decisions.strikes(.reopenApp, who) {
      schedule(.quit(device, life: life), after: decisions.delay(.delayQuit, who))
    }
    if decisions.strikes(.backgroundApp, who) {
      schedule(
        .background(device, life: life), after: decisions.delay(.delayQuit, who))
    }
    guard wasTold else { return }
    if hasShopPage, decisions.strikes(.visitAgain, who) {
      schedule(
        .visit(device, life: life), after: decisions.delay(.delayVisit, self.who(device: device)))
    }
    buyMore(intent, who)
  }

  /// The same product once more, as a wish of its own; once for a wish of the scenario.
  private mutating func buyMore(_ intent: IntentID, _ who: Who) {
    guard intents[intent].again & 2 == 0, intents[intent].key & 0xf << 20 == 0,
      decisions.strikes(.buyMore, who)
    else { return }
    intents[intent].again |= 2
    let row = intents[intent]
    let next = addIntent(
      key: Subject(key: row.key).again(2).key, device: row.device, account: row.account,
      product: row.product, quantity: row.quantity)
    schedule(.furtherTap(next), after: decisions.delay(.delayBuyMore, who))
  }

  /// A person looks at another app: nothing of this one runs until it is back.
  mutating func goToBackground(_ device: DeviceID) {
    guard !decisions.isHealed else { return }
    let back = now + decisions.delay(.delayForeground, who(device: device))
    devices[device].foregroundAt = back
    decisions.disturb(until: back)
    lastForegroundAt = max(lastForegroundAt, back)
  }

  /// Whether the event is about an app that is in the background: then it comes when that is back.
  @inline(never)
  mutating func waitsInBackground(_ event: Event) -> Bool {
    guard let device = device(of: event), devices[device].isRunning,
      devices[device].foregroundAt > now
    else { return false }
    postpone(
      event, untilTheEndOf: .delayForeground, on: device, at: devices[device].foregroundAt)
    return true
  }

  /// On whose phone a person or an app does something now.
  private func device(of event: Event) -> DeviceID? {
    switch event.kind {
    case .callback, .purchaseResult, .productList, .timer, .news: event.phone
    case .reply:
      exchanges[event.exchange].route.isFromAttacker ? nil : exchanges[event.exchange].route.device
    case .visit, .receiptRefresh, .restoreEnd, .quit, .switchBack, .switchAway: event.device
    case .furtherTap: intents[event.intent].device
    case .step:
      switch setup.steps[event.step.index].action {
      case .buy, .buyPromoted, .logIn, .restore:
        DeviceID(index: setup.steps[event.step.index].device)
      case .buyOutside, .reinstall, .restoreBackup, .quit, .open: nil
      }
    case .arrival, .charge, .finishArrives, .request, .verifierAnswer, .resume, .launch, .reopen,
      .flush, .serverStart, .networkHeals, .restoreSent, .subscription, .notification,
      .job:
      nil
    }
  }

  /// A person closes the app, which has the time to write what it holds, and opens it some other day.
  mutating func leave(_ device: DeviceID) {
    flush(device)
    endApp(device, relaunchAfter: nil)
    devices[device].launchAt = -1
  }

  /// A person closes the app, which has the time to write what it holds, and opens it again.
  mutating func quit(_ device: DeviceID) {
    flush(device)
    endApp(device, relaunchAfter: decisions.delay(.delayRelaunch, who(device: device)))
  }
}
