#if !canImport(ObjectiveC)
  import ChaosHost
  import Combine
  import Foundation
  import Testing

  @testable import StoreKit

  /// Code as an app has it, with each `#selector` as it is compiled here.
  private final class Reminder: NSObject {
    let note: (String) -> Void
    var timer: Timer?

    init(note: @escaping (String) -> Void) { self.note = note }

    func ticked(_ timer: Timer) {
      note("ticked \(timer.userInfo as? String ?? "without anything")")
      if !timer.isValid { note("not valid") }
    }
    func asked() { note("asked on main \(Thread.isMainThread)") }
    func told(_ text: String) { note("told \(text)") }

    static let ticked = Selector(Reminder.ticked(_:), named: "ticked(_:)")
    static let asked = Selector(Reminder.asked, named: "asked")
    static let told = Selector(Reminder.told(_:), named: "told(_:)")
  }

  @Suite("Methods that are called by selectors", .serialized)
  struct SelectorCallTests {
    private func said(_ body: @MainActor (Reminder) -> Void) -> [String] {
      let stage = Stage()
      nonisolated(unsafe) var kept: Reminder?
      stage.enter {
        let reminder = Reminder { stage.note("\(stage.host.now / 1_000_000_000) s: \($0)") }
        kept = reminder
        body(reminder)
      }
      while let next = stage.host.nextTimer(of: stage.process), next < 60_000_000_000 {
        stage.host.advance(to: next)
        stage.enter {}
      }
      withExtendedLifetime(kept) {}
      stage.kill()
      #expect(stage.host.leaks == [])
      return stage.notes
    }

    @Test("A timer calls a method with itself, or with nothing, once or again and again")
    func timers() {
      let lines = said { reminder in
        Timer.scheduledTimer(
          timeInterval: 3, target: reminder, selector: Reminder.ticked, userInfo: "coins",
          repeats: false)
        let second = Timer(
          timeInterval: 2, target: reminder, selector: Reminder.asked, userInfo: nil, repeats: true)
        RunLoop.main.add(second, forMode: .common)
        DispatchQueue.main.asyncAfter(deadline: .now() + 5) { [weak second] in second?.invalidate()
        }
        let third = Timer(
          fireAt: Date(timeIntervalSinceNow: 6), interval: 0, target: reminder,
          selector: Reminder.ticked, userInfo: nil, repeats: false)
        RunLoop.main.add(third, forMode: .default)
      }
      #expect(
        lines == [
          "2 s: asked on main true", "3 s: ticked coins", "4 s: asked on main true",
          "6 s: ticked without anything",
        ])
    }

    @Test("A method is called at once, on the main thread, or off it")
    func atOnce() {
      let lines = said { reminder in
        reminder.perform(Reminder.told, with: "now")
        reminder.perform(Reminder.asked)
        reminder.perform(Reminder.told, with: 5)
        reminder.performSelector(onMainThread: Reminder.told, with: "later", waitUntilDone: false)
        reminder.performSelector(onMainThread: Reminder.told, with: "waited", waitUntilDone: true)
      }
      #expect(
        lines == [
          "0 s: told now", "0 s: asked on main true", "0 s: told waited", "0 s: told later",
        ])
      let off = said { reminder in
        reminder.performSelector(inBackground: Reminder.asked, with: nil)
      }
      #expect(off == ["0 s: asked on main false"])
    }

    @Test(
      "A call that is to come later is taken back by its target, its method and what it is called with"
    )
    func delayed() {
      let lines = said { reminder in
        reminder.perform(Reminder.told, with: "one", afterDelay: 1)
        reminder.perform(Reminder.told, with: "two", afterDelay: 2)
        reminder.perform(Reminder.asked, with: nil, afterDelay: 3, inModes: [.common])
        reminder.perform(Reminder.told, with: "four", afterDelay: 4)
        NSObject.cancelPreviousPerformRequests(
          withTarget: reminder, selector: Reminder.told, object: "two")
        NSObject.cancelPreviousPerformRequests(withTarget: NSObject())
      }
      #expect(lines == ["1 s: told one", "3 s: asked on main true", "4 s: told four"])
      let none = said { reminder in
        reminder.perform(Reminder.told, with: "one", afterDelay: 1)
        Reminder.cancelPreviousPerformRequests(withTarget: reminder)
      }
      #expect(none == [])
    }

    @Test("Selectors are told apart by their names")
    func names() {
      #expect(Reminder.told == Selector(Reminder.told(_:), named: "told(_:)"))
      #expect(Reminder.told != Reminder.asked)
      #expect("\(Reminder.told)" == "told(_:)")
    }

    @Test("A publisher of a timer tells the time to all who listen, until the last gives up")
    func publishing() {
      let lines = said { reminder in
        let start = Date()
        let times = Timer.publish(every: 2, on: .main, in: .common).autoconnect()
        func follow(_ name: String, for seconds: TimeInterval) {
          nonisolated(unsafe) let cancellable = times.sink { date in
            reminder.note("\(name) \(Int(date.timeIntervalSince(start).rounded()))")
          }
          DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { cancellable.cancel() }
        }
        follow("a", for: 5)
        follow("b", for: 7)
      }
      #expect(lines == ["2 s: a 2", "2 s: b 2", "4 s: a 4", "4 s: b 4", "6 s: b 6"])
    }
  }
#endif
