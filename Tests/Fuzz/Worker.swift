import Foundation

/// The process that reads the inputs; it may trap, and one that takes too long is ended by a signal.
struct Worker {
  /// Processor time after which an input counts as one that hangs.
  static let secondsACase = 2

  var seed: UInt64
  var corpus: Corpus

  init(seed: UInt64) throws {
    self.seed = seed
    corpus = try Corpus()
    // What asks for more memory than this would bring down others as well.
    var limit = rlimit(rlim_cur: 6 << 30, rlim_max: 6 << 30)
    #if os(Linux)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    #else
      setrlimit(RLIMIT_AS, &limit)
    #endif
  }

  /// Goes through cases, and writes what it finds to a file, one line each.
  func run(cases: Range<Int>, board: Board, findings path: String) throws {
    guard let file = fopen(path, "a") else {
      throw CorpusError(description: "\(path) cannot be written")
    }
    defer { fclose(file) }
    for number in cases where !board.isStopped {
      board.current = number
      let (surface, bytes) = Surface.input(case: number, seed: seed, corpus)
      board.began(surface)
      Self.startClock()
      do {
        if case .accepted = try surface.examine(bytes, corpus) { board.accepted(one: surface) }
      } catch {
        fputs(FindingLine(number, surface, error).text, file)
        fflush(file)
      }
    }
    Self.stopClock()
  }

  /// Reads one input and says what came of it; the exit code is 1 for a finding.
  func examine(_ bytes: [UInt8], _ surface: Surface) -> Int32 {
    Self.startClock()
    defer { Self.stopClock() }
    do {
      switch try surface.examine(bytes, corpus) {
      case .accepted: print("accepted")
      case .refused(let message): print("refused: \(message)")
      }
      return 0
    } catch {
      print("finding: \(error.kind)")
      print(error.detail)
      return 1
    }
  }

  /// The process gets SIGPROF when the time is over, and dies of it.
  private static func startClock() { setClock(seconds: secondsACase) }
  private static func stopClock() { setClock(seconds: 0) }

  private static func setClock(seconds: Int) {
    var timer = itimerval()
    timer.it_value.tv_sec = seconds
    #if os(Linux)
      setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
    #else
      setitimer(ITIMER_PROF, &timer, nil)
    #endif
  }
}

/// A finding on its way to the process that watches.
struct FindingLine {
  var number: Int
  var surface: Surface
  var kind: String
  var detail: String

  init(_ number: Int, _ surface: Surface, _ finding: Finding) {
    self.number = number
    self.surface = surface
    kind = Self.oneLine(finding.kind)
    detail = Self.oneLine(String(finding.detail.prefix(400)))
  }

  init?(_ text: Substring) {
    let parts = text.split(separator: "\t", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, let number = Int(parts[0]),
      let surface = Surface(rawValue: String(parts[1]))
    else { return nil }
    self.number = number
    self.surface = surface
    kind = String(parts[2])
    detail = String(parts[3])
  }

  var text: String { "\(number)\t\(surface.rawValue)\t\(kind)\t\(detail)\n" }

  /// Without what moves the cursor or begins a line.
  private static func oneLine(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value) {
        line += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    return line
  }
}
