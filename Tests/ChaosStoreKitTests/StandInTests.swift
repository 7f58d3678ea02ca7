#if os(Linux)
  import Combine
  import Foundation
  import Testing
  import os

  private class Base: ObservableObject {
    @Published var first = 1
  }

  private final class Derived: Base {
    @Published var second = "a"
  }

  private struct Broken: Error {}

  @Suite("The stand-ins for Combine")
  struct StandInTests {
    @Test(
      "An ObservableObject tells who subscribed of changes before they happen, until they cancel")
    func settings() {
      let settings = Settings()
      var notes: [String] = []
      settings.follow { notes.append($0) }
      settings.volume = 2
      settings.volume = 2
      settings.rename("anna")
      #expect(
        notes == ["will change", "volume 2", "will change", "will change", "saved anna"])
      settings.forget()
      settings.volume = 3
      #expect(notes.count == 5)
      #expect(settings.volume == 3)
    }

    @Test(
      "A CurrentValueSubject gives a new subscriber the present value, and nothing after the end")
    func current() {
      let subject = CurrentValueSubject<Int, Never>(1)
      var notes: [String] = []
      let first = subject.sink {
        notes.append("ended \($0)")
      } receiveValue: {
        notes.append("\($0)")
      }
      subject.value = 2
      subject.send(completion: .finished)
      subject.send(3)
      let second = subject.sink { _ in
        notes.append("over")
      } receiveValue: { _ in
        notes.append("?")
      }
      #expect(notes == ["1", "2", "ended finished", "over"])
      #expect(subject.value == 2)
      withExtendedLifetime((first, second)) {}
    }

    @Test("A lock lets one in at a time, and tells who does not want to wait")
    func locks() {
      let counter = OSAllocatedUnfairLock(initialState: 1)
      #expect(
        counter.withLock {
          $0 += 1
          return $0
        } == 2)
      #expect(counter.withLockIfAvailable { $0 } == 2)
      counter.withLock { _ in #expect(counter.withLockIfAvailable { $0 } == nil) }
      #expect(counter.withLock { $0 } == 2, "given back")
      #expect(throws: Broken.self) { try counter.withLock { _ in throw Broken() } }
      let gate = OSAllocatedUnfairLock()
      gate.lock()
      #expect(!gate.lockIfAvailable())
      gate.unlock()
      #expect(gate.lockIfAvailable())
      gate.unlock()
      #expect(gate.withLock { 3 } == 3)
    }

    @Test("Values are changed, dropped and passed on as with Combine")
    func operators() {
      let subject = PassthroughSubject<Int, Never>()
      var notes: [String] = []
      let kept = [
        subject.map { $0 * 10 }.sink { notes.append("map \($0)") },
        subject.compactMap { $0 > 1 ? "\($0)" : nil }.sink { notes.append("compactMap \($0)") },
        subject.filter { $0.isMultiple(of: 2) }.sink { notes.append("filter \($0)") },
        subject.dropFirst(2).sink { notes.append("dropFirst \($0)") },
        subject.removeDuplicates().sink { notes.append("new \($0)") },
      ]
      for number in [1, 2, 2, 1] { subject.send(number) }
      #expect(
        notes == [
          "map 10", "new 1", "map 20", "compactMap 2", "filter 2", "new 2", "map 20",
          "compactMap 2", "filter 2", "dropFirst 2", "map 10", "dropFirst 1", "new 1",
        ])
      withExtendedLifetime(kept) {}
    }

    @Test("A subject ends once, with its failure, and tells nothing to who has cancelled")
    func ending() {
      let subject = PassthroughSubject<Int, Broken>()
      var notes: [String] = []
      func follow(_ name: String) -> AnyCancellable {
        subject.map { $0 }.eraseToAnyPublisher().sink { end in
          if case .failure = end { notes.append("\(name) failed") } else { notes.append(name) }
        } receiveValue: { value in
          notes.append("\(name) \(value)")
        }
      }
      let (first, second, third) = (follow("a"), follow("b"), follow("c"))
      second.cancel()
      second.cancel()
      subject.send(1)
      subject.send(completion: .failure(Broken()))
      subject.send(completion: .finished)
      subject.send(2)
      let late = follow("d")
      #expect(notes == ["a 1", "c 1", "a failed", "c failed", "d failed"])
      withExtendedLifetime((first, third, late)) {}
    }

    @Test("A cancellable cancels once: when it is asked to, or when nobody keeps it")
    func cancelling() {
      var count = 0
      let first = AnyCancellable { count += 1 }
      first.cancel()
      first.cancel()
      #expect(count == 1)
      var list: [AnyCancellable] = []
      AnyCancellable(AnyCancellable { count += 1 }).store(in: &list)
      #expect(count == 1 && list.count == 1)
      list = []
      #expect(count == 2)
      var set: Set<AnyCancellable> = [first]
      first.store(in: &set)
      AnyCancellable {}.store(in: &set)
      #expect(set.count == 2)
    }

    @Test("Properties of a class and of its superclass tell of changes through one publisher")
    func inheritance() {
      let object = Derived()
      var notes: [String] = []
      let kept = object.objectWillChange.sink { notes.append("\(object.first) \(object.second)") }
      object.first = 2
      object.second = "b"
      #expect(notes == ["1 a", "2 a"])
      #expect(object.objectWillChange === object.objectWillChange)
      withExtendedLifetime(kept) {}
    }

    @Test("A publisher sets a property to each of its values until it is cancelled")
    func assigning() {
      let (source, target) = (Base(), Base())
      let kept = source.$first.assign(to: \.first, on: target)
      #expect(target.first == 1)
      source.first = 5
      #expect(target.first == 5)
      kept.cancel()
      source.first = 6
      #expect(target.first == 5)
    }

    @Test("Notifications come by a loop as well, until the process ends")
    func notifications() {
      let name = Notification.Name("chaos-stage")
      let stage = Stage()
      stage.begin {
        for await notification in NotificationCenter.default.notifications(named: name) {
          stage.note("\(notification.userInfo?["n"] ?? "nothing")")
        }
        stage.note("over")
      }
      func post(_ number: Int) {
        stage.enter {
          NotificationCenter.default.post(name: name, object: nil, userInfo: ["n": number])
        }
      }
      post(1)
      NotificationCenter.default.post(name: name, object: nil, userInfo: ["n": 2])
      stage.enter {
        for number in 3...12 {
          NotificationCenter.default.post(name: name, object: nil, userInfo: ["n": number])
        }
      }
      #expect(stage.notes == ["1", "3", "5", "6", "7", "8", "9", "10", "11", "12"])
      stage.kill()
      #expect(stage.notes.last == "over")
      #expect(stage.host.leaks == [])
    }

    @Test("A CurrentValueSubject keeps what was last sent, and who subscribes later begins with it")
    func latest() {
      let subject = CurrentValueSubject<Int, Broken>(1)
      subject.send(2)
      subject.value = 3
      #expect(subject.value == 3)
      var notes: [Int] = []
      let kept = subject.sink(receiveCompletion: { _ in }, receiveValue: { notes.append($0) })
      subject.send(4)
      #expect(notes == [3, 4])
      withExtendedLifetime(kept) {}
    }

    @Test(
      "A log writes to what the process prints, if anybody reads it, and computes its values in any case"
    )
    func logging() {
      var looked = 0
      func look() -> Int {
        looked += 1
        return looked
      }
      Logger().error("\(look()) \(look(), format: .hex, privacy: .private)")
      Logger(subsystem: "a", category: "b").log(level: .fault, "\(look())")
      #expect(looked == 3)
      let stage = Stage()
      var bytes: [UInt8] = []
      stage.process.output = { bytes += $0 }
      stage.run {
        Logger().error("\(look()) \(look(), format: .hex, privacy: .private)")
        Logger(subsystem: "a", category: "store").log(level: .fault, "none")
        Logger(OSLog(subsystem: "a", category: "old")).notice("one")
        Logger(.disabled).error("never")
        os_log("%{public}d of %d", log: .default, type: .info, 1, 2)
        os_log(.debug, "three")
      }
      stage.kill()
      #expect(looked == 5)
      #expect(
        String(decoding: bytes, as: UTF8.self)
          == "error: 4 5\nstore fault: none\nold notice: one\ninfo: 1 of 2\ndebug: three\n")
      let levels: [OSLogType] = [.default, .info, .debug, .error, .fault]
      #expect(levels.map(\.rawValue) == [0, 1, 2, 16, 17])
      #expect(!OSLog.default.isEnabled(type: .fault))
    }
  }
#endif
