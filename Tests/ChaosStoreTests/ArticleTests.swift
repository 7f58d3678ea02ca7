import ChaosStore
import Foundation
import Invariants
import Testing

/// The articles of the documentation show code of this file and of other packages' that are built.
@Suite("The articles of the documentation")
struct ArticleTests {
  @Test("Each article shows nothing but code and scenarios that stand in a file that is built")
  func examples() throws {
    let sources = try Self.texts(in: ["Tests", "Examples"], of: ["swift", "json"]).map(\.lines)
    var count = 0
    for article in try Self.texts(in: Self.documented, of: ["md"])
    where article.path.contains(".docc/") {
      for block in Self.blocks(of: article.lines) {
        count += 1
        #expect(
          sources.contains { Self.shows($0, block) },
          "\(article.path) shows what no file has: \(block.first ?? "")")
      }
    }
    #expect(count > 0)
  }

  @Test("A scenario in code is searched, told, made small, kept and replayed as the articles do it")
  func wholeWay() throws {
    var setup = Setup()
    setup.accounts = 2
    setup.devices = [Setup.Device(account: 0), Setup.Device(account: 1)]
    setup.products = [Setup.Product("coins"), Setup.Product("map", isConsumable: false)]
    setup.steps = [
      Setup.Step(atMillis: 1000, device: 0, .buy(product: 0, quantity: 1, account: 0)),
      Setup.Step(atMillis: 4000, device: 1, .buy(product: 1, quantity: 1, account: 1)),
    ]
    setup.mix = FaultMix([.responseLost, .appCrash])
    setup.mix.entries[.responseLost]?.most = 1
    let scenario = Scenario(
      name: "forgetful-shop/answer-lost", system: AnySystem(ForgetfulShop.self), setup: setup,
      expects: ["no-double-credit"], allows: ["conservation"],
      sometimes: [try #require(Goal(parsing: "credited + response-lost"))], seeds: 500)
    let again = try ScenarioFile.scenarios(
      fromJSON: scenario.json, systems: [AnySystem(ForgetfulShop.self)])
    #expect(again.map(\.json) == [scenario.json])

    let findings = Campaign(scenario, jobs: 2).run()
    let small = Campaign(scenario, strategy: Exhaustive(faults: 1)).run()
    let rule = try #require(scenario.invariants.firstIndex { $0.name == "no-double-credit" })
    #expect(small.rules[rule].smallestPlan?.size == 1)
    let origin = try #require(findings.rules[rule].origin)

    let simulation = Simulation(scenario)
    let record = simulation.record(origin)
    let story = Story(record, of: scenario).text
    #expect(story.contains("no-double-credit"))
    #expect(record.broken(in: scenario).contains("no-double-credit"))

    let (shrinker, plan) = try #require(
      Shrinker.reduction(of: record, breaking: rule, in: simulation))
    var certifying = shrinker
    let certificate = certifying.certify(plan)
    #expect(certificate.isMinimal)

    let file = PlanFile(
      recording: scenario, Origin(plan: plan), expecting: .violates("no-double-credit"))
    let text = file.json
    let replay = Replay(try PlanFile(json: text), among: [scenario])
    #expect(replay.standing == .sameHistory)
  }

  // MARK: - Reading

  private static let documented = ["Sources/ChaosStore", "Sources/ChaosRunner"]

  private struct Text {
    var path: String
    /// Without the spaces at both ends, as an article may indent otherwise.
    var lines: [Substring]
  }

  private static func texts(in folders: [String], of kinds: [String]) throws -> [Text] {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try folders.flatMap { folder -> [Text] in
      let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
      return try (paths?.compactMap { $0 as? String } ?? [])
        .filter { path in kinds.contains { path.hasSuffix(".\($0)") } && !path.contains(".build/") }
        .map { path in
          let url = root.appending(path: "\(folder)/\(path)")
          return Text(
            path: "\(folder)/\(path)",
            lines: try String(contentsOf: url, encoding: .utf8)
              .split(separator: "\n", omittingEmptySubsequences: false).map { $0.trimmed })
        }
    }
  }

  /// The lines of each block of Swift or JSON.
  private static func blocks(of lines: [Substring]) -> [[Substring]] {
    var blocks: [[Substring]] = []
    var block: [Substring]?
    for line in lines {
      if let open = block {
        if line == "```" {
          blocks.append(open)
          block = nil
        } else {
          block?.append(line)
        }
      } else if line == "```swift" || line == "```json" {
        block = []
      }
    }
    return blocks
  }

  /// Whether the lines stand in a file one after the other; a line `…` stands for any number of lines.
  private static func shows(_ file: [Substring], _ block: [Substring]) -> Bool {
    var place = 0
    for piece in block.split(separator: "…") {
      guard let range = file[place...].firstRange(of: piece) else { return false }
      place = range.upperBound
    }
    return true
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " }
    return start.prefix(
      upTo: (start.lastIndex { $0 != " " }).map(start.index(after:)) ?? start.startIndex)
  }
}
