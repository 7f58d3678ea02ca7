import ChaosStore
import Foundation
import Synchronization

/// One line on standard error that is written over and over, on a terminal only: where the program
/// is, what it is doing, and a number that moves while it does.
final class Progress: Sendable {
  private struct State {
    var place = ""
    var doing = ""
    var runsBefore = 0
    var runs = 0
    var shown: ContinuousClock.Instant?
    var hasLine = false
  }

  private let console: Console
  private let isShown: Bool
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  init(_ console: Console, isQuiet: Bool = false) {
    self.console = console
    isShown = console.showsProgress && !isQuiet
  }

  /// Comes to the next of several scenarios, or whatever there are several of.
  func begin(_ index: Int, of count: Int, _ name: String, runsBefore: Int = 0) {
    guard isShown else { return }
    state.withLock { state in
      state.place = "\(index) of \(count)  \(name)"
      state.doing = ""
      state.runsBefore = runsBefore
      state.runs = 0
    }
  }

  /// Says what is being done other than searching.
  func doing(_ what: @autoclosure () -> String) {
    guard isShown else { return }
    let what = what()
    state.withLock { $0.doing = what }
    show(events: 0)
  }

  /// Says which of several failures is being made small, and how many runs that took so far.
  func makesSmall(_ index: Int, of count: Int, runs: Int) {
    doing("making \(index) of \(count.of("failure")) small: \(runs.of("run"))")
  }

  /// Told from any thread how many runs there were since the last `begin`.
  func show(runs: Int) {
    guard isShown else { return }
    state.withLock { $0.runs = runs }
    show(events: 0)
  }

  /// Told from any thread how many events the run under way has had; shows at most five lines a second.
  func show(events: Int) {
    guard isShown else { return }
    let now = ContinuousClock.now
    state.withLock { state in
      if let shown = state.shown, now - shown < console.progressInterval { return }
      state.shown = now
      state.hasLine = true
      console.rewriteLine(line(state, events, now))
    }
  }

  /// Takes the line away.
  func clear() {
    state.withLock { state in
      if state.hasLine { console.rewriteLine("") }
      state.hasLine = false
    }
  }

  private func line(_ state: State, _ events: Int, _ now: ContinuousClock.Instant) -> String {
    let total = state.runsBefore + state.runs
    let seconds = (now - start).inSeconds
    var parts = [state.place]
    if !state.doing.isEmpty { parts.append(state.doing) }
    if total > 0, state.doing.isEmpty {
      parts.append("\(total.grouped) runs, \(Int(Double(total) / max(0.001, seconds)).grouped)/s")
    }
    if events > Self.fewEvents { parts.append("\(events.grouped) events of a run") }
    parts.append("\(Int(seconds)) s")
    return parts.joined(separator: "  ")
  }

  /// A run that is as short as that is over before anybody can read how far it was.
  private static let fewEvents = 1_000_000
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
