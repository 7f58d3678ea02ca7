import ChaosStore
import Foundation
import Invariants

/// What inputs are made from: the project's own scenarios and plan files, and every name there is.
struct Corpus {
  /// Small scenario files of one scenario each.
  var scenarioFiles: [Tree] = []
  /// What is kept in `regressions/`.
  var planFiles: [Tree] = []
  /// What `power --format json` prints of one defect.
  var baseline = Tree.null
  /// A StoreKit configuration file with every switch and every kind of product.
  var storeKitFile = Tree.null
  /// Every key and every text of these, and the names of faults, questions, rules and systems.
  var words: [String] = []
  var keys: [String] = []
  /// Those that a scenario or its world may have.
  var ownKeys: [String] = []
  let faultNames = Fault.allCases.map(\.name)
  let ruleNames = Catalogue.invariants.map(\.name)
  let goalNames = Fault.allCases.map(\.name) + Fact.Kind.allCases.map { "\($0)" }
  /// All of them, read.
  var scenarios: [Scenario] = []
  /// One scenario in which plans are followed.
  var stage: Scenario

  /// Reads `scenarios.json` and `regressions/` of the folder it is started in.
  init() throws {
    guard let text = try? String(contentsOfFile: "scenarios.json", encoding: .utf8) else {
      throw CorpusError(description: "there is no scenarios.json here to make inputs from")
    }
    let whole = try StrictJSON.read(Array(text.utf8))
    var words: Set<String> = []
    whole.collect(into: &words)
    var keys: Set<String> = []
    for scenario in whole["scenarios"]?.elements ?? [] {
      scenarioFiles.append(Self.alone(scenario, in: whole))
      keys.formUnion(scenario.members.map(\.key))
    }
    for folder in ["worlds", "topics"] {
      for member in whole[folder]?.members ?? [] {
        keys.formUnion(member.value.members.map(\.key))
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: "regressions").sorted()
    for name in names where name.hasSuffix(".json") {
      let text = try String(contentsOfFile: "regressions/\(name)", encoding: .utf8)
      planFiles.append(try StrictJSON.read(Array(text.utf8)))
    }
    baseline = try StrictJSON.read(Array(Self.baselineText.utf8))
    storeKitFile = try StrictJSON.read(Array(Self.storeKitText.utf8))
    words.formUnion(Fault.allCases.map(\.name))
    words.formUnion(Question.allCases.map(\.name))
    words.formUnion(Catalogue.invariants.map(\.name))
    words.formUnion(BuiltIn.systems.map(\.entry.name))
    words.formUnion(Fact.Kind.allCases.map { "\($0)" })
    keys.formUnion([
      "arrivals", "eventLimit", "policy", "retaps", "relaunches", "delays", "storekit",
    ])
    ownKeys = keys.subtracting(["extends", "world", "name", "system"]).sorted()
    keys.formUnion([
      "count", "over", "mix", "swarm", "chance", "most", "at", "quantity", "buyOutside",
      "buyPromoted", "logIn", "do", "environment",
    ])
    self.words = words.sorted()
    self.keys = keys.sorted()
    let all = try ScenarioFile.scenarios(fromJSON: text, systems: BuiltIn.systems)
    guard let stage = all.first(where: { $0.name == Self.stageName }) else {
      throw CorpusError(description: "scenarios.json has no scenario '\(Self.stageName)'")
    }
    self.stage = stage
    scenarios = all
  }

  static let stageName = "exactly-once/storekit2/mixed"

  /// A file of one scenario, with only those worlds that it names or that these name.
  static func alone(_ scenario: Tree, in whole: Tree) -> Tree {
    var words: Set<String> = []
    scenario.collect(into: &words)
    var file: [Tree.Member] = []
    for member in whole.members where member.key != "scenarios" {
      guard case .object(let entries) = member.value else {
        file.append(member)
        continue
      }
      var kept: Set<String> = []
      var isGrowing = true
      while isGrowing {
        isGrowing = false
        for entry in entries where words.contains(entry.key) && kept.insert(entry.key).inserted {
          entry.value.collect(into: &words)
          isGrowing = true
        }
      }
      file.append(
        Tree.Member(
          key: member.key, value: .object(entries.filter { kept.contains($0.key) })))
    }
    return .object(file + [Tree.Member(key: "scenarios", value: .list([scenario]))])
  }

  private static let baselineText = """
    {"missed": [], "mutants": [{"about": "A transaction is finished before it is reported.",
    "coinciding": 1, "invariant": "no-charge-without-delivery", "name": "finish-before-credit",
    "strategies": [{"found": 1, "medianMillis": 0.674, "medianRuns": 25, "name": "random",
    "plan": "crash app after finish tx1 #1", "size": 1, "starts": 1}]}],
    "worse": [], "version": "0.1.0-dev"}
    """
}

extension Corpus {
  private static let storeKitText = """
    {"identifier": "1", "version": {"major": 4, "minor": 0},
    "products": [{"productID": "coins", "type": "Consumable", "displayPrice": "0.99"},
    {"productID": "map", "type": "NonConsumable", "familyShareable": true}],
    "nonRenewingSubscriptions": [{"productID": "season", "type": "NonRenewingSubscription"}],
    "subscriptionGroups": [{"id": "G", "name": "Tea", "subscriptions": [{"productID": "tea",
    "type": "RecurringSubscription", "recurringSubscriptionPeriod": "P1M", "groupNumber": 1,
    "subscriptionGroupID": "G", "introductoryOffer": {"paymentMode": "free", "subscriptionPeriod": "P1W"},
    "adHocOffers": [{"offerID": "back", "paymentMode": "payAsYouGo", "subscriptionPeriod": "P1M", "numberOfPeriods": 2}],
    "codeOffers": [{"referenceName": "Spring", "paymentMode": "payUpFront", "subscriptionPeriod": "P2M"}],
    "billingPlans": [{"billingPlanType": "BILLED_UPFRONT", "isEnabled": true}]}]}],
    "settings": {"_askToBuyEnabled": true, "_billingGracePeriodEnabled": true,
    "_renewalBillingIssuesEnabled": true, "_timeRate": 0, "_locale": "en_US", "_storefront": "USA",
    "_storeKitErrors": [{"name": "Purchase", "enabled": true, "current": null}]}}
    """
}

/// Why there is nothing to make inputs from.
struct CorpusError: Error, CustomStringConvertible {
  var description: String
}
