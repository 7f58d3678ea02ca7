import ChaosHost
import Foundation
import Testing

/// Defaults of a process of the tests' own.
private final class Shelf: PlatformStandIns {
  var kept: [String: NSObject] = [:]
  var registered: [String: Any] = [:]
  var synchronized = 0

  private func name(_ key: String, _ suite: String?) -> String { "\(suite ?? "")/\(key)" }

  func defaultsValue(forKey key: String, suite: String?) -> AnyObject? {
    kept[name(key, suite)] ?? (registered[key] as? NSObject)
  }
  func setDefaultsValue(_ value: AnyObject?, forKey key: String, suite: String?) {
    kept[name(key, suite)] = value as? NSObject
  }
  func defaultsKeys(suite: String?) -> [String] {
    let part = name("", suite)
    return kept.keys.filter { $0.hasPrefix(part) }.map { String($0.dropFirst(part.count)) }
  }
  func registerDefaults(_ values: [String: Any]) {
    registered.merge(values.mapValues { NSString(string: "\($0)") }) { $1 }
  }
  func synchronizeDefaults() { synchronized += 1 }
  func receiptURL() -> URL? { URL(fileURLWithPath: "/shelf/receipt") }
  func insteadOf(_ use: PlatformUse) -> String? { use == .files ? "the shelf" : nil }
}

/// As an app may have it: made once, wherever that is.
private enum Kept {
  nonisolated(unsafe) static let defaults = UserDefaults.standard
}

@Suite("UserDefaults of a hosted process", .ifSimulated)
struct DefaultsTests {
  private let run = Run()
  private let shelf = Shelf()
  private let key = "ChaosHostTests.\(UUID())"

  init() { run.process.standIns = shelf }

  private func enter(_ body: @MainActor () -> Void) { run.enter { _ in body() } }

  @Test("UserDefaults are kept by the hosted process, and nothing of them is real")
  func standard() {
    let key = key
    enter {
      UserDefaults.standard.set(5, forKey: key)
      #expect(UserDefaults.standard.integer(forKey: key) == 5)
      #expect(UserDefaults().integer(forKey: key) == 5)
      #expect(UserDefaults.standard.synchronize())
    }
    #expect(shelf.kept == ["/\(key)": NSNumber(value: 5)])
    #expect(shelf.synchronized == 1)
    #expect(UserDefaults.standard.object(forKey: key) == nil)
    enter { UserDefaults.standard.removeObject(forKey: key) }
    #expect(shelf.kept == [:])
    #expect(run.host.leaks == [])
    run.process.end()
  }

  @Test("A UserDefaults object that is kept in a global asks whichever process is running")
  func keptObject() {
    let key = key
    _ = Kept.defaults
    enter { Kept.defaults.set("here", forKey: key) }
    #expect(Kept.defaults.string(forKey: key) == nil)
    let other = Run()
    other.process.standIns = Shelf()
    other.enter { _ in
      #expect(Kept.defaults.string(forKey: key) == nil)
    }
    enter {
      #expect(Kept.defaults.string(forKey: key) == "here")
    }
    run.process.end()
    other.process.end()
  }

  @Test("The process is told the name of the suite that UserDefaults are of")
  func suites() {
    let key = key
    enter {
      UserDefaults(suiteName: "group.shop")?.set(true, forKey: key)
      #expect(UserDefaults(suiteName: "group.shop")?.bool(forKey: key) == true)
      #expect(UserDefaults(suiteName: "group.shop")?.dictionaryRepresentation()[key] != nil)
      #expect(UserDefaults.standard.dictionaryRepresentation()[key] == nil)
      #expect(!UserDefaults.standard.bool(forKey: key))
    }
    #expect(Array(shelf.kept.keys) == ["group.shop/\(key)"])
    run.process.end()
  }

  @Test("Registered defaults belong to the process, by a subclass too, and not to the program")
  func registering() {
    final class Own: UserDefaults {
      override func synchronize() -> Bool { false }
    }
    let key = key
    enter {
      UserDefaults.standard.register(defaults: [key: "first"])
      #expect(UserDefaults.standard.string(forKey: key) == "first")
      Own(suiteName: nil)?.register(defaults: [key: "second"])
      #expect(UserDefaults.standard.string(forKey: key) == "second")
    }
    #expect(UserDefaults.standard.string(forKey: key) == nil)
    UserDefaults.standard.register(defaults: [key: "outside"])
    #expect(UserDefaults.standard.string(forKey: key) == "outside")
    run.process.end()
  }

  @Test("Setting UserDefaults in a process that has none of its own is a leak")
  func withoutStandIns() {
    run.process.standIns = nil
    let key = key
    enter {
      #expect(UserDefaults.standard.object(forKey: key) == nil)
    }
    #expect(run.host.leaks == [])
    enter { UserDefaults.standard.set(1, forKey: key) }
    #expect(
      run.host.leaks.map(\.description) == [
        "process 1: UserDefaults, setting \(key), escaped to the platform"
      ])
    UserDefaults.standard.removeObject(forKey: key)
    run.process.end()
  }

  @Test("A leak says what the process has in place of the platform")
  func advice() throws {
    enter { try? Data().write(to: URL(fileURLWithPath: "/dev/null/none")) }
    #expect(
      run.host.leaks.map(\.description) == [
        "process 1: writing the file /dev/null/none escaped to the platform: use the shelf"
      ])
    run.process.end()
  }

  @Test("The address of the receipt is the running process's, and the platform's own without one")
  func receipt() {
    let outside = Bundle.main.appStoreReceiptURL
    #expect(outside != URL(fileURLWithPath: "/shelf/receipt"))
    enter { #expect(Bundle.main.appStoreReceiptURL?.path == "/shelf/receipt") }
    run.process.standIns = nil
    enter { #expect(Bundle.main.appStoreReceiptURL == outside) }
    run.process.end()
  }

  @Test("Synchronizing UserDefaults in a process that has none of its own is a leak")
  func synchronizing() {
    run.process.standIns = nil
    enter { UserDefaults.standard.synchronize() }
    // What other tests have set outside a process may be written by it, to a file of the platform's own.
    let leaks = run.host.leaks.map(\.description).filter { !$0.contains("writing the file") }
    #expect(leaks == ["process 1: UserDefaults.synchronize escaped to the platform"])
    #expect(shelf.synchronized == 0)
    run.process.end()
  }

  @Test("Defaults that a process without its own registers are the program's")
  func registeringForReal() {
    run.process.standIns = nil
    let key = key
    enter { UserDefaults.standard.register(defaults: [key: "real"]) }
    #expect(UserDefaults.standard.string(forKey: key) == "real")
    #expect(run.host.leaks == [])
    run.process.end()
  }

  @Test("What a process has in place of the platform is let go of at its end")
  func lettingGo() {
    let run = Run()
    weak var last: Shelf?
    do {
      let shelf = Shelf()
      last = shelf
      run.process.standIns = shelf
    }
    #expect(last != nil)
    run.process.end()
    #expect(last == nil)
  }
}
