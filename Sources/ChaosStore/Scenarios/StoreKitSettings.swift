/// The errors that a `.storekit` file switches on.
struct StoreKitSettings {
  private(set) var switches: [StoreKitFile.Switch] = []
  private(set) var hasGrace = false

  /// What Xcode's menu switches on for all purchases, and where that strikes here.
  private static let menu: [(key: String, fault: Fault, question: Question)] = [
    ("_failTransactionsEnabled", .failureFirst, .declinePayment),
    ("_askToBuyEnabled", .askToBuy, .deferPayment),
    // What the menu calls interrupted purchases.
    ("_billingIssuesEnabled", .failedThenPurchased, .interruptPayment),
    ("_renewalBillingIssuesEnabled", .billingProblem, .failRenewal),
  ]

  /// The calls that can be made to fail one by one, and where that strikes here.
  private static let calls: [(name: String, fault: Fault, question: Question)] = [
    ("Load Products", .productsFail, .failProducts),
    ("Purchase", .failureFirst, .declinePayment),
    ("Verification", .unverified, .doubtTransaction),
  ]

  private static let grace = "_billingGracePeriodEnabled"
  /// The value that is simulated, and what another one changes, whatever its form.
  private static let fixed: [(key: String, value: JSONValue, what: String)] = [
    ("_storeKitError", .int(0), "which error a payment fails with"),
    ("_timeRate", .int(0), "a rate at which subscriptions are renewed sooner"),
    ("_compatibilityTimeRate", .int(0), "a rate at which subscriptions are renewed sooner"),
    ("_storefront", .string("USA"), "another storefront than that of the United States"),
    ("_locale", .string("en_US"), "prices that are written otherwise than in the United States"),
  ]
  private static let quiet = [
    "_applicationInternalID", "_developerTeamID", "_disableDialogs", "_lastSynchronizedDate",
  ]

  init(_ node: JSONNode?, _ remarks: inout [StoreKitFile.Remark]) throws(ScenarioError) {
    guard let node else { return }
    let object = try node.object("an object of settings").remarking(
      known: Self.menu.map(\.key) + Self.fixed.map(\.key) + [Self.grace, "_storeKitErrors"],
      quiet: Self.quiet, &remarks)
    hasGrace = try object.isOn(Self.grace)
    for (key, fault, question) in Self.menu where try object.isOn(key) {
      switches.append(.init(path: node.path(to: key), fault: fault, question: question))
    }
    for (key, value, what) in Self.fixed {
      guard let node = object.value(key), node.value != value else { continue }
      remarks.append(.init(path: node.path, what: what))
    }
    for error in try object.elements("_storeKitErrors") { try readError(error, &remarks) }
  }

  private mutating func readError(
    _ node: JSONNode, _ remarks: inout [StoreKitFile.Remark]
  ) throws(ScenarioError) {
    guard case .object = node.value else {
      remarks.append(.init(path: node.path, what: "an error in a form that is not known"))
      return
    }
    let object = try node.object().remarking(
      known: ["name", "enabled", "current"], quiet: [], &remarks)
    guard case .string(let name) = object["name"]?.value else {
      remarks.append(.init(path: node.path, what: "an error without a name"))
      return
    }
    guard let call = Self.calls.first(where: { $0.name == name }) else {
      if object["enabled"]?.value != .bool(false) {
        remarks.append(.init(path: node.path, what: "an error of '\(name.shortened)'"))
      }
      return
    }
    guard try object.required("enabled", "true or false").bool() else { return }
    switches.append(.init(path: node.path, fault: call.fault, question: call.question))
    if let current = object.value("current") {
      remarks.append(.init(path: current.path, what: "which error '\(name)' fails with"))
    }
  }
}
