import Invariants

extension Scenario {
  /// A scenario file of this scenario alone: no world to look up, nothing left to a default.
  ///
  /// What a validated scenario would not hold is written as it is, and refused when it is read.
  /// Canonical: equal scenarios have equal texts, and what is read back is written the same.
  public var json: String { ScenarioWriter(self).file }
}

/// Writes a scenario the way `ScenarioReader` reads it.
struct ScenarioWriter {
  private typealias Member = (key: String, value: String)

  private let scenario: Scenario
  private let setup: Setup

  init(_ scenario: Scenario) {
    self.scenario = scenario
    setup = scenario.setup
  }

  var file: String {
    let members = names + world + [("faults", faults(setup.mix.faults))] + judging
    return """
      {
        "version": 1,
        "scenarios": [
          {
      \(members.map { "      \(quoted($0.key)): \($0.value)" }.joined(separator: ",\n"))
          }
        ]
      }

      """
  }

  /// What decides a run; without a seed chances and limits do not.
  func deciding(followsSeed: Bool) -> String {
    let able = possible.filter { !$0.isOutcome || scenario.system.takesAnyOutcome }
    let chances = followsSeed ? faults(able) : setup.mix.hasAttacker ? "attacker" : ""
    return (world + [("faults", chances)]).map { "\($0.key): \($0.value)" }
      .joined(separator: "\n")
  }

  private var possible: [Fault] { setup.possibleFaults }

  // MARK: -

  private var names: [Member] {
    let report = scenario.report.map {
      ("report", object([("source", quoted($0.source)), ("said", quoted($0.said))]))
    }
    return [
      ("name", quoted(scenario.name)), ("topic", quoted(scenario.topic)),
      ("about", quoted(scenario.about)),
    ] + [report].compactMap { $0 }
  }

  private var world: [Member] {
    var members: [Member] = [
      ("system", quoted(scenario.system.entry.name)),
      ("backend", quoted(setup.backend.rawValue)), ("variant", quoted(variant)),
      ("accounts", "\(setup.accounts)"), ("storeAccounts", "\(setup.storeAccounts)"),
      ("devices", devices), ("products", list(setup.products.map(product))),
      ("steps", list(setup.steps.map(step))),
    ]
    if let arrivals = setup.arrivals {
      members.append(
        ("arrivals", object([("count", "\(arrivals.count)"), ("over", "\(arrivals.overMillis)")])))
    }
    // Left out where nobody set it, so that what was kept before means the same.
    if setup.beginsSeconds != Setup().beginsSeconds {
      members.append(("begins", beginning))
    }
    members += [
      ("heal", "\(setup.healMillis)"), ("horizon", "\(setup.horizonMillis)"),
      ("reopenEvery", setup.reopenEveryMillis.map { "\($0)" } ?? quoted("never")),
      ("relaunches", "\(setup.relaunches)"), ("retaps", "\(setup.retaps)"),
    ]
    if let sittings = setup.sittings {
      members.append(
        (
          "sittings",
          object([("every", "\(sittings.everyMillis)"), ("for", "\(sittings.forMillis)")])
        ))
    }
    if !setup.families.isEmpty {
      let families = setup.families.map { list($0.map { quoted("apple\($0 &+ 1)") }) }
      members.append(("families", list(families)))
    }
    if let within = setup.withinMillis { members.append(("within", "\(within)")) }
    return members + [
      ("policy", quoted(setup.transfersOnRestore ? "transfer-on-restore" : "buyer")),
      ("eventLimit", "\(setup.eventLimit)"), ("delays", delays),
    ]
  }

  /// What a validated scenario would not hold is written as the number it is.
  private var beginning: String {
    Limits.beginnings.contains(setup.beginsSeconds)
      ? quoted(Moment.text(setup.beginsSeconds)) : "\(setup.beginsSeconds)"
  }

  private var judging: [Member] {
    [
      ("patience", "\(setup.patienceMillis)"),
      ("invariants", list(scenario.invariants.map { quoted($0.name) })),
      ("expect", list(scenario.expects.map(quoted))),
      ("allow", list(scenario.allows.map(quoted))),
      ("sometimes", list(scenario.goals.map { quoted($0.text) })), ("seeds", "\(scenario.seeds)"),
    ]
  }

  private var variant: String {
    let variants = scenario.system.variants
    return variants.indices.contains(setup.variant) ? variants[setup.variant] : scenario.variant
  }

  /// How many there are, where that says it all.
  private var devices: String {
    let usual = setup.devices.indices.map { index in
      Setup.Device(
        storeAccount: index % max(setup.storeAccounts, 1), account: index % max(setup.accounts, 1))
    }
    if setup.devices == usual { return "\(usual.count)" }
    return list(
      setup.devices.map { device in
        object([
          ("storeAccount", quoted("apple\(device.storeAccount &+ 1)")),
          ("account", user(device.account)), ("environment", quoted("\(device.environment)")),
        ])
      })
  }

  private func product(_ product: Setup.Product) -> String {
    var members: [Member] = [
      ("name", quoted(product.name)), ("kind", quoted(product.kindName)),
    ]
    if let renewal = product.renewal {
      members.append(("period", quoted("\(renewal.period)")))
      if renewal.graceDays > 0 { members.append(("graceDays", "\(renewal.graceDays)")) }
      if let group = renewal.group { members.append(("group", quoted(group))) }
      if renewal.level != 1 { members.append(("level", "\(renewal.level)")) }
      if !renewal.offers.isEmpty { members.append(("offers", list(renewal.offers.map(offer)))) }
    }
    if product.isFamilyShareable { members.append(("familyShareable", "true")) }
    return object(members)
  }

  private func offer(_ offer: Setup.Product.Offer) -> String {
    var members: [Member] = offer.name.map { [("name", quoted($0))] } ?? []
    members += [
      ("kind", quoted(offer.kind.name)), ("payment", quoted(offer.payment.name)),
      ("period", quoted("\(offer.period)")),
    ]
    if offer.periods != 1 { members.append(("periods", "\(offer.periods)")) }
    return object(members)
  }

  private func step(_ step: Setup.Step) -> String {
    let deed: [Member] =
      switch step.action {
      case .buy(let product, let quantity, let account):
        purchase("buy", product, quantity, account) + offer(step, of: product)
      case .buyOutside(let product, let quantity, let account):
        purchase("buyOutside", product, quantity, account) + offer(step, of: product)
      case .buyPromoted(let product, let account):
        [("buyPromoted", quoted(name(of: product))), ("account", user(account))]
      case .logIn(let account): [("logIn", user(account))]
      case .restore: [("do", quoted("restore"))]
      case .reinstall: [("do", quoted("reinstall"))]
      case .restoreBackup: [("do", quoted("restore-backup"))]
      case .quit: [("do", quoted("quit"))]
      case .open: [("do", quoted("open"))]
      }
    return object(
      [("at", "\(step.atMillis)"), ("device", quoted("phone\(step.device &+ 1)"))] + deed)
  }

  private func purchase(
    _ key: String, _ product: Int, _ quantity: UInt32, _ account: Int
  ) -> [Member] {
    [
      (key, quoted(name(of: product))), ("quantity", "\(quantity)"),
      ("account", user(account)),
    ]
  }

  private func offer(_ step: Setup.Step, of product: Int) -> [Member] {
    guard let offer = step.offer, setup.products.indices.contains(product),
      let offers = setup.products[product].renewal?.offers, offers.indices.contains(offer)
    else { return [] }
    return [("offer", quoted(offers[offer].name ?? ""))]
  }

  private func name(of product: Int) -> String {
    setup.products.indices.contains(product) ? setup.products[product].name : "product\(product)"
  }

  private var delays: String {
    let sorted = setup.mix.delays.sorted { $0.key.name < $1.key.name }
    return lines(
      "{",
      sorted.map { question, range in
        "\(quoted(question.name)): " + quoted("\(range.lowerBound)..\(range.upperBound)")
      }, "}")
  }

  private func faults(_ faults: [Fault]) -> String {
    let chances = faults.compactMap { fault in
      setup.mix.entries[fault].map { "\(quoted(fault.name)): \(chance($0))" }
    }
    return lines("{", ["\(quoted("swarm")): \(setup.mix.isSwarmed)"] + chances, "}")
  }

  private func chance(_ entry: FaultMix.Entry) -> String {
    var members: [Member] = [("chance", quoted(entry.chance.description))]
    if entry.most != .max { members.append(("most", "\(entry.most)")) }
    if !entry.sites.isEmpty {
      let sites = entry.sites.map { quoted($0.name) }.joined(separator: ", ")
      members.append(("at", "[\(sites)]"))
    }
    return object(members)
  }

  // MARK: -

  private func quoted(_ text: String) -> String { JSONValue.quoted(text) }
  private func user(_ account: Int) -> String { quoted("user\(account &+ 1)") }

  /// On one line.
  private func object(_ members: [Member]) -> String {
    "{" + members.map { "\(quoted($0.key)): \($0.value)" }.joined(separator: ", ") + "}"
  }

  private func list(_ elements: [String]) -> String { lines("[", elements, "]") }

  /// One element a line.
  private func lines(_ open: String, _ elements: [String], _ close: String) -> String {
    if elements.isEmpty { return open + close }
    return open + "\n" + elements.map { "        " + $0 }.joined(separator: ",\n") + "\n      "
      + close
  }
}
