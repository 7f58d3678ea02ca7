import Invariants

/// `ExactlyOnce` with one planted defect, or with none.
///
/// It does step by step what `ExactlyOnce` does, and asks at each place that a defect changes
/// whether it has that one. `ExactlyOnce` itself has no switches, so that it can be read.
package enum MutantShop: PurchaseSystem {
  package static let entry = SystemEntry(
    name: "exactly-once-mutant",
    summary: "The corrected design with one planted defect.",
    about: """
      What exactly-once does, but for one small change, which somebody has made in a real app or \
      could make. A search that is worth its time finds it. Variants: `storekit2` and `storekit1` \
      have no defect; each other one is the name of a defect.
      """,
    source: "ChaosStore", backends: [.idempotent])

  /// The sound forms, then each defect in the form that has it.
  package enum Variant: Equatable, Sendable {
    case sound(ExactlyOnce.Variant)
    case defective(Defect)
  }

  /// What a variant is made of.
  struct Build: BitwiseCopyable {
    var usesStoreKit2: Bool
    /// Nil in a sound one.
    var defect: Defect?

    init(_ launch: Launch) {
      switch launch.variant(of: MutantShop.self) {
      case .sound(let form): self.init(form, nil)
      case .defective(let defect): self.init(MutantShop.forms[Int(defect.rawValue)], defect)
      }
    }

    private init(_ form: ExactlyOnce.Variant, _ defect: Defect?) {
      usesStoreKit2 = form == .storeKit2
      self.defect = defect
    }
  }

  /// The form of each defect, in the order of the defects.
  private static let forms = Defect.allCases.map(\.entry.form)
}

extension MutantShop.Variant: RawRepresentable, CaseIterable {
  package static let allCases =
    [ExactlyOnce.Variant.storeKit2, .storeKit1].map(Self.sound)
    + Defect.allCases.map(Self.defective)

  package var rawValue: String {
    switch self {
    case .sound(let form): form.rawValue
    case .defective(let defect): defect.name
    }
  }

  package init?(rawValue name: String) {
    guard let variant = Self.allCases.first(where: { $0.rawValue == name }) else { return nil }
    self = variant
  }
}
