import Foundation
import Invariants

/// Reads logs of facts and judges them: several files are one log, merged by time.
struct Audit: ~Copyable {
  private let sources: [Source]
  private var scanner = FactScanner()
  private var purchases: PurchaseAudit
  private var result = AuditResult()

  /// One file, the fact that it comes to next, and the history in which it is.
  private final class Source {
    let reader: LineReader
    let number: Int
    /// Behind a pointer, as it is read and written at every fact.
    let line: UnsafeMutablePointer<FactLine>
    var history: HistoryAudit?
    var hasLine = false

    init(_ reader: LineReader, number: Int) {
      (self.reader, self.number) = (reader, number)
      line = .allocate(capacity: 1)
      line.initialize(to: FactLine())
    }

    deinit { line.deallocate() }

    var place: LogPlace { LogPlace(file: number, line: reader.number) }
  }

  /// Opens the files, each once.
  init(_ paths: [String], _ terms: AuditTerms) throws(Failure) {
    var sources: [Source] = []
    for (index, path) in paths.enumerated() {
      sources.append(Source(try LineReader(path: path), number: index))
    }
    self.sources = sources
    purchases = PurchaseAudit(terms)
    result.files = paths
    result.terms = terms
  }

  deinit { scanner.deallocate() }

  /// Reads all there is, and judges it.
  consuming func judged(isInterrupted: () -> Bool) throws(Failure) -> AuditResult {
    for source in sources { advance(source) }
    while let source = next() {
      let place = source.place
      enter(source.line.pointee, at: place)
      advance(source)
      if place.line & 0xffff == 0, isInterrupted() { throw .noVerdict(Self.interrupted) }
    }
    if isInterrupted() { throw .noVerdict(Self.interrupted) }
    finish()
    for source in sources {
      if let failure = source.reader.failure {
        result.failures.append("\(source.reader.path): \(failure)")
      }
    }
    return result
  }

  private static let interrupted = "interrupted, so nothing is known of the rest of the log"

  /// The file whose next fact is the earliest, the first of them where there are several.
  @inline(__always)
  private func next() -> Source? {
    if sources.count == 1 { return sources[0].hasLine ? sources[0] : nil }
    var first: Source?
    for source in sources where source.hasLine {
      if first.map({ source.line.pointee.at < $0.line.pointee.at }) ?? true { first = source }
    }
    return first
  }

  @inline(__always)
  private mutating func enter(_ line: borrowing FactLine, at place: LogPlace) {
    purchases.enter(line, at: place, &result)
  }

  private mutating func finish() { purchases.finish(&result) }

  /// Comes to the next fact of a file that belongs to no whole history.
  private mutating func advance(_ source: Source) {
    source.hasLine = false
    while let line = source.reader.next() {
      result.lines += 1
      if line.count == 0 { continue }
      do throws(LineDamage) {
        if line.isTooLong {
          throw LineDamage(
            found: "a line of more than \(LineReader.longestLine) bytes", expected: "one fact")
        }
        try scanner.read(line.start, line.count, into: &source.line.pointee)
        switch source.line.pointee.content {
        case .begin:
          endHistory(of: source, at: nil)
          let text = String(
            decoding: UnsafeBufferPointer(start: line.start, count: line.count), as: UTF8.self)
          source.history = try HistoryAudit(text, at: source.place)
        case .end:
          guard source.history != nil else {
            throw LineDamage(found: "the end of a history", expected: "its beginning before it")
          }
          endHistory(of: source, at: source.line.pointee.at)
        case .fact:
          if let problem = source.line.pointee.problem { throw problem }
          if let history = source.history {
            try history.enter(source.line.pointee, at: source.place)
          }
          note(source.line.pointee)
          if source.history == nil {
            source.hasLine = true
            return
          }
        }
      } catch {
        result.note(error, at: source.place)
      }
    }
    endHistory(of: source, at: nil)
  }

  @inline(__always)
  private mutating func note(_ line: borrowing FactLine) {
    result.facts += 1
    result.kinds[Int(line.fact.kind.rawValue)] += 1
    let at = line.at
    if at < result.first ?? .max { result.first = at }
    if at > result.last ?? .min { result.last = at }
  }

  private mutating func endHistory(of source: Source, at end: Int64?) {
    source.history?.end(at: end, disturbedUntil: source.line.pointee.disturbedUntil, &result)
    source.history = nil
  }
}
