/// A StoreKit configuration file as Xcode writes it: what is sold, and which errors are switched on.
///
/// The format is documented nowhere; what is read here is what public files of the versions 1 to 5 have.
package struct StoreKitFile: Equatable, Sendable {
  /// Something that would matter to an app, and that the simulated store does not have.
  package struct Remark: Equatable, Sendable, CustomStringConvertible {
    /// Such as `subscriptionGroups[0].subscriptions[1].introductoryOffer`.
    package var path: String
    /// What stands there.
    package var what: String

    /// The whole sentence.
    package var description: String { "\(path): \(what): not simulated" }
  }

  /// A switch that is on, and the fault that it is here.
  package struct Switch: Equatable, Sendable {
    /// Such as `settings._askToBuyEnabled`.
    package var path: String
    /// What strikes.
    package var fault: Fault
    /// Where it strikes, each time it can.
    package var question: Question
  }

  /// In the order of the file: those that are bought once, then the groups of subscriptions.
  package let products: [Setup.Product]
  /// Those that are on and can strike.
  package let switches: [Switch]
  /// What is not simulated; what changes nothing, such as localizations, is not among it.
  package let remarks: [Remark]

  /// Reads the text of a file. Throws where it is none: the place, what was found, and what was expected.
  ///
  /// A file that sells nothing is one as well.
  package init(json text: String) throws(ScenarioError) {
    let root = JSONNode(path: "", value: try JSONParser.parse(text))
    var remarks: [Remark] = []
    let file = try root.object("an object, as Xcode writes it")
      .remarking(
        known: [
          "version", "products", "nonRenewingSubscriptions", "subscriptionGroups", "settings",
        ],
        quiet: ["identifier", "appPolicies", "subscriptionOffersKeyPair"], &remarks)
    try Self.checkVersion(file)
    let settings = try StoreKitSettings(file.value("settings"), &remarks)
    let catalogue = try StoreKitCatalogue(file, hasGrace: settings.hasGrace, &remarks)
    let isRenewed = catalogue.products.contains { $0.renewal != nil }
    for one in settings.switches where one.fault.needsSubscription && !isRenewed {
      remarks.append(Remark(path: one.path, what: "\(one.fault.entry.short), and none is sold"))
    }
    products = catalogue.products
    switches = settings.switches.filter { isRenewed || !$0.fault.needsSubscription }
    self.remarks = remarks
  }

  private static func checkVersion(_ file: JSONObject) throws(ScenarioError) {
    let expected = "the version of the format, such as {\"major\": 4, \"minor\": 0}"
    let version = try file.required("version", expected).object(expected)
    _ = try version.required("major", "a whole number from 1 to 5").int(1...5)
  }

  /// The switches as a mix has them: until the heal each strikes whenever it can, as in Xcode.
  var faults: [Fault: FaultMix.Entry] {
    var faults: [Fault: FaultMix.Entry] = [:]
    for one in switches {
      faults[one.fault] = FaultMix.Entry(chance: .always, sites: [one.question])
    }
    return faults
  }
}

extension Ratio {
  fileprivate static let always = Ratio(1, 1)!
}

extension JSONObject {
  /// The same, with a remark on each key that is neither known nor known to change nothing.
  func remarking(
    known: [String], quiet: [String], _ remarks: inout [StoreKitFile.Remark]
  ) -> JSONObject {
    for (key, node) in members where !known.contains(key) && !quiet.contains(key) {
      remarks.append(StoreKitFile.Remark(path: node.path, what: "an unknown key"))
    }
    return self
  }

  /// What stands under a key, unless it is nothing: Xcode writes null where there is none.
  func value(_ key: String) -> JSONNode? {
    self[key].flatMap { $0.value == .null ? nil : $0 }
  }

  /// The elements of a list, which may be left out.
  func elements(_ key: String) throws(ScenarioError) -> [JSONNode] {
    try value(key)?.list("a list") ?? []
  }

  /// Whether a switch is on, which may be left out.
  func isOn(_ key: String) throws(ScenarioError) -> Bool { try value(key)?.bool() ?? false }
}
