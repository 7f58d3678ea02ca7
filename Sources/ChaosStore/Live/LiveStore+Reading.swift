extension LiveStore.Terms {
  private static let keys = ["products", "prices", "people", "families", "begins", "seed"]

  /// Reads the terms of a store: a file of its own, or a StoreKit configuration file as Xcode writes it.
  ///
  ///     {"products": [{"name": "coins"}, {"name": "pro", "kind": "auto-renewable", "period": "P1M"}],
  ///      "prices": {"pro": 4990}, "people": 1000, "families": [["user1", "user2"]]}
  ///
  /// `products` and `begins` are those of a world in a scenario file. Of a configuration file ``remarks`` has what is
  /// not simulated; its error switches strike each time they can.
  ///
  /// Throws what is wrong: where, what was found, and what is allowed there.
  public init(json text: String) throws(ScenarioError) {
    let value = try JSONParser.parse(text)
    let root = JSONNode(path: "", value: value)
    if case .object(let members) = value, members.contains(where: { $0.key == "version" }) {
      try self.init(storekit: text)
      return
    }
    let object = try root.object(of: Self.keys)
    let products = try object.required("products", "a list of products")
    self.init(products: try WorldReader.products(products))
    people = try object["people"]?.int(1...(Limits.accounts.upperBound / 2)) ?? people
    beginsSeconds = try object["begins"]?.moment() ?? beginsSeconds
    if let node = object["seed"] { seed = UInt64(try node.int(0...Int.max)) }
    if let node = object["prices"] { prices = try prices(node) }
    guard let node = object["families"] else { return }
    for element in try node.list("a list of families") {
      var family: [Int] = []
      for member in try element.list("a list of people") {
        family.append(try member.index(of: "user", count: people))
      }
      families.append(family)
    }
  }

  private init(storekit text: String) throws(ScenarioError) {
    let file = try StoreKitFile(json: text)
    self.init(products: file.products)
    remarks = file.remarks.map(\.description)
    for one in file.switches {
      if LiveStore.questions(of: one.fault).contains(one.question) {
        switches.append((one.fault, one.question))
      } else {
        remarks.append(
          StoreKitFile.Remark(path: one.path, what: "a switch of what happens on a phone")
            .description)
      }
    }
  }

  private func prices(_ node: JSONNode) throws(ScenarioError) -> [String: Int] {
    var prices: [String: Int] = [:]
    let names = products.map(\.name)
    for (key, price) in try node.object("an object of products and their prices").members {
      guard names.contains(key) else { throw price.unknownKey(key, names, "products") }
      prices[key] = try price.int(0...1_000_000_000)
    }
    return prices
  }
}
