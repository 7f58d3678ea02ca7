import Invariants

/// What a receipt says of subscriptions. It lists each payment for them, and those of renewals are no goods of their
/// own: what counts is until when each is paid for, as verifyReceipt knows it now.
enum ReceiptSubscriptions {
  /// Lets whoever pays use each of them for as long as Apple says, whatever was known before; whether there was any,
  /// and nil where the database has not taken it.
  static func entitle(_ answer: VerifierAnswer, _ report: Report, _ server: Server) -> Bool? {
    guard server.sellsSubscriptions, answer.question.kind == .receipt else { return false }
    var isAny = false
    let entries = server.latestReceiptInfo(in: answer)
    for renewal in server.pendingRenewals(in: answer) {
      guard let latest = entries.first(where: { $0.original == renewal.original }),
        let owner = owner(of: latest.purchase, report, server)
      else { continue }
      let commit = server.entitle(latest.purchase, to: owner, until: end(of: latest, renewal))
      guard commit.isThere else { return nil }
      isAny = true
    }
    return isAny
  }

  /// Who paid for it; nil where nobody who could have shows this receipt.
  private static func owner(
    of purchase: VerifiedPurchase, _ report: Report, _ server: Server
  ) -> AccountID? {
    let owner = server.owner(of: server.token(of: purchase))
    if !owner.isNone { return owner }
    // Bought outside the app, without a UUID: whoever reports it first, by policy, from the device for which the
    // receipt was made.
    return purchase.isDeviceVerified && !report.session.isNone ? report.session : nil
  }

  /// Until when it may be used, grace included; what was paid back, until it was.
  private static func end(of latest: LatestReceiptEntry, _ renewal: PendingRenewal) -> Int64 {
    let paid = renewal.graceExpiresMillis ?? latest.expiresMillis ?? 0
    return min(paid, latest.cancelledMillis ?? paid)
  }
}
