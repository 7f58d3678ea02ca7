import ChaosHost
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("The order of a host's work", .ifSimulated)
struct OrderTests {
  private typealias Box = Mutex<UnsafeContinuation<Void, Never>?>
  private static let second: UInt64 = 1_000_000_000

  @Test("Timers of all processes come in order of their time, and then of when they were set")
  func timersOfProcesses() {
    let run = Run()
    let log = run.log
    let other = run.host.makeProcess()
    func set(_ process: HostProcess, _ name: String, _ seconds: Int) {
      run.host.enter(process) {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { log.add(name) }
      }
    }
    set(run.process, "3", 3)
    set(other, "1", 1)
    set(run.process, "2", 2)
    set(other, "3 later", 3)
    set(other, "5", 5)
    set(run.process, "5 later", 5)
    set(run.process, "10", 10)
    set(run.process, "11", 11)
    run.host.advance(to: 10 * Self.second)
    run.host.enter(other) {}
    #expect(log.lines == ["1", "2", "3", "3 later", "5", "5 later", "10"])
    #expect(run.host.nextTimer(of: run.process) == 11 * Self.second)
    #expect(run.host.nextTimer(of: other) == nil)
    other.end()
    run.process.end()
  }

  @Test("Many timers come in order of their time, however they were set")
  func manyTimers() {
    let lines = said { log in
      for number in 0..<50 {
        let millis = number * 17 % 50
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(millis)) {
          log.add("\(millis)")
        }
      }
    }
    #expect(lines == (0..<50).map { "\($0)" })
  }

  @Test("Timers of a process that ends run in order of their time")
  func timersAtTheEnd() {
    let run = Run()
    run.enter { log in
      for seconds in [3, 1, 2] {
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) {
          log.add("\(seconds)")
        }
      }
    }
    run.process.end()
    #expect(run.log.lines == ["1", "2", "3"])
  }

  @Test("A sleep that is too long for a number never ends, and is no timer")
  func endlessSleep() {
    let run = Run()
    run.enter { log in
      Task {
        try? await Task.sleep(for: .seconds(Int64.max))
        log.add("over")
      }
    }
    #expect(run.host.nextTimer(of: run.process) == nil)
    #expect(run.log.lines == [])
    run.process.end()
    #expect(run.log.lines == ["over"])
    #expect(run.host.leaks == [])
  }

  private func order(choosing choose: @escaping (Int) -> Int) -> String {
    let run = Run()
    run.host.choose = choose
    run.enter { log in for number in 1...4 { Task.detached { log.add("\(number)") } } }
    run.process.end()
    return run.log.lines.joined()
  }

  @Test("What is chosen outside the ready jobs counts as the nearest of them")
  func nearest() {
    #expect(order { _ in -5 } == "1234")
    #expect(order { _ in 100 } == "4321")
    #expect(order { count in count } == "4321")
    #expect(order { _ in 1 } == "2341")
  }

  @Test("Hundreds of ready jobs keep their order, in the pool and on the main actor")
  func manyJobs() {
    let run = Run()
    run.enter { log in
      for number in 0..<700 {
        Task.detached { log.add("\(number)") }
        DispatchQueue.main.async { log.add("main \(number)") }
      }
    }
    #expect(run.log.lines == (0..<700).flatMap { ["\($0)", "main \($0)"] })
    run.process.end()
  }

  @Test("An entry within an entry runs its body, and leaves the jobs to the outer one")
  func nestedEntry() {
    let run = Run()
    let other = run.host.makeProcess()
    run.process.context = other
    run.enter { log in
      Task { log.add("job of \(Host.current?.process?.number ?? 0)") }
      if let host = Host.current, let inner = host.process?.context as? HostProcess {
        host.enter(inner) {
          Task { log.add("job of \(Host.current?.process?.number ?? 0)") }
          log.add("body of \(Host.current?.process?.number ?? 0)")
        }
      }
      log.add("back in \(Host.current?.process?.number ?? 0)")
    }
    #expect(run.log.lines == ["body of 2", "back in 1", "job of 1", "job of 2"])
    other.end()
    run.process.end()
  }

  private func entered(jobs: Int, limit: Int) -> Run {
    let run = Run()
    run.host.jobsPerEntry = limit
    run.enter { log in for number in 1...jobs { Task.detached { log.add("\(number)") } } }
    return run
  }

  @Test("An entry that runs as many jobs as it may is at rest, and one that has another is not")
  func jobsPerEntry() {
    let exact = entered(jobs: 3, limit: 3)
    #expect(exact.host.leaks == [])
    #expect(exact.log.lines == ["1", "2", "3"])
    let more = entered(jobs: 4, limit: 3)
    #expect(more.log.lines == ["1", "2", "3"])
    #expect(
      more.host.leaks.map(\.description) == [
        "process 1: 3 jobs in one entry never comes to rest"
      ])
    more.enter { _ in }
    #expect(more.log.lines == ["1", "2", "3", "4"])
    #expect(more.host.leaks.count == 1)
    #expect(entered(jobs: 2, limit: 0).log.lines == ["1"])
  }

  @Test("A task that code of another host resumes goes on in its own, which names it")
  func anotherHost() {
    let (run, other) = (Run(), Run())
    let box = Box(nil)
    run.enter { log in
      Task {
        await withUnsafeContinuation { continuation in box.withLock { $0 = continuation } }
        log.add("resumed in \(Host.current?.process?.number ?? 0)")
      }
    }
    other.relaunch()
    other.enter { _ in box.withLock { $0?.resume() } }
    #expect(run.log.lines == [])
    run.enter { _ in }
    #expect(run.log.lines == ["resumed in 1"])
    #expect(run.host.leaks.map(\.kind) == [.foreignThread])
    #expect(other.host.leaks == [])
    run.process.end()
    other.process.end()
  }

  @Test("What foreign threads sent before a reset is no leak of the run after it")
  func mailBeforeReset() {
    let run = Run()
    let box = Box(nil)
    run.enter { log in
      Task {
        await withUnsafeContinuation { continuation in box.withLock { $0 = continuation } }
        log.add("never")
      }
    }
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      box.withLock { $0?.resume() }
      done.signal()
    }
    done.wait()
    run.host.reset(randomSeed: 1)
    let process = run.host.makeProcess()
    run.host.enter(process) {}
    #expect(run.host.leaks == [])
    #expect(run.log.lines == [])
    process.end()
  }

  @Test("A leak has the virtual time in which it was noticed")
  func timeOfALeak() {
    let run = Run()
    run.host.advance(to: 5 * Self.second)
    run.enter { _ in DispatchGroup().notifyNobody() }
    #expect(run.host.leaks.map(\.time) == [5 * Self.second])
    run.process.end()
  }

  @Test("Tasks of a process are cancelled at its end, however many there were before them")
  func slots() {
    let run = Run()
    run.host.jobsPerEntry = .max
    run.enter { log in
      Task.detached {
        for _ in 0..<0x1_0010 { await Task.detached {}.value }
        log.add("enough")
        do { try await Task.sleep(for: .seconds(60)) } catch { log.add("\(error)") }
      }
    }
    run.enter { log in
      Task { do { try await Task.sleep(for: .seconds(60)) } catch { log.add("\(error)") } }
    }
    run.process.end()
    #expect(run.log.lines == ["enough", "CancellationError()", "CancellationError()"])
    #expect(run.host.leaks == [])
  }
}

extension DispatchGroup {
  /// Waits for somebody who is not there.
  fileprivate func notifyNobody() {
    enter()
    wait()
    leave()
  }
}

@Suite("What is called when a hosted process ends", .ifSimulated)
struct EndingTests {
  @Test("What is registered while the process ends is called at once")
  func whileEnding() {
    let run = Run()
    let (log, process) = (run.log, run.process)
    process.onEnd {
      log.add("first")
      process.onEnd { log.add("at once") }
    }
    process.onEnd { log.add("second") }
    process.end()
    #expect(log.lines == ["first", "at once", "second"])
  }

  @Test("A process that ends itself deep in its own calls is over when the outermost returns")
  func deepEnd() {
    let run = Run()
    let log = run.log
    run.process.onEnd { log.add("over") }
    run.enter { log in
      DispatchQueue(label: "own").sync { Host.current?.process?.end() }
      log.add("still here")
    }
    #expect(log.lines == ["still here", "over"])
    #expect(!run.process.isAlive)
  }

  @Test("What is ready in other processes keeps its order when a process ends")
  func others() {
    let run = Run()
    let log = run.log
    let (second, third) = (run.host.makeProcess(), run.host.makeProcess())
    for (number, process) in [second, third, second].enumerated() {
      run.host.enter(process) {
        DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(number + 1)) {
          log.add("\(number) in \(Host.current?.process?.number ?? 0)")
        }
      }
    }
    run.host.advance(to: 9_000_000_000)
    run.process.end()
    #expect(log.lines == [])
    run.host.enter(second) {}
    #expect(log.lines == ["0 in 2", "1 in 3", "2 in 2"])
    third.end()
    second.end()
  }
}
