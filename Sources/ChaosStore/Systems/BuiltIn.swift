/// The systems that come with ChaosStore.
public enum BuiltIn {
  public static let systems: [AnySystem] = [
    AnySystem(ObserverOnDemand.self),
    AnySystem(ObserveAtLaunch.self),
    AnySystem(ReceiptStore.self),
    AnySystem(StoreKit2OrderToken.self),
    AnySystem(WhiteBlackTables.self),
    AnySystem(ExactlyOnce.self),
    AnySystem(CheckoutBenchmark.self),
  ]
}
