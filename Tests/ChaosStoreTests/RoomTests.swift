import Foundation
import Testing

/// Holds the folders of ChaosStore in a row: each may use those before it, and none that come after.
///
/// What a file uses is read from the file itself: the names of types and functions that stand at the top
/// of some file, and the members that a folder adds to a type of another. `import` says nothing within
/// one module.
@Suite("The rooms of ChaosStore")
struct RoomTests {
  /// The order in which a run passes through them, and a reader may read them.
  static let row = [
    "Kernel", "Decisions", "World", "Runs", "Systems", "Histories", "Scenarios", "Live",
    "Determinism", "Search", "Mutants", "Reproduction", "PropertyTests",
  ]

  @Test("Every folder of ChaosStore has its place in the row")
  func places() throws {
    #expect(try Set(Room.all().map(\.name)) == Set(Self.row))
  }

  @Test("No folder of ChaosStore uses what a later folder declares")
  func arrows() throws {
    let found = try Self.backward(Room.all(), row: Self.row)
    #expect(found == [])
  }

  @Test("The picture of the rooms in CONTRIBUTING.md shows the row as it is")
  func picture() throws {
    let text = try String(contentsOf: Room.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
    #expect(text.contains(Self.row.joined(separator: " → ")))
  }

  @Test("An arrow that points back is found, be it a type, a function or a member that is added")
  func finding() {
    let rooms = [
      Room(
        name: "A",
        files: ["A.swift": "struct Apple {}\nfunc peel() { Basket() }\nextension Apple { }"]),
      Room(
        name: "B",
        files: [
          "B.swift": """
          struct Basket { var apple = Apple() }
          extension Apple {
            func ripen() {}
            enum Kind {}
          }
          func weigh() {}
          """
        ]),
    ]
    #expect(Self.backward(rooms, row: ["A", "B"]) == ["A/A.swift uses Basket of B"])
    var using = rooms
    using[0].files["C.swift"] = "let x = apple.ripen(), y = \"weigh() Basket\" // Basket\nweigh()"
    #expect(
      Self.backward(using, row: ["A", "B"]) == [
        "A/A.swift uses Basket of B", "A/C.swift uses ripen of B", "A/C.swift uses weigh of B",
      ])
    // A name of one's own is no arrow.
    using[0].files["D.swift"] =
      "enum Box {\n  struct Basket {}\n}\nfunc ripen() {}\nfunc weigh() {}"
    #expect(Self.backward(using, row: ["A", "B"]) == [])
  }
}

// MARK: - Reading

/// One folder and the text of its files.
private struct Room {
  var name: String
  var files: [String: String]

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func all() throws -> [Room] {
    let folder = root.appending(path: "Sources/ChaosStore")
    var rooms: [String: Room] = [:]
    let paths = try #require(FileManager.default.enumerator(atPath: folder.path))
    for case let path as String in paths where path.hasSuffix(".swift") {
      let parts = path.split(separator: "/").map(String.init)
      let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
      rooms[parts[0], default: Room(name: parts[0], files: [:])].files[parts.last!] = text
    }
    return rooms.values.sorted { $0.name < $1.name }
  }
}

extension RoomTests {
  /// What a file declares and uses.
  private struct Names {
    /// At the top of the file.
    var top: Set<String> = []
    /// In an extension, by the type that is extended.
    var added: [(type: String, member: String)] = []
    /// At any depth.
    var own: Set<String> = []
    var used: Set<String> = []
    /// After a dot.
    var asked: Set<String> = []
  }

  /// Every use of something that only a later room declares, in the order of the row.
  private static func backward(_ rooms: [Room], row: [String]) -> [String] {
    var names: [String: [String: Names]] = [:]
    for room in rooms { names[room.name] = room.files.mapValues(read) }
    var types: [String: Set<String>] = [:]
    var members: [String: Set<String>] = [:]
    for (room, files) in names {
      for name in files.values.flatMap(\.top) { types[name, default: []].insert(room) }
    }
    for (room, files) in names {
      for (type, member) in files.values.flatMap(\.added) where types[type]?.contains(room) != true
      {
        members[member, default: []].insert(room)
      }
    }
    var found: [String] = []
    for (place, room) in row.enumerated() {
      let later = Set(row[(place + 1)...])
      let own = names[room]?.values.reduce(into: Set<String>()) { $0.formUnion($1.own) } ?? []
      for (file, uses) in (names[room] ?? [:]).sorted(by: { $0.key < $1.key }) {
        for name in uses.used.subtracting(own).sorted() {
          if let home = types[name], home.isSubset(of: later) {
            found.append("\(room)/\(file) uses \(name) of \(home.sorted().joined(separator: ", "))")
          } else if types[name] == nil, uses.asked.contains(name), let home = members[name],
            home.isSubset(of: later)
          {
            found.append("\(room)/\(file) uses \(name) of \(home.sorted().joined(separator: ", "))")
          }
        }
      }
    }
    return found
  }

  private static func read(_ text: String) -> Names {
    var names = Names()
    var extended: String?
    let code = text.replacing(/\/\/[^\n]*/, with: "").replacing(/"(?:[^"\\\n]|\\.)*"/, with: "\"\"")
    let declaration =
      /^( *)(?:@\w+(?:\([^)]*\))? +)*(?:(?:public|package|internal|private|fileprivate|final|static|mutating|nonmutating|indirect|nonisolated|override|lazy|consuming|borrowing)(?:\([a-z]+\))? +)*(struct|enum|class|actor|protocol|typealias|func|let|var|case|extension|associatedtype) +`?(\w+)/
    for line in code.split(separator: "\n") {
      guard let match = line.firstMatch(of: declaration) else { continue }
      let kind = match.2
      let name = String(match.3)
      if kind == "extension" {
        extended = name
        continue
      }
      names.own.insert(name)
      let isOpen = !line.contains("private ") && !line.contains("fileprivate ")
      switch match.1.count {
      case 0:
        extended = nil
        if isOpen { names.top.insert(name) }
      case 2:
        // A case or a nested type is found by the type it belongs to.
        if let extended, isOpen, kind == "func" || kind == "var" {
          names.added.append((extended, name))
        }
      default: break
      }
    }
    for match in code.matches(of: /(\.)?([A-Za-z_]\w*)/) {
      let name = String(match.2)
      names.used.insert(name)
      if match.1 != nil { names.asked.insert(name) }
    }
    return names
  }
}
