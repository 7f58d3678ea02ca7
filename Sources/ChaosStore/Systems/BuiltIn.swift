/// The systems that come with ChaosStore.
public enum BuiltIn {
  public static let systems: [AnySystem] = [
    AnySystem(CheckoutBenchmark.self)
  ]
}
