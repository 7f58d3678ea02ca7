import Invariants

/// `ExactlyOnce` with one planted defect, or with none.
///
/// It does step by step what `ExactlyOnce` does, and asks at each place that a defect changes
/// whether it has that one. `ExactlyOnce` itself has no switches, so that it can be read.
public enum MutantShop: PurchaseSystem {
  public static let entry = SystemEntry(
    name: "exactly-once-mutant",
    summary: "The corrected design with one planted defect.",
    about: """
      What exactly-once does, but for one small change, which somebody has made in a real app or \
      could make. A search that is worth its time finds it. Variants: `storekit2` and `storekit1` \
      have no defect; each other one is the name of a defect.
      """,
    source: "ChaosStore", variants: Form.allCases.map(\.rawValue) + Defect.allCases.map(\.name),
    backends: [.idempotent])

  /// Which of the two payment queues the app uses.
  public enum Form: String, CaseIterable, Sendable {
    case storeKit2 = "storekit2"
    case storeKit1 = "storekit1"
  }

  /// What a variant is made of.
  struct Build: BitwiseCopyable {
    var usesStoreKit2: Bool
    /// Nil in a sound one.
    var defect: Defect?

    init(_ launch: Launch) { self = MutantShop.builds[launch.variant] }

    fileprivate init(_ form: Form, _ defect: Defect?) {
      usesStoreKit2 = form == .storeKit2
      self.defect = defect
    }
  }

  /// One for each variant, in the order of the list.
  private static let builds =
    Form.allCases.map { Build($0, nil) } + Defect.allCases.map { Build($0.entry.form, $0) }
}
