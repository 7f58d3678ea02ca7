import ChaosStore
import Foundation
import Synchronization

/// One line on standard error that is written over and over, on a terminal only.
final class Progress: Sendable {
  private struct State {
    var done = 0
    var shown: ContinuousClock.Instant?
    var hasLine = false
  }

  private let console: Console
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  init(_ console: Console) { self.console = console }

  /// Told from any thread; shows at most five lines a second.
  func show(scenario index: Int, of count: Int, name: String, runs: Int, runsBefore: Int) {
    guard console.showsProgress else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      if let shown = state.shown, now - shown < .milliseconds(200) { return }
      state.shown = now
      state.hasLine = true
      let total = runsBefore + runs
      let seconds = max(0.001, (now - start).inSeconds)
      let rate = Int(Double(total) / seconds)
      let line = "\(index) of \(count)  \(name)  \(total.grouped) runs, \(rate.grouped)/s"
      console.err("\r\u{1B}[2K" + String(line.prefix(console.width - 1)))
    }
  }

  func clear() {
    state.withLock { state in
      if state.hasLine { console.err("\r\u{1B}[2K") }
      state.hasLine = false
    }
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
