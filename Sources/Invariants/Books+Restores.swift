/// Which reports are under way, and which of them are about what was restored.
extension Books {
  /// Reports that have reached the backend and are not answered, each transaction counted once.
  struct OpenReports: Sendable, BitwiseCopyable {
    /// About what was charged.
    var charges: UInt32 = 0
    /// About what was restored.
    var restores: UInt32 = 0
    /// Whose session the last of these named.
    var session = AccountID.none
  }

  /// Whether a credit is due to a restore, and to nothing else that is under way.
  ///
  /// The ledger may name the restored transaction. Where it names the charge, as a receipt does, the restore is
  /// what was reported and is not answered yet, and the charge itself is not; or, where another charge is
  /// credited, whatever is reported at the moment was restored. And it goes to who owns the charge, who asked
  /// for the restore, or who reported it: what a thief sends meanwhile is no restore's.
  func isForRestore(_ credit: Fact) -> Bool {
    let named = transaction(credit.transaction)
    let owner = charge(behind: credit.transaction).owner
    guard
      credit.account == owner || credit.account == named.restoredBy
        || credit.account == openReports.session
    else { return false }
    if named.isRestore { return true }
    if named.isReportOpen { return false }
    return named.openRestores > 0 || openReports.restores > 0 && openReports.charges == 0
  }

  /// A report about a transaction has reached the backend.
  mutating func openReport(_ t: Int, by session: AccountID) {
    if _slowPath(charges[t].isRestore) { page.openReports.session = session }
    guard !charges[t].isReportOpen else { return }
    page.charges[changing: t].isReportOpen = true
    if _slowPath(charges[t].isRestore) {
      page.openReports.restores += 1
      page.charges[changing: root(of: t)].openRestores &+= 1
    } else {
      page.openReports.charges += 1
    }
  }

  /// It was answered, whatever the answer was.
  mutating func closeReport(_ t: Int) {
    guard charges[t].isReportOpen else { return }
    page.charges[changing: t].isReportOpen = false
    // A log may say only after the report that it was about a restore.
    if _slowPath(charges[t].isRestore) {
      page.openReports.restores.countDown()
      page.charges[changing: root(of: t)].openRestores.countDown()
    } else {
      page.openReports.charges.countDown()
    }
  }
}

extension UnsignedInteger {
  /// One less, and never less than none.
  mutating func countDown() { if self > 0 { self -= 1 } }
}
