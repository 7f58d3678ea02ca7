import ChaosHost
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("A hosted process", .ifSimulated)
struct ProcessTests {
  /// Counts how many of its kind are in memory.
  private final class Witness: Sendable {
    private let count: Counter
    init(_ count: Counter) {
      self.count = count
      count.add(1)
    }
    deinit { count.add(-1) }
    func look() {}
  }

  private final class Counter: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .relaxed) }
    func add(_ amount: Int) { number.add(amount, ordering: .relaxed) }
  }

  private actor Listener {
    private var task: Task<Void, Never>?

    func start(_ stream: AsyncStream<Int>, _ witness: Witness) {
      task = Task {
        for await _ in stream { witness.look() }
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(1)) }
      }
    }
  }

  /// Code in every state that a crash can find it in; all of it ends when it is asked to.
  @MainActor
  private static func behave(_ count: Counter) {
    let witness = Witness(count)
    let (stream, source) = AsyncStream<Int>.makeStream()
    Host.current?.process?.onEnd { source.finish() }
    let listener = Listener()
    Task { await listener.start(stream, witness) }
    Task.detached {
      try await Task.sleep(for: .seconds(3_600))
      witness.look()
    }
    Task {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            try? await Task.sleep(for: .seconds(60))
            witness.look()
          }
        }
      }
    }
    Task { @MainActor in
      await withCheckedContinuation { continuation in
        Host.current?.process?.onEnd { continuation.resume() }
      }
      witness.look()
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + 5) { witness.look() }
    Task {
      while !Task.isCancelled {
        await Task.yield()
        break
      }
    }
  }

  @Test("A hosted process leaves nothing in memory when it ends, 3,000 times over")
  func memory() {
    let host = ChaosHost.Host()
    let count = Counter()
    var most = 0
    for _ in 0..<3_000 {
      let process = host.makeProcess()
      process.context = Witness(count)
      host.enter(process) { Self.behave(count) }
      most = max(most, count.value)
      process.end()
      if count.value != 0 { break }
    }
    #expect(most == 2)
    #expect(count.value == 0)
    #expect(host.leaks == [])
  }

  @Test(
    "A process that ends cancels its tasks, calls what was registered in order, and wakes its sleepers"
  )
  func ending() {
    let run = Run()
    let (log, process) = (run.log, run.process)
    run.enter { log in
      Task {
        await withTaskCancellationHandler {
          do { try await Task.sleep(for: .seconds(3_600)) } catch { log.add("woken: \(error)") }
        } onCancel: {
          log.add("cancelled \(Host.current?.process?.isAlive == true)")
        }
      }
    }
    process.onEnd { log.add("first") }
    process.onEnd { log.add("second") }
    #expect(run.host.nextTimer(of: process) == 3_600_000_000_000)
    process.end()
    #expect(
      log.lines == ["cancelled false", "first", "second", "woken: CancellationError()"])
    #expect(run.host.now == 0)
    #expect(run.host.nextTimer(of: process) == nil)
    #expect(!process.isAlive)
    process.end()
    run.host.enter(process) { log.add("never") }
    process.onEnd { log.add("late") }
    #expect(log.lines.suffix(2) == ["woken: CancellationError()", "late"])
  }

  @Test("A process that one of its own jobs ends is over when that job returns")
  func suicide() {
    let run = Run()
    run.enter { log in
      Task {
        let process = Host.current?.process
        process?.end()
        log.add("still here \(process?.isAlive == true)")
        try? await Task.sleep(for: .seconds(1))
        log.add("cancelled \(Task.isCancelled)")
      }
    }
    #expect(run.log.lines == ["still here false", "cancelled true"])
    #expect(run.host.leaks == [])
  }

  @Test("Code that goes on after the end of its process is given up after so many turns, and named")
  func stubborn() {
    let run = Run()
    run.enter { _ in
      Task {
        try? await Task.sleep(for: .seconds(1))
        while true { await Task.yield() }
      }
      Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
    run.process.end()
    let turns = UInt64(HostProcess.turnsToEnd)
    #expect(run.host.jobsRun > turns && run.host.jobsRun < 3 * turns)
    #expect(run.host.leaks.map(\.kind) == [.goesOn, .notEnded])
    #expect(run.host.leaks.allSatisfy { $0.process == 1 })
  }

  @Test("The entry of a process that never comes to rest ends all the same")
  func restless() {
    let run = Run()
    run.host.jobsPerEntry = 1_000
    run.enter { _ in Task { while !Task.isCancelled { await Task.yield() } } }
    #expect(run.host.leaks.map(\.kind) == [.neverRests])
    run.process.end()
    #expect(run.host.leaks.count == 1)
  }

  @Test("The other processes of a host go on when one of them ends")
  func several() {
    let run = Run()
    let log = run.log
    let other = run.host.makeProcess()
    func work(_ name: String) -> @MainActor () -> Void {
      {
        Task {
          do {
            try await Task.sleep(for: .seconds(10))
            log.add("\(name) \(Host.current?.process?.number ?? 0)")
          } catch {
            log.add("\(name) is cancelled")
          }
        }
      }
    }
    run.host.enter(run.process, work("phone"))
    run.host.enter(other, work("server"))
    run.process.end()
    run.host.advance(to: 10_000_000_000)
    run.host.enter(other) {}
    other.end()
    #expect(log.lines == ["phone is cancelled", "server 2"])
    #expect(run.host.leaks == [])
  }

  @Test("Work that is ready in one process still runs after another process has ended")
  func readyWork() {
    let run = Run()
    let log = run.log
    let other = run.host.makeProcess()
    run.host.enter(other) {
      Task {
        try? await Task.sleep(for: .seconds(1))
        log.add("woken in \(Host.current?.process?.number ?? 0)")
      }
    }
    // Makes the sleeper ready, and does not run it.
    run.host.advance(to: 1_000_000_000)
    run.process.end()
    #expect(log.lines == [])
    run.host.enter(other) {}
    #expect(log.lines == ["woken in 2"])
    other.end()
    #expect(run.host.leaks == [])
  }

  @Test("What waits for a Dispatch group runs when its process ends, and leaves nothing in memory")
  func groupNotices() {
    let run = Run()
    let count = Counter()
    run.enter { log in
      let witness = Witness(count)
      let group = DispatchGroup()
      group.enter()
      group.notify(queue: .main) {
        witness.look()
        log.add("notified \(Host.current?.process?.isAlive == true)")
        group.leave()
      }
    }
    #expect(run.log.lines == [])
    #expect(count.value == 1)
    run.process.end()
    #expect(run.log.lines == ["notified false"])
    #expect(count.value == 0)
    #expect(run.host.leaks == [])
  }

  @Test("What an ended process puts off runs at once, so that whoever waits for it comes to an end")
  func putOffTooLate() {
    let run = Run()
    run.enter { log in
      Task {
        try? await Task.sleep(for: .seconds(9))
        log.add("ends")
        await withUnsafeContinuation { (waiting: UnsafeContinuation<Void, Never>) in
          DispatchQueue.main.asyncAfter(deadline: .now() + 5) { waiting.resume() }
        }
        log.add("over")
      }
    }
    run.process.end()
    #expect(run.log.lines == ["ends", "over"])
    #expect(run.host.leaks == [])
  }

  @Test("A process can be ended by another one in the middle of a job")
  func ended() {
    let run = Run()
    let other = run.host.makeProcess()
    run.enter { log in
      Task {
        do { try await Task.sleep(for: .seconds(1)) } catch { log.add("victim \(error)") }
      }
    }
    other.context = run.process
    let log = run.log
    run.host.enter(other) {
      Task {
        log.add("before")
        (Host.current?.process?.context as? HostProcess)?.end()
        log.add("after \(Host.current?.process?.number ?? 0)")
        await Task.yield()
        log.add("on")
      }
    }
    #expect(run.log.lines == ["before", "victim CancellationError()", "after 2", "on"])
    other.end()
    #expect(run.host.leaks == [])
  }

  @Test("A task that another process resumes stays a task of its own process")
  func crossing() {
    let run = Run()
    let log = run.log
    let other = run.host.makeProcess()
    let box = Mutex<UnsafeContinuation<Void, Never>?>(nil)
    run.enter { log in
      Task {
        await withUnsafeContinuation { continuation in box.withLock { $0 = continuation } }
        log.add("resumed in \(Host.current?.process?.number ?? 0)")
      }
    }
    run.host.enter(other) { box.withLock { $0?.resume() } }
    #expect(log.lines == ["resumed in 1"])
    other.end()
    run.process.end()
    #expect(run.host.leaks == [])
  }

  @Test(
    "What code begins after the end of its process is cancelled, so that loops come to their end")
  func begunAfterTheEnd() {
    let run = Run()
    run.enter { log in
      Task {
        try? await Task.sleep(for: .seconds(60))
        Task {
          while !Task.isCancelled { try? await Task.sleep(for: .seconds(8)) }
          log.add("over")
        }
      }
    }
    run.process.end()
    #expect(run.log.lines == ["over"])
    #expect(run.host.leaks == [])
    #expect(run.host.jobsRun < 20)
  }

  @MainActor
  private static func sleepOnMain() async { try? await Task.sleep(nanoseconds: 8_000_000_000) }
  // What is answered at once because nobody is there.
  @MainActor
  private static func fail() async { await withUnsafeContinuation { $0.resume() } }
  private static func failInPool() async { await withUnsafeContinuation { $0.resume() } }

  @MainActor
  private static func again() {
    Task {
      await sleepOnMain()
      again()
    }
  }

  private actor Poller {
    func poll() async { while true { try? await Task.sleep(for: .seconds(8)) } }
  }

  static let stubborn: [@MainActor @Sendable () -> Void] = [
    { Task.detached { while true { try? await Task.sleep(for: .seconds(8)) } } },
    { Task.detached { while true { try? await Task.sleep(nanoseconds: 8_000_000_000) } } },
    { Task.detached { while true { try? await ContinuousClock().sleep(for: .seconds(8)) } } },
    { Task { while true { await sleepOnMain() } } },
    { Task.detached { while true { await Poller().poll() } } },
    {
      Task {
        await sleepOnMain()
        while true { await fail() }
      }
    },
    { again() },
    {
      Task.detached {
        await sleepOnMain()
        while true { await failInPool() }
      }
    },
  ]

  @Test(
    "Code that goes round for ever, cancelled or not, is given up in time", arguments: 0..<8)
  func rounds(kind: Int) {
    let run = Run()
    run.enter { _ in Self.stubborn[kind]() }
    run.process.end()
    let turns = UInt64(HostProcess.turnsToEnd)
    #expect(run.host.jobsRun > turns && run.host.jobsRun < 10 * turns)
    #expect(run.host.leaks.count > 0)
    #expect(run.host.leaks.allSatisfy { $0.kind == .goesOn })
  }

  @Test("Tasks come to their end beside one that goes round for ever")
  func patience() {
    let run = Run()
    run.enter { log in
      Task.detached { while true { try? await Task.sleep(for: .seconds(8)) } }
      Task {
        for _ in 1...10 { await Self.sleepOnMain() }
        log.add("over")
      }
    }
    run.process.end()
    #expect(run.log.lines == ["over"])
  }

  @Test("A task that is resumed after the end of its process is named, and not run")
  func afterTheEnd() {
    let run = Run()
    let box = Mutex<UnsafeContinuation<Void, Never>?>(nil)
    run.enter { log in
      Task {
        await withUnsafeContinuation { continuation in box.withLock { $0 = continuation } }
        log.add("never")
      }
    }
    run.relaunch()
    run.enter { _ in box.withLock { $0?.resume() } }
    run.enter { _ in }
    #expect(run.log.lines == [])
    #expect(run.host.leaks.map(\.kind) == [.notEnded, .afterTheEnd])
    run.process.end()
  }
}
