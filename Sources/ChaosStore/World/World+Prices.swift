import Invariants

/// A subscription is to cost more, to which whoever pays must agree.
///
/// Source: Apple, Managing price increases for auto-renewable subscriptions; PRICE_INCREASE.
extension World {
  /// A period has begun; the next one may be dearer. In the middle of this one the App Store asks for consent.
  mutating func mayRaisePrice(_ id: SubscriptionID) {
    guard decisions.strikes(.raisePrice, who(purchase: subscriptions[id].latest)) else { return }
    plan(.priceRise, id, at: now + (subscriptions[id].chargesMillis - now) / 2)
  }

  mutating func announcePrice(_ id: SubscriptionID) {
    let latest = subscriptions[id].latest
    guard subscriptions[id].renews else { return }
    subscriptions[id].consent = .pending
    notify(.priceIncrease, latest, .pending)
    if _slowPath(isHeard) { tell(.priceIncreases, about: latest) }
    let who = who(purchase: latest)
    guard !decisions.strikes(.withholdConsent, who) else { return }
    plan(.consent, id, at: now + decisions.delay(.delayConsent, who))
  }

  mutating func consent(_ id: SubscriptionID) {
    guard subscriptions[id].consent == .pending, subscriptions[id].renews else { return }
    subscriptions[id].consent = .agreed
    notify(.priceIncrease, subscriptions[id].latest, .accepted)
  }
}
