import Invariants
import Testing

@testable import ChaosStore

@Suite struct BriefStoryTests {
  private static func line(_ text: String, _ tone: Story.Tone = .plain) -> Story.Line {
    Story.Line(text, tone)
  }

  /// A header and lines with a fault, a violation of another rule and one of rule (I02).
  private static let chart =
    [line("header", .quiet)]
    + (1...50).map { number in
      switch number {
      case 10: line("drop", .fault)
      case 20: line("breaks other-rule (I01)", .broken)
      case 40: line("breaks one-rule (I02)", .broken)
      default: line("\(number)")
      }
    }

  private static func shortened(_ most: Int) -> (lines: [String], leftOut: Int) {
    let short = BriefStory.shortened(chart, to: most, about: "one-rule (I02)", indent: 2)
    return (short.lines.map(\.text), short.leftOut)
  }

  @Test func `A timeline that is short enough is whole`() {
    let (lines, leftOut) = Self.shortened(51)
    #expect(lines == Self.chart.map(\.text))
    #expect(leftOut == 0)
  }

  @Test(arguments: [6, 7, 10, 20, 40, 50])
  func `A shortened timeline has what struck and broke, and counts what is missing`(most: Int) {
    let (lines, leftOut) = Self.shortened(most)
    #expect(lines.count <= most)
    #expect(lines.first == "header")
    #expect(lines.contains("breaks one-rule (I02)"))
    let gaps = lines.filter { $0.contains("left out") }
    let counted = gaps.compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
    #expect(counted.reduce(0, +) == leftOut)
    #expect(lines.count - gaps.count + leftOut == Self.chart.count)
    #expect(!counted.contains(1), "a line takes no more room than what says it is missing")
    if most >= 10 {
      #expect(lines.contains("drop"))
      #expect(lines.contains("breaks other-rule (I01)"))
    }
  }

  @Test func `What leads to a violation stays rather than what comes after it`() {
    let lines = Self.shortened(14).lines
    #expect(lines.contains("39"))
    #expect(!lines.contains("43"))
  }
}
