import ChaosHost
import Dispatch
import Foundation
import Testing

@Suite("Hosted code", .ifSimulated)
struct HostedCodeTests {
  /// Virtual seconds as the code itself sees them.
  private static func clock() -> String {
    String(format: "%.1f", Date().timeIntervalSince1970 - 1_700_000_000)
  }

  @Test("Hosted tasks, detached tasks, groups and child tasks go on when their sleep is over")
  func tasks() {
    let lines = said { log in
      Task {
        try? await Task.sleep(for: .seconds(3_600))
        log.add("task \(Self.clock())")
      }
      Task.detached {
        let sum = await withTaskGroup(of: Int.self) { group in
          for number in 1...3 {
            group.addTask {
              try? await Task.sleep(for: .seconds(10 - number))
              log.add("child \(number) \(Self.clock())")
              return number
            }
          }
          return await group.reduce(0, +)
        }
        async let late = Self.slowly(7)
        log.add("group \(sum), let \(await late) \(Self.clock())")
      }
    }
    #expect(
      lines == [
        "child 3 7.0", "child 2 8.0", "child 1 9.0", "group 6, let 7 10.0", "task 3600.0",
      ])
  }

  private static func slowly(_ number: Int) async -> Int {
    try? await Task.sleep(for: .seconds(1))
    return number
  }

  @Test("Hosted code sleeps in virtual time in every form, and by every clock")
  func sleeping() {
    let lines = said { log in
      Task {
        try await Task.sleep(nanoseconds: 1_500_000_000)
        log.add("nanoseconds \(Self.clock())")
        try await Task.sleep(for: .seconds(1))
        log.add("for \(Self.clock())")
        try await Task.sleep(for: .seconds(1), tolerance: .seconds(5))
        log.add("tolerance \(Self.clock())")
        try await Task.sleep(until: .now + .seconds(1), clock: .continuous)
        log.add("continuous \(Self.clock())")
        try await Task.sleep(until: .now + .seconds(1), clock: .suspending)
        log.add("suspending \(Self.clock())")
        try await ContinuousClock().sleep(for: .seconds(1))
        log.add("clock \(Self.clock())")
        try await Task.sleep(for: .seconds(-1))
        log.add("negative \(Self.clock())")
      }
      Task { @MainActor in
        try await Task.sleep(for: .milliseconds(100))
        log.add("main actor \(Self.clock())")
      }
    }
    #expect(
      lines == [
        "main actor 0.1", "nanoseconds 1.5", "for 2.5", "tolerance 3.5", "continuous 4.5",
        "suspending 5.5", "clock 6.5", "negative 6.5",
      ])
  }

  private actor Account {
    private var balance = 0
    private var updates: Task<Void, Never>?

    func add(_ amount: Int) async -> Int {
      try? await Task.sleep(for: .seconds(1), tolerance: .seconds(1))
      balance += amount
      return balance
    }

    func listen(_ log: Log) {
      updates = Task {
        try? await Task.sleep(for: .seconds(1))
        log.add("of its own \(balance)")
      }
    }
  }

  @Test("Hosted actors run, also where they sleep, and so do tasks that they start for themselves")
  func actors() {
    let lines = said { log in
      let account = Account()
      for amount in [1, 10] {
        Task { log.add("balance \(await account.add(amount)) \(Self.clock())") }
      }
      Task.detached {
        await account.listen(log)
        await MainActor.run {
          MainActor.assertIsolated()
          log.add("main \(Thread.isMainThread)")
        }
        log.add("pool \(Thread.isMainThread)")
      }
    }
    #expect(
      lines == [
        "main true", "pool false", "of its own 11", "balance 1 1.0", "balance 11 1.0",
      ])
  }

  @Test("Hosted code waits for continuations and streams")
  func continuations() {
    let lines = said { log in
      let (stream, source) = AsyncStream<Int>.makeStream()
      Task {
        for await number in stream { log.add("element \(number) \(Self.clock())") }
        log.add("stream over")
      }
      Task {
        let answer = await withCheckedContinuation { continuation in
          DispatchQueue.main.asyncAfter(deadline: .now() + 2) { continuation.resume(returning: 42) }
        }
        log.add("answer \(answer) \(Self.clock())")
        source.yield(1)
        try? await Task.sleep(for: .seconds(1))
        source.yield(2)
        source.finish()
      }
    }
    #expect(lines == ["answer 42 2.0", "element 1 2.0", "element 2 3.0", "stream over"])
  }

  @Test("Hosted code uses Dispatch queues: main, global, its own, after a time, in a group")
  func queues() {
    let lines = said { log in
      let own = DispatchQueue(label: "own")
      let key = DispatchSpecificKey<String>()
      own.setSpecific(key: key, value: "own")
      DispatchQueue.main.async {
        dispatchPrecondition(condition: .onQueue(.main))
        MainActor.assumeIsolated { log.add("main") }
      }
      DispatchQueue.global().async { log.add("global \(Thread.isMainThread)") }
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(60)) {
        log.add("deadline \(Self.clock())")
        DispatchQueue.main.sync { log.add("main from the pool") }
      }
      DispatchQueue.main.asyncAfter(wallDeadline: .now() + .seconds(30)) {
        log.add("wall \(Self.clock())")
      }
      for number in 1...2 {
        own.async {
          dispatchPrecondition(condition: .onQueue(own))
          log.add("own \(number) \(DispatchQueue.getSpecific(key: key) ?? "nowhere")")
        }
      }
      own.sync { log.add("own at once") }
      let group = DispatchGroup()
      for number in 1...2 {
        DispatchQueue.global().async(group: group) { log.add("group \(number)") }
      }
      group.enter()
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) { group.leave() }
      group.notify(queue: .main) { log.add("notified \(Self.clock())") }
      DispatchQueue.concurrentPerform(iterations: 2) { log.add("apply \($0)") }
    }
    #expect(
      lines == [
        "own 1 own", "own 2 own", "own at once", "apply 0", "apply 1", "main", "global false",
        "group 1", "group 2", "notified 1.0", "wall 30.0", "deadline 60.0", "main from the pool",
      ])
  }

  @Test("Hosted code sees virtual time on every clock")
  func clocks() {
    let run = Run()
    run.host.advance(to: 90_061_000_000_000)
    run.enter { log in
      var monotonic = timespec()
      clock_gettime(CLOCK_MONOTONIC, &monotonic)
      log.add("\(Date().timeIntervalSince1970) \(DispatchTime.now().uptimeNanoseconds)")
      log.add("\(ContinuousClock.now) \(SuspendingClock.now)")
      log.add("\(monotonic.tv_sec) \(time(nil)) \(Date.timeIntervalSinceReferenceDate)")
    }
    #expect(
      run.log.lines == [
        "1700090061.0 91061000000000",
        "Instant(_value: 91061.0 seconds) Instant(_value: 91061.0 seconds)",
        "91061 1700090061 721782861.0",
      ])
    #expect(abs(Date().timeIntervalSince1970 - 1_700_090_061) > 1_000_000)
  }

  @Test("Hosted code that puts its thread to sleep lets virtual time pass, and no real time")
  func blocking() {
    let before = ContinuousClock.now
    let lines = said { log in
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) { log.add("late \(Self.clock())") }
      Thread.sleep(forTimeInterval: 3_600)
      usleep(500_000)
      log.add("awake \(Self.clock())")
    }
    #expect(lines == ["awake 3600.5", "late 3600.5"])
    #expect(before.duration(to: .now) < .seconds(60))
  }

  @Test("Hosted code draws its random numbers and UUIDs from the seed of the run")
  func randomness() {
    func draw(_ seed: UInt64) -> [String] {
      said(seed: seed) { log in
        var system = SystemRandomNumberGenerator()
        log.add("\(UUID()) \(Int.random(in: 0..<1_000)) \(system.next()) \(Bool.random())")
        log.add("\((1...20).shuffled()) \(Double.random(in: 0..<1))")
        Task.detached { log.add("\(UUID())") }
      }
    }
    #expect(draw(1) == draw(1))
    #expect(Set(draw(1)).isDisjoint(with: draw(2)))
    #expect(UUID() != UUID())
  }
}
