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

    static func say(_ text: String) { log.withLock { $0.append(text) } }

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

  private func text(_ url: URL) -> String { (try? String(contentsOf: url, encoding: .utf8)) ?? "none" }

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

    @Test func `What an app writes is there at its next launch, by whatever function it was written`()
      throws
    {
      let (said, record) = try run { device in
        let url = try place(documents, "all")
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: url.path)) ?? []
        FileApp.say("launch \(device.launches): \(names.map { "\($0) \(text(url.appendingPathComponent($0)))" })")
      } buy: { _ in
        let files = FileManager.default
        let folder = try place(documents, "all")
        func at(_ name: String) -> URL { folder.appendingPathComponent(name) }
        try files.createDirectory(at: at("sub/deep"), withIntermediateDirectories: true)
        try Data("a".utf8).write(to: at("a"))
        try Data("b".utf8).write(to: at("sub/b"), options: .atomic)
        try "c".write(to: at("c"), atomically: true, encoding: .utf8)
        #expect(files.createFile(atPath: at("d").path, contents: Data("d".utf8)))
        NSData(data: Data("e".utf8)).write(to: at("e"), atomically: true)
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
        FileApp.say("\(text(at("a"))) \(text(at("c"))) \(try files.contentsOfDirectory(atPath: folder.path))")
      }
      #expect(record.problems.map(\.text) == [])
      #expect(said == [])
    }
  }
#endif
