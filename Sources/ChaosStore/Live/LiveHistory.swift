import Invariants

/// The latest lines of a live store's history.
final class LiveHistory: WorldObserver {
  private(set) var entries: [Timeline.Entry] = []
  /// How many lines there were before the first that is kept.
  private(set) var dropped = 0
  /// What the last wish was answered with instead of a charge.
  var returned = TransactionID.none
  /// Whether anybody has said what became of a purchase.
  private(set) var hasCredits = false

  private let most: Int
  private var handle: WorldHandle?
  /// How often each fault had struck when that was last looked at.
  private var struck = [UInt32](repeating: 0, count: Fault.allCases.count)

  init(most: Int) { self.most = max(most, 1) }

  func begin(_ handle: WorldHandle) { self.handle = handle }

  func saw(_ event: Event) {
    guard let handle, let entry = Timeline.Entry(event, handle) else { return }
    add(entry)
  }

  func saw(_ fact: Fact) {
    guard let handle else { return }
    switch fact.kind {
    case .returned: returned = fact.transaction
    case .credited, .granted: hasCredits = true
    default: break
    }
    add(Timeline.Entry(fact, handle))
  }

  /// Something that is no part of the store's own history: what a backend answers, what somebody sets.
  func note(_ participant: Timeline.Participant, _ text: String, note: String = "") {
    guard let handle else { return }
    add(
      Timeline.Entry(
        at: Instant(millis: handle.world.now), participant: participant, text: text, note: note))
  }

  /// Adds a line for each fault that has struck since that was last looked at.
  func noteStrikes() {
    guard let handle else { return }
    for (place, fault) in Fault.allCases.enumerated() {
      let count = handle.world.decisions.struck[Int(fault.rawValue)]
      guard count != struck[place] else { continue }
      struck[place] = count
      note(.fault, fault.name, note: "\(fault.code) \(fault.entry.short)")
    }
  }

  private func add(_ entry: Timeline.Entry) {
    // Half at a time, so that a line costs the same however many are kept.
    if entries.count >= most * 2 {
      entries.removeFirst(most)
      dropped += most
    }
    entries.append(entry)
  }
}

extension LiveStore {
  /// A break of an invariant, in words.
  public struct Broken: Sendable, Equatable {
    /// The invariant's code and name, such as `I01`.
    public var code: String
    /// Its name, such as `no-charge-without-delivery`.
    public var name: String
    /// What it asks for.
    public var summary: String
    /// Which purchase is wrong; nil where it is none alone.
    public var subject: TransactionID?
    /// When it broke; nil where it would if nothing more happened.
    public var atMillis: Int64?
  }

  /// What is judged: what holds of a backend, whatever its apps do.
  public static let invariants: [any Invariant] = Catalogue.invariants.filter {
    judged.contains($0.code)
  }
  private static let judged: Set = [
    "I01", "I02", "I03", "I04", "I05", "I07", "I08", "I09", "I10", "I11", "I12", "I19",
  ]

  /// The lines that are kept, with the number of the first: each line has one more than the one before it.
  public func history(from number: Int = 0) -> (first: Int, lines: [Timeline.Entry]) {
    let skipped = min(max(number - lines.dropped, 0), lines.entries.count)
    return (lines.dropped + skipped, Array(lines.entries.dropFirst(skipped)))
  }

  /// Adds a line of whoever drives the store.
  public func note(_ text: String) { lines.note(.person, text) }

  /// Whether anybody has said what a backend has credited: without that nothing can be said of it.
  public var knowsCredits: Bool { lines.hasCredits }

  /// What is broken, and what would be if nothing more happened.
  public func verdict() -> [Broken] {
    let judge = world.judge.violations + world.judge.breaks(at: Instant(millis: now))
    return judge.map { violation in
      let rule = world.judge.rules[violation.rule]
      let subject = violation.fact?.transaction ?? violation.found?.transaction ?? .none
      return Broken(
        code: rule.code, name: rule.name, summary: rule.summary,
        subject: subject.isNone ? nil : subject,
        atMillis: violation.found == nil ? violation.at.millis : nil)
    }
  }
}
