/// The invariants that come with ChaosStore.
public enum Catalogue {
  /// All of them, in the order of their codes.
  public static let invariants: [any Invariant] = [
    NoChargeWithoutDelivery(),
    NoDoubleCredit(),
    FinishOnlyAfterCredit(),
    RightAccount(),
    NoCreditWithoutCharge(),
    QueueDrains(),
    RefundReversesOnce(),
    EnvironmentIsolation(),
    AccessFollowsPayment(),
    NoLostNotification(),
    Conservation(),
    NewsInOrder(),
    OneTapOneCharge(),
    HonestAnswers(),
    NoFinishOnDoubt(),
    TransientIsNotPermanent(),
    PoisonIsolation(),
    LocalRecordDiscipline(),
    Fidelity(),
    IdempotentAcknowledgement(),
    RestoreNeutrality(),
    PendingIsNotPaid(),
    NoCrossUserLeak(),
    Traceability(),
    FewPrompts(),
    NoEndlessWait(),
  ]

  /// The invariant with this name, or this code in any case; nil if there is none.
  public static func invariant(named name: String) -> (any Invariant)? {
    invariants.first { $0.name == name || $0.code == name.uppercased() }
  }
}
