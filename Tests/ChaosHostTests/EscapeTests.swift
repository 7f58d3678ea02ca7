#if os(Linux)
  import ChaosHost
  import Foundation
  import Testing

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  @Suite("What hosted code does for real", .ifSimulated)
  struct EscapeTests {
    /// A folder for one test; made and removed outside every host.
    private final class Folder: Sendable {
      let url = FileManager.default.temporaryDirectory.appending(path: "chaos-\(UUID())")
      init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data("old".utf8).write(to: file)
      }
      deinit { try? FileManager.default.removeItem(at: url) }
      var file: URL { url.appending(path: "old") }
      func path(_ name: String) -> String { url.appending(path: name).path }
    }

    /// What the leaks of an entry say, without the paths' folder.
    private func leaks(in folder: Folder? = nil, _ body: @MainActor () throws -> Void) -> [String] {
      let run = Run()
      run.enter { _ in
        do { try body() } catch { Issue.record(error) }
      }
      run.process.end()
      let root = folder.map { $0.url.path + "/" } ?? ""
      return run.host.leaks.map { $0.description.replacingOccurrences(of: root, with: "") }
    }

    @Test("A host names each file that hosted code writes, by whatever function")
    func writing() throws {
      let folder = try Folder()
      func expect(_ name: String, _ body: @MainActor () throws -> Void) {
        #expect(
          leaks(in: folder, body) == ["process 1: writing the file \(name) escaped to the platform"]
        )
      }
      expect("a") { try Data([1]).write(to: folder.url.appending(path: "a")) }
      expect("b") { try "x".write(toFile: folder.path("b"), atomically: false, encoding: .utf8) }
      expect("old") { try FileHandle(forUpdating: folder.file).close() }
      expect("old") { try FileHandle(forWritingTo: folder.file).close() }
      expect("c") { fclose(fopen(folder.path("c"), "w")) }
      expect("d") { close(open(folder.path("d"), O_CREAT | O_WRONLY, 0o600)) }
      expect("old") { #expect(truncate(folder.path("old"), 1) == 0) }
    }

    @Test("A host names the file beside one that is written atomically, and its renaming")
    func atomically() throws {
      let folder = try Folder()
      let found = leaks(in: folder) {
        try Data([1]).write(to: folder.url.appending(path: "a"), options: .atomic)
      }
      #expect(found.contains { $0.hasPrefix("process 1: writing the file ") })
      #expect(found.contains { $0.contains(" to a escaped to the platform") })
    }

    @Test("A host names folders that are made, and files that are moved, linked and removed")
    func moving() throws {
      let folder = try Folder()
      let files = FileManager.default
      func expect(_ what: String, _ body: @MainActor () throws -> Void) {
        #expect(leaks(in: folder, body) == ["process 1: \(what) escaped to the platform"])
      }
      expect("making the folder f") {
        try files.createDirectory(atPath: folder.path("f"), withIntermediateDirectories: false)
      }
      expect("renaming old to new") {
        try files.moveItem(atPath: folder.path("old"), toPath: folder.path("new"))
      }
      expect("linking new as link") {
        try files.createSymbolicLink(
          atPath: folder.path("link"), withDestinationPath: folder.path("new"))
      }
      expect("removing link") { #expect(unlink(folder.path("link")) == 0) }
      expect("removing new") { try files.removeItem(atPath: folder.path("new")) }
      expect("removing f") { #expect(rmdir(folder.path("f")) == 0) }
    }

    @Test("A host does not name what is only read, or written to a device or the terminal")
    func reading() throws {
      let folder = try Folder()
      let found = leaks {
        #expect(try Data(contentsOf: folder.file) == Data("old".utf8))
        #expect(FileManager.default.fileExists(atPath: folder.file.path))
        _ = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        fclose(fopen(folder.file.path, "r"))
        try FileHandle(forReadingFrom: folder.file).close()
        fclose(fopen("/dev/null", "w"))
        _ = (
          Bundle.main.bundlePath, ProcessInfo.processInfo.hostName, Locale.current, TimeZone.current
        )
        _ = Decimal(3).formatted(.currency(code: "USD"))
        print(terminator: "")
        FileHandle.standardError.write(Data())
      }
      #expect(found == [])
    }

    @Test("A host does not name what is done outside its processes, or by the simulation itself")
    func beside() throws {
      let folder = try Folder()
      let run = Run()
      try Data([1]).write(to: folder.url.appending(path: "a"))
      run.enter { _ in
        Host.beside { try? Data([1]).write(to: folder.url.appending(path: "b")) }
      }
      #expect(run.host.leaks == [])
      #expect(FileManager.default.fileExists(atPath: folder.path("b")))
      run.process.end()
    }

    @Test("A host names once what hosted code does a hundred times")
    func once() throws {
      let folder = try Folder()
      let found = leaks(in: folder) {
        for number in 0..<100 { try Data([UInt8(number)]).write(to: folder.file) }
      }
      #expect(found == ["process 1: writing the file old escaped to the platform"])
    }

    @Test("A host names threads that hosted code starts, with what to use instead")
    func threads() {
      let found = leaks { Thread.detachNewThread {} }
      #expect(found == ["process 1: starting a thread escaped to the platform: use tasks"])
      let other = leaks { Thread {}.start() }
      #expect(other == ["process 1: starting a thread escaped to the platform: use tasks"])
    }

    @Test("A host does not name threads of the Swift runtime's own")
    func runtimeThreads() {
      let found = leaks {
        Task.detached(priority: .background) {}
        Task { await withTaskGroup(of: Void.self) { group in group.addTask {} } }
        DispatchQueue.global().async {}
        DispatchQueue(label: "own", attributes: .concurrent).async(flags: .barrier) {}
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) {}
        DispatchQueue.concurrentPerform(iterations: 4) { _ in }
        NotificationCenter.default.post(name: Notification.Name("nobody"), object: nil)
        _ = try? JSONEncoder().encode(["a": 1])
      }
      #expect(found == [])
    }

    @Test(
      "A host runs the operations of an OperationQueue itself, and does not name them")
    func operations() {
      let run = Run()
      run.enter { log in
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let first = BlockOperation { log.add("first on \(Host.current?.process?.number ?? 0)") }
        let second = BlockOperation { log.add("second") }
        second.addDependency(first)
        queue.addOperations([second, first], waitUntilFinished: false)
        queue.addOperation { log.add("third") }
        OperationQueue.main.addOperation { log.add("main \(Thread.isMainThread)") }
        log.add("before")
      }
      #expect(Set(run.log.lines) == ["before", "first on 1", "second", "third", "main true"])
      #expect(run.host.leaks == [])
      run.process.end()
    }

    @Test("A host names what is left to a run loop, with what to use instead")
    func runLoops() {
      func expect(_ what: String, _ body: @MainActor () throws -> Void) {
        #expect(
          leaks(body) == ["process 1: \(what) escaped to the platform: use tasks and Task.sleep"])
      }
      expect("running a RunLoop") {
        _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: -1))
      }
    }

    @Test("A host names programs that hosted code starts, by their path")
    func programs() throws {
      let found = leaks {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/true")
        try process.run()
      }
      #expect(found.contains("process 1: starting /bin/true escaped to the platform"))
    }

    @Test(
      "A host names random numbers that are read from a device, and draws C's own from the seed")
    func randomness() {
      let found = leaks { fclose(fopen("/dev/urandom", "r")) }
      let advice = "use SystemRandomNumberGenerator"
      #expect(found == ["process 1: reading /dev/urandom escaped to the platform: \(advice)"])
      func draw() -> [String] {
        said(seed: 7) { log in
          srand(UInt32.random(in: 0...(.max)))
          log.add("\(rand()) \(random()) \(drand48())")
        }
      }
      let first = draw()
      #expect(draw() == first)
      #expect(!first.contains { $0.contains("leak") })
    }

    @Test("A wait for a condition is named, and ends at once if it has a limit")
    func conditions() {
      let run = Run()
      run.enter { log in
        let condition = NSCondition()
        condition.lock()
        log.add("\(condition.wait(until: Date(timeIntervalSinceNow: 3_600)))")
        condition.unlock()
      }
      #expect(run.log.lines == ["false"])
      #expect(run.host.leaks.map(\.kind) == [.blocks])
      run.process.end()
    }

    @Test(
      "A wait without limit for a condition that nobody can signal ends the program, which says why"
    )
    func endlessConditions() async throws {
      let result = await #expect(
        processExitsWith: .failure, observing: [\.standardErrorContent]
      ) {
        let run = Run()
        run.enter { _ in
          let queue = OperationQueue()
          queue.addOperation {}
          queue.waitUntilAllOperationsAreFinished()
        }
      }
      let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      #expect(text.contains("Hosted code waits for a condition"))
    }

    @Test("A transfer of URLSession is named, and no answer ever comes")
    func network() throws {
      let url = try #require(URL(string: "http://127.0.0.1:9/"))
      let run = Run()
      run.enter { log in
        let session = URLSession(configuration: .ephemeral)
        session.dataTask(with: url) { _, _, _ in log.add("answer") }.resume()
        Task {
          _ = try? await URLSession.shared.data(from: url)
          log.add("answer")
        }
      }
      #expect(run.finish() == [])
      let transfer =
        "process 1: a URLSession transfer, which is not begun and escaped to the platform"
      #expect(run.host.leaks.filter { $0.description == transfer }.count == 1)
      run.process.end()
    }

    @Test(
      "A transfer of URLSession is named in whatever order its own queues run, and when it ends")
    func networkInAnyOrder() throws {
      let url = try #require(URL(string: "http://127.0.0.1:9/"))
      for order in 0..<40 {
        let run = Run()
        var asked = order
        run.host.choose = { count in
          asked = (asked &* 31 &+ 7) % 1_009
          return asked % count
        }
        run.enter { log in
          Task {
            _ = try? await URLSession.shared.data(from: url)
            log.add("answer")
          }
        }
        #expect(run.finish() == [])
        #expect(run.host.leaks.contains { $0.name.hasPrefix("a URLSession transfer") })
        run.process.end()
      }
    }

    @Test(
      "Simulations on several threads use the one URLSession.shared of the program at the same time"
    )
    func sharedSession() async throws {
      let url = try #require(URL(string: "http://127.0.0.1:9/"))
      let leaks = await withTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask {
            let run = Run()
            run.enter { _ in
              for _ in 0..<500 { URLSession.shared.dataTask(with: url) { _, _, _ in }.resume() }
            }
            defer { run.process.end() }
            return run.host.leaks.count
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(leaks == [1, 1, 1, 1])
    }

    @Test("A host names connections that hosted code makes by itself")
    func sockets() {
      let found = leaks { close(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)) }
      #expect(found == ["process 1: a network connection escaped to the platform"])
    }

    @Test("A host names once each of several things that hosted code does in turn")
    func inTurn() {
      let found = leaks {
        for number in 0..<48 { unlink("/dev/null/\(number % 16)") }
      }
      #expect(
        found == (0..<16).map { "process 1: removing /dev/null/\($0) escaped to the platform" })
    }

    @Test("A host names what a process does though another has done the same before")
    func twoProcesses() {
      let run = Run()
      let other = run.host.makeProcess()
      run.host.enter(run.process) { unlink("/dev/null/none") }
      run.host.enter(other) { unlink("/dev/null/none") }
      run.host.enter(run.process) { unlink("/dev/null/none") }
      #expect(run.host.leaks.map(\.process) == [1, 2])
      other.end()
      run.process.end()
    }

    @Test("What opens a file to read it is writing too, where it makes the file or empties it")
    func makingByReading() throws {
      let folder = try Folder()
      func escaped(_ name: String) -> [String] {
        ["process 1: writing the file \(name) escaped to the platform"]
      }
      let made = leaks(in: folder) { close(open(folder.path("a"), O_RDONLY | O_CREAT, 0o600)) }
      #expect(made == escaped("a"))
      let emptied = leaks(in: folder) { close(open(folder.path("old"), O_RDONLY | O_TRUNC)) }
      #expect(emptied == escaped("old"))
      let both = leaks(in: folder) { close(open(folder.path("old"), O_RDWR)) }
      #expect(both == escaped("old"))
      let read = leaks(in: folder) { close(open(folder.path("old"), O_RDONLY)) }
      #expect(read == [])
    }

    @Test("A host names files that are written by C's other functions")
    func otherFunctions() throws {
      let folder = try Folder()
      func expect(_ what: String, _ body: @MainActor () throws -> Void) {
        #expect(leaks(in: folder, body) == ["process 1: \(what) escaped to the platform"])
      }
      expect("writing the file old") { fclose(fopen(folder.path("old"), "a")) }
      expect("writing the file old") { fclose(fopen(folder.path("old"), "r+")) }
      expect("writing the file old") { close(openat(AT_FDCWD, folder.path("old"), O_WRONLY)) }
      expect("writing the file a") { close(creat(folder.path("a"), 0o600)) }
      expect("writing the file bXXXXXX") {
        var name = Array(folder.path("bXXXXXX").utf8CString)
        close(mkstemp(&name))
      }
      expect("linking a as c") { #expect(link(folder.path("a"), folder.path("c")) == 0) }
      expect("renaming c to d") {
        #expect(renameat(AT_FDCWD, folder.path("c"), AT_FDCWD, folder.path("d")) == 0)
      }
      expect("removing d") { #expect(unlinkat(AT_FDCWD, folder.path("d"), 0) == 0) }
      expect("removing a") { #expect(remove(folder.path("a")) == 0) }
    }

    @Test("A host does not name devices that keep nothing, and names both that give random numbers")
    func devices() {
      let written = leaks {
        for name in ["null", "zero", "full", "random", "urandom", "tty", "stdout", "stderr"] {
          close(open("/dev/\(name)", O_WRONLY))
        }
      }
      #expect(written == [])
      let read = leaks {
        close(open("/dev/random", O_RDONLY))
        fclose(fopen("/dev/urandom", "r"))
        close(open("/dev/zero", O_RDONLY))
      }
      let advice = "use SystemRandomNumberGenerator"
      #expect(
        read == [
          "process 1: reading /dev/random escaped to the platform: \(advice)",
          "process 1: reading /dev/urandom escaped to the platform: \(advice)",
        ])
    }

    @Test("A host names connections of both families and looked up hosts, and no local sockets")
    func networkCalls() {
      let connection = "process 1: a network connection escaped to the platform"
      let sixth = leaks { close(socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)) }
      #expect(sixth == [connection])
      let local = leaks { close(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)) }
      #expect(local == [])
      let host = leaks {
        var found: UnsafeMutablePointer<addrinfo>?
        #expect(getaddrinfo("127.0.0.1", nil, nil, &found) == 0)
        freeaddrinfo(found)
      }
      #expect(
        host == ["process 1: looking up the address of 127.0.0.1 escaped to the platform"])
    }

    @Test("A host names programs that are started by C's functions")
    func programsByC() {
      let spawned = leaks {
        var id: pid_t = 0
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        #expect(posix_spawnp(&id, "true", nil, nil, &words, nil) == 0)
        waitpid(id, nil, 0)
        free(words[0])
      }
      #expect(spawned == ["process 1: starting true escaped to the platform"])
      let run = leaks { #expect(system("exit 0") == 0) }
      #expect(run == ["process 1: starting exit 0 escaped to the platform"])
      let opened = leaks { pclose(popen("exit 0", "r")) }
      #expect(opened == ["process 1: starting exit 0 escaped to the platform"])
    }
  }
#endif
