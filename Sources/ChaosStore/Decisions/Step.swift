/// The part of a purchase that a question belongs to, in the order in which a purchase passes them.
public enum Step: UInt8, CaseIterable, Sendable {
  /// The app starts, ends, is installed; it begins to listen.
  case launch
  /// A person asks for something.
  case tap
  /// The store takes the money.
  case pay
  /// The store hands the transaction to the app.
  case callback
  /// The receipt file.
  case receipt
  /// The phone's own storage.
  case storage
  /// The app's message to its backend.
  case request
  /// The backend asks Apple.
  case verify
  /// The ledger and the backend's own tables.
  case credit
  /// The backend's answer to the app.
  case reply
  /// The app takes the transaction from the queue.
  case finish
  /// What the person is told.
  case tell
  /// Timers that the app sets.
  case timer
  /// Which of the app's ready tasks runs first.
  case task
  /// A person restores what was bought.
  case restore
  /// A subscription is renewed or ends, or money is given back.
  case renew
  /// Apple tells the backend.
  case notify

  /// The name in a table.
  public var name: String { "\(self)" }
}
