#if os(Linux)
  import ChaosHost
  import ChaosStore
  import Foundation
  import Invariants
  import Synchronization
  import Testing

  @testable import StoreKit

  /// Does with its files what a test wants, and says what it finds.
  private final class FileApp: SimulatedApp {
    nonisolated(unsafe) static var atLaunch: @MainActor (SimulatedDevice) throws -> Void = { _ in }
    nonisolated(unsafe) static var atBuy: @MainActor (SimulatedDevice) throws -> Void = { _ in }
    nonisolated static let log = Mutex<[String]>([])
    private let device: SimulatedDevice

    nonisolated static func say(_ text: String) { log.withLock { $0.append(text) } }

    init(device: SimulatedDevice) {
      self.device = device
      do { try Self.atLaunch(device) } catch { Self.say("error \(error)") }
    }

    func buy(_ productID: String) async -> PurchaseMessage {
      do { try Self.atBuy(device) } catch { Self.say("error \(error)") }
      return .failure
    }
  }

  private enum FileShop: HostedSystem {
    typealias App = HostedApp<FileApp>
    typealias Backend = ExactlyOnce.Backend
    static let entry = SystemEntry(name: "file-shop", summary: "Keeps what it has in files.")
    static var ownProcesses: OwnProcesses { .never }
  }

  private let documents = FileManager.SearchPathDirectory.documentDirectory

  private func place(
    _ directory: FileManager.SearchPathDirectory, _ name: String
  ) throws -> URL {
    try #require(FileManager.default.urls(for: directory, in: .userDomainMask).first)
      .appendingPathComponent(name)
  }

  private func text(_ url: URL) -> String {
    (try? String(contentsOf: url, encoding: .utf8)) ?? "none"
  }

  private func write(_ text: String, _ name: String) throws {
    let stream = fopen(try place(documents, name).path, "w")
    fputs(text, stream)
    fclose(stream)
  }

  @Suite(.serialized) struct `An app's own files` {
    /// One tap at 1 s, the end of the process at 20 s, and another launch.
    private func run(
      _ plan: String = "", devices: Int = 1, steps: [Setup.Step] = [],
      launch: @escaping @MainActor (SimulatedDevice) throws -> Void = { _ in },
      buy: @escaping @MainActor (SimulatedDevice) throws -> Void = { _ in }
    ) throws -> (said: [String], record: Record) {
      FileApp.log.withLock { $0 = [] }
      (FileApp.atLaunch, FileApp.atBuy) = (launch, buy)
      defer { (FileApp.atLaunch, FileApp.atBuy) = ({ _ in }, { _ in }) }
      var setup = Setup()
      setup.retaps = 0
      setup.reopenEveryMillis = nil
      setup.devices = Array(repeating: .init(), count: devices)
      setup.steps =
        [.init(atMillis: 1_000, .buy(product: 0, quantity: 1, account: 0))] + steps
        + [.init(atMillis: 20_000, .quit), .init(atMillis: 21_000, .open)]
      setup.healMillis = 25_000
      setup.horizonMillis = 40_000
      let scenario = Scenario(name: "files", system: AnySystem(FileShop.self), setup: setup)
      let record = Simulation(scenario).record(seed: nil, plan: try Plan(parsing: plan))
      #expect(record.unmatched == [])
      return (FileApp.log.withLock { $0 }, record)
    }

    @Test
    func `What an app writes is there at its next launch, by whatever function it was written`()
      throws
    {
      let (said, record) = try run { device in
        let url = try place(documents, "all")
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []
        FileApp.say(
          "launch \(device.launches): \(names.sorted().map { "\($0) \(text(url.appendingPathComponent($0)))" })"
        )
      } buy: { _ in
        let files = FileManager.default
        let folder = try place(documents, "all")
        func at(_ name: String) -> URL { folder.appendingPathComponent(name) }
        try files.createDirectory(at: at("sub/deep"), withIntermediateDirectories: true)
        try Data("a".utf8).write(to: at("a"))
        try Data("b".utf8).write(to: at("sub/b"), options: .atomic)
        try "c".write(to: at("c"), atomically: true, encoding: .utf8)
        #expect(files.createFile(atPath: at("d").path, contents: Data("d".utf8)))
        #expect(NSData(data: Data("e".utf8)).write(to: at("e"), atomically: true))
        let handle = try FileHandle(forWritingTo: at("a"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("aa".utf8))
        try handle.close()
        let stream = fopen(at("f").path, "w")
        fputs("f", stream)
        fclose(stream)
        try files.copyItem(at: at("a"), to: at("g"))
        try files.moveItem(at: at("c"), to: at("sub/h"))
        try files.copyItem(at: at("sub"), to: at("sub2"))
        try files.removeItem(at: at("sub"))
        try Data("new".utf8).write(to: at("tmp"))
        _ = try files.replaceItemAt(at("d"), withItemAt: at("tmp"))
        FileApp.say(
          "\(text(at("a"))) \(text(at("c"))) \(try files.contentsOfDirectory(atPath: folder.path))")
      }
      #expect(record.problems.map(\.text) == [])
      #expect(
        said == [
          "launch 1: []", #"aaa none ["a", "d", "e", "f", "g", "sub2"]"#,
          "launch 2: [\"a aaa\", \"d new\", \"e e\", \"f f\", \"g aaa\", \"sub2 none\", "
            + "\"sub2/b b\", \"sub2/deep none\", \"sub2/h c\"]",
        ])
    }

    @MainActor private func sayOne(_ device: SimulatedDevice) throws {
      FileApp.say("\(device.number).\(device.launches) \(text(try place(documents, "one")))")
    }

    @Test func `What else Foundation does with files it does with an app's own`() throws {
      let (said, record) = try run { device in
        guard device.launches > 1 else { return }
        let data = try Data(contentsOf: try place(documents, "archive"), options: .mappedIfSafe)
        let kept = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSString.self, from: data)
        FileApp.say("\(kept ?? "none") \(text(try place(documents, "stream")))")
      } buy: { _ in
        let files = FileManager.default
        func at(_ name: String) throws -> URL { try place(documents, name) }
        func failure(_ body: () throws -> Void) -> Int {
          do { try body() } catch { return (error as NSError).code }
          return 0
        }
        let archive = try NSKeyedArchiver.archivedData(
          withRootObject: "coins" as NSString, requiringSecureCoding: true)
        try archive.write(to: try at("archive"))
        let stream = try #require(OutputStream(toFileAtPath: try at("stream").path, append: false))
        stream.open()
        #expect(stream.write([104, 105], maxLength: 2) == 2)
        stream.close()
        let input = try #require(InputStream(fileAtPath: try at("stream").path))
        input.open()
        var bytes = [UInt8](repeating: 0, count: 9)
        FileApp.say("\(input.read(&bytes, maxLength: 9))")
        input.close()
        FileApp.say("\(failure { _ = try Data(contentsOf: try at("none")) })")
        FileApp.say("\(failure { try Data().write(to: try at("no/folder")) })")
        FileApp.say(
          "\(failure { try Data().write(to: try at("archive"), options: .withoutOverwriting) })")
        FileApp.say("\(failure { try files.removeItem(at: try at("none")) })")
        FileApp.say(
          "\(failure { try files.copyItem(at: try at("stream"), to: try at("archive")) })")
        FileApp.say(
          "\(failure { try files.createDirectory(at: try at("stream"), withIntermediateDirectories: false) })"
        )
        var isFolder: ObjCBool = false
        #expect(
          files.fileExists(atPath: try at("").path, isDirectory: &isFolder) && isFolder.boolValue)
        #expect(files.isWritableFile(atPath: try at("stream").path))
        #expect(
          !files.contentsEqual(atPath: try at("stream").path, andPath: try at("archive").path))
        let values = try at("stream").resourceValues(forKeys: [.fileSizeKey, .isDirectoryKey])
        FileApp.say("\(values.fileSize ?? -1) \(values.isDirectory ?? true)")
        let handle = try FileHandle(forUpdating: try at("stream"))
        try handle.truncate(atOffset: 1)
        try handle.seek(toOffset: 1)
        handle.write(Data("o".utf8))
        try handle.seek(toOffset: 0)
        FileApp.say(String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self))
        try handle.close()
        let folder = try files.url(
          for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: try at("stream"),
          create: true)
        FileApp.say(
          "\(folder.path.hasPrefix("/var/mobile/")) \(files.fileExists(atPath: folder.path))")
        try files.copyItem(atPath: "/etc/passwd", toPath: try at("copied").path)
        FileApp.say("\(text(try at("copied")).isEmpty)")
      }
      #expect(record.problems.map(\.text) == [])
      #expect(
        said == [
          "2", "260", "4", "516", "4", "516", "516", "2 false", "ho", "true true", "false",
          "coins ho",
        ])
    }

    @Test func `What was removed or moved does not come back`() throws {
      let (said, _) = try run(
        steps: [.init(atMillis: 10_000, .quit), .init(atMillis: 11_000, .open)]
      ) { device in
        let files = FileManager.default
        let folder = try place(documents, "")
        if device.launches == 1 {
          try files.createDirectory(
            at: try place(documents, "empty"), withIntermediateDirectories: false)
          try files.createDirectory(
            at: try place(documents, "full"), withIntermediateDirectories: false)
          try Data("1".utf8).write(to: try place(documents, "full/one"))
          try Data("2".utf8).write(to: try place(documents, "two"))
        } else if device.launches == 2 {
          try files.removeItem(at: try place(documents, "empty"))
          try files.moveItem(at: try place(documents, "full"), to: try place(documents, "moved"))
          try files.removeItem(at: try place(documents, "two"))
        }
        FileApp.say("\(try files.subpathsOfDirectory(atPath: folder.path).sorted())")
      }
      #expect(
        said == [
          #"["empty", "full", "full/one", "two"]"#, #"["moved", "moved/one"]"#,
          #"["moved", "moved/one"]"#,
        ])
    }

    @Test func `What had not reached the disk is lost in a crash`() throws {
      let (said, _) = try run("crash app after save phone1 #2", launch: sayOne) { _ in
        try write("1", "one")
        try write("2", "two")
      }
      #expect(said.prefix(2) == ["1.1 none", "1.2 none"])
    }

    @Test
    func `What code has waited for is there after a crash, and what Data writes waits for itself`()
      throws
    {
      let ways: [@Sendable @MainActor (URL) throws -> Void] = [
        { url in
          try write("1", "one")
          let handle = try FileHandle(forUpdating: url)
          try handle.synchronize()
          try handle.close()
        },
        { url in
          let stream = fopen(url.path, "w")
          fputs("1", stream)
          fflush(stream)
          fsync(fileno(stream))
          fclose(stream)
        },
        { try Data("1".utf8).write(to: $0) },
        { try Data("1".utf8).write(to: $0, options: .atomic) },
        { #expect(NSData(data: Data("1".utf8)).write(to: $0, atomically: true)) },
      ]
      for way in ways {
        let (said, _) = try run("crash app after save phone1 #2", launch: sayOne) { _ in
          try way(try place(documents, "one"))
          try write("2", "two")
        }
        #expect(said.prefix(2) == ["1.1 none", "1.2 1"])
      }
    }

    @Test func `A crash while a file is written leaves the file as it was before`() throws {
      let (said, _) = try run("crash app after save phone1 #2", launch: sayOne) { _ in
        try Data("1".utf8).write(to: try place(documents, "one"), options: .atomic)
        try Data("2".utf8).write(to: try place(documents, "one"), options: .atomic)
      }
      #expect(said.prefix(2) == ["1.1 none", "1.2 1"])
    }

    @Test func `The disk loses and damages files as it does any record`() throws {
      for plan in ["lose storage.write phone1 #1", "corrupt storage.record phone1 #1"] {
        let (said, _) = try run(plan, launch: sayOne) { _ in try write("1", "one") }
        #expect(said == ["1.1 none", "1.2 none"])
      }
    }

    @Test func `Files are gone when the app is installed anew, and back with a backup`() throws {
      let again = try run(
        steps: [.init(atMillis: 10_000, .reinstall), .init(atMillis: 12_000, .open)], launch: sayOne
      ) { _ in try write("1", "one") }
      #expect(again.said.first == "1.1 none")
      #expect(again.said.dropFirst().allSatisfy { $0.hasSuffix("none") } && again.said.count > 1)
      let back = try run(
        steps: [
          .init(atMillis: 10_000, .reinstall), .init(atMillis: 12_000, .open),
          .init(atMillis: 15_000, .restoreBackup), .init(atMillis: 17_000, .open),
        ], launch: sayOne
      ) { _ in try write("1", "one") }
      #expect(back.said.last?.hasSuffix(" 1") == true, "\(back.said)")
    }

    @Test func `Two devices have each their own files`() throws {
      let (said, _) = try run(
        devices: 2,
        steps: [
          .init(atMillis: 18_000, device: 1, .quit), .init(atMillis: 19_000, device: 1, .open),
        ], launch: sayOne
      ) { _ in try write("1", "one") }
      #expect(said.sorted() == ["1.1 none", "1.2 1", "2.1 none", "2.2 none"])
    }

    @Test func `What is written and not closed is kept when the code comes to rest`() throws {
      nonisolated(unsafe) var handle: FileHandle?
      let (said, record) = try run(launch: sayOne) { _ in
        let url = try place(documents, "one")
        #expect(FileManager.default.createFile(atPath: url.path, contents: nil))
        handle = try FileHandle(forWritingTo: url)
        try handle?.write(contentsOf: Data("open".utf8))
      }
      handle = nil
      #expect(said == ["1.1 none", "1.2 open"])
      #expect(record.problems.map(\.text) == [])
    }

    @Test func `Files of the documents folder are those of the device, whoever writes them`() throws
    {
      let (said, _) = try run { device in
        guard device.launches > 1 else { return }
        FileApp.say("\(text(try place(documents, "mine"))) \(text(try place(documents, "a/b")))")
        FileApp.say("\(device.files.contents("gone").map { "\($0)" } ?? "none")")
        FileApp.say(
          String(decoding: device.files.contents("../Library/Caches/c") ?? Data(), as: UTF8.self))
      } buy: { device in
        device.files.write(Data("1".utf8), to: "mine")
        device.files.write(Data("1".utf8), to: "gone")
        FileApp.say("\(text(try place(documents, "mine")))")
        device.files.write(Data("2".utf8), to: "mine")
        device.files.write(Data("3".utf8), to: "./a//b")
        FileApp.say("\(text(try place(documents, "mine"))) \(text(try place(documents, "a/b")))")
        try FileManager.default.removeItem(at: try place(documents, "gone"))
        device.files.remove("mine")
        FileApp.say("\(text(try place(documents, "mine")))")
        try write("4", "mine")
        try Data("c".utf8).write(to: try place(.cachesDirectory, "c"))
        FileApp.say(String(decoding: device.files.contents("mine") ?? Data(), as: UTF8.self))
      }
      #expect(said == ["1", "2 3", "none", "4", "4 3", "none", "c"])
    }

    @Test func `The places of an app have the same names on every machine, and an order`() throws {
      let (said, record) = try run(buy: { _ in
        let files = FileManager.default
        for directory: FileManager.SearchPathDirectory in [
          .documentDirectory, .libraryDirectory, .applicationSupportDirectory, .cachesDirectory,
        ] { FileApp.say(try place(directory, "").path) }
        FileApp.say(
          NSSearchPathForDirectoriesInDomains(.documentDirectory, .userDomainMask, true).first ?? ""
        )
        FileApp.say(
          "\(NSHomeDirectory()) \(NSTemporaryDirectory()) \(files.temporaryDirectory.path)")
        FileApp.say(
          "\(URL.homeDirectory.path) \(URL.temporaryDirectory.path) \(files.homeDirectoryForCurrentUser.path)"
        )
        let places: [URL] = [
          .documentsDirectory, .libraryDirectory, .applicationSupportDirectory, .cachesDirectory,
        ]
        FileApp.say("\(places.map(\.lastPathComponent))")
        FileApp.say("\(files.fileExists(atPath: try place(.applicationSupportDirectory, "").path))")
        let made = try files.url(
          for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
        FileApp.say("\(made.path) \(files.fileExists(atPath: made.path))")
        for name in ["b", "a", "c"] { try write(name, name) }
        let folder = try place(documents, "")
        FileApp.say("\(try files.contentsOfDirectory(atPath: folder.path))")
        let found = files.enumerator(at: folder, includingPropertiesForKeys: nil)?.map { "\($0)" }
        FileApp.say("\(found ?? [])")
        FileApp.say(folder.appendingPathComponent("a").resolvingSymlinksInPath().path)
        var template = Array("/var/mobile/tmp/x.XXXXXX".utf8CString)
        close(mkstemp(&template))
        FileApp.say("\(try files.contentsOfDirectory(atPath: NSTemporaryDirectory()))")
        let volume = try files.attributesOfFileSystem(forPath: folder.path)
        FileApp.say("\(volume[.systemFreeSize] as? NSNumber ?? 0)")
      })
      #expect(record.problems.map(\.text) == [])
      let home = "/var/mobile"
      #expect(
        said == [
          "\(home)/Documents", "\(home)/Library", "\(home)/Library/Application Support",
          "\(home)/Library/Caches", "\(home)/Documents",
          "\(home) \(home)/tmp/ \(home)/tmp", "\(home) \(home)/tmp \(home)",
          #"["Documents", "Library", "Application Support", "Caches"]"#, "false",
          "\(home)/Library/Application Support true", #"["a", "b", "c"]"#,
          #"["file:///var/mobile/Documents/a", "file:///var/mobile/Documents/b", "#
            + #""file:///var/mobile/Documents/c"]"#,
          "\(home)/Documents/a", #"["x.aaaaaa"]"#, "34359738368",
        ])
    }

    @Test func `A file was changed when it was written, in the time of the run, and stays so`()
      throws
    {
      let (said, _) = try run { device in
        guard device.launches > 1 else { return }
        let url = try place(documents, "one")
        let changed = try FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate]
        FileApp.say("\((changed as? Date)?.timeIntervalSince1970 ?? 0)")
      } buy: { _ in
        try write("1", "one")
        try write("2", "two")
        let url = try place(documents, "two")
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: 5)], ofItemAtPath: url.path)
        let values = try FileManager.default.attributesOfItem(atPath: url.path)
        FileApp.say("\((values[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0)")
      }
      #expect(said == ["5.0", "1700000001.0"])
    }

    @Test func `What lies elsewhere is real, and to write it has no verdict`() throws {
      let path = "/tmp/chaos-files-\(getpid())"
      defer { try? FileManager.default.removeItem(atPath: path) }
      let (_, record) = try run(buy: { _ in
        try Data("1".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.moveItem(atPath: path, toPath: path + "b")
        try FileManager.default.removeItem(atPath: path + "b")
        #expect(FileManager.default.contents(atPath: "/proc/self/comm") != nil)
      })
      #expect(
        record.problems.map { $0.text.components(separatedBy: ", first").first } == [
          "not simulated: phone1, process 1: writing the file \(path) escaped to the platform: use device.files",
          "not simulated: phone1, process 1: renaming \(path) to \(path)b escaped to the platform: use device.files",
          "not simulated: phone1, process 1: removing \(path)b escaped to the platform: use device.files",
        ])
    }

    @Test func `What is not simulated of an app's own files is named`() throws {
      let (_, record) = try run(buy: { _ in
        try write("1234", "one")
        let path = try place(documents, "one").path
        #expect(link(path, path + "2") == -1)
        #expect(symlink(path, path + "2") == -1)
        let file = open(path, O_RDWR)
        let memory = mmap(nil, 4, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        munmap(memory, 4)
        let seen = mmap(nil, 4, PROT_READ, MAP_SHARED, file, 0)
        munmap(seen, 4)
        close(file)
      })
      let one = "/var/mobile/Documents/one"
      #expect(
        record.problems.map { $0.text.components(separatedBy: " escaped").first }
          == [
            "not simulated: phone1, process 1: linking \(one) as \(one)2",
            "not simulated: phone1, process 1: linking \(one) as \(one)2",
            "not simulated: phone1, process 1: writing the file \(one) by way of memory",
          ].removingRepeated())
    }

    @Test func `Nothing of it is on the disk, and no descriptor stays open`() throws {
      func open() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      }
      func there() throws -> Set<String> {
        var names: Set<String> = []
        for folder in ["/tmp", "/dev/shm", "/var"] {
          names.formUnion(try FileManager.default.contentsOfDirectory(atPath: folder))
        }
        return names
      }
      let before = (try open(), try there())
      for _ in 0..<3 {
        _ = try run(launch: sayOne) { _ in
          try Data("1".utf8).write(to: try place(documents, "one"))
          try Data("1".utf8).write(
            to: FileManager.default.temporaryDirectory.appendingPathComponent("own"))
          _ = try Data(contentsOf: try place(documents, "one"))
          _ = Bundle.main.appStoreReceiptURL.map { try? Data(contentsOf: $0) }
          FileApp.say("\(try there().contains("mobile"))")
        }
      }
      #expect(try open() <= before.0 + 2)
      #expect(!(try there()).subtracting(before.1).contains { $0 == "own" || $0 == "mobile" })
      #expect(!FileManager.default.fileExists(atPath: "/var/mobile"))
    }

    @Test func `Files that were left open by many dead processes do not use up the descriptors`()
      throws
    {
      let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      for _ in 0..<150 {
        _ = try run(buy: { _ in
          _ = open(try place(documents, "one").path, O_CREAT | O_RDWR, 0o600)
        })
      }
      let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      #expect(after <= before + 70)
    }
  }

  extension [String] {
    fileprivate func removingRepeated() -> [String] {
      reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
  }
#endif
