/// The systems that come with ChaosStore.
public enum BuiltIn {
  /// Six published designs, the corrected one, the one that the speed is measured on, one with a job queue, and the
  /// corrected one with a planted defect.
  ///
  /// `chaos-runner explain NAME` says what each does, and where it was published.
  public static let systems: [AnySystem] = [
    AnySystem(ObserverOnDemand.self),
    AnySystem(ObserveAtLaunch.self),
    AnySystem(ReceiptStore.self),
    AnySystem(StoreKit2OrderToken.self),
    AnySystem(WhiteBlackTables.self),
    AnySystem(StoredExpiry.self),
    AnySystem(ExactlyOnce.self),
    AnySystem(CheckoutBenchmark.self),
    AnySystem(JobQueue.self),
    AnySystem(MutantShop.self),
  ]
}
