import ChaosStore
import Foundation
import Invariants
import Testing

@testable import ChaosRunner

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// What stands in a page, as a parser that forgives nothing reads it.
private final class PageReader: NSObject, XMLParserDelegate {
  var elements: [String] = []
  var classes: [String] = []
  var ids: Set<String> = []
  var links: [String] = []
  var text = ""
  var scripts: [String] = []
  var problem: String?
  private var isScript = false

  init(_ page: String) throws {
    super.init()
    // What is between the tags of a script or a style is no markup.
    var markup = page
    for tag in ["style", "script"] {
      while let start = markup.range(of: "<\(tag)>"),
        let end = markup.range(of: "</\(tag)>", range: start.upperBound..<markup.endIndex)
      {
        markup.replaceSubrange(start.lowerBound..<end.upperBound, with: "")
      }
    }
    let parser = XMLParser(data: Data(markup.utf8))
    parser.delegate = self
    if !parser.parse() {
      problem = "\(parser.parserError.map { "\($0)" } ?? "?") in line \(parser.lineNumber)"
    }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String] = [:]
  ) {
    elements.append(name)
    classes += (attributes["class"] ?? "").split(separator: " ").map(String.init)
    if let id = attributes["id"] { ids.insert(id) }
    if let link = attributes["href"] { links.append(link) }
    if attributes["src"] != nil { links.append(attributes["src"] ?? "") }
    isScript = name == "script"
    if isScript { scripts.append("") }
  }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
  ) {
    isScript = false
  }

  func parser(_ parser: XMLParser, foundCharacters characters: String) {
    if isScript { scripts[scripts.count - 1] += characters } else { text += characters }
  }
}

@Suite struct PageTests {
  private static func untimed(_ text: String) -> String {
    text.replacing(/time="[\d.]+"|, \d+\.\d s\n/, with: "TIME")
  }

  private static func page(
    _ arguments: String..., in bench: Bench = Bench(), code: Int32 = 0,
    at location: SourceLocation = #_sourceLocation
  ) throws -> (page: String, reader: PageReader, output: Bench.Output) {
    let output = bench.run(arguments + ["--report", "found"])
    #expect(output.code == code, sourceLocation: location)
    let page = try #require(output.files["found/index.html"], sourceLocation: location)
    let reader = try PageReader(page)
    #expect(reader.problem == nil, sourceLocation: location)
    return (page, reader, output)
  }

  @Test func `A campaign's page is written beside the report, and said to be`() throws {
    let (_, reader, output) = try Self.page()
    #expect(Self.untimed(output.out) == Self.untimed(Bench().run().out))
    #expect(output.err.hasSuffix("a page of it is at found/index.html\n"))
    #expect(reader.text.contains("As expected: all of 6 scenarios."))
    #expect(reader.text.contains("What goes wrong, the costliest first"))
  }

  @Test func `A page needs no network and no other file`() throws {
    let (page, reader, _) = try Self.page()
    #expect(reader.links.allSatisfy { $0.hasPrefix("#") })
    #expect(!page.contains("@import"))
    #expect(!page.contains("url("))
    #expect(page.contains("Content-Security-Policy"))
  }

  @Test func `Each line of the list leads to a failure that is on the page`() throws {
    let (_, reader, _) = try Self.page()
    #expect(!reader.links.isEmpty)
    for link in reader.links { #expect(reader.ids.contains(String(link.dropFirst()))) }
  }

  @Test
  func `A picture has a line for each line of its list, and marks what broke and what struck`()
    throws
  {
    let (page, reader, _) = try Self.page("--scenario", "hasty-lost")
    let pictures = page.components(separatedBy: "<svg").dropFirst()
    let lists = page.components(separatedBy: "<ol>").dropFirst()
    #expect(pictures.count == lists.count && !pictures.isEmpty)
    for (picture, list) in zip(pictures, lists) {
      let drawn = picture.components(separatedBy: "</svg>")[0]
      let told = list.components(separatedBy: "</ol>")[0]
      #expect(
        drawn.components(separatedBy: "<g class=\"row").count
          == told.components(separatedBy: "<li").count)
    }
    #expect(reader.classes.contains("fault"))
    #expect(reader.classes.contains("broken"))
  }

  @Test func `What is durable is told line by line, and ends as the table says`() throws {
    let (_, reader, _) = try Self.page("--scenario", "hasty-replay")
    let script = try #require(reader.scripts.first)
    let changes = try #require(
      try JSONSerialization.jsonObject(with: Data(script.utf8)) as? [[Any]])
    var state: [String] = []
    var last = -1
    for change in changes {
      let line = try #require(change[0] as? Int)
      #expect(line > last)
      last = line
      for purchase in try #require(change[1] as? [[Any]]) where purchase[0] as? Int == 0 {
        state = purchase.dropFirst().compactMap { $0 as? String }
      }
    }
    #expect(state == ["charged", "finished", "credited 2 times", ""])
  }

  @Test func `A purchase that never was has no row`() throws {
    let (page, _, _) = try Self.page(
      "--scenario", "sound-lost", "--plan", "decline store.payment tx1 #1", code: 0)
    #expect(page.contains("What is written down where no crash reaches it"))
    #expect(!page.contains("<th scope=\"row\">tx1</th><td>"))
    let (bought, _, _) = try Self.page("--scenario", "sound-lost", "--plan", "")
    #expect(bought.contains("<th scope=\"row\">tx1</th><td>charged</td>"))
  }

  @Test func `What is not expected stands first, with what it comes down to and the line to paste`()
    throws
  {
    var bench = Bench()
    for index in bench.scenarios.indices
    where bench.scenarios[index].name == "hasty-lost-idempotent" {
      bench.scenarios[index].expects = []
    }
    let (page, reader, _) = try Self.page(in: bench, code: 1)
    #expect(reader.text.contains("Not as expected: 5 of 6 scenarios as expected."))
    let first = try #require(page.range(of: "id=\"failure-1\""))
    let section = page[first.upperBound...].prefix(4000)
    #expect(section.contains("breaks in hasty-lost-idempotent"))
    #expect(section.contains("Nobody expected it."))
    #expect(section.contains("without it: holds"))
    #expect(page.contains("--scenario hasty-lost-idempotent --plan"))
  }

  @Test func `Names with markup and control characters are text on a page`() throws {
    var bench = Bench()
    bench.scenarios[0].name = "<script>alert('&')</script>\u{1B}[31m\u{202E}"
    let (page, reader, _) = try Self.page(in: bench)
    #expect(!page.contains("<script>alert"))
    #expect(!page.contains("\u{1B}"))
    #expect(reader.text.contains("<script>alert('&')</script>"))
  }

  @Test func `A run that was asked for has a page of its own, be it that all holds`() throws {
    let (_, broken, _) = try Self.page("--scenario", "hasty-replay", "--seed", "0", code: 1)
    #expect(broken.text.contains("broken in this run."))
    let (_, quiet, _) = try Self.page("--scenario", "sound-lost", "--plan", "")
    #expect(quiet.text.contains("Every invariant holds in this run."))
    #expect(quiet.elements.contains("svg"))
  }

  @Test func `The same campaign gives the same page`() throws {
    #expect(try Self.page().page == Self.page("--jobs", "3").page)
  }

  @Test func `Beside the page stands the same for tools`() {
    let files = Bench().run("--report", "found/", "--quiet").files
    #expect(
      files["found/junit.xml"].map(Self.untimed)
        == Self.untimed(Bench().run("--format", "junit").out))
    #expect(files["found/results.sarif"] == Bench().run("--format", "sarif").out)
    #expect(files["found/summary.md"] == Bench().run("--format", "summary").out)
    #expect(files["found/results.json"]?.contains("\"verdict\" : \"as-expected\"") ?? false)
  }

  @Test func `A page that cannot be written is said, after the report`() {
    var bench = Bench()
    bench.isReadOnly = true
    let output = bench.run("--report", "found")
    #expect(output.code == 2)
    #expect(Self.untimed(output.out) == Self.untimed(Bench().run().out))
    #expect(output.err.contains("--report: 'found/index.html' cannot be written: "))
    #expect(Bench().run("--report", "").code == 64)
  }
}
