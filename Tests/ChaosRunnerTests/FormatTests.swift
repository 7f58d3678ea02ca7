import ChaosStore
import Foundation
import Invariants
import Testing

@testable import ChaosRunner

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The bench with one scenario that breaks what it was not to break, and one that never breaks what it was to.
private var red: Bench {
  var bench = Bench()
  for index in bench.scenarios.indices {
    switch bench.scenarios[index].name {
    case "hasty-lost-idempotent": bench.scenarios[index].expects = []
    case "sound-lost": bench.scenarios[index].expects = ["no-double-credit"]
    default: break
    }
  }
  return bench
}

@Suite struct FormatTests {
  @Test func `JUnit's XML has a case for each scenario, and the failures that there are`() throws {
    let output = red.run("--format", "junit")
    #expect(output.code == 1)
    let document = try XMLDocument(xmlString: output.out)
    let root = try #require(document.rootElement())
    #expect(root.attribute(forName: "tests")?.stringValue == "6")
    #expect(root.attribute(forName: "failures")?.stringValue == "2")
    #expect(root.attribute(forName: "errors")?.stringValue == "0")
    let cases = try root.nodes(forXPath: "//testcase").compactMap { $0 as? XMLElement }
    #expect(
      cases.map { $0.attribute(forName: "name")?.stringValue }.sorted { $0 ?? "" < $1 ?? "" }
        == red.scenarios.map(\.name).sorted())
    let failures = try root.nodes(forXPath: "//failure").compactMap { $0 as? XMLElement }
    #expect(failures.count == 2)
    let text = failures.compactMap(\.stringValue).joined()
    #expect(text.contains("It takes no fault at all: omit person.step"))
    #expect(text.contains("--scenario hasty-lost-idempotent --plan"))
    #expect(text.contains("no-double-credit was to break in 40 runs, and never did"))
    let suites = try root.nodes(forXPath: "//testsuite").compactMap { $0 as? XMLElement }
    let counted = suites.compactMap { Int($0.attribute(forName: "tests")?.stringValue ?? "") }
    #expect(counted.reduce(0, +) == 6)
  }

  @Test func `A name with anything in it is an attribute of JUnit's XML`() throws {
    var bench = Bench()
    bench.scenarios[0].name = "a\"<b>&\u{1B}\u{0}'"
    let document = try XMLDocument(xmlString: bench.run("--format", "junit").out)
    #expect(try document.nodes(forXPath: "//testcase").count == 6)
  }

  @Test func `GitHub's annotations are a line each, with what would end one written out`() {
    let output = red.run("--format", "github")
    #expect(output.code == 1)
    let lines = output.out.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("::error file=scenarios.json,title=") } >= 2)
    #expect(lines.last?.hasPrefix("::notice title=ChaosStore::4 of 6 ") ?? false)
    #expect(lines.allSatisfy { $0.hasPrefix("::") })
    #expect(output.out.contains("%0ATo see it again, paste%0A"))
    var bench = red
    bench.scenarios[2].name = "50%, a:b"
    #expect(bench.run("--format", "github").out.contains("title=50%25%2C a%3Ab::"))
  }

  @Test func `A job's page says what is wrong and how to see it, and what is as expected`() {
    let output = red.run("--format", "summary")
    #expect(output.out.hasPrefix("## ChaosStore: not as expected\n"))
    #expect(output.out.contains("\n### hasty-lost-idempotent\n"))
    #expect(output.out.contains("```sh\n"))
    let fine = Bench().run("--format", "summary").out
    #expect(fine.hasPrefix("## ChaosStore: as expected\n"))
    #expect(!fine.contains("###"))
    var bench = Bench()
    bench.scenarios[0].name = "| <b> `x`"
    bench.scenarios[0].expects = []
    #expect(bench.run("--format", "summary").out.contains(#"### \| &lt;b&gt; \`x\`"#))
  }

  @Test func `SARIF names each rule once, and what is expected is suppressed`() throws {
    let output = red.run("--format", "sarif")
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(output.out.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    let rules = try #require(driver["rules"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    #expect(Set(rules).count == rules.count)
    let results = try #require(run["results"] as? [[String: Any]])
    for result in results {
      if let rule = result["ruleId"] as? String { #expect(rules.contains(rule)) }
      let isSuppressed = !(result["suppressions"] as? [Any] ?? []).isEmpty
      #expect(isSuppressed == (result["level"] as? String == "note"))
    }
    #expect(results.contains { $0["level"] as? String == "error" })
    #expect(results.contains { $0["level"] as? String == "note" })
    let prints = results.compactMap {
      ($0["partialFingerprints"] as? [String: String])?.values.first
    }
    #expect(Set(prints).count == results.count)
  }

  @Test func `A diagram of the first failure has each line of its run`() {
    let text = Bench().run("--scenario", "hasty-replay", "--format", "mermaid").out
    let lines = text.split(separator: "\n")
    #expect(lines[0].hasPrefix("%% no-double-credit (I02) breaks in hasty-replay"))
    #expect(lines[1] == "sequenceDiagram")
    let form = /[ ]{2}(participant \w+ as [\w ]+|\w+->>\w+: .+|Note over \w+(,\w+)?: .+)/
    for line in lines.dropFirst(2) { #expect(line.wholeMatch(of: form) != nil) }
    #expect(text.contains("✗ breaks no-double-credit (I02)"))
    let quiet = Bench().run("--scenario", "sound-lost", "--format", "mermaid").out
    #expect(quiet.hasSuffix("%% nothing broke\n"))
  }
}
