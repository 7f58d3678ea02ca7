/// A world that a system is put into where nobody says in which.
///
/// One world hides what another shows: a second phone of the same Apple account picks up what the first
/// has lost, and an app that is opened again and again picks it up itself.
package enum DefaultWorld: String, CaseIterable, Sendable {
  /// Two customers with a phone each, who share an Apple account; one buys coins, the other a map.
  case twoPhones = "two-phones"
  /// One customer with one phone buys coins and a map.
  case onePhone = "one-phone"
  /// One customer buys coins, again shortly after, and a third time when that was served.
  case boughtAgain = "bought-again"
  /// Two customers share a phone: one logs in before the other's purchase, and in the middle of it.
  case otherUser = "other-user"
  /// One customer buys coins, later once more, and nobody closes the app.
  case leftOpen = "left-open"

  /// The end of a scenario's name; nothing for the usual world.
  var suffix: String { self == .twoPhones ? "" : "/" + rawValue }

  /// In a few words, for a note.
  var summary: String {
    switch self {
    case .twoPhones: "two phones of one Apple account"
    case .onePhone: "one phone alone"
    case .boughtAgain: "one product bought three times"
    case .otherUser: "another user logs in on the phone"
    case .leftOpen: "an app that nobody closes"
    }
  }

  /// What is sold where a system does not say what it sells.
  private static let usualProducts = [
    Setup.Product("coins"), Setup.Product("map", isConsumable: false),
  ]

  /// The world, which sells these products, or coins and a map where there are none.
  ///
  /// The first consumable is bought for coins and the first non-consumable for a map; where all are of one kind,
  /// the first two of them.
  func setup(selling products: [Setup.Product] = []) -> Setup {
    let sold = products.isEmpty ? Self.usualProducts : products
    let coins = sold.firstIndex(where: \.isConsumable) ?? 0
    let map =
      sold.firstIndex { !$0.isConsumable && $0 != sold[coins] }
      ?? sold.indices.first { $0 != coins } ?? coins
    var setup = setup
    setup.products = sold
    for index in setup.steps.indices {
      if case .buy(let product, let quantity, let account) = setup.steps[index].action {
        setup.steps[index].action = .buy(
          product: product == 0 ? coins : map, quantity: quantity, account: account)
      }
    }
    return setup
  }

  /// With coins as product 0, and a map as 1.
  private var setup: Setup {
    var setup = Setup()
    setup.horizonMillis = 270_000
    switch self {
    case .twoPhones:
      setup.accounts = 2
      setup.devices = [Setup.Device(account: 0), Setup.Device(account: 1)]
      setup.steps = [Self.buy(at: 1000, 0), Self.buy(at: 4000, 1, device: 1, account: 1)]
    case .onePhone: setup.steps = [Self.buy(at: 1000, 0), Self.buy(at: 4000, 1)]
    case .boughtAgain:
      setup.steps = [1000, 3000, 40_000].map { Self.buy(at: $0, 0) }
    case .otherUser:
      setup.accounts = 2
      setup.steps = [
        Setup.Step(atMillis: 500, .logIn(account: 1)), Self.buy(at: 1000, 0, account: 1),
        Setup.Step(atMillis: 1700, .logIn(account: 0)), Self.buy(at: 20_000, 1),
        Setup.Step(atMillis: 20_700, .logIn(account: 1)),
      ]
    case .leftOpen:
      setup.reopenEveryMillis = nil
      setup.steps = [Self.buy(at: 1000, 0), Self.buy(at: 90_000, 0)]
    }
    return setup
  }

  private static func buy(
    at millis: Int64, _ product: Int, device: Int = 0, account: Int = 0
  ) -> Setup.Step {
    Setup.Step(
      atMillis: millis, device: device, .buy(product: product, quantity: 1, account: account))
  }
}
