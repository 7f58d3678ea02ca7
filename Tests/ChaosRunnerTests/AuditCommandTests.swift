import Foundation
import Invariants
import Testing

@testable import ChaosRunner

/// `audit` as a person calls it.
@Suite struct AuditCommandTests {
  @Test func `What is broken is told with its lines, what is not judged with the reason`() throws {
    let folder = try AuditFolder()
    var lines =
      AuditTests.sound(1, at: AuditTests.start) + AuditTests.sound(2, at: AuditTests.start + 9)
    lines += AuditTests.sound(3, at: AuditTests.start + 9 * AuditTests.day)
    lines.remove(at: 7)
    let log = try folder.write("log.jsonl", AuditTests.text(lines + ["damaged"]))
    let output = Bench().run("audit", log)
    #expect(output.code == 1)
    let text = output.out.replacing(log, with: "LOG")
    #expect(text.contains("3 rules broken, 3 findings."))
    #expect(text.contains("no-charge-without-delivery (I01): 1 finding"))
    #expect(text.contains("  transaction 480002, account user1, coins\n"))
    #expect(text.contains("    LOG:6  2026-01-01 00:00:00.009  charged user1\n"))
    #expect(text.contains("  ✗ LOG:8  2026-01-01 00:00:00.409  finishing\n"))
    #expect(text.contains("  coins, 1 unit paid for and not handed out\n"))
    #expect(
      text.contains(
        "  the log has no 'attributed' or 'traceable' or 'reported': traceability (I24)\n"))
    #expect(
      text.contains("Damaged: 1 line, left out"))
  }

  @Test func `As a page it stands by itself, with nothing of the log taken for markup`() throws {
    let folder = try AuditFolder()
    var lines = AuditTests.sound(1, at: AuditTests.start, user: "<b>&'")
    lines += AuditTests.sound(2, at: AuditTests.start + 9 * AuditTests.day)
    lines.remove(at: 2)
    let log = try folder.write("log.jsonl", AuditTests.text(lines))
    let page = Bench().run("audit", log, "--format", "html").out
    #expect(page.hasPrefix("<!DOCTYPE html>"))
    #expect(page.contains("account &lt;b&gt;&amp;&#39;"))
    #expect(!page.contains("<b>&"))
    #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("src="))
    #expect(page.contains("not judged") || page.contains("Not judged"))
  }

  @Test func `A log that is clean ends with 0, nothing to judge and what cannot be read with 2`()
    throws
  {
    let folder = try AuditFolder()
    let log = try folder.write("log", AuditTests.text(AuditTests.sound(1, at: AuditTests.start)))
    #expect(Bench().run("audit", log, "--within", "40d", "--skew", "0").code == 0)
    for text in ["", "\n\n", "nonsense\n", "{\"at\": 1, \"fact\": \"launched\", \"device\": 1}\n"] {
      let empty = try folder.write("empty", text)
      let output = Bench().run("audit", empty)
      #expect(output.code == 2)
      #expect(output.err.contains("nothing in the log to judge"))
    }
    let missing = Bench().run("audit", folder.path + "/gone")
    #expect(missing.code == 2)
    #expect(missing.err.contains("gone cannot be read: No such file"))
    #expect(Bench().run("audit", folder.path).code == 2)
  }

  @Test(arguments: [
    ["audit"], ["audit", "a", "a"], ["audit", "a", "--within", "soon"],
    ["audit", "a", "--format", "xml"], ["audit", "a", "--subscription", "x=0"],
    ["audit", "a", "--most", "0"], ["audit", "a", "--seed", "1"], ["audit", "a", "--skew", "-1s"],
  ])
  func `What makes no sense ends with 64`(arguments: [String]) {
    #expect(Bench().run(arguments).code == 64)
  }

  @Test func `What comes from a pipe is read as it comes`() throws {
    let shell = try Shell(
      "\"$RUNNER\" --scenario receipt-store/naive/crash-after-finish --seed 1 --format jsonl "
        + "| \"$RUNNER\" audit - --format json | grep -c '\"hasEnd\" : true'")
    #expect(shell.out == "1\n")
  }

  @Test func `A subscription is judged as one where it is said to be one`() throws {
    let start = AuditTests.start
    let day = AuditTests.day
    let id = #""account": "u", "product": "monthly""#
    let lines = [
      #"{"at": \#(start), "fact": "charged", "transaction": "s1", \#(id)}"#,
      #"{"at": \#(start + 10), "fact": "granted", "transaction": "s1", \#(id), "amount": \#((start + 30 * day) / 1000)}"#,
      #"{"at": \#(start + 30 * day), "fact": "renewed", "transaction": "s2", "original": "s1", \#(id)}"#,
      #"{"at": \#(start + 60 * day), "fact": "expired", "transaction": "s2", "original": "s1"}"#,
      #"{"at": \#(start + 90 * day), "fact": "expired", "transaction": "s2", "original": "s1"}"#,
    ]
    var terms = AuditTerms()
    terms.subscriptions = [("monthly", 1)]
    // Paid for once more, and not granted for thirty days.
    let result = try AuditFolder().audit([("log", AuditTests.text(lines))], terms)
    #expect(AuditTests.broken(result) == ["I09 1"])
    var renewed = lines
    renewed.insert(
      #"{"at": \#(start + 30 * day + 10), "fact": "granted", "transaction": "s2", \#(id), "amount": \#((start + 60 * day) / 1000)}"#,
      at: 3)
    #expect(
      AuditTests.broken(try AuditFolder().audit([("log", AuditTests.text(renewed))], terms)) == [])
  }
}
