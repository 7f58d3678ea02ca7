import Invariants

/// Refuses a setup that the world could not hold: whatever is an index points at something, and
/// whatever is counted or timed stays within what the kernel has bits for.
struct SetupCheck {
  private typealias Key = Refusal.Key

  private let setup: Setup
  /// Whether what never happens is let pass: it is pointless, and does no harm.
  private let allowsNothing: Bool

  init(_ setup: Setup, allowsNothing: Bool = false) {
    self.setup = setup
    self.allowsNothing = allowsNothing
  }

  /// Whether it could be a part of a scenario, such as the world of a file.
  func check() throws(Refusal) {
    try checkPeople()
    try checkTimeAndSteps()
  }

  /// Who is there and what is sold; comes before all that names them.
  func checkPeople() throws(Refusal) {
    try whole(setup.accounts, in: Limits.accounts, [.name("accounts")])
    try whole(setup.storeAccounts, in: Limits.accounts, [.name("storeAccounts")])
    try checkDevices()
    try checkFamilies()
    try checkProducts()
  }

  /// How long it goes on, and what happens.
  func checkTimeAndSteps() throws(Refusal) {
    try checkTimes()
    try checkSteps()
    try checkArrivals()
    try whole(Int(setup.retaps), in: Limits.retaps, [.name("retaps")])
    try checkDelays()
  }

  /// Whether a whole scenario could be made of it: something happens, and the mix fits it.
  func checkWhole() throws(Refusal) {
    guard allowsNothing || !setup.steps.isEmpty || setup.arrivals != nil else {
      throw Refusal(
        [.name("steps")], found: "nothing", expected: "at least one step, or arrivals")
    }
    try checkEnd()
    for fault in setup.mix.faults {
      if let entry = setup.mix.entries[fault] { try checkEntry(entry, of: fault) }
    }
    try checkHurry()
  }

  // MARK: - Who is there

  private func checkDevices() throws(Refusal) {
    try count(setup.devices.count, in: Limits.devices, "device")
    var environments = [Environment?](repeating: nil, count: setup.storeAccounts)
    for (index, device) in setup.devices.enumerated() {
      let keys: [Key] = [.name("devices"), .index(index)]
      try position(
        device.storeAccount, of: setup.storeAccounts, "store account",
        keys + [.name("storeAccount")])
      try position(device.account, of: setup.accounts, "account", keys + [.name("account")])
      let known = environments[device.storeAccount] ?? device.environment
      guard known == device.environment else {
        throw Refusal(
          keys, found: "another environment for apple\(device.storeAccount + 1)",
          expected: "one environment for each store account: sandbox accounts are their own")
      }
      environments[device.storeAccount] = known
    }
  }

  private func checkFamilies() throws(Refusal) {
    var known = Set<Int>()
    for (index, family) in setup.families.enumerated() {
      let keys: [Key] = [.name("families"), .index(index)]
      guard Limits.family.contains(family.count) else {
        throw Refusal(
          keys, found: family.count.of("account"),
          expected: "\(Limits.family.lowerBound) to \(Limits.family.upperBound) of them")
      }
      for (place, member) in family.enumerated() {
        let keys = keys + [.index(place)]
        try position(member, of: setup.storeAccounts, "store account", keys)
        guard known.insert(member).inserted else {
          throw Refusal(
            keys, found: "apple\(member + 1) once more",
            expected: "an account that is in no other family")
        }
      }
      let own = setup.devices.filter { family.contains($0.storeAccount) }
      guard own.allSatisfy({ $0.environment == own[0].environment }) else {
        throw Refusal(
          keys, found: "sandbox and production accounts",
          expected: "one environment for each family")
      }
    }
  }

  private func checkProducts() throws(Refusal) {
    try count(setup.products.count, in: Limits.products, "product")
    var names = Set<String>()
    for (index, product) in setup.products.enumerated() {
      let isNew = names.insert(product.name).inserted
      if !isNew || product.name.isEmpty {
        throw Refusal(
          [.name("products"), .index(index), .name("name")], found: "'\(product.name)'",
          expected: isNew ? "the name of a product" : "a name that no other product has")
      }
      if product.isFamilyShareable, product.isRepeatable {
        throw Refusal(
          [.name("products"), .index(index), .name("isFamilyShareable")], found: "true",
          expected: "it only of what is owned for good or renewed")
      }
      if let renewal = product.renewal {
        try checkRenewal(renewal, [.name("products"), .index(index)])
      }
    }
  }

  private func checkRenewal(_ renewal: Setup.Product.Renewal, _ keys: [Key]) throws(Refusal) {
    try whole(renewal.graceDays, in: Limits.graceDays, keys + [.name("graceDays")])
    try whole(renewal.level, in: Limits.levels, keys + [.name("level")])
    if renewal.group?.isEmpty == true {
      throw Refusal(keys + [.name("group")], found: "''", expected: "the name of a group")
    }
    try checkOffers(renewal.offers, keys + [.name("offers")])
  }

  private func checkOffers(_ offers: [Setup.Product.Offer], _ keys: [Key]) throws(Refusal) {
    guard offers.count <= Limits.offers.upperBound else {
      throw Refusal(
        keys, found: "\(offers.count) of them", expected: "at most \(Limits.offers.upperBound)")
    }
    var names: [String?] = []
    for (index, offer) in offers.enumerated() {
      let keys = keys + [.index(index)]
      let isIntroductory = offer.kind == .introductory
      if isIntroductory, offer.name != nil {
        throw Refusal(
          keys + [.name("name")], found: "'\(offer.name ?? "")'",
          expected: "none: an introductory offer is taken by itself")
      }
      if !isIntroductory, offer.name?.isEmpty ?? true {
        throw Refusal(
          keys + [.name("name")], found: offer.name == nil ? "none" : "''",
          expected: "the name of an offer")
      }
      guard !names.contains(offer.name) else {
        throw Refusal(
          keys + [.name(isIntroductory ? "kind" : "name")],
          found: isIntroductory ? "introductory" : "'\(offer.name ?? "")'",
          expected: isIntroductory
            ? "one introductory offer at most" : "a name that no other offer of the product has")
      }
      names.append(offer.name)
      let periods = offer.payment == .payAsYouGo ? Limits.offerPeriods : 1...1
      try whole(offer.periods, in: periods, keys + [.name("periods")])
    }
  }

  // MARK: - How long it takes

  private func checkTimes() throws(Refusal) {
    let horizon = setup.horizonMillis
    guard Limits.beginnings.contains(setup.beginsSeconds) else {
      throw Refusal(
        [.name("beginsSeconds")], found: "\(setup.beginsSeconds)",
        expected: "seconds since 1970, up to \(Limits.beginnings.upperBound)")
    }
    try time(setup.healMillis, in: Limits.times, [.name("healMillis")])
    try time(horizon, in: Limits.spans, [.name("horizonMillis")])
    try notAfterHorizon(setup.healMillis, [.name("healMillis")])
    if let within = setup.withinMillis {
      try time(within, in: Limits.spans, [.name("withinMillis")])
      let rest = horizon - setup.healMillis
      guard within <= rest else {
        throw Refusal(
          [.name("withinMillis")], found: "\(within)ms",
          expected: "at most the \(rest)ms from heal to horizon, or it could never be judged")
      }
    }
    try time(setup.patienceMillis, in: Limits.spans, [.name("patienceMillis")])
    if let every = setup.reopenEveryMillis {
      try time(every, in: Limits.spans, [.name("reopenEveryMillis")])
    }
    if let sittings = setup.sittings {
      let keys: [Key] = [.name("sittings")]
      try time(sittings.everyMillis, in: Limits.spans, keys + [.name("everyMillis")])
      try time(sittings.forMillis, in: Limits.spans, keys + [.name("forMillis")])
      guard sittings.forMillis < sittings.everyMillis else {
        throw Refusal(
          keys + [.name("forMillis")], found: "\(sittings.forMillis)ms",
          expected: "less than the \(sittings.everyMillis)ms from one opening to the next")
      }
      guard setup.reopenEveryMillis == nil else {
        throw Refusal(
          [.name("reopenEveryMillis")], found: "\(setup.reopenEveryMillis ?? 0)ms",
          expected: "nil, as the sittings say when apps are opened")
      }
    }
    try whole(setup.eventLimit, in: Limits.events, [.name("eventLimit")])
  }

  // MARK: - What happens

  private func checkSteps() throws(Refusal) {
    try count(setup.steps.count, in: Limits.steps, "step")
    var earlier: Int64 = 0
    for (index, step) in setup.steps.enumerated() {
      let keys: [Key] = [.name("steps"), .index(index)]
      let at = step.atMillis
      try time(at, in: Limits.times, keys + [.name("atMillis")])
      try notAfterHorizon(at, keys + [.name("atMillis")])
      guard at >= earlier else {
        throw Refusal(
          keys + [.name("atMillis")], found: "\(at)ms",
          expected: "a time not before that of the step above (\(earlier)ms)")
      }
      earlier = at
      try position(step.device, of: setup.devices.count, "device", keys + [.name("device")])
      switch step.action {
      case .buy(let product, let quantity, let account),
        .buyOutside(let product, let quantity, let account):
        try position(product, of: setup.products.count, "product", keys + [.name("product")])
        try whole(Int(quantity), in: Limits.quantity, keys + [.name("quantity")])
        try checkOffer(step.offer, of: product, keys + [.name("offer")])
        try position(account, of: setup.accounts, "account", keys + [.name("account")])
      case .buyPromoted(let product, let account):
        try checkOffer(step.offer, of: nil, keys + [.name("offer")])
        try position(product, of: setup.products.count, "product", keys + [.name("product")])
        try position(account, of: setup.accounts, "account", keys + [.name("account")])
      case .logIn(let account):
        try checkOffer(step.offer, of: nil, keys + [.name("offer")])
        try position(account, of: setup.accounts, "account", keys + [.name("account")])
      case .restore, .reinstall, .restoreBackup, .quit, .open:
        try checkOffer(step.offer, of: nil, keys + [.name("offer")])
      }
    }
  }

  /// An offer that can be asked for where a product is bought; of none where it is bought with none, or nothing is.
  private func checkOffer(_ offer: Int?, of product: Int?, _ keys: [Key]) throws(Refusal) {
    guard let offer else { return }
    guard let product else {
      throw Refusal(keys, found: "\(offer)", expected: "none, or a step that buys")
    }
    let offers = setup.products[product].renewal?.offers ?? []
    guard offers.indices.contains(offer), offers[offer].kind != .introductory else {
      throw Refusal(
        keys, found: "\(offer)",
        expected: "the place of one of the product's offers, from 0, that is not introductory")
    }
  }

  private func checkArrivals() throws(Refusal) {
    guard let arrivals = setup.arrivals else { return }
    if setup.steps.contains(where: \.isPurchase) {
      throw Refusal(
        [.name("arrivals")], found: "\(arrivals.count) of them",
        expected: "no arrivals beside steps that buy, as both are numbered from tx1")
    }
    try whole(arrivals.count, in: Limits.arrivals, [.name("arrivals"), .name("count")])
    let over: [Key] = [.name("arrivals"), .name("overMillis")]
    try time(arrivals.overMillis, in: Limits.times, over)
    try notAfterHorizon(arrivals.overMillis, over)
    guard arrivals.count <= setup.eventLimit else {
      throw Refusal(
        [.name("arrivals"), .name("count")], found: "\(arrivals.count)",
        expected: "at most as many as the eventLimit (\(setup.eventLimit)), or a higher limit")
    }
  }

  /// Refuses an end before which what happens last could not be judged: sound designs need time too.
  private func checkEnd() throws(Refusal) {
    if allowsNothing { return }
    let step = setup.steps.last?.atMillis ?? setup.arrivals?.overMillis ?? 0
    let last = max(step, setup.healMillis)
    let needed = max(setup.withinMillis ?? 0, setup.terms(hasBackend: true).slack) + Limits.settling
    guard setup.horizonMillis >= last + needed else {
      throw Refusal(
        [.name("horizonMillis")], found: "\(setup.horizonMillis)ms",
        expected: "at least \(last + needed)ms: what happens until "
          + (last == step ? "the last step" : "the heal")
          + " (\(last)ms) needs \(needed)ms to be judged")
    }
  }

  /// Refuses more steps than can be told apart when taps are brought forward.
  private func checkHurry() throws(Refusal) {
    let most = Limits.hurriedSteps
    guard setup.steps.count > most, let taps = setup.mix.entries[.doubleTap],
      taps.sites.isEmpty || taps.sites.contains(.tapEarly)
    else { return }
    for step in setup.steps.dropFirst(most) {
      if case .buy = step.action {
        throw Refusal(
          [.name("steps")], found: "\(setup.steps.count) steps",
          expected: "at most \(most) where '\(Question.tapEarly.name)' of double-tap may strike")
      }
    }
  }

  // MARK: - What may go wrong

  private func checkDelays() throws(Refusal) {
    for question in Question.allCases {
      guard let range = setup.mix.delays[question] else { continue }
      let keys: [Key] = [.name("mix"), .name("delays"), .key(question.name)]
      guard case .delay(let delay) = question.shape else {
        throw Refusal(keys, found: "a question that is no delay", expected: "a delay")
      }
      guard range.lowerBound >= 0, range.upperBound <= Limits.longestDelay else {
        throw Refusal(
          keys, found: "\(range.lowerBound)..\(range.upperBound)",
          expected: "a range of milliseconds such as 0..200, up to 24h")
      }
      // Beyond its first class a delay is a fault, and has a chance of its own.
      if let first = delay.overtaken ?? delay.late, range.upperBound >= first {
        throw Refusal(
          keys, found: "\(range.lowerBound)..\(range.upperBound)",
          expected: "a range below \(first) ms, where the delay is a fault")
      }
    }
  }

  private func checkEntry(_ entry: FaultMix.Entry, of fault: Fault) throws(Refusal) {
    let keys: [Key] = [.name("mix"), .name("entries"), .key(fault.name)]
    try whole(Int(entry.most), in: Limits.strikes, keys + [.name("most")])
    for (index, site) in entry.sites.enumerated() {
      guard allowsNothing || fault.questions.contains(site) else {
        throw Refusal(
          keys + [.name("sites"), .index(index)], found: "'\(site.name)'",
          expected: oneOf(fault.questions.map(\.name), "questions of \(fault.name)"))
      }
      guard !entry.sites[..<index].contains(site) else {
        throw Refusal(
          keys + [.name("sites"), .index(index)], found: "'\(site.name)'",
          expected: "each question once")
      }
    }
    if entry.chance.numerator == 0, entry.most != .max || !entry.sites.isEmpty {
      throw Refusal(
        keys + [.name("chance")], found: "'\(entry.chance)'",
        expected: "a chance above 0 where '\(entry.most != .max ? "most" : "sites")' is given")
    }
  }

  // MARK: -

  private func whole(_ number: Int, in range: ClosedRange<Int>, _ keys: [Key]) throws(Refusal) {
    guard range.contains(number) else {
      throw Refusal(keys, found: "\(number)", expected: Limits.whole(range))
    }
  }

  private func time(_ millis: Int64, in range: ClosedRange<Int64>, _ keys: [Key]) throws(Refusal) {
    guard range.contains(millis) else {
      throw Refusal(keys, found: "\(millis)ms", expected: Limits.time(range))
    }
  }

  private func notAfterHorizon(_ millis: Int64, _ keys: [Key]) throws(Refusal) {
    if allowsNothing { return }
    guard millis <= setup.horizonMillis else {
      throw Refusal(
        keys, found: "\(millis)ms",
        expected: "a time not after the horizon (\(setup.horizonMillis)ms)")
    }
  }

  private func count(_ count: Int, in range: ClosedRange<Int>, _ what: String) throws(Refusal) {
    guard range.contains(count) else {
      throw Refusal(
        [.name(what + "s")], found: count == 0 ? "an empty list" : count.of(what),
        expected: count == 0 ? "at least one \(what)" : "at most \(range.upperBound)")
    }
  }

  private func position(
    _ number: Int, of count: Int, _ what: String, _ keys: [Key]
  ) throws(Refusal) {
    guard number >= 0, number < count else {
      throw Refusal(
        keys, found: "\(number)",
        expected: count == 1 ? "0, the only \(what)" : "one of \(count.of(what)), counted from 0")
    }
  }
}
