import ChaosHost
import Dispatch
import Foundation
import Testing

@Suite("Dispatch queues and groups of hosted code", .ifSimulated)
struct DispatchTests {
  private static let second: UInt64 = 1_000_000_000

  /// When a timer is due that is set 100 s after the run began.
  private func due(_ set: @MainActor () -> Void) -> UInt64? {
    let run = Run()
    run.host.advance(to: 100 * Self.second)
    run.enter { _ in set() }
    defer { run.process.end() }
    return run.host.nextTimer(of: run.process)
  }

  @Test("A deadline is counted from the moment in which it is set, by every clock of Dispatch")
  func deadlines() {
    let uptime = due { DispatchQueue.main.asyncAfter(deadline: .now() + 30) {} }
    #expect(uptime == 130 * Self.second)
    let wall = due { DispatchQueue.main.asyncAfter(wallDeadline: .now() + 30) {} }
    #expect(wall == 130 * Self.second)
    // The clock that goes on while the device sleeps, which Swift has no name for.
    let time = unsafeBitCast(1 << 63 | 1_130 * Self.second, to: DispatchTime.self)
    let monotonic = due { DispatchQueue.main.asyncAfter(deadline: time) {} }
    #expect(monotonic == 130 * Self.second)
  }

  @Test("A deadline that is over is due at once, and the distant future never")
  func farDeadlines() {
    let past = due { DispatchQueue.main.asyncAfter(deadline: .now() - 5) {} }
    #expect(past == 100 * Self.second)
    let wallPast = due { DispatchQueue.main.asyncAfter(wallDeadline: .now() - 5) {} }
    #expect(wallPast == 100 * Self.second)
    #expect(due { DispatchQueue.main.asyncAfter(deadline: .distantFuture) {} } == nil)
    #expect(due { DispatchQueue.main.asyncAfter(wallDeadline: .distantFuture) {} } == nil)
  }

  @Test("What waits for one group goes on waiting when another group is empty")
  func twoGroups() {
    let lines = said { log in
      let (first, second) = (DispatchGroup(), DispatchGroup())
      first.enter()
      second.enter()
      second.notify(queue: .main) { log.add("second") }
      first.notify(queue: .main) { log.add("first") }
      second.notify(queue: .main) { log.add("second too") }
      DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
        first.leave()
        log.add("first left")
      }
      DispatchQueue.global().asyncAfter(deadline: .now() + 2) {
        second.leave()
        log.add("second left")
      }
    }
    #expect(lines == ["first left", "first", "second left", "second", "second too"])
  }

  @Test("A group is empty when all have left that entered, and one that nobody entered at once")
  func countingGroup() {
    let lines = said { log in
      let group = DispatchGroup()
      group.notify(queue: .main) { log.add("nobody") }
      let other = DispatchGroup()
      other.enter()
      other.enter()
      other.notify(queue: .main) { log.add("all left") }
      other.leave()
      DispatchQueue.main.async {
        log.add("one left")
        other.leave()
      }
    }
    #expect(lines == ["nobody", "one left", "all left"])
  }

  @Test("What need not be waited for is no leak")
  func freeWaits() {
    let run = Run()
    run.enter { log in
      let group = DispatchGroup()
      group.wait()
      let semaphore = DispatchSemaphore(value: 0)
      semaphore.signal()
      log.add("\(semaphore.wait(timeout: .now() + 1) == .success)")
      log.add("\(group.wait(timeout: .now() + 1) == .success)")
    }
    #expect(run.log.lines == ["true", "true"])
    #expect(run.host.leaks == [])
    run.process.end()
  }

  @Test("Barriers of a queue are work of the host too, in their turn")
  func barriers() {
    let lines = said { log in
      let own = DispatchQueue(label: "own", attributes: .concurrent)
      own.async { log.add("first") }
      own.async(flags: .barrier) { log.add("barrier in \(Host.current?.process?.number ?? 0)") }
      own.async { log.add("third") }
      own.sync(flags: .barrier) {
        dispatchPrecondition(condition: .onQueueAsBarrier(own))
        log.add("barrier at once")
      }
      log.add("after")
    }
    #expect(lines == ["first", "barrier in 1", "third", "barrier at once", "after"])
  }

  @Test("Blocks of a global queue may run in any order, whatever its quality of service is")
  func globalQueues() {
    func order(_ queue: @MainActor () -> DispatchQueue) -> String {
      let run = Run()
      run.host.choose = { count in count - 1 }
      run.enter { log in
        let queue = queue()
        for number in 1...3 { queue.async { log.add("\(number)") } }
      }
      run.process.end()
      return run.log.lines.joined()
    }
    #expect(order { DispatchQueue.global() } == "321")
    #expect(order { DispatchQueue.global(qos: .userInteractive) } == "321")
    #expect(order { DispatchQueue.global(qos: .userInitiated) } == "321")
    #expect(order { DispatchQueue.global(qos: .utility) } == "321")
    #expect(order { DispatchQueue.global(qos: .background) } == "321")
    #expect(order { DispatchQueue.global(qos: .unspecified) } == "321")
    #expect(order { DispatchQueue(label: "own") } == "123")
    #expect(order { DispatchQueue(label: "own", attributes: .concurrent) } == "123")
  }

  @Test("Whoever waits for a block waits for what stands before it in its queue, and for no more")
  func waitingForABlock() {
    let lines = said { log in
      let (own, other) = (DispatchQueue(label: "own"), DispatchQueue(label: "other"))
      DispatchQueue.global().async { log.add("pool") }
      other.async { log.add("other") }
      own.async { log.add("own") }
      DispatchQueue.global().sync { log.add("pool at once") }
      own.sync { log.add("own at once") }
      log.add("after")
    }
    #expect(lines == ["pool at once", "own", "own at once", "after", "pool", "other"])
  }

  @Test(
    "Whoever waits lends its thread: a block is on the main thread if that waits, or if it is for it"
  )
  func lending() {
    let lines = said { log in
      let own = DispatchQueue(label: "own")
      own.sync { log.add("from main \(Thread.isMainThread)") }
      DispatchQueue.global().async {
        DispatchQueue.main.async { log.add("waits for main") }
        DispatchQueue.main.sync {
          MainActor.assertIsolated()
          log.add("for main \(Thread.isMainThread)")
        }
        own.sync { log.add("from the pool \(Thread.isMainThread)") }
        log.add("pool \(Thread.isMainThread)")
      }
    }
    #expect(
      lines == [
        "from main true", "waits for main", "for main true", "from the pool false", "pool false",
      ])
  }

  @Test("Code stands on every queue whose block it is in, and to wait for one of these is named")
  func nesting() {
    let run = Run()
    run.enter { log in
      let (outer, inner) = (DispatchQueue(label: "outer"), DispatchQueue(label: "inner"))
      outer.sync {
        inner.sync {
          dispatchPrecondition(condition: .onQueue(outer))
          dispatchPrecondition(condition: .onQueue(inner))
          outer.sync { log.add("again") }
          dispatchPrecondition(condition: .onQueue(inner))
        }
        dispatchPrecondition(condition: .onQueue(outer))
        dispatchPrecondition(condition: .notOnQueue(inner))
      }
      dispatchPrecondition(condition: .notOnQueue(outer))
      dispatchPrecondition(condition: .onQueue(.main))
      outer.sync { log.add("not nested") }
    }
    #expect(run.log.lines == ["again", "not nested"])
    #expect(
      run.host.leaks.map(\.name) == ["DispatchQueue.sync onto the queue it stands on"])
    run.process.end()
  }

  @Test("Code that is wrong about the queue it stands on ends the program, as with Dispatch")
  func wrongQueue() async {
    await #expect(processExitsWith: .failure) {
      Run().enter { _ in
        dispatchPrecondition(condition: .onQueue(DispatchQueue(label: "own")))
      }
    }
    await #expect(processExitsWith: .failure) {
      Run().enter { _ in
        let own = DispatchQueue(label: "own")
        own.sync { dispatchPrecondition(condition: .notOnQueue(own)) }
      }
    }
  }

  @Test("The main queue's specifics are found on the main actor, and in no block of the pool")
  func mainSpecifics() {
    let key = DispatchSpecificKey<String>()
    DispatchQueue.main.setSpecific(key: key, value: "main")
    let lines = said { log in
      log.add("entry \(DispatchQueue.getSpecific(key: key) ?? "none")")
      Task { @MainActor in log.add("task \(DispatchQueue.getSpecific(key: key) ?? "none")") }
      DispatchQueue.global().async {
        log.add("pool \(DispatchQueue.getSpecific(key: key) ?? "none")")
      }
    }
    DispatchQueue.main.setSpecific(key: key, value: nil)
    #expect(lines == ["entry main", "task main", "pool none"])
  }

  @Test("A block that the main thread waits for finds its own queue's specifics")
  func specificsOfAWait() {
    let key = DispatchSpecificKey<String>()
    let lines = said { log in
      let own = DispatchQueue(label: "own")
      own.setSpecific(key: key, value: "own")
      own.sync { log.add(DispatchQueue.getSpecific(key: key) ?? "none") }
      log.add(DispatchQueue.getSpecific(key: key) ?? "none")
    }
    #expect(lines == ["own", "none"])
  }

  @Test("What runs while a queue waits for another one has none of the first one's specifics")
  func specificsOfOthers() {
    let key = DispatchSpecificKey<String>()
    let lines = said { log in
      let (own, other) = (DispatchQueue(label: "own"), DispatchQueue(label: "other"))
      own.setSpecific(key: key, value: "own")
      @Sendable func look(_ place: String) {
        log.add("\(place) \(DispatchQueue.getSpecific(key: key) ?? "none")")
      }
      own.async {
        Task { @MainActor in look("task") }
        DispatchQueue.main.sync { look("main") }
        other.sync { look("other") }
        look("own")
      }
    }
    #expect(lines == ["task none", "main none", "other none", "own own"])
  }

  @Test("A block that goes round for ever after the end of its process is named, and freed")
  func endlessBlocks() {
    final class Witness: Sendable {}
    @Sendable func again(_ witness: Witness) {
      DispatchQueue.main.async { again(witness) }
    }
    weak var last: Witness?
    let run = Run()
    do {
      let witness = Witness()
      last = witness
      run.host.jobsPerEntry = 10
      run.enter { _ in again(witness) }
    }
    #expect(last != nil)
    let before = run.host.jobsRun
    run.process.end()
    #expect(run.host.jobsRun - before == UInt64(4 * HostProcess.turnsToEnd))
    #expect(
      run.host.leaks.map(\.description) == [
        "process 1: 10 jobs in one entry never comes to rest",
        "process 1: a block of a Dispatch queue goes on after the end",
      ])
    #expect(last == nil)
  }
}
