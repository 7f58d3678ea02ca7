import ChaosHost
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("What a host notices", .ifSimulated)
struct LeakTests {
  private actor Place {
    var visits = 0
    func visit() { visits += 1 }
  }

  /// Has a real thread do something, and waits for it outside the host.
  private static func onForeignThread(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      done.signal()
    }
    done.wait()
  }

  @Test("A task that a foreign thread resumes is named, and goes on at the next entry")
  func foreign() {
    let run = Run()
    let box = Mutex<UnsafeContinuation<Void, Never>?>(nil)
    run.enter { log in
      Task {
        await withUnsafeContinuation { continuation in box.withLock { $0 = continuation } }
        log.add("process \(Host.current?.process?.number ?? 0)")
      }
    }
    Self.onForeignThread { box.withLock { $0?.resume() } }
    #expect(run.log.lines == [])
    run.enter { _ in }
    #expect(run.log.lines == ["process 1"])
    #expect(run.host.leaks.map(\.kind) == [.foreignThread])
    #expect(run.host.leaks.first?.description.contains("resumed by a foreign thread") == true)
    run.process.end()
  }

  @Test("A task that a foreign thread resumes on the main actor, or on an actor, is named")
  func foreignActors() {
    let run = Run()
    let box = Mutex<[UnsafeContinuation<Void, Never>]>([])
    run.enter { log in
      let place = Place()
      Task { @MainActor in
        await withUnsafeContinuation { continuation in box.withLock { $0.append(continuation) } }
        log.add("main \(Host.current?.process?.number ?? 0)")
      }
      Task {
        await withUnsafeContinuation { continuation in box.withLock { $0.append(continuation) } }
        await place.visit()
        log.add("visits \(await place.visits) \(Host.current?.process?.number ?? 0)")
      }
    }
    Self.onForeignThread { for continuation in box.withLock({ $0 }) { continuation.resume() } }
    run.enter { _ in }
    #expect(Set(run.log.lines) == ["main 1", "visits 1 1"])
    #expect(run.host.leaks.map(\.kind) == [.foreignThread, .foreignThread])
    run.process.end()
  }

  @Test("A task that a foreign thread resumes when its host is gone is counted, and not run")
  func tooLate() {
    let box = Mutex<UnsafeContinuation<Void, Never>?>(nil)
    let log = Log()
    do {
      let host = ChaosHost.Host()
      let process = host.makeProcess()
      host.enter(process) {
        Task {
          await withUnsafeContinuation { continuation in box.withLock { $0 = continuation } }
          log.add("never")
        }
      }
      process.end()
      #expect(host.leaks.map(\.kind) == [.notEnded])
    }
    let before = Host.unclaimedJobs
    Self.onForeignThread { box.withLock { $0?.resume() } }
    #expect(Host.unclaimedJobs > before)
    #expect(log.lines == [])
  }

  private static func waitsForEver() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      kept.withLock { $0.append(continuation) }
    }
  }

  private static func goesOnForEver() async {
    while true { try? await Task.sleep(for: .seconds(1)) }
  }

  /// So that nobody complains of a continuation that is gone.
  private static let kept = Mutex<[CheckedContinuation<Void, Never>]>([])

  @Test(
    "What could not be ended is named by the function and the line that waits or goes on, not by what it calls"
  )
  func names() {
    func leaks(_ body: @MainActor () -> Void) -> [String] {
      let run = Run()
      run.enter { _ in body() }
      run.process.end()
      return run.host.leaks.map(\.description)
    }
    /// The only leak, without its line, which is told only where there is debug information.
    func leak(_ body: @MainActor () -> Void) -> String {
      let all = leaks(body)
      #expect(all.count == 1)
      #expect(all.allSatisfy { $0.contains(#/ \(LeakTests\.swift:\d+\) /#) }, "\(all)")
      return all.first?.replacing(#/ \(LeakTests\.swift:\d+\)/#, with: "") ?? "none"
    }
    #expect(
      leak { Task { await Self.waitsForEver() } }
        == "process 1: static ChaosHostTests.LeakTests.waitsForEver could not be ended")
    #expect(
      leak { Task { await Self.goesOnForEver() } }
        == "process 1: static ChaosHostTests.LeakTests.goesOnForEver goes on after the end")
    #expect(
      leak {
        Task {
          for await _ in AsyncStream<Int>(unfolding: {
            await Self.waitsForEver()
            return 1
          }) {}
        }
      } == "process 1: static ChaosHostTests.LeakTests.waitsForEver could not be ended")
    let ofClosure = leak {
      Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
    #expect(ofClosure.hasPrefix("process 1: closure #1 in closure #"))
    #expect(ofClosure.hasSuffix("in ChaosHostTests.LeakTests.names could not be ended"))
  }

  @Test("What would block the simulated thread is named, and does not block it")
  func blocking() {
    let run = Run()
    run.enter { log in
      let semaphore = DispatchSemaphore(value: 0)
      semaphore.signal()
      semaphore.wait()
      log.add("free")
      log.add(semaphore.wait(timeout: .now() + 1) == .timedOut ? "timed out" : "free")
      let group = DispatchGroup()
      group.enter()
      group.wait()
      group.leave()
      DispatchQueue.main.sync { log.add("inside") }
    }
    #expect(run.log.lines == ["free", "timed out", "inside"])
    #expect(run.host.leaks.map(\.kind) == [.blocks, .blocks, .blocks])
    #expect(
      run.host.leaks.map(\.name) == [
        "DispatchSemaphore.wait", "DispatchGroup.wait",
        "DispatchQueue.sync onto the queue it stands on",
      ])
    run.process.end()
  }

  @Test("A Dispatch source is named, and its timer never fires")
  func sources() {
    let run = Run()
    let isFired = Atomic(false)
    run.enter { _ in
      let timer = DispatchSource.makeTimerSource()
      timer.schedule(deadline: .now())
      timer.setEventHandler { isFired.store(true, ordering: .relaxed) }
      timer.resume()
      Host.beside { _ = usleep(20_000) }
      timer.cancel()
    }
    let fired = isFired.load(ordering: .relaxed)
    #expect(!fired)
    #expect(run.host.leaks.map(\.kind) == [.escaped])
    run.process.end()
  }
}
