import Invariants

/// The system's sheet that asks for the password of the store account.
extension World {
  /// An app refreshes the receipt: whether the person gives their password for it (F32).
  mutating func givesPassword(_ device: DeviceID) -> Bool {
    let isGiven = !decisions.strikes(.failRefresh, who(device: device))
    askForPassword(on: device, for: .none, isGiven: isGiven)
    return isGiven
  }

  /// The sheet is shown: for somebody who tapped "restore", or because the app wants it.
  mutating func askForPassword(on device: DeviceID, for account: AccountID, isGiven: Bool) {
    var fact = fact(.asked)
    fact.device = device
    fact.account = account
    fact.verdict = isGiven ? .accepted : .refused
    emit(fact)
  }
}
