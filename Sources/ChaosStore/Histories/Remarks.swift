import Invariants

/// What hosted code did of which the history does not say why it came to nothing: each once, with how often.
struct Remarks {
  private var all: [(text: String, times: Int)] = []

  private static let most = 100

  mutating func add(_ remark: String) {
    if let known = all.firstIndex(where: { $0.text == remark }) {
      all[known].times += 1
    } else if all.count < Self.most {
      all.append((remark, 1))
    }
  }

  var texts: [String] {
    all.map { $0.times > 1 ? "\($0.text) (\($0.times) times)" : $0.text }
  }
}

/// Keeps the remarks of a run and nothing else, however long it is.
private final class RemarkKeeper: WorldObserver {
  private(set) var remarks = Remarks()

  let keepsOutput = true

  func begin(_ handle: WorldHandle) { remarks = Remarks() }
  func saw(_ event: Event) {}
  func saw(_ fact: Fact) {}
  func saw(remark: String) { remarks.add(remark) }
}

extension Scenario {
  /// What may be the reason why nothing happens in a run, or why it never ends: what is remarked in it.
  ///
  /// Without a run it is the one without faults.
  package func remarks(of origin: Origin = Origin()) -> [String] {
    let keeper = RemarkKeeper()
    let script = Script(plan: origin.plan, followsSeed: origin.seed != nil, keepsAskings: false)
    _ = Simulation(self).run(origin, script, keeper)
    return keeper.remarks.texts
  }
}

/// Words of remarks by which ``QuietPurchase`` finds the cause.
package enum RemarkWords {
  package static let isNotSold = "which this world does not sell"
  package static let wasNotTapped = "which nobody had tapped"
  package static let noObserver = "a queue that has no observer"
}
