import Invariants

/// A backend that answers at once and credits by a job, with a replica of its database in front: the app of
/// ``ExactlyOnce``, and two forms of the job.
public enum JobQueue: PurchaseSystem {
  /// The app of `exactly-once`, which reports until there is an answer.
  public typealias App = ExactlyOnce.App

  /// `job-queue`, with a job that credits whatever was before, and one that credits once.
  public static let entry = SystemEntry(
    name: "job-queue",
    summary: "The backend looks into a replica whether it has credited, and else has a job do it.",
    about: """
      The app is that of `exactly-once`. The backend looks a reported transaction up with Apple and asks a replica of \
      its database whether it was credited. If so it answers success; if not it hands a job to its queue and answers \
      that nothing is decided, so that the app reports once more. The naive job credits and then writes down that it \
      has: a queue that hands it out twice, or a replica that is a little behind, credit a second time. The idempotent \
      job enters (environment, transaction id) and the credit in one commit.
      """,
    source: "ChaosStore")

  /// Asks Apple and the replica, and leaves the rest to a job.
  public struct Backend: PurchaseBackend {
    private enum Step { static let credit: UInt8 = 1 }

    private let kind: BackendKind

    /// Keeps nothing in memory.
    public init(_ launch: Launch) { kind = launch.backend }

    /// Asks Apple about the transaction.
    public mutating func received(_ report: Report, _ server: Server) {
      server.verify(.transaction)
    }

    /// Answers what the replica knows, and has a job do what it does not.
    public mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      switch answer.class {
      case .permanent: return server.reply(.refused)
      case .retry, .notFound, .otherEnvironment: return server.reply(.retry)
      case .valid: break
      }
      guard let purchase = server.purchases(in: answer).first(where: \.isOurs),
        !server.owner(of: purchase.token).isNone
      else { return server.reply(.refused) }
      guard server.isRecorded(purchase, in: .replica) else {
        server.enqueue(Step.credit, about: purchase.transaction)
        return server.reply(.retry)
      }
      let owner = server.creditedAccount(of: purchase)
      server.reply(.alreadyDelivered, payload: owner.raw &+ 1)
    }

    /// The job: credits what was verified.
    public mutating func resumed(
      at step: UInt8, about transaction: TransactionID, for report: Report, _ server: Server
    ) {
      let purchase = server.purchase(transaction)
      let owner = server.owner(of: purchase.token)
      if kind == .naive {
        server.credit(purchase, to: owner)
        server.record(purchase)
      } else {
        // Where the database is down, the app will report it once more.
        server.commit(purchase, to: owner)
      }
    }
  }
}
