import ChaosStore

/// The text of `--help`.
enum Help {
  static func text(program: String) -> String {
    var lines = [
      "Deterministic fault injection for in-app purchases: simulates purchases under crashes, lost",
      "answers, replays and the rest, and says which designs lose money, where, and how to see it.",
      "",
      "USAGE: \(program) [command] [options]",
      "",
      "COMMANDS",
    ]
    for command in Command.allCases {
      lines += String.hanging("  " + command.usage.padded(to: 20), command.about, width: 96)
    }
    lines += ["", "OPTIONS"]
    for option in Option.allCases {
      let name = "--" + option.rawValue + (option.value.map { " " + $0 } ?? "")
      lines += String.hanging("  " + name.padded(to: 21), option.about, width: 96)
    }
    lines += [
      "",
      "EXIT CODES",
      "  0   every verdict is as expected",
      "  1   an unexpected violation, or an expected one that never came;",
      "      with one --seed or a --plan, or in replay: any violation",
      "  2   no verdict: a bad scenario file, nothing chosen, an event limit, an interrupt,",
      "      a stale plan file, a run that comes out differently the second time,",
      "      a bug of this harness",
      "  64  the command line makes no sense",
      "  74  standard output cannot be written",
      "",
      "EXAMPLES",
      "  \(program)                                       everything, in one table",
      "  \(program) --scenario 'receipt-store*' --details",
      "  \(program) --scenario NAME --seed 0x2a           the story of one run",
      "  \(program) --scenario NAME --plan 'drop verify.reply tx1 #1'",
      "  \(program) list decisions --scenario NAME        what a plan can name",
      "  \(program) replay regressions/FILE --emit-test   a kept failure as a Swift test",
      "  \(program) explain F41",
      "",
    ]
    return lines.joined(separator: "\n")
  }
}
