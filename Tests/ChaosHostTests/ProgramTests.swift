import ChaosHost
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("What is one for a whole program", .ifSimulated)
struct ProgramTests {
  private static let name = Notification.Name("chaos-test")

  private func printed(_ body: @MainActor () -> Void) -> String {
    let run = Run()
    var bytes: [UInt8] = []
    run.process.output = { bytes += $0 }
    run.enter { _ in body() }
    run.process.end()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("What hosted code prints goes to its process, by whatever function")
  func printing() {
    #expect(printed { print("a", 1) } == "a 1\n")
    #expect(printed { print("b", terminator: "") } == "b")
    #expect(printed { debugPrint(["c"]) } == "[\"c\"]\n")
    #expect(printed { _ = dump(7) } == "- 7\n")
    #expect(printed { _ = fputs("d\n", Self.stream("stderr")) } == "d\n")
    #expect(printed { _ = fwrite("ef", 1, 2, Self.stream("stdout")) } == "ef")
    #expect(printed { _ = puts("g") } == "g\n")
    #expect(printed { _ = putchar(104) } == "h")
    #expect(printed { FileHandle.standardOutput.write(Data("i\n".utf8)) } == "i\n")
    #expect(printed { FileHandle.standardError.write(Data("j\n".utf8)) } == "j\n")
    #expect(printed { _ = write(1, "k", 1) } == "k")
    #expect(printed { NSLog("l %d", 1) }.hasSuffix("l 1\n"))
  }

  private static func stream(_ name: String) -> UnsafeMutablePointer<FILE> {
    dlsym(dlopen(nil, RTLD_NOW), name).load(as: UnsafeMutablePointer<FILE>.self)
  }

  @Test(
    "What is printed where nobody wants it, or in tasks of a process that has ended, is let go of")
  func nobody() {
    let run = Run()
    run.enter { _ in print("seen by nobody") }
    var bytes: [UInt8] = []
    run.process.output = { bytes += $0 }
    run.enter { _ in
      Task {
        try? await Task.sleep(for: .seconds(9))
        print("woken at the end")
      }
    }
    run.process.end()
    #expect(String(decoding: bytes, as: UTF8.self) == "woken at the end\n")
    #expect(run.host.leaks == [])
  }

  @Test("A file that is written is no output")
  func files() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "chaos-\(UUID())")
    let output = printed { try? Data("x".utf8).write(to: url) }
    defer { try? FileManager.default.removeItem(at: url) }
    #expect(output == "")
    #expect(try Data(contentsOf: url) == Data("x".utf8))
  }

  @Test("A notification reaches the observers of its process, and those of no other")
  func notifications() {
    let run = Run()
    func observe(_ log: Log, _ who: String) {
      _ = NotificationCenter.default.addObserver(forName: Self.name, object: nil, queue: nil) {
        note in
        log.add("\(who): \(note.userInfo?["n"] ?? "nothing")")
      }
    }
    observe(run.log, "outside")
    run.enter { log in
      observe(log, "first")
      NotificationCenter.default.post(name: Self.name, object: nil, userInfo: ["n": 1])
    }
    let first = run.process
    run.relaunch()
    #expect(!first.isAlive)
    run.enter { log in
      NotificationCenter.default.post(name: Self.name, object: nil, userInfo: ["n": 2])
      observe(log, "second")
      NotificationCenter.default.post(name: Self.name, object: nil, userInfo: ["n": 3])
    }
    let other = Run()
    other.enter { _ in
      NotificationCenter.default.post(name: Self.name, object: nil, userInfo: ["n": 4])
    }
    #expect(run.log.lines == ["first: 1", "second: 3"])
    NotificationCenter.default.post(name: Self.name, object: nil, userInfo: ["n": 5])
    #expect(run.log.lines == ["first: 1", "second: 3", "outside: 5"])
    run.process.end()
    other.process.end()
  }

  @Test("An observer with a queue is told before the post returns, as on the main queue")
  func notificationsOnQueues() {
    let run = Run()
    run.enter { log in
      for (queue, who) in [(OperationQueue.main, "main"), (OperationQueue(), "other")] {
        _ = NotificationCenter.default.addObserver(forName: Self.name, object: nil, queue: queue) {
          note in
          log.add("\(who): \(note.userInfo?["n"] ?? "nothing")")
        }
      }
      NotificationCenter.default.post(name: Self.name, object: nil, userInfo: ["n": 1])
      log.add("posted")
    }
    let lines = run.finish()
    #expect(lines.sorted() == ["main: 1", "other: 1", "posted"])
    #expect(lines.last == "posted")
    #expect(run.host.leaks == [])
  }

  @Test("The main operation queue is the process's own, and runs on its main queue")
  func mainOperations() {
    let run = Run()
    var queues: [OperationQueue] = []
    run.enter { log in
      queues.append(OperationQueue.main)
      OperationQueue.main.addOperation { log.add("first \(Thread.isMainThread)") }
      OperationQueue.main.addOperation { log.add("second") }
      log.add("added")
    }
    #expect(run.finish() == ["added", "first true", "second"])
    run.relaunch()
    run.enter { _ in queues.append(OperationQueue.main) }
    run.process.end()
    #expect(queues[0] !== queues[1] && !queues.contains { $0 === OperationQueue.main })
    #expect(run.host.leaks == [])
  }

  @Test("What code keeps by its thread, such as the current Progress, is the process's own")
  func threadDictionary() throws {
    let run = Run()
    let found = run.log
    @Sendable func look() {
      found.add("\(Thread.current.threadDictionary["chaos"] ?? "nothing")")
      found.add(Progress.current() == nil ? "no progress" : "a progress")
    }
    let outside = Progress(totalUnitCount: 1)
    outside.becomeCurrent(withPendingUnitCount: 1)
    Thread.current.threadDictionary["chaos"] = "outside"
    run.enter { _ in
      look()
      Thread.current.threadDictionary["chaos"] = "first"
      Progress(totalUnitCount: 1).becomeCurrent(withPendingUnitCount: 1)
    }
    run.enter { _ in look() }
    run.relaunch()
    run.enter { _ in look() }
    look()
    Thread.current.threadDictionary["chaos"] = nil
    outside.resignCurrent()
    #expect(
      found.lines == [
        "nothing", "no progress", "first", "a progress", "nothing", "no progress", "outside",
        "a progress",
      ])
    run.process.end()
    #expect(run.host.leaks == [])
  }

  @Test("What is put into a URLCache is named, whoever finds it")
  func cache() throws {
    let url = try #require(URL(string: "https://example.com/coins"))
    let cache = URLCache(memoryCapacity: 10_000, diskCapacity: 0, diskPath: nil)
    let response = CachedURLResponse(
      response: URLResponse(
        url: url, mimeType: nil, expectedContentLength: 1, textEncodingName: nil), data: Data([1]))
    let run = Run()
    run.enter { _ in
      #expect(URLCache.shared.cachedResponse(for: URLRequest(url: url)) == nil)
      cache.storeCachedResponse(response, for: URLRequest(url: url))
    }
    #expect(cache.cachedResponse(for: URLRequest(url: url))?.data == Data([1]))
    run.process.end()
    #expect(
      run.host.leaks.map(\.description) == [
        "process 1: storing a response in a URLCache escaped to the platform"
      ])
  }

  @Test("What is changed for the whole program is named")
  func state() {
    func leaks(_ body: @MainActor () -> Void) -> [String] {
      let run = Run()
      run.enter { _ in body() }
      run.process.end()
      return run.host.leaks.map(\.description)
    }
    let folder = FileManager.default.currentDirectoryPath
    #expect(
      leaks { _ = FileManager.default.changeCurrentDirectoryPath(folder) } == [
        "process 1: changing the working directory to \(folder) escaped to the platform"
      ])
    #expect(
      leaks { _ = setenv("CHAOS_TEST_VARIABLE", "1", 1) } == [
        "process 1: setting the environment variable CHAOS_TEST_VARIABLE escaped to the platform"
      ])
    #expect(
      leaks { _ = unsetenv("CHAOS_TEST_VARIABLE") } == [
        "process 1: removing the environment variable CHAOS_TEST_VARIABLE escaped to the platform"
      ])
    #expect(
      leaks { _ = setlocale(LC_ALL, "C") } == [
        "process 1: setting the locale C escaped to the platform"
      ])
    #expect(leaks { _ = setlocale(LC_ALL, nil) } == [])
    #expect(
      leaks { NSTimeZone.default = TimeZone(identifier: "UTC") ?? .current } == [
        "process 1: setting the default time zone escaped to the platform"
      ])
  }
}
