import Invariants

extension MutantShop {
  /// The backend of `ExactlyOnce`, with the places at which a defect changes it.
  package struct Backend: PurchaseBackend {
    enum Step {
      static let reconciliation: UInt8 = 0
      static let credit: UInt8 = 1
      static let enter: UInt8 = 2
      static let answer: UInt8 = 3
    }

    private static let patience: Int64 = 600_000

    let defect: Defect?
    /// Requests that the production address has not let in.
    private var denied: [UInt64] = []

    // What only a defect needs to know: in the memory of one process, and gone with it.
    private var doubts = Tally()
    var credited = TransactionSet()
    var lastProduct = ProductID.none
    var lastOwner = AccountID.none
    /// Transactions that are being worked on.
    var locked = TransactionSet()
    /// Who is to be credited, and what is to be answered.
    var owner = AccountID.none
    var outcome = Reply.Outcome.retry
    /// What could not be entered so far.
    var parked: VerifiedPurchase?
    /// Who was the first to report a transaction.
    var claims: [(id: TransactionID, by: AccountID)] = []
    /// What was taken back.
    var takenBack = TransactionSet()

    package init(_ launch: Launch) { defect = Build(launch).defect }

    package mutating func received(_ report: Report, _ server: Server) {
      if defect == .creditBeforeVerify, report.purpose == .deliver {
        _ = creditClaim(report, server)
      }
      if report.purpose == .deliver, let known = known(report, server) {
        return server.reply(known)
      }
      server.verify(
        report.evidence.isReceipt || report.evidence.isNone ? .productionReceipt : .transaction)
    }

    package mutating func verified(
      _ answer: VerifierAnswer, for report: Report, _ server: Server
    ) {
      if defect == .inProgressIsDone || defect == .lockIsKept && answer.class == .valid {
        locked.remove(report.transaction)
      }
      let wasDenied = answer.question == .sandboxTransaction && takeDenied(server)
      switch answer.class {
      case .retry: doubt(answer, report, server)
      case .permanent: server.reply(.refused)
      case .otherEnvironment:
        if answer.question == .productionReceipt {
          server.verify(.sandboxReceipt)
        } else {
          server.reply(defect == .outageAsksSandbox ? .retry : .refused)
        }
      case .notFound:
        if defect == .unknownIsRefused { return server.reply(.refused) }
        if answer.question == .transaction { return server.verify(.sandboxTransaction) }
        let age = server.now - server.firstSeen(report.transaction)
        if wasDenied || age < Self.patience { return later(report, server) }
        server.reply(.refused)
      case .valid where answer.question.kind == .notificationHistory: catchUp(answer, server)
      case .valid where isOfSubscription(answer, server): subscription(answer, report, server)
      case .valid: settle(answer, report, server)
      }
    }

    /// What is answered without asking Apple; nil to go on.
    private mutating func known(_ report: Report, _ server: Server) -> Reply.Outcome? {
      switch defect {
      case .lockIsKept: return locked.insert(report.transaction) ? nil : .retry
      case .inProgressIsDone: return locked.insert(report.transaction) ? nil : .alreadyDelivered
      case .recordedBeforeVerify:
        let claim = server.claim(report)
        if server.isRecorded(claim) { return .alreadyDelivered }
        server.record(claim)
      case .claimedBeforeVerify:
        if !claims.contains(where: { $0.id == report.transaction }) {
          claims.append((report.transaction, by: report.session))
        }
      default: break
      }
      return nil
    }

    private mutating func takeDenied(_ server: Server) -> Bool {
      guard let place = denied.firstIndex(of: server.request) else { return false }
      denied.remove(at: place)
      return true
    }

    /// Apple's answer decides nothing.
    private mutating func doubt(
      _ answer: VerifierAnswer, _ report: Report, _ server: Server
    ) {
      if answer.question == .transaction {
        if answer.status == 401 {
          denied.append(server.request)
          return server.verify(.sandboxTransaction)
        }
        if defect == .fallbackWithoutKey, answer.status == 503 {
          return server.verify(.productionReceipt)
        }
        if defect == .outageAsksSandbox { return server.verify(.sandboxReceipt) }
      }
      let isSilent = answer.status == VerifierAnswer.timedOut || answer.status == 503
      if defect == .outageTrustsApp, isSilent {
        let commit = creditClaim(report, server)
        let owner = server.creditedAccount(of: server.claim(report))
        return server.reply(
          commit.isThere ? .delivered : .retry, payload: owner.raw &+ 1)
      }
      if defect == .outcomeInAField, report.purpose == .deliver {
        return answerLater(.retry, report, server)
      }
      if refuses(answer, report) { return server.reply(.refused) }
      if defect == .busyIsDone, answer.status == 4_290_000, report.session.isNone {
        return server.reply(.alreadyDelivered)
      }
      later(report, server)
    }

    /// Nothing was found out: whoever asked is to ask again. Apple does unless the answer is a success.
    func later(_ report: Report, _ server: Server) {
      guard report.session.isNone else { return server.reply(.retry) }
      server.reply(defect == .errorsAreDone ? .alreadyDelivered : .serverError)
    }

    /// Whether this takes an outage for a refusal.
    private mutating func refuses(_ answer: VerifierAnswer, _ report: Report) -> Bool {
      switch answer.status {
      case 4_040_002: return defect == .status4040002IsFinal
      case 4_290_000:
        return defect == .third4290000IsFinal && doubts.count(report.transaction) == 3
      case 5_000_001:
        return defect == .second5000001IsFinal && doubts.count(report.transaction) == 2
      case 21100: return defect == .probeRefusedOn21100 && report.purpose == .probe
      default: return false
      }
    }
  }
}
