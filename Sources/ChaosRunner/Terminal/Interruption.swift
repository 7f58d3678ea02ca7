import ChaosStore
import Foundation
import Synchronization

/// Ctrl-C, `kill` and a closed terminal: the first one asks for what is known so far, the second
/// ends the process at once.
enum Interruption {
  private static let flag = Atomic<Bool>(false)
  private static let hangupCounts = Atomic<Bool>(true)

  static var hasCome: Bool { flag.load(ordering: .relaxed) }

  static func watch() {
    // A first use inside a handler would have to make them.
    _ = (hasCome, hangupCounts.load(ordering: .relaxed))
    let handler: @convention(c) (Int32) -> Void = { _ in
      Interruption.flag.store(true, ordering: .relaxed)
      signal(SIGINT, SIG_DFL)
      signal(SIGTERM, SIG_DFL)
      if Interruption.hangupCounts.load(ordering: .relaxed) { signal(SIGHUP, SIG_DFL) }
    }
    // Whoever starts this program from a thread that hears no signals has passed that on.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // As `nohup` asks for it.
      if number == SIGHUP, isIgnored(number) {
        hangupCounts.store(false, ordering: .relaxed)
        continue
      }
      // Without SA_RESTART: somebody who waits for input is to hear of it.
      var action = sigaction()
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = handler
      #else
        action.__sigaction_handler.sa_handler = handler
      #endif
      sigaction(number, &action, nil)
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

extension Runner {
  /// From now on the first SIGINT, SIGTERM or SIGHUP asks for what is known so far.
  @_spi(Gateway) public static func watchSignals() { Interruption.watch() }

  /// True once one of them has come.
  @_spi(Gateway) public static var isInterrupted: Bool { Interruption.hasCome }
}

extension Cancellation {
  /// Requested by whoever interrupts the program, or when its time is over. What it is told in the
  /// meantime shows that a long run moves.
  init(_ console: Console, _ progress: Progress, end: ContinuousClock.Instant? = nil) {
    let isInterrupted = console.isInterrupted
    self.init { events in
      if events > 0 { progress.show(events: events) }
      return isInterrupted() || end.map { ContinuousClock.now >= $0 } ?? false
    }
  }
}
