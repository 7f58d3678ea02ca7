import ChaosStore
import Foundation
import Invariants
import SingletonShop
import Testing

@testable import ChaosStoreKit

@Suite struct `Apps with a singleton` {
  private static let seeds = UInt64(1)...6

  private func traces<System: PurchaseSystem>(
    _ system: System.Type, _ seeds: ClosedRange<UInt64> = Self.seeds
  ) throws -> [Outcome] {
    let simulation = Simulation(try PropertyTest.scenario(for: system))
    return seeds.map { simulation.run(seed: $0) }
  }

  @Test func `A singleton over a pipe runs exactly as code without one in this process`() throws {
    let expected = try traces(Fresh.self)
    #expect(Set(expected.map(\.trace)).count == Self.seeds.count)
    #expect(try traces(PipedSingleton.self) == expected)
  }

  @Test func `What it prints comes over the pipe, by device and launch, and is no history`() throws
  {
    func printed<System: PurchaseSystem>(_ system: System.Type) throws -> [String] {
      Simulation(try PropertyTest.scenario(for: system)).record(seed: 1).printed.map {
        "\($0.at.millis) \($0.place): \($0.text)"
      }
    }
    let lines = try printed(PipedSingleton.self)
    #expect(lines.contains { $0.hasSuffix("phone1, launch 1: started, 1") }, "\(lines)")
    #expect(lines.contains { $0.contains("phone1, launch 2: started, 1") }, "\(lines)")
    #expect(lines.contains { $0.contains("launch 1: asked for") }, "\(lines)")
    #expect(try lines == printed(Fresh.self))
    #expect(try lines == printed(FoundSingleton.self))
  }

  @Test func `A singleton of which nobody has said a word is found, and runs as code without one`()
    throws
  {
    let many = UInt64(1)...20
    #expect(try traces(FoundSingleton.self, many) == traces(Fresh.self, many))
    #expect(OwnProcesses.places(for: FoundSingleton.self).now != nil)
    #expect(OwnProcesses.places(for: Fresh.self).now == nil)
    // Also where a release build has made a place in memory of it.
    #expect(OwnProcesses.places(for: FoundPlain.self).now != nil)
  }

  @Test func `A run over a pipe comes out the same again, in the same simulation and in another`()
    throws
  {
    let simulation = Simulation(try PropertyTest.scenario(for: PipedSingleton.self))
    let first = Self.seeds.map { simulation.run(seed: $0) }
    #expect(Self.seeds.map { simulation.run(seed: $0) } == first)
    #expect(try traces(PipedSingleton.self) == first)
  }

  @Test func `A singleton that all launches share does not come out the same`() throws {
    let simulation = Simulation(try PropertyTest.scenario(for: SharedSingleton.self))
    let first = Self.seeds.map { simulation.run(seed: $0) }
    #expect(try first != traces(Fresh.self))
  }

  @Test func `An app that ends its own process crashes in the simulation, which says how`() throws {
    let simulation = Simulation(try PropertyTest.scenario(for: Dying.self))
    let first = simulation.run(seed: 1)
    #expect(simulation.run(seed: 1) == first)
    #expect(
      HostedProgram.deaths.contains(
        "dying ended by itself (exit code 3) when it was told tapped"))
    #expect(
      HostedProgram.deaths.contains("dying ended by itself (signal 6) when it was told tapped"))
  }
}

@Suite struct `Apps with a StoreKit 1 singleton` {
  private static func scenario(_ system: AnySystem) throws -> Scenario {
    var scenario = try Systems.takingTurns(FreshClassic.self)
    scenario.system = system
    return scenario
  }

  @Test func `A StoreKit 1 singleton over a pipe runs exactly as code without one in this process`()
    throws
  {
    let fresh = Simulation(try Self.scenario(AnySystem(FreshClassic.self)))
    let piped = Simulation(try Self.scenario(AnySystem(PipedClassic.self)))
    let seeds = UInt64(1)...6
    let expected = seeds.map { fresh.run(seed: $0) }
    #expect(Set(expected.map(\.trace)).count == seeds.count)
    #expect(expected.filter(\.hasProblems) == [])
    #expect(seeds.map { piped.run(seed: $0) } == expected)
    #expect(seeds.map { piped.run(seed: $0) } == expected)
    let found = Simulation(try Self.scenario(AnySystem(FoundClassic.self)))
    // Under the seeds 9 and 50 one phone's sleepers are due when another's code runs.
    let many = [UInt64](1...10) + [50]
    #expect(many.map { found.run(seed: $0) } == many.map { fresh.run(seed: $0) })
    // Else there would be no saying that these come through the pipe.
    #expect(
      FreshClassicApp.everTold == [
        "a visit", "another account", "products", "a receipt", "no receipt", "a purchase",
        "a restored purchase", "a failure", "the end of a restore",
      ])
  }
}

@Suite struct `Processes that serve one launch after the other` {
  /// What an app with many launches and no faults prints, after the place.
  private func printed<System: PurchaseSystem>(_ system: System.Type) throws -> [String] {
    var scenario = try PropertyTest.scenario(for: system, faults: [])
    scenario.setup.reopenEveryMillis = 10_000
    return Simulation(scenario).record(seed: 1).printed.map(\.text)
  }

  private func processes(_ lines: [String]) -> Set<Substring> {
    Set(lines.compactMap { $0.split(separator: " ").dropFirst().first })
  }

  @Test func `At each launch the app's variables are as if there had been none before`() throws {
    let lines = try printed(Remembering.self)
    #expect(lines.count > 20)
    #expect(lines.filter { !$0.hasSuffix("remembers [0, 0, 0, 0, 0, 0]") } == [])
    // One for each of the two phones.
    #expect(processes(lines).count == 2)
  }

  @Test func `Where it is to be always so each launch has a new process`() throws {
    let lines = try printed(AlwaysRemembering.self)
    #expect(lines.filter { !$0.hasSuffix("remembers [0, 0, 0, 0, 0, 0]") } == [])
    #expect(processes(lines).count == lines.count)
  }

  @Test func `An object that takes leave in its deinit ends no process, and no trace is printed`()
    throws
  {
    let lines = try printed(Tidying.self)
    #expect(lines.count > 20)
    #expect(lines.filter { !$0.hasSuffix("launch 1") } == [])
    #expect(processes(lines).count == 2)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: HostedProgram.named("singleton-shop").path)
    process.arguments = ["tidying"]
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text.split(separator: "\n").count == 1, "\(text)")
    #expect(text.hasPrefix("note: tidying runs in operating system processes of its own"))
  }

  @Test
  func `An app that leaves much behind goes on in its own processes, with the same histories`()
    throws
  {
    let simulation = Simulation(try PropertyTest.scenario(for: Leaving.self))
    let seeds = UInt64(1)...10
    let here = seeds.map { simulation.run(seed: $0) }
    #expect(simulation.record(seed: 1).printed.contains { $0.text == "process \(getpid())" })
    let later = try #require(OwnProcesses.places(for: Leaving.self).later)
    for _ in 0..<Leftovers.most { Leftovers.count(of: later.app) }
    #expect(seeds.map { simulation.run(seed: $0) } == here)
    #expect(!simulation.record(seed: 1).printed.contains { $0.text == "process \(getpid())" })
  }

  @Test func `A process that has taken up much memory is replaced by another`() throws {
    let lines = try printed(Hoarding.self)
    #expect(lines.count > 40)
    #expect((3...10).contains(processes(lines).count), "\(processes(lines))")
  }

  @Test
  func
    `A process that is told that its launch is over becomes ready, and one that is gone does not`()
    throws
  {
    let child = try ChildProcess(
      .named("singleton-shop"), HostedName(PipedSingleton.entry.name, SingletonApp.self))
    #expect(!child.becomesReady())
    child.kill()
    child.endLaunch()
    #expect(!child.becomesReady())
  }
}

@Suite struct `Apps that end their own process at launch` {
  @Test func `An app that dies at every launch is started three times, and its run has no verdict`()
    throws
  {
    let scenario = try PropertyTest.scenario(for: Trapping.self)
    let record = Simulation(scenario).record(seed: 1)
    #expect(!record.outcome.isCutOff)
    #expect(record.problems.map(\.kind) == [.misuse, .misuse])
    #expect(
      record.problems.map(\.text)
        == (1...2).map {
          "trapping ended by itself at 3 launches of phone\($0) in a row, the last of them its launch 3 "
            + "(signal 6), and is not started on it again in this run"
        })
    let error = try #require(
      #expect(throws: PropertyError.self) { try PropertyTest.check(scenario, seeds: 1..<2) })
    #expect(error.kind == .noVerdict)
    #expect(error.message.contains("trapping ended by itself at 3 launches of phone"))
  }

  @Test func `An app that ends its process when it is tried out does not end the simulator's`()
    throws
  {
    let record = Simulation(try PropertyTest.scenario(for: FoundTrapping.self)).record(seed: 1)
    #expect(record.problems.map(\.kind) == [.misuse, .misuse])
  }

  @Test func `An app that survives every second launch is started for as long as the run goes on`()
    throws
  {
    var scenario = try PropertyTest.scenario(for: Stumbling.self, faults: [])
    scenario.setup.reopenEveryMillis = 10_000
    let record = Simulation(scenario).record(seed: 1)
    #expect(record.problems == [])
    #expect(record.facts.filter { $0.kind == .launched }.count > 10)
    #expect(
      HostedProgram.deaths.contains(
        "stumbling ended by itself (exit code 7) when it was told launched"))
  }
}

@Suite struct `Processes that are ended` {
  @Test func `An app process that is ended leaves no receipt behind`() throws {
    let child = try ChildProcess(
      .named("singleton-shop"), HostedName(PipedSingleton.entry.name, SingletonApp.self))
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "ChaosStoreKit-\(child.process)-1")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    child.kill()
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }
}

@Suite struct `Processes that were killed` {
  @Test func `What a simulator that was killed has left is taken away by the next`()
    throws
  {
    let temporary = FileManager.default.temporaryDirectory
    // No process has a number so large.
    let folders = ["ChaosStoreKit-2147483646-1", "ChaosStoreKit-1-1", "ChaosStoreKit-mine"]
      .map { temporary.appending(path: $0) }
    defer { for folder in folders { try? FileManager.default.removeItem(at: folder) } }
    for folder in folders {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: HostedProgram.named("singleton-shop").path)
    process.arguments = ["unserved"]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(folders.map { FileManager.default.fileExists(atPath: $0.path) } == [false, true, true])
  }
}

@Suite struct `Processes that cannot be driven` {
  @Test(arguments: [
    ("noisy", "sent bytes that are no message: \"hello, i\""),
    ("hanging", "did not answer within 1 s of real time"),
    ("missing", "no-such-shop cannot be started: No such file or directory"),
    ("unserved", "cannot be started: exit code 64 before it said hello"),
  ])
  func `An app process that cannot be driven ends the run without a verdict, and says why`(
    name: String, reason: String
  ) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: HostedProgram.named("singleton-shop").path)
    process.arguments = [name]
    let errors = Pipe()
    let output = Pipe()
    process.standardError = errors
    process.standardOutput = output
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    #expect(text.contains("error: \(name), "))
    #expect(text.contains(reason))
    #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
  }

  private final class HiddenApp: SimulatedApp {
    init(device: SimulatedDevice) {}
    func buy(_ productID: String) async -> PurchaseMessage { .nothing }
  }

  @Test func `A test bundle is not started for an app that it would not find`() {
    let name = HostedName("hidden", HiddenApp.self)
    #expect(name.type.isEmpty)
    #expect(throws: PipeFailure.self) {
      try ChildProcess(HostedProgram(path: "/nowhere/Tests.xctest"), name)
    }
  }

  @Test func `A closed or silent pipe is told from a greeting`() throws {
    let ends = try ChildProcess.makePipe(.this)
    let (here, there) = (PipeEnd(ends.mine, patience: 1), PipeEnd(ends.other, patience: 1))
    try there.send(ChildProcess.hello)
    #expect(try here.receive().bytes == ChildProcess.hello.bytes)
    #expect(throws: PipeFailure.silent(seconds: 1)) { try here.receive() }
    there.close()
    #expect(throws: PipeFailure.closed) { try here.receive() }
    #expect(throws: PipeFailure.closed) { try here.send(ChildProcess.hello) }
  }

  @Test func `A pipe that is closed at one end is closed, though a process was started meanwhile`()
    throws
  {
    let ends = try ChildProcess.makePipe(.this)
    let (here, there) = (PipeEnd(ends.mine, patience: 1), PipeEnd(ends.other, patience: 1))
    let child = try ChildProcess(
      .named("singleton-shop"), HostedName(PipedSingleton.entry.name, SingletonApp.self))
    there.close()
    #expect(throws: PipeFailure.closed) { try here.receive() }
    child.kill()
  }

  @Test func `Bytes that are no message are told from one, wherever they are wrong`() throws {
    func received(_ bytes: [UInt8]) throws -> PipeMessage {
      let ends = try ChildProcess.makePipe(.this)
      let (here, there) = (PipeEnd(ends.mine, patience: 1), PipeEnd(ends.other, patience: 1))
      try there.write(bytes)
      there.close()
      return try here.receive()
    }
    func isGarbage(_ bytes: [UInt8]) -> Bool {
      do {
        _ = try received(bytes)
        return false
      } catch PipeFailure.garbage {
        return true
      } catch {
        return false
      }
    }
    // Its length, the FNV-1a checksum of one byte, and that byte: a message that says idle.
    let sum = (0x811c_9dc5 ^ UInt32(103)) &* 0x0100_0193
    let good = [1, 0, 0, 0] + (0..<4).map { UInt8(sum >> (8 * $0) & 0xFF) } + [103]
    #expect(try received(good).bytes == [103])
    for index in 4..<good.count {
      var wrong = good
      wrong[index] ^= 1
      #expect(isGarbage(wrong), "byte \(index)")
    }
    #expect(isGarbage([0, 0, 0, 0, 0xC5, 0x9D, 0x1C, 0x81]))
    #expect(isGarbage([1, 0, 0, 4, 0, 0, 0, 0]))
    #expect(throws: PipeFailure.closed) { try received([0, 0, 0, 4, 0, 0, 0, 0]) }
    #expect(throws: PipeFailure.closed) { try received(Array(good.dropLast())) }
  }

  @Test func `What makes a verdict impossible is said with the program and what was expected`() {
    let program = HostedProgram(path: "/shop")
    func text(_ failure: PipeFailure) -> String { PipeError.text(failure, program) }
    #expect(text(.closed) == "/shop closed the pipe")
    #expect(text(.otherBuild).contains("/shop was built with another version"))
    #expect(text(.cannotStart(path: "/b", reason: "why")) == "/b cannot be started: why")
    #expect(text(.silent(seconds: 7)).contains("/shop did not answer within 7 s"))
    #expect(text(.garbage("x")).contains("/shop sent x; expected nobody but ChaosStoreKit"))
    #expect(PipeFailure.endsTooSoon == .garbage("a message that ends too soon"))
  }

  @Test func `Each way in which apps end by themselves is noted once`() {
    let death = "test ended by itself (\(UUID()))"
    OwnDeaths.note(death)
    OwnDeaths.note(death)
    #expect(HostedProgram.deaths.filter { $0 == death }.count == 1)
  }
}
