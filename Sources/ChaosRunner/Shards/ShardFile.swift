import ChaosStore
import Foundation

/// What a shard has run so far and what it came to: two lines of JSON, the second one checked by the first.
///
/// One that is not whole is a checkpoint, from which the same command goes on.
struct ShardFile {
  /// The first line: what it belongs to, and how long it took, which is all that differs when it is run again.
  struct Header: Codable, Equatable {
    var format = ShardFile.format
    var formatVersion = ShardFile.version
    var tool = Runner.version
    /// A hash of the scenarios and of what was asked for; shards of one campaign have one.
    var campaign: String
    var shard: Int
    var of: Int
    var isWhole: Bool
    /// Seconds of searching, for each scenario of the second line.
    var seconds: [Double]
    /// A hash of the second line.
    var checksum: String
  }

  /// The second line: what was asked for, and what was found.
  struct Body: Codable, Equatable {
    var asked: CampaignKey.Asked
    var scenarios: [Entry]
  }

  /// What was run of one scenario.
  struct Entry: Codable, Equatable {
    var name: String
    /// What its small plans came to, where this shard runs them.
    var plans: FindingsRecord?
    /// The seeds that were run, `from` and up to `to`.
    var from: UInt64
    var to: UInt64
    /// What they came to; nil where there was none.
    var seeds: FindingsRecord?
  }

  static let format = "chaos-runner shard"
  static let version = 1

  var header: Header
  var body: Body

  /// Nothing run yet.
  init(_ shard: Shard, _ key: CampaignKey) {
    header = Header(
      campaign: key.hash, shard: shard.number, of: shard.count, isWhole: false, seconds: [],
      checksum: "")
    body = Body(asked: key.asked, scenarios: [])
  }

  /// As it stands in a file.
  func text() -> String {
    let results = Self.line(body)
    var header = header
    header.checksum = Self.hash(results)
    return Self.line(header) + "\n" + results + "\n"
  }

  /// Reads a file, and refuses what is damaged: where, what was found, what was expected.
  init(_ text: String, path: String) throws(Failure) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    func damaged(_ found: String, _ expected: String, line: Int) -> Failure {
      .noVerdict("\(path): line \(line): found \(found), expected \(expected)")
    }
    let header: Header = try Self.read(String(lines[0]), path: path, line: 1)
    guard header.format == Self.format else {
      throw damaged("format '\(header.format)'", "'\(Self.format)'", line: 1)
    }
    guard header.formatVersion == Self.version else {
      throw damaged("formatVersion \(header.formatVersion)", "\(Self.version)", line: 1)
    }
    guard header.tool == Runner.version else {
      throw damaged("tool \(header.tool)", "\(Runner.version), as this program is", line: 1)
    }
    guard lines.count == 3, lines[2].isEmpty else {
      throw damaged("\(lines.count - 1) line ends", "2: the file is damaged", line: lines.count)
    }
    let checksum = Self.hash(String(lines[1]))
    guard checksum == header.checksum else {
      throw damaged("checksum \(checksum)", "\(header.checksum): the file is damaged", line: 2)
    }
    self.header = header
    body = try Self.read(String(lines[1]), path: path, line: 2)
    guard header.seconds.count == body.scenarios.count,
      header.seconds.allSatisfy({ $0 >= 0 && $0 < 1e12 })
    else {
      throw damaged("\(header.seconds.count) seconds", "one for each scenario, 0 or more", line: 1)
    }
    guard (1...Shard.most).contains(header.of), (1...header.of).contains(header.shard) else {
      throw damaged("shard \(header.shard) of \(header.of)", "1 to \(Shard.most)", line: 1)
    }
  }

  /// Reads the file at a path; nil where there is none.
  static func at(_ path: String, _ console: Console) throws(Failure) -> ShardFile? {
    let text: String?
    do { text = try console.read(path) } catch {
      throw .noVerdict("\(path) cannot be read: \(error)")
    }
    return try text.map { (text) throws(Failure) in try ShardFile(text, path: path) }
  }

  // MARK: -

  private static func hash(_ text: String) -> String { TraceListing.text(hash: Hashing.name(text)) }

  private static func line(_ document: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(document) else {
      fatalError("bug: a shard that cannot be written as JSON")
    }
    return String(decoding: data, as: UTF8.self)
  }

  private static func read<Document: Decodable>(_ text: String, path: String, line: Int)
    throws(Failure) -> Document
  {
    do { return try JSONDecoder().decode(Document.self, from: Data(text.utf8)) } catch {
      throw .noVerdict("\(path): line \(line): \(DecodingComplaint(error))")
    }
  }
}
