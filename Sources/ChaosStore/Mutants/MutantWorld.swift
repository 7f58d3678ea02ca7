import Invariants

/// Where a planted defect is looked for. All faults may strike in each of them, though in some
/// not at every place.
package enum MutantWorld: String, CaseIterable, Sendable {
  /// Two purchases on one phone; a second phone with another user has the same store account.
  case twoPhones = "two-phones"
  /// One product is bought twice, the second time when the first is done.
  case boughtTwice = "bought-twice"
  /// Two users, each on a phone of their own with the same store account, buy the same product.
  case twoBuyers = "two-buyers"
  /// The same at nearly the same time, with a store account each.
  case twoStores = "two-stores"
  /// One user buys on a phone on which another logs in right after, and buys something else later.
  case sharedPhone = "shared-phone"
  /// Somebody buys in the app and, at once, the same product in the store itself; later a stranger
  /// buys. Nobody closes an app.
  case outside
  /// Two purchases close to each other and one much later, with an app that nobody closes.
  case leftOpen = "left-open"
  /// One purchase on a phone of two users, where a fault is a quarter as likely as it usually is.
  case onePurchase = "one-purchase"
  /// The same, with an app that nobody closes: what is to happen must happen in this life of it.
  case staysOpen = "stays-open"
  /// The same, but what the store keeps back for the next launch waits for one that does not come, and
  /// has to be found on the receipt, and soon.
  case heldBack = "held-back"
  /// One purchase again, with an app that nobody opens again once it has ended.
  case neverOpenedAgain = "never-opened-again"
  /// One purchase, and later somebody who closes the app after two seconds, three times: before a fresh
  /// receipt is there.
  case shortStays = "short-stays"
  /// One purchase, and a storefront that may change in between.
  case otherStorefront = "other-storefront"
  /// One purchase whose money may be given back, and an app that is opened every third day for weeks.
  case refunds
  /// The same in the sandbox, where Apple tells once.
  case sandboxRefunds = "sandbox-refunds"
  /// A subscription by the week with three days of grace, and the same app.
  case subscriber
  /// The same, and the phone's clock may be wrong.
  case wrongClock = "wrong-clock"
  /// The same subscription, which somebody else of the family uses on a phone of theirs.
  case family
  /// The same on one phone, and its price may be raised.
  case prices

  /// Who buys what there, and what may go wrong.
  package var setup: Setup {
    var setup = Setup()
    setup.accounts = 2
    setup.backend = .idempotent
    setup.horizonMillis = 270_000
    setup.patienceMillis = 30_000
    setup.mix = Self.mix
    setup.steps = [.init(atMillis: 3000, .buy(product: 0, quantity: 1, account: 0))]
    switch self {
    case .twoPhones:
      setup.storeAccounts = 2
      setup.devices = [.init(account: 0), .init(account: 1)]
      setup.products = [.init("coins"), .init("gems")]
      setup.steps.append(.init(atMillis: 7000, .buy(product: 1, quantity: 2, account: 0)))
    case .boughtTwice:
      setup.steps.append(.init(atMillis: 7000, .buy(product: 0, quantity: 1, account: 0)))
      setup.mix.delays[.delayDuplicate] = 3500...4500
    case .twoBuyers:
      setup.devices = [.init(account: 0), .init(account: 1)]
      setup.steps.append(
        .init(atMillis: 7000, device: 1, .buy(product: 0, quantity: 1, account: 1)))
    case .twoStores:
      setup.storeAccounts = 2
      setup.devices = [.init(account: 0), .init(storeAccount: 1, account: 1)]
      setup.steps.append(
        .init(atMillis: 3150, device: 1, .buy(product: 0, quantity: 1, account: 1)))
    case .sharedPhone:
      setup.products = [.init("coins"), .init("gems")]
      setup.steps += [
        .init(atMillis: 3060, .logIn(account: 1)),
        .init(atMillis: 7000, .buy(product: 1, quantity: 1, account: 1)),
      ]
    case .outside:
      setup.storeAccounts = 2
      setup.devices = [.init(account: 0), .init(storeAccount: 1, account: 1)]
      setup.steps = [
        .init(atMillis: 3000, .buy(product: 0, quantity: 1, account: 0)),
        .init(atMillis: 3050, .buyOutside(product: 0, quantity: 1, account: 0)),
        .init(atMillis: 7000, device: 1, .buy(product: 0, quantity: 1, account: 1)),
      ]
      setup.reopenEveryMillis = nil
      // Of a purchase that is not called back either only a prompt could tell on a phone with the file of
      // another Apple ID, and nothing shows that there is a reason for one.
      setup.mix.entries[.foreignReceipt] = nil
    case .leftOpen:
      setup.products = [.init("coins"), .init("gems")]
      setup.steps += [
        .init(atMillis: 7000, .buy(product: 1, quantity: 1, account: 0)),
        .init(atMillis: 100_000, .buy(product: 0, quantity: 1, account: 0)),
      ]
      setup.reopenEveryMillis = nil
      setup.withinMillis = 120_000
      setup.horizonMillis = 300_000
      setup.mix.nameSites()
    case .onePurchase: setup.mix.calm()
    case .otherStorefront:
      setup.mix.entries.merge(FaultMix([.storefrontChanged]).entries) { $1 }
      setup.mix.calm()
    case .staysOpen:
      setup.mix.calm()
      setup.reopenEveryMillis = nil
      setup.withinMillis = 120_000
      setup.horizonMillis = 240_000
      setup.mix.nameSites(of: [.finishLost])
    case .heldBack:
      setup.mix.calm()
      setup.reopenEveryMillis = nil
      setup.withinMillis = 50_000
      setup.horizonMillis = 240_000
      setup.mix.nameSites()
    case .neverOpenedAgain:
      setup.mix.calm()
      setup.reopenEveryMillis = nil
      setup.relaunches = false
      setup.mix.nameSites()
    case .shortStays:
      setup.steps.append(.init(atMillis: 20_000, .quit))
      for at in stride(from: Int64(40_000), through: 60_000, by: 10_000) {
        setup.steps.append(.init(atMillis: at, .open))
        setup.steps.append(.init(atMillis: at + 2000, .quit))
      }
      setup.steps.append(.init(atMillis: 70_000, .open))
      setup.healMillis = 30_000
      setup.reopenEveryMillis = nil
      setup.mix.delays[.delayRefresh] = 2500...3000
    case .refunds: Self.goOnForWeeks(&setup)
    case .sandboxRefunds:
      Self.goOnForWeeks(&setup)
      setup.devices = [.init(environment: .sandbox)]
    case .subscriber, .wrongClock:
      Self.goOnForWeeks(&setup)
      setup.products = [.init("pro", .autoRenewable(.init(Period(1, .week), graceDays: 3)))]
      if self == .wrongClock { setup.mix.entries.merge(FaultMix([.clockWrong]).entries) { $1 } }
    case .family:
      Self.goOnForWeeks(&setup)
      setup.storeAccounts = 2
      setup.families = [[0, 1]]
      setup.devices = [.init(account: 0), .init(storeAccount: 1, account: 1)]
      setup.products = [.init("pro", .autoRenewable(.init(Period(1, .week), graceDays: 3)))]
      setup.products[0].isFamilyShareable = true
      setup.mix.entries.merge(FaultMix([.familyLeft]).entries) { $1 }
    case .prices:
      Self.goOnForWeeks(&setup)
      setup.products = [.init("pro", .autoRenewable(.init(Period(1, .week), graceDays: 3)))]
      setup.mix.entries.merge(FaultMix([.priceRaised]).entries) { $1 }
    }
    return setup
  }

  private static func goOnForWeeks(_ setup: inout Setup) {
    let day: Int64 = 86_400_000
    setup.reopenEveryMillis = nil
    setup.sittings = .init(everyMillis: 3 * day, forMillis: 300_000)
    setup.isWholeStore = true
    setup.healMillis = 21 * day
    setup.horizonMillis = 42 * day
    // Somebody who logs in, and an attacker, come as they do elsewhere.
    setup.mix.entries.merge(FaultMix(Fault.common.filter(\.needsWholeStore)).entries) { $1 }
  }

  /// All faults. What usually takes long or short is set so that no usual delay alone does what a
  /// defect needs a fault for: a second tap comes before the charge, somebody logs in while a
  /// report is under way, the network is back before a retry, an attacker after the honest report.
  private static var mix: FaultMix {
    var mix = FaultMix(Fault.common.filter { !$0.needsWholeStore })
    mix.delays[.delayCharge] = 100...500
    mix.delays[.delaySwitch] = 25...400
    mix.delays[.delayNetworkHeal] = 1000...2500
    mix.delays[.delayAttack] = 1000...20_000
    mix.delays[.delayRefresh] = 1000...2000
    return mix
  }
}

extension FaultMix {
  /// Makes each fault a quarter as likely, so that several seldom come together.
  fileprivate mutating func calm() {
    for fault in faults {
      guard let usual = entries[fault]?.chance,
        let chance = Ratio(usual.numerator, usual.denominator * 4)
      else { continue }
      entries[fault]?.chance = chance
    }
  }
}
