#if os(Linux)
  import Foundation
  import Invariants
  import TestSupport
  import Testing

  @testable import ChaosStore
  @testable import StoreKit

  /// Keeps coins in a file, as apps do that know nothing of a simulation.
  private struct Wallet: Codable {
    var coins = 0
    var handled: Set<UInt64> = []
  }

  /// A StoreKit 2 manager without a backend, whose coins are in a file. It is found by its name, and so is not private.
  @MainActor
  class WalletShop: SimulatedApp {
    private let device: SimulatedDevice
    private let file: URL
    private var wallet = Wallet()
    private var buying: Set<String> = []

    required init(device: SimulatedDevice) {
      self.device = device
      let files = FileManager.default
      let folder = files.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
      try? files.createDirectory(at: folder, withIntermediateDirectories: true)
      file = folder.appendingPathComponent("wallet.json")
      device.watchBalance(
        inFile: "../Library/Application Support/wallet.json", amounts: ["coins": 100],
        number: { (try? JSONDecoder().decode(Wallet.self, from: $0))?.coins ?? 0 })
      if let data = try? Data(contentsOf: file),
        let known = try? JSONDecoder().decode(Wallet.self, from: data)
      {
        wallet = known
      }
      Task { [weak self] in
        for await result in Transaction.updates { await self?.handle(result) }
      }
      Task { [weak self] in
        while !Task.isCancelled {
          for await result in Transaction.unfinished { await self?.handle(result) }
          await self?.lookAtEntitlements()
          // Not at the same time on two devices, which one thread would look at in one turn.
          try? await Task.sleep(for: .seconds(30 + device.number))
        }
      }
    }

    func buy(_ productID: String) async -> PurchaseMessage {
      guard buying.insert(productID).inserted else { return .pending }
      Task {
        try? await Task.sleep(for: .seconds(25))
        device.show(.pending, about: productID)
        buying.remove(productID)
      }
      guard let product = try? await Product.products(for: [productID]).first,
        case .success(let result) = try? await product.purchase(),
        case .verified = result
      else { return .pending }
      await handle(result)
      return .success
    }

    private func handle(_ result: VerificationResult<Transaction>) async {
      guard case .verified(let transaction) = result else { return }
      if transaction.productType == .consumable, transaction.revocationDate == nil,
        wallet.handled.insert(transaction.id).inserted
      {
        wallet.coins += 100
        if let data = try? JSONEncoder().encode(wallet) { write(data, to: file) }
      }
      if transaction.productType == .nonConsumable { await lookAtEntitlements() }
      await transaction.finish()
      if transaction.revocationDate == nil {
        device.show(.success, aboutTransaction: transaction.id)
      }
    }

    private func lookAtEntitlements() async { for await _ in Transaction.currentEntitlements {} }

    func write(_ data: Data, to file: URL) { try? data.write(to: file, options: .atomic) }
  }

  /// Finishes while what it has written is not on the disk.
  private final class HastyWalletShop: WalletShop {
    override func write(_ data: Data, to file: URL) {
      let stream = fopen(file.path, "w")
      _ = data.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
      fclose(stream)
    }
  }

  private enum Here<App: SimulatedApp>: HostedSystem {
    typealias App = HostedApp<App>
    typealias Backend = NoBackend
    static var ownProcesses: OwnProcesses { .never }
    static var entry: SystemEntry {
      SystemEntry(name: "wallet-shop", summary: "Keeps coins in a file.", backends: [.naive])
    }
  }

  private enum Elsewhere: HostedSystem {
    typealias App = HostedApp<WalletShop>
    typealias Backend = NoBackend
    static var ownProcesses: OwnProcesses { .always }
    static var entry: SystemEntry { Here<WalletShop>.entry }
  }

  @Suite struct `Apps whose goods are in a file` {
    private func outcomes(_ system: (some HostedSystem).Type, _ seeds: Range<UInt64>) throws
      -> [Outcome]
    {
      let simulation = Simulation(try PropertyTest.scenario(for: system))
      return seeds.map { simulation.run(seed: $0) }
    }

    @Test func `An app that writes its file before it finishes is blamed for nothing`() throws {
      try PropertyTest.check(
        Here<WalletShop>.self, seeds: whereOptimised(0..<500, otherwise: 0..<150))
    }

    @Test func `An app that finishes before its file is on the disk loses what was paid for`()
      throws
    {
      var broken: Set<String> = []
      for world in try PropertyTest.scenarios(for: Here<HastyWalletShop>.self) {
        var budget = Budget(seeds: 0..<300)
        budget.jobs = 1
        let findings = Portfolio().search(world, budget)
        #expect(findings.unfit == nil)
        for (index, rule) in world.invariants.enumerated() where findings.rules[index].runs > 0 {
          broken.insert(rule.code)
        }
      }
      #expect(broken.contains("I01"), "\(broken)")
    }

    @Test func `A run with files comes out the same again, also in processes of its own`() throws {
      let first = try outcomes(Here<WalletShop>.self, 0..<8)
      #expect(Set(first.map(\.trace)).count == first.count)
      #expect(first.allSatisfy { !$0.hasProblems })
      #expect(try outcomes(Here<WalletShop>.self, 0..<8) == first)
      #expect(try outcomes(Elsewhere.self, 0..<8) == first)
    }

    @Test func `Simulations on two threads do not see each other's files`() throws {
      let expected = try outcomes(Here<WalletShop>.self, 0..<40)
      nonisolated(unsafe) var found = [[Outcome]](repeating: [], count: 2)
      DispatchQueue.concurrentPerform(iterations: 2) { index in
        found[index] = (try? outcomes(Here<WalletShop>.self, 0..<40)) ?? []
      }
      #expect(found[0] == expected)
      #expect(found[1] == expected)
    }
  }
#endif
