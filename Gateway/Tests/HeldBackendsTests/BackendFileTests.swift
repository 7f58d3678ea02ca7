import Foundation
import Testing

@testable import HeldBackends

@Suite("The file that says how a backend is started and spoken to")
struct BackendFileTests {
  private static var sound: [String: Any] {
    [
      "start": ["python3", "shop.py"], "report": ["path": "/purchases"],
      "state": ["sqlite": "shop.db"], "credits": ["sql": "SELECT account, id FROM credits"],
    ]
  }

  private func read(_ changes: [String: Any?]) throws -> BackendFile {
    var object = Self.sound
    for (key, value) in changes { object[key] = value }
    let path = NSTemporaryDirectory() + "backend-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try JSONSerialization.data(withJSONObject: object).write(to: URL(filePath: path))
    return try BackendFile(path: path)
  }

  @Test("one with what is needed is read, and is called by its file")
  func reads() throws {
    let file = try read([:])
    #expect(file.start == ["python3", "shop.py"])
    #expect(file.title.hasPrefix("backend-"))
    #expect(try read(["name": "shop"]).title == "shop")
  }

  @Test("what is wrong is said with its place")
  func refuses() {
    let wrong: [(key: String, value: Any?, words: String)] = [
      ("start", [String](), "start: found nothing"),
      ("start", nil, "start: found nothing"),
      ("build", [String](), "build: found nothing"),
      ("build", ["make", "{folder}"], "build[1]: found the placeholder '{folder}'"),
      ("stat", ["sqlite": "x"], "stat: found an unknown key"),
      ("report", ["pathh": "/"], "report.pathh: found an unknown key, expected one of headers"),
      ("report", ["method": "POST"], "report.path: found nothing"),
      ("credits", [String: String](), "credits: found 0 places"),
      ("credits", ["sql": "SELECT 1", "path": "/credits"], "credits: found 2 places"),
      ("credits", ["sql": "SELECT 1", "keys": [:]], "credits.keys: found names"),
      ("credits", ["log": "("], "credits.log: found '('"),
      ("credits", ["log": "paid (?<account>.)"], "credits.log: found 'paid"),
      ("state", nil, "credits.sql: found a query"),
      ("state", ["postgres": "shop"], "state.postgres: found 'shop'"),
      ("processes", 3, "processes: found 3"),
      ("clock", "atomic", "clock: found 'atomic'"),
      ("runLimit", 0, "runLimit: found 0.0, expected seconds"),
      ("runLimit", 1e300, "runLimit: found 1e+300, expected seconds"),
      ("ready", ["path": "/", "within": 1e300], "ready.within: found 1e+300, expected seconds"),
      (
        "state", ["postgres": "postgresql://shop@127.0.0.1/shop?sslmode=require"],
        "state.postgres: found sslmode=require, expected sslmode=disable"
      ),
      ("state", ["postgres": "postgresql://127.0.0.1:99999/shop"], "state.postgres: found"),
      ("answers", [["means": "great"]], "answers[0].means: found 'great'"),
      (
        "answers", [["meaning": "x", "means": "error"]], "answers[0].meaning: found an unknown key"
      ),
      (
        "report", ["path": "/", "jsn": [:]],
        "report.jsn: found an unknown key, expected one of headers"
      ),
      ("state", ["sqlte": "x"], "state.sqlte: found an unknown key"),
      (
        "credits", ["path": "/c", "keys": ["acount": "x"]],
        "credits.keys.acount: found an unknown key"
      ),
      (
        "report", ["path": "/", "json": ["a": ["{signedTransaction}"]]],
        "report.json.a[0]: found the placeholder '{signedTransaction}', expected one of {account}"
      ),
      ("report", ["path": "/{#acount}"], "report.path: found the placeholder '{acount}'"),
      ("environment", ["A": "{aple}"], "environment.A: found the placeholder '{aple}'"),
      ("start", ["x", "{prt}"], "start[1]: found the placeholder '{prt}'"),
    ]
    for (key, value, words) in wrong {
      let error = #expect(throws: BackendFile.Problem.self) { try read([key: value]) }
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
  }

  @Test("credits can be seen at an address or in what is printed, without a database")
  func places() throws {
    #expect(try read(["credits": ["path": "/credits"], "state": nil]).credits.path == "/credits")
    let log = "paid (?<account>\\S+) (?<transaction>\\S+)"
    #expect(try read(["credits": ["log": log], "state": nil]).credits.log == log)
  }

  @Test("a file that is not there, or no JSON, is refused")
  func missing() throws {
    #expect(throws: BackendFile.Problem.self) { try BackendFile(path: "/nowhere/backend.json") }
    let path = NSTemporaryDirectory() + "backend-\(UUID().uuidString).json"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data("{".utf8).write(to: URL(filePath: path))
    #expect(throws: BackendFile.Problem.self) { try BackendFile(path: path) }
  }

  @Test("what may vary in an answer is left out wherever it stands; what is no JSON stays as it is")
  func varies() {
    let body = Array(#"{"state": "had", "id": 7, "all": [{"id": 8, "n": 1}]}"#.utf8)
    #expect(
      JSONTemplate.text(of: body, without: ["id"]) == #"{"all":[{"n":1}],"state":"had"}"#)
    #expect(JSONTemplate.text(of: body, without: []) == String(decoding: body, as: UTF8.self))
    #expect(JSONTemplate.text(of: Array("id 7".utf8), without: ["id"]) == "id 7")
  }

  @Test("placeholders are filled wherever they stand, and what is none stays")
  func fills() {
    let values = ["account": "user1", "number": "7"]
    #expect("a {account} b {other} {".filled(values) == "a user1 b {other} {")
    let template = JSONTemplate.object([
      "text": .text("{account}!"), "number": .text("{#number}"), "list": .list([.text("{number}")]),
    ])
    #expect(
      template.filled(values)
        == .object(["text": .text("user1!"), "number": .number(7), "list": .list([.text("7")])]))
  }
}

@Suite("Processes of a backend")
struct ProcessTreeTests {
  private func started(_ command: [String]) throws -> ProcessTree {
    try ProcessTree(
      command, folder: "/tmp", environment: ["PATH": "/usr/bin:/bin"],
      output: NSTemporaryDirectory() + "tree-\(UUID().uuidString)")
  }

  @Test("what a process has started ends with it")
  func ends() throws {
    let tree = try started(["/bin/sh", "-c", "sleep 1000 & sleep 1000"])
    usleep(100_000)
    #expect(tree.isRunning)
    let members = tree.members
    #expect(members.count == 3)
    tree.end()
    #expect(!tree.isRunning)
    usleep(100_000)
    for pid in members {
      // Gone, or dead and not fetched yet by whoever inherits it.
      let state = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
      #expect(state?.contains(") Z ") ?? true)
    }
  }

  @Test("a daemon that has forked twice, in a session of its own, is seen and ends with the rest")
  func daemons() throws {
    let fork =
      "import os, time\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0: time.sleep(1000)\n os._exit(0)"
    let tree = try started(["python3", "-c", fork + "\nos.wait()\ntime.sleep(1000)"])
    let deadline = ContinuousClock.now + .seconds(20)
    while tree.members.count != 2, ContinuousClock.now < deadline { usleep(10_000) }
    let members = tree.members
    #expect(members.count == 2)
    tree.end()
    for pid in members { #expect(kill(pid, 0) != 0) }
  }

  @Test("how a program ended is known, and one that was cut is gone without a wait")
  func statuses() throws {
    for (command, status) in [("exit 3", 3), ("kill -9 $$", 137)] as [(String, Int32)] {
      let tree = try started(["/bin/sh", "-c", command])
      let deadline = ContinuousClock.now + .seconds(20)
      while tree.isRunning, ContinuousClock.now < deadline { usleep(1000) }
      #expect(tree.status == status)
    }
    let tree = try started(["/bin/sleep", "1000"])
    #expect(tree.isRunning)
    tree.cut()
    #expect(!tree.isRunning)
    tree.end()
  }

  @Test("who sleeps for a while is not quiet, and who waits for others is")
  func quiet() throws {
    let sleeping = try started(["/bin/sleep", "1000"])
    let pipe = NSTemporaryDirectory() + "pipe-\(UUID().uuidString)"
    let waiting = try started(["/bin/sh", "-c", "mkfifo \(pipe); exec cat \(pipe)"])
    defer { try? FileManager.default.removeItem(atPath: pipe) }
    usleep(200_000)
    #expect(sleeping.work() == nil)
    sleeping.end()
    let work = waiting.work()
    #expect(work != nil)
    #expect(waiting.work() == work)
    waiting.end()
  }

  @Test("what it prints is kept, and a program that is not there says so")
  func prints() throws {
    let tree = try started(["/nowhere/program"])
    usleep(100_000)
    #expect(!tree.isRunning)
    #expect(tree.lastOutput().contains("/nowhere/program"))
  }
}
