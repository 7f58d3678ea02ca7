import Invariants

/// Which rules a log can be judged by, and what it must tell for that.
struct AuditRules {
  /// One rule, and what a log of production must have for it.
  struct Rule {
    var invariant: any Invariant
    /// Of each of these lists the log has one kind at least.
    var needs: [[Fact.Kind]]
    /// What is compared of these facts, so that one of each list has to name it; nil for nothing.
    var compares: Named?
    /// Why purchases that are judged one by one do not show it; nil where they do.
    var onlyWhole: String?
  }

  /// What a fact can name, and a log that is thin never does.
  enum Named: String { case account, product }

  /// All there are, in the order of their codes.
  static let all: [Rule] = Catalogue.invariants.map { invariant in
    let (needs, onlyWhole) = entry(invariant.code) ?? ([], missing)
    let compared: [String: Named] = ["I04": .account, "I19": .product]
    return Rule(
      invariant: invariant, needs: needs, compares: compared[invariant.code], onlyWhole: onlyWhole)
  }

  private static let missing = "nothing says what a log must have for it"

  /// What a log must have for a rule, and why it can only be judged of a whole history; nil for a rule that has no
  /// entry, which a test refuses.
  static func entry(_ code: String) -> (needs: [[Fact.Kind]], onlyWhole: String?)? {
    let taken: [Fact.Kind] = [.charged, .renewed]
    switch code {
    case "I01", "I04", "I05", "I08", "I11", "I19": return ([taken, [.credited]], nil)
    case "I02": return ([[.credited]], nil)
    case "I03": return ([taken, [.credited], [.finishing, .finished]], nil)
    case "I06": return ([taken, [.delivered], [.finished]], nil)
    case "I07": return ([[.credited], [.refunded], [.reversed, .regranted]], nil)
    case "I09": return ([taken, [.granted], [.expired]], nil)
    case "I10": return ([[.refunded], [.givenUp]], nil)
    case "I12": return ([[.reversed, .regranted, .granted]], nil)
    case "I13": return ([taken, [.tapped]], nil)
    case "I14", "I27": return ([], "it takes what happened to the app while somebody waited")
    case "I15": return ([taken, [.finishing], [.verified, .answered]], nil)
    case "I16": return ([taken, [.credited], [.answered]], nil)
    case "I17": return ([], "it takes all that happened on a device")
    case "I18": return ([taken, [.credited], [.saved, .recordLost]], nil)
    case "I20": return ([[.credited], [.answered]], nil)
    case "I21": return ([[.credited], [.restored]], nil)
    case "I22": return ([[.credited], [.deferred, .declined]], nil)
    case "I23": return ([taken, [.attributed]], nil)
    case "I24": return ([taken, [.attributed, .traceable, .reported]], nil)
    case "I26": return ([], "it takes all that happened on a device")
    default: return nil
    }
  }

  /// Why a rule was not judged of purchases one by one; nil where it was.
  static func gap(_ rule: Rule, _ result: AuditResult) -> String? {
    if let reason = rule.onlyWhole { return reason }
    func missing(_ happened: UInt64) -> [String] {
      rule.needs.filter { kinds in
        !kinds.contains { happened & 1 << UInt64($0.rawValue) != 0 }
      }.map { $0.map { "'\($0)'" }.joined(separator: " or ") }
    }
    let never = missing(result.happened)
    if !never.isEmpty { return "the log has no " + never.joined(separator: " and no ") }
    guard let compared = rule.compares else { return nil }
    // A credit of another number of units is told from numbers alone.
    if compared == .product, result.hasQuantities { return nil }
    let nameless = missing(compared == .account ? result.namesAccount : result.namesProduct)
    guard !nameless.isEmpty else { return nil }
    return "the log has no " + nameless.joined(separator: " and no ") + " with '\(compared)'"
  }
}

/// How a log of production is judged.
struct AuditTerms {
  /// For how many milliseconds a delivery may take.
  var within: Int64 = 86_400_000
  /// For how many milliseconds a fact may come later in the log than another one that happened after it.
  var window: Int64 = 3_600_000
  /// For how many milliseconds the clocks of those who write the log may be apart.
  var skew: Int64 = 2000
  /// Whether nothing was charged before the log begins.
  var isWhole = false
  /// Whether a restore by another account moves the ownership to that account.
  var transfersOnRestore = false
  /// The products that are subscriptions, each with its level.
  var subscriptions: [(name: String, level: Int)] = []
  /// So many findings of a rule are kept; all are counted.
  var most = 1000
}
