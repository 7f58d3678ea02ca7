import ChaosStore
import Invariants

/// What the app tells the person who taps.
extension HostedPhone {
  func tell(_ message: PurchaseMessage, about productID: String, for wish: IntentID? = nil) {
    guard isAlive, let message = message.fact, let product = tapped(productID) else { return }
    tell(
      PhoneCalls.TellAboutProduct(message: message, product: product, wish: wish ?? self.wish))
  }

  func tell(_ message: PurchaseMessage, about tap: Tap) {
    guard isAlive, let message = message.fact else { return }
    tell(PhoneCalls.TellAboutTap(message: message, tap: tap))
  }

  func tell(_ message: PurchaseMessage, about transaction: PaymentTransaction) {
    guard isAlive, let message = message.fact else { return }
    tell(PhoneCalls.TellAboutPayment(message: message, transaction: transaction))
  }

  func tell(_ message: PurchaseMessage, about transaction: TransactionID) {
    guard isAlive, let message = message.fact else { return }
    tell(PhoneCalls.TellAboutTransaction(message: message, transaction: transaction))
  }
}
