/// A record for a later retry lives exactly as long as it is needed.
///
/// While the transaction is still in the queue a lost record costs nothing: the store remembers.
struct LocalRecordDiscipline: Invariant {
  var name: String { "local-record-discipline" }
  var code: String { "I18" }
  var impact: Impact { .localRecord }
  var summary: String { "A retry record is kept as long as it is needed, and no longer." }
  var meaning: String {
    """
    Once a purchase is finished, the record on the phone is all that is left of it; an uninstall \
    takes it along. One that stays after delivery is sent again some day, perhaps as someone else.
    """
  }
  var evidence: [String] {
    [
      "adaptyteam/AdaptySDK-iOS 9dbea767: state restored from a backup replays",
      "mullvad/mullvadvpn-app f2d8a5448b: the transaction log was in the backups",
    ]
  }
  var listensTo: [Fact.Kind] { [.recordLost] }
  var lacking: String { "the app kept no record for a retry" }
  var concerns: [Fact.Kind] { [.saved, .recordLost] }

  func isBroken(by fact: Fact, _ books: borrowing Books) -> Bool {
    let transaction = books.transaction(fact.transaction)
    guard transaction.isFinishing || transaction.isFinished else { return false }
    return books.charge(behind: fact.transaction).awaitsCredit
  }

  func breakAtEnd(_ books: borrowing Books) -> Break? {
    books.firstBreak { transaction, books in
      transaction.isRecorded && books.isOverdue(transaction)
    }
  }
}
