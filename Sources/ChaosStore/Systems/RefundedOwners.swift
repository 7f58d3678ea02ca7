import Invariants

/// Who has reported what was refunded before it was credited: the refund may yet be reversed, and then somebody must
/// be known to have it.
enum RefundedOwners {
  private static let table = Server.Table("owners")

  /// Writes down who reports a refunded purchase of nobody's; whether that is done, or need not be.
  static func keep(_ purchase: VerifiedPurchase, _ report: Report, _ server: Server) -> Bool {
    guard purchase.isRefunded, !report.session.isNone else { return true }
    let key = UInt64(purchase.transaction.raw)
    if server.read(key, from: table) != nil { return true }
    return server.write(UInt64(report.session.raw), to: table, at: key) == .written
  }

  /// Who was credited with it, or has reported it; none for nobody.
  static func owner(of purchase: VerifiedPurchase, _ server: Server) -> AccountID {
    let credited = server.creditedAccount(of: purchase)
    guard credited.isNone else { return credited }
    let kept = server.read(UInt64(purchase.transaction.raw), from: table)
    return kept.map { AccountID(UInt32($0)) } ?? .none
  }
}
