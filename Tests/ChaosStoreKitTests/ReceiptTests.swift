import ChaosStore
import Foundation
import Testing

@testable import StoreKit

@Suite("The receipt file")
struct ReceiptTests {
  let stage = Stage()
  var port: FakePort { stage.port }

  private func url() throws -> URL {
    var url: URL?
    stage.enter { url = Bundle.main.appStoreReceiptURL }
    return try #require(url)
  }

  @Test("The receipt file is at Foundation's own address and holds what the phone says")
  func receipt() throws {
    let url = try url()
    #expect(url.lastPathComponent == "receipt")
    #expect(!FileManager.default.fileExists(atPath: url.path))
    port.receipt = Data("one".utf8)
    #expect(!FileManager.default.fileExists(atPath: url.path))
    #expect(try Data(contentsOf: self.url()) == Data("one".utf8))
    port.receipt = nil
    #expect(try !FileManager.default.fileExists(atPath: self.url().path))
    port.receipt = Data("two".utf8)
    #expect(try Data(contentsOf: self.url()) == Data("two".utf8))
    stage.kill()
    #expect(stage.host.leaks == [], "the simulation's own file is nobody's leak")
  }

  @Test("The receipt of a process that has ended is found by none that comes after it")
  func gone() throws {
    port.receipt = Data("one".utf8)
    let url = try url()
    stage.kill()
    for isProduction in [false, true] {
      let later = ReceiptTests()
      later.port.isProduction = isProduction
      let receipt = try later.url()
      let names = try? FileManager.default.contentsOfDirectory(
        atPath: receipt.deletingLastPathComponent().path)
      #expect(names ?? [] == [])
      later.port.receipt = Data("two".utf8)
      #expect(try Data(contentsOf: later.url()) == Data("two".utf8))
      later.stage.kill()
    }
    #expect(url.lastPathComponent == "receipt")
  }

  @Test("The receipt has another name in the sandbox, as apps that look for it expect")
  func sandbox() throws {
    port.isProduction = false
    #expect(try url().lastPathComponent == "sandboxReceipt")
  }

  @Test("Each process has a receipt file of its own")
  func processes() throws {
    let other = ReceiptTests()
    #expect(try url() != other.url())
  }

  @Test("Outside a simulated process there is no receipt, as Foundation has it on Linux")
  func outside() {
    #if os(Linux)
      #expect(Bundle.main.appStoreReceiptURL == nil)
    #endif
  }

  #if os(Linux)
    @Test(
      "A hosted app finds it in its home once it has asked, and it is nothing that the app keeps")
    func hosted() throws {
      var scenario = try PropertyTest.scenario(for: ReceiptShop.self, faults: [])
      scenario.setup.steps = Array(scenario.setup.steps.prefix(1))
      let record = Simulation(scenario).record(seed: nil)
      let lines = record.printed.filter { $0.place.hasPrefix("phone1") }.map(\.text)
      #expect(lines.prefix(3) == ["launched: false", "bought: false", "asked: true"], "\(lines)")
      #expect(lines.dropFirst(3).allSatisfy { $0 == "launched: false" } && lines.count > 3)
      #expect(record.problems.isEmpty)
    }

    @Test(
      "What Foundation reads at once is what lies there: a receipt, one that was moved, and no folder"
    )
    func whole() throws {
      var scenario = try PropertyTest.scenario(for: MovingShop.self, faults: [])
      scenario.setup.steps = Array(scenario.setup.steps.prefix(1))
      scenario.setup.reopenEveryMillis = nil
      scenario.setup.retaps = 0
      let record = Simulation(scenario).record(seed: nil)
      let lines = record.printed.filter { $0.place.hasPrefix("phone1") }.map(\.text)
      #expect(
        lines == [
          "there: yes", "moved: yes", "there: none", "asked again: yes",
          "in a folder: none 256", "no file: none 260", "of the machine: yes",
        ])
      #expect(record.problems.isEmpty)
    }
  #endif
}

#if os(Linux)
  /// Looks at the file of its receipt.
  private final class ReceiptApp: SimulatedApp {
    private let device: SimulatedDevice
    private static let path = "/var/mobile/StoreKit/receipt"

    init(device: SimulatedDevice) {
      self.device = device
      look("launched")
    }

    private func look(_ when: String) {
      print("\(when): \(FileManager.default.fileExists(atPath: Self.path))")
    }

    func buy(_ productID: String) async -> PurchaseMessage {
      guard let product = try? await Product.products(for: [productID]).first,
        case .success = try? await product.purchase()
      else { return .pending }
      look("bought")
      let url = Bundle.main.appStoreReceiptURL
      #expect(url?.path == Self.path)
      look("asked")
      #expect(url.flatMap { try? Data(contentsOf: $0) }?.isEmpty == false)
      #expect(device.files.contents("../StoreKit/receipt") == nil)
      return .pending
    }
  }

  /// Reads its receipt before it looks at any other file, and moves it.
  private final class MovingApp: SimulatedApp {
    init(device: SimulatedDevice) {}

    private func say(_ what: String, _ url: URL?) {
      do {
        let bytes = try Data(contentsOf: url ?? URL(filePath: "/"))
        print("\(what): \(bytes.isEmpty ? "empty" : "yes")")
      } catch {
        // What could not be read has a code of Foundation's, but for what is not there.
        let code = (error as NSError).code
        print("\(what): none\(what.contains("there") ? "" : " \(code)")")
      }
    }

    func buy(_ productID: String) async -> PurchaseMessage {
      guard let product = try? await Product.products(for: [productID]).first,
        case .success = try? await product.purchase(), let url = Bundle.main.appStoreReceiptURL
      else { return .pending }
      say("there", url)
      let files = FileManager.default
      let place = files.urls(for: .documentDirectory, in: .userDomainMask)[0]
        .appendingPathComponent("a receipt?")
      do { try files.moveItem(at: url, to: place) } catch { print(error) }
      say("moved", place)
      say("there", url)
      say("asked again", Bundle.main.appStoreReceiptURL)
      say("in a folder", place.deletingLastPathComponent())
      say("no file", place.appendingPathExtension("txt"))
      say("of the machine", URL(filePath: "/proc/self/comm"))
      return .pending
    }
  }

  private enum MovingShop: HostedSystem {
    typealias App = HostedApp<MovingApp>
    typealias Backend = NoBackend
    static let entry = SystemEntry(name: "moving-shop", summary: "Moves its receipt.")
  }

  private enum ReceiptShop: HostedSystem {
    typealias App = HostedApp<ReceiptApp>
    typealias Backend = NoBackend
    static let entry = SystemEntry(name: "receipt-shop", summary: "Looks at its receipt.")
  }
#endif
