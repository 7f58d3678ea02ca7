import ChaosHost
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("A host's schedule", .ifSimulated)
struct ScheduleTests {
  /// Tasks that hop between a pool, an actor and the main actor, and say where they are.
  @MainActor
  private static func hop(_ log: Log) {
    for name in ["a", "b", "c"] {
      Task.detached {
        for step in 1...3 {
          log.add("\(name)\(step)")
          await Task.yield()
          await MainActor.run { log.add("\(name)\(step) main") }
        }
        try? await Task.sleep(for: .milliseconds(Int.random(in: 1...100)))
        log.add("\(name) \(UUID()) \(Date().timeIntervalSince1970)")
      }
    }
  }

  /// What is said when the choices come from these numbers, over and over.
  private static func said(choosing numbers: [Int], seed: UInt64 = 1) -> [String] {
    let run = Run(seed: seed)
    var asked = 0
    run.host.choose = { count in
      defer { asked += 1 }
      return numbers[asked % numbers.count] % count
    }
    run.enter(hop)
    let lines = run.finish()
    run.process.end()
    return lines
  }

  @Test("A host's schedule is decided by what it is told to choose, and by nothing else")
  func choices() {
    let first = Self.said(choosing: [0])
    #expect(first == Self.said(choosing: [0]))
    let orders = (1...50).map { Self.said(choosing: [$0, $0 / 2, 3, $0 / 3]) }
    #expect(Set(orders).count > 20)
    #expect(orders == (1...50).map { Self.said(choosing: [$0, $0 / 2, 3, $0 / 3]) })
  }

  @MainActor
  private static func callMain(_ log: Log, _ name: String, depth: Int) async {
    log.add(name)
    if depth > 0 { await callMain(log, name, depth: depth - 1) }
  }

  private actor Counter {
    func call(_ log: Log, _ name: String, depth: Int) async {
      log.add(name)
      if depth > 0 { await call(log, name, depth: depth - 1) }
    }
  }

  private static func callPool(_ log: Log, _ name: String, depth: Int) async {
    log.add(name)
    if depth > 0 { await callPool(log, name, depth: depth - 1) }
  }

  @Test("Nobody gets in between where code calls on without leaving its actor")
  func staying() {
    let run = Run()
    run.enter { log in
      for name in ["a", "b"] { Task { await Self.callMain(log, name, depth: 2) } }
    }
    run.enter { log in
      let counter = Counter()
      for name in ["c", "d"] { Task.detached { await counter.call(log, name, depth: 2) } }
    }
    run.enter { log in
      for name in ["e", "f"] { Task.detached { await Self.callPool(log, name, depth: 2) } }
    }
    #expect(run.log.lines.joined() == "aaabbbcccdddeeefff")
  }

  @Test(
    "The oldest job runs first where nothing is chosen, and a host asks only where there is a choice"
  )
  func asking() {
    let run = Run()
    let counts = Mutex<[Int]>([])
    run.host.choose = { count in
      counts.withLock { $0.append(count) }
      return 0
    }
    run.enter { log in
      for number in 1...3 { Task.detached { log.add("\(number)") } }
    }
    run.enter { log in Task.detached { log.add("alone") } }
    #expect(run.log.lines == ["1", "2", "3", "alone"])
    #expect(counts.withLock { $0 } == [3, 2])
    run.process.end()
  }

  @Test("The main actor and a queue keep their order, whatever is chosen")
  func lanes() {
    let run = Run()
    let queue = DispatchQueue(label: "own")
    run.host.choose = { count in count - 1 }
    run.enter { log in
      for number in 1...3 {
        Task.detached { log.add("pool \(number)") }
        DispatchQueue.main.async { log.add("main \(number)") }
        queue.async { log.add("queue \(number)") }
      }
    }
    let lines = run.log.lines
    #expect(lines.filter { $0.hasPrefix("main") } == ["main 1", "main 2", "main 3"])
    #expect(lines.filter { $0.hasPrefix("queue") } == ["queue 1", "queue 2", "queue 3"])
    #expect(lines.filter { $0.hasPrefix("pool") } == ["pool 3", "pool 2", "pool 1"])
    run.process.end()
  }

  @Test("A host's schedule is the same 1,000 times over")
  func repeats() {
    let first = Self.said(choosing: [3, 1, 2], seed: 7)
    #expect(first.count == 21)
    var different = 0
    for _ in 0..<1_000 where Self.said(choosing: [3, 1, 2], seed: 7) != first { different += 1 }
    #expect(different == 0)
  }

  @Test("A host takes no notice of hosts on other threads, nor of the platform's own tasks")
  func threads() async {
    let alone = (0..<4).map { Self.said(choosing: [2, 0, 1], seed: UInt64($0)) }
    let before = ContinuousClock.now
    let different = await withTaskGroup(of: Int.self) { group in
      for seed in 0..<4 {
        group.addTask {
          var different = 0
          for _ in 0..<100 where Self.said(choosing: [2, 0, 1], seed: UInt64(seed)) != alone[seed] {
            different += 1
          }
          return different
        }
      }
      group.addTask {
        for _ in 0..<20 {
          try? await Task.sleep(for: .milliseconds(1))
          await MainActor.run {}
        }
        return Host.current == nil ? 0 : 1
      }
      return await group.reduce(0, +)
    }
    #expect(different == 0)
    #expect(before.duration(to: .now) >= .milliseconds(20))
  }

  @Test("A task from outside stays where it was when hosted code resumes it")
  func outside() async {
    let log = Log()
    await withCheckedContinuation { continuation in
      let host = ChaosHost.Host()
      let process = host.makeProcess()
      host.enter(process) {
        Task {
          log.add("inside \(Host.current?.process?.number ?? 0)")
          continuation.resume()
        }
      }
      process.end()
      log.add("\(host.leaks)")
    }
    log.add("outside \(Host.current?.process?.number ?? 0)")
    #expect(log.lines == ["inside 1", "[]", "outside 0"])
  }

  @Test("A reset sets back the clock, the random numbers and the numbers of processes")
  func reset() {
    let host = ChaosHost.Host()
    func play() -> String {
      host.reset(randomSeed: 3)
      let process = host.makeProcess()
      let log = Log()
      host.enter(process) { log.add("\(Date().timeIntervalSince1970) \(UUID())") }
      host.advance(to: 5_000_000_000)
      host.advance(to: 1)
      host.enter(process) {
        log.add("\(Date().timeIntervalSince1970)")
        Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
      }
      return log.lines.joined(separator: ", ") + " \(process.number) \(host.now)"
    }
    let first = play()
    #expect(first.hasSuffix(", 1700000005.0 1 5000000000"))
    #expect(play() == first)
    host.reset(randomSeed: 0)
    #expect(host.leaks == [])
  }
}
