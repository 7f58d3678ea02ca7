import Foundation

/// Watches a worker: starts it again after a trap, and ends it where it hangs.
final class Supervisor {
  /// One mistake, however many inputs showed it.
  struct Mistake {
    var surface: Surface
    var kind: String
    var detail: String
    /// The first case that showed it.
    var number: Int
    var times = 1
    var file = ""
  }

  private let seed: UInt64
  private let folder: String
  private let board: Board
  private(set) var mistakes: [Mistake] = []

  /// Inputs of findings go into the folder.
  init(seed: UInt64, folder: String) throws {
    self.seed = seed
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["board", "findings", "err", "out"] {
      try? FileManager.default.removeItem(atPath: "\(folder)/.\(name)")
    }
    board = try Board("\(folder)/.board")
  }

  /// Goes through cases until all are done or the time is over, and returns how many were.
  func run(cases: Range<Int>, seconds: Double) throws -> Int {
    let end = ContinuousClock.now + .seconds(seconds)
    var next = cases.lowerBound
    while next < cases.upperBound, ContinuousClock.now < end {
      board.current = next
      let arguments = ["--worker", folder, "--from", "\(next)", "--to", "\(cases.upperBound)"]
      let worker = try start(arguments)
      let isStuck = watch(worker, until: end)
      try collect()
      let status = worker.terminationStatus
      if worker.terminationReason == .exit, status == 0 {
        if board.isStopped { next = board.current + 1 } else { next = cases.upperBound }
        break
      }
      if worker.terminationReason == .exit {
        throw CorpusError(description: "the worker ended with \(status): \(errors)")
      }
      let (surface, _) = Surface.input(case: board.current, seed: seed, corpus)
      note(surface, Self.kind(signal: status, isStuck, errors), errors, board.current)
      next = board.current + 1
    }
    return next - cases.lowerBound
  }

  /// A line for each surface.
  var table: String {
    let rows = Surface.allCases.map { surface in
      "  \(surface.rawValue.padded(to: 16))\(board.count(surface).padded(to: 12))"
        + board.accepted(surface).padded(to: 12)
    }
    return (["  surface".padded(to: 18) + "      inputs    accepted"] + rows)
      .joined(separator: "\n")
  }

  // MARK: -

  private(set) lazy var corpus: Corpus = {
    do { return try Corpus() } catch { fatalError("bug: a worker had it: \(error)") }
  }()

  private var errors: String {
    let bytes = (try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/.err"))) ?? Data()
    return String(decoding: bytes.prefix(2000), as: UTF8.self)
  }

  /// Another process of this program.
  private func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? "")
    process.arguments = arguments + ["--seed", "\(seed)"]
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    for (name, isOutput) in [("out", true), ("err", false)] {
      _ = FileManager.default.createFile(atPath: "\(folder)/.\(name)", contents: nil)
      let file = FileHandle(forWritingAtPath: "\(folder)/.\(name)")
      if isOutput { process.standardOutput = file } else { process.standardError = file }
    }
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Waits for the end. Returns whether it had to be brought about, because nothing moved.
  private func watch(_ worker: Process, until end: ContinuousClock.Instant) -> Bool {
    var (seen, since) = (-1, ContinuousClock.now)
    while worker.isRunning {
      usleep(10_000)
      let now = ContinuousClock.now
      if now >= end { board.isStopped = true }
      if board.current != seen { (seen, since) = (board.current, now) }
      // Far longer than the processor time it has: it waits for what does not come.
      if now - since > .seconds(15 * Worker.secondsACase) {
        kill(worker.processIdentifier, SIGKILL)
        worker.waitUntilExit()
        return true
      }
    }
    worker.waitUntilExit()
    return false
  }

  private static func kind(signal: Int32, _ isStuck: Bool, _ errors: String) -> String {
    if isStuck { return "stands still" }
    if signal == SIGPROF { return "takes more than \(Worker.secondsACase) s" }
    let line = errors.split(separator: "\n").last { $0.contains("atal error") }
    return "trap (signal \(signal))" + (line.map { ": \($0.prefix(160))" } ?? "")
  }

  private func collect() throws {
    let path = "\(folder)/.findings"
    guard let data = FileManager.default.contents(atPath: path) else { return }
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      guard let line = FindingLine(line) else { continue }
      note(line.surface, line.kind, line.detail, line.number)
    }
    try FileManager.default.removeItem(atPath: path)
  }

  private func note(_ surface: Surface, _ kind: String, _ detail: String, _ number: Int) {
    if let index = mistakes.firstIndex(where: { $0.surface == surface && $0.kind == kind }) {
      mistakes[index].times += 1
      return
    }
    mistakes.append(Mistake(surface: surface, kind: kind, detail: detail, number: number))
    FileHandle.standardError.write(
      Data("found in case \(number), \(surface.rawValue): \(kind)\n".utf8))
  }
}

// MARK: - Making findings small

extension Supervisor {
  /// Saves the input of each mistake, with what it does not need left out.
  func saveInputs(smallest: Bool) throws {
    for index in mistakes.indices {
      let mistake = mistakes[index]
      var (_, bytes) = Surface.input(case: mistake.number, seed: seed, corpus)
      let path = "\(folder)/\(seed)-\(mistake.number).\(mistake.surface.rawValue)"
      if smallest, index < 12 { bytes = try small(bytes, mistake) }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      mistakes[index].file = path
    }
  }

  /// Leaves out halves, quarters and so on, as long as the same mistake shows.
  private func small(_ bytes: [UInt8], _ mistake: Mistake) throws -> [UInt8] {
    var (bytes, attempts) = (bytes, 80)
    var size = max(1, bytes.count / 2)
    while attempts > 0 {
      var place = 0
      var isSmaller = false
      while place < bytes.count, attempts > 0 {
        var shorter = bytes
        shorter.removeSubrange(place..<min(bytes.count, place + size))
        attempts -= 1
        if try shows(mistake, shorter) {
          bytes = shorter
          isSmaller = true
        } else {
          place += size
        }
      }
      if size == 1, !isSmaller { break }
      size = max(1, size / 2)
    }
    return bytes
  }

  private func shows(_ mistake: Mistake, _ bytes: [UInt8]) throws -> Bool {
    let path = "\(folder)/.input"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let process = try start(["--input", path, "--surface", mistake.surface.rawValue])
    process.waitUntilExit()
    if process.terminationReason == .uncaughtSignal {
      return mistake.kind == Self.kind(signal: process.terminationStatus, false, errors)
    }
    let out = FileManager.default.contents(atPath: "\(folder)/.out") ?? Data()
    let kind = String(decoding: out, as: UTF8.self).split(separator: "\n").first ?? ""
    return process.terminationStatus == 1 && kind == "finding: \(mistake.kind)"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension Int {
  fileprivate func padded(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - "\(self)".count)) + "\(self)"
  }
}
