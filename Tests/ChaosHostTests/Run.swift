import ChaosHost
import Synchronization
import Testing

/// What hosted code has said, in order.
final class Log: Sendable {
  private let all = Mutex<[String]>([])
  var lines: [String] { all.withLock { $0 } }
  func add(_ line: String) { all.withLock { $0.append(line) } }
}

/// One process on a host of its own, driven as the simulator drives it.
final class Run {
  let host = ChaosHost.Host()
  let log = Log()
  private(set) var process: HostProcess

  init(seed: UInt64 = 1) {
    host.reset(randomSeed: seed)
    process = host.makeProcess()
  }

  func enter(_ body: @MainActor (Log) -> Void) {
    let log = log
    host.enter(process) { body(log) }
  }

  /// Goes from timer to timer until none is left; returns what was said.
  func finish() -> [String] {
    while let next = host.nextTimer(of: process) {
      host.advance(to: next)
      host.enter(process) {}
    }
    return log.lines
  }

  func relaunch() {
    process.end()
    process = host.makeProcess()
  }
}

/// Enters a new process, goes to the end of its timers, and says what it said.
func said(seed: UInt64 = 1, _ body: @MainActor (Log) -> Void) -> [String] {
  let run = Run(seed: seed)
  run.enter(body)
  let lines = run.finish()
  run.process.end()
  return lines + run.host.leaks.map { "leak: \($0)" }
}

extension Trait where Self == ConditionTrait {
  /// Where a host cannot do everything, what it says about that is all that is tested.
  static var ifSimulated: Self {
    .enabled(
      if: HostCapabilities.current == .all, "the platform does not let a host simulate everything")
  }
}
