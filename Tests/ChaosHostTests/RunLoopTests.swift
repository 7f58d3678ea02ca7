import ChaosHost
import Foundation
import Testing

@Suite("Run loops of hosted code", .ifSimulated)
struct RunLoopTests {
  /// Seconds since the process began.
  private static func seconds(since start: Date) -> String {
    "\(Int(Date().timeIntervalSince(start).rounded()))"
  }

  @Test("A timer is fired when its time has come in the run, and one that was given up never")
  func once() {
    let lines = said { log in
      let start = Date()
      _ = Timer.scheduledTimer(withTimeInterval: 3600, repeats: false) { timer in
        log.add("fired after \(Self.seconds(since: start)) on main \(Thread.isMainThread)")
      }
      nonisolated(unsafe) let other = Timer(
        fire: Date(timeIntervalSinceNow: 10), interval: 0, repeats: false
      ) { _ in
        log.add("given up")
      }
      RunLoop.main.add(other, forMode: .common)
      _ = Timer.scheduledTimer(withTimeInterval: 5, repeats: false) { _ in
        log.add("valid \(other.isValid)")
        other.invalidate()
      }
    }
    #expect(lines == ["valid true", "fired after 3600 on main true"])
  }

  @Test("A timer that repeats is fired at each interval until it is given up, by itself as well")
  func repeating() {
    let lines = said { log in
      let start = Date()
      nonisolated(unsafe) var count = 0
      _ = Timer.scheduledTimer(withTimeInterval: 0.5, repeats: true) { timer in
        count += 1
        log.add("\(Int((Date().timeIntervalSince(start) * 1000).rounded()))")
        if count == 4 { timer.invalidate() }
      }
    }
    #expect(lines == ["500", "1000", "1500", "2000"])
  }

  @Test("A timer's date can be moved, forward and back")
  func moved() {
    let lines = said { log in
      let start = Date()
      let later = Timer.scheduledTimer(withTimeInterval: 10, repeats: false) { _ in
        log.add("later \(Self.seconds(since: start))")
      }
      later.fireDate = Date(timeIntervalSinceNow: 20)
      nonisolated(unsafe) let paused = Timer.scheduledTimer(withTimeInterval: 7, repeats: true) {
        timer in
        log.add("paused \(Self.seconds(since: start))")
        timer.invalidate()
      }
      paused.fireDate = .distantFuture
      _ = Timer.scheduledTimer(withTimeInterval: 12, repeats: false) { _ in paused.fireDate = Date()
      }
    }
    #expect(lines == ["paused 12", "later 20"])
  }

  @Test("What a run loop is to perform comes after what runs, in its turn of the main queue")
  func performing() {
    let lines = said { log in
      RunLoop.main.perform { log.add("performed on main \(Thread.isMainThread)") }
      RunLoop.current.perform { log.add("second") }
      log.add("first")
    }
    #expect(lines == ["first", "performed on main true", "second"])
  }

  @Test("Off the main queue nobody runs the loop of the thread, as on Apple's platforms")
  func offMain() {
    let lines = said { log in
      DispatchQueue.global().async {
        _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in log.add("never") }
        RunLoop.current.perform { log.add("never") }
        RunLoop.main.add(
          Timer(timeInterval: 2, repeats: false) { _ in log.add("the main loop's") },
          forMode: .common)
        log.add("\(RunLoop.current === RunLoop.main)")
      }
      log.add("\(RunLoop.current === RunLoop.main)")
    }
    #expect(Set(lines.prefix(2)) == ["true", "false"])
    #expect(lines.dropFirst(2) == ["the main loop's"])
  }

  private final class Kept: Sendable {}

  /// Sets a timer of a minute that keeps an object; whether that is there still.
  private func keepObject(
    in run: Run, repeats: Bool, _ fired: @escaping @Sendable (Log, Bool) -> Void
  ) -> () -> Bool {
    nonisolated(unsafe) weak var kept: Kept?
    run.enter { log in
      let object = Kept()
      kept = object
      _ = Timer.scheduledTimer(withTimeInterval: 60, repeats: repeats) { _ in
        fired(log, object === kept)
      }
    }
    return { kept != nil }
  }

  @Test("A timer that was fired is let go of, and what it kept")
  func fired() {
    let run = Run()
    let isKept = keepObject(in: run, repeats: false) { log, isKept in
      log.add("fired \(isKept)")
    }
    #expect(isKept())
    #expect(run.finish() == ["fired true"])
    #expect(!isKept())
    run.process.end()
  }

  @Test("The timers of a process end with it, and let go of what they kept")
  func ending() {
    let run = Run()
    let isKept = keepObject(in: run, repeats: true) { log, _ in
      log.add("\(Host.current == nil)")
    }
    #expect(isKept())
    run.relaunch()
    #expect(!isKept())
    #expect(run.finish().count <= 1)
    #expect(run.host.leaks == [])
    run.process.end()
  }
}
