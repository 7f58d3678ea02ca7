import ChaosStore
import Invariants

/// The same app with a mistake in its backend: `credit` where it should be `commit`.
///
/// It never asks whether a transaction was credited before. When its answer is lost, the app
/// reports again, and the goods are given away a second time.
public enum HastyBookShop: PurchaseSystem {
  public typealias App = BookShop.App
  public typealias Variant = BookShop.Variant

  public static let entry = SystemEntry(
    name: "hasty-book-shop", summary: "Credits whatever a report proves, each time.",
    source: "An example", backends: [.naive])

  public struct Backend: PurchaseBackend {
    public init(_ launch: Launch) {}

    public mutating func received(_ report: Report, _ server: Server) {
      server.verify(.transaction)
    }

    public mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      guard answer.class == .valid else {
        return server.reply(answer.class == .permanent ? .refused : .retry)
      }
      var outcome = Reply.Outcome.refused
      for purchase in server.purchases(in: answer) where purchase.isOurs {
        let owner = server.owner(of: server.token(of: purchase))
        switch server.credit(purchase, to: owner.isNone ? report.session : owner) {
        case .credited, .alreadyThere: outcome = .delivered
        case .unavailable, .unknown: return server.reply(.retry)
        }
      }
      server.reply(outcome)
    }
  }
}
