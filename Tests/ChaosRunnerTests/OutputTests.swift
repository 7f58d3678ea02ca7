import ChaosStore
import Testing

@testable import ChaosRunner

@Suite struct OutputTests {
  @Test func `A closed standard output ends the program with 74 and a line that says why`()
    throws
  {
    for command in ["--help", "list faults", "list scenarios --scenarios $ROOT/scenarios.json"] {
      let shell = try Shell("exec \"$RUNNER\" \(command) >&-")
      #expect(shell.code == 74)
      #expect(shell.err == "chaos-runner: standard output: Bad file descriptor\n")
    }
  }

  @Test
  func `A closed standard output ends the program with 74 where standard error is closed too`()
    throws
  {
    #expect(try Shell("exec \"$RUNNER\" list faults >&- 2>&-").code == 74)
    #expect(try Shell("exec \"$RUNNER\" list faults <&- >&- 2>&-").code == 74)
  }

  #if os(Linux)
    @Test func `A full disk ends the program with 74`() throws {
      let shell = try Shell("exec \"$RUNNER\" list faults >/dev/full")
      #expect(shell.code == 74)
      #expect(shell.err == "chaos-runner: standard output: No space left on device\n")
    }

    @Test func `What was to be saved is kept, whichever stream fails`() throws {
      for streams in [">/dev/full", ">&- 2>&-", ">/dev/null 2>&-", ">/dev/null 2>/dev/full"] {
        let shell = try Shell(
          "exec \"$RUNNER\" --save \(streams)", files: ["scenarios.json": Shell.unexpected])
        #expect(shell.code == (streams.hasPrefix(">/dev/null") ? 1 : 74), "\(streams)")
        #expect(shell.files.keys.count { $0.hasSuffix(".json") } > 1, "\(streams)")
        for (path, text) in shell.files where path.hasPrefix("regressions/") {
          #expect(try PlanFile(json: text).scenario == "s")
        }
      }
    }
  #endif

  @Test func `A pipe that nobody reads any more ends the program quietly`() throws {
    let trace = "\"$RUNNER\" trace --scenarios scenarios.json --seeds 1000000"
    for line in [trace, "trap '' PIPE; \(trace)"] {
      let shell = try Shell(
        "(\(line)) | head -n 1; exit ${PIPESTATUS[0]}",
        files: ["scenarios.json": Shell.unexpected])
      #expect(shell.code == 141)
      #expect(shell.out.hasPrefix("s 0x0 0x"))
      #expect(shell.err == "")
    }
  }
}

@Suite struct EscapingTests {
  @Test func `Control characters of a message are shown, and not sent to the terminal`() throws {
    let shell = try Shell(#"exec "$RUNNER" --scenario $'a\e]0;b\a\u009b\u202e' list scenarios"#)
    #expect(shell.code == 64 || shell.code == 2)
    #expect(shell.err.contains(#"a\u{1b}]0;b\u{7}\u{9b}\u{202e}"#), "\(shell.err)")
    #expect(!shell.err.unicodeScalars.contains("\u{1B}"))
  }

  @Test func `Control characters of a name are shown in a report`() throws {
    let mark = try String(#require(Unicode.Scalar(UInt32(0xFDD1))))
    let name = "s\u{7F}\u{1B}[7m"
    var bench = Bench()
    bench.scenarios = [Bench.sound(name, [.requestLost], "F40")]
    bench.hasColor = true
    let text = bench.run("--details", "--seeds", "1").out
    #expect(text.contains(#"s\u{7f}\u{1b}[7m"#))
    #expect(!text.contains("\u{7F}"))
    #expect(!text.contains("\u{1B}[7m"))
    #expect((name + mark).escapedForTerminal() == #"s\u{7f}\u{1b}[7m\u{fdd1}"#)
  }

  @Test func `A JSON report is JSON, whatever a name holds`() throws {
    let name = "s\u{9B}\u{7F}\u{202E}"
    var bench = Bench()
    bench.scenarios = [Bench.sound(name, [.requestLost], "F40")]
    let output = bench.run("--format", "json", "--seeds", "1")
    #expect(output.out.contains(#""s\u009b\u007f\u202e""#))
    #expect(try JSONOutput(output).scenarios.map(\.name) == [name])
  }

  @Test func `Lines and colours of the program's own reach the terminal`() {
    let style = Style(isOn: true)
    let line = style("red", .redBold) + "\n" + style("dim", .dim)
    #expect(
      line.escapedForTerminal(hasColor: true)
        == "\u{1B}[1;31mred\u{1B}[0m\n\u{1B}[2mdim\u{1B}[0m")
    #expect("é ✗ …\n".escapedForTerminal() == "é ✗ …\n")
  }
}
