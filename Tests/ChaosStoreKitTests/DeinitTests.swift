#if !canImport(ObjectiveC)
  import ChaosStore
  import Combine
  import Foundation
  import FoundationNetworking
  import Invariants
  import os
  import Synchronization
  import Testing

  @testable import StoreKit

  /// What a manager does in its `init` and takes back in its `deinit`, as apps have it.
  private struct Idiom: Sendable, CustomTestStringConvertible {
    let name: String
    var begin: @MainActor @Sendable (Manager) -> Void = { _ in }
    let end: @Sendable (Manager.Parts) -> Void
    /// The keepers that it is not tried with.
    var without: [Keeper] = []

    var testDescription: String { name }
  }

  /// Who has the last reference to the manager.
  private enum Keeper: String, CaseIterable, Sendable {
    case app, task, sleepingTask, detachedTask, childTask, continuation, timer, block, notification
    case threadDictionary, association, operation, cancellable, reader, restless, defaultsObserver
  }

  /// The purchase manager of an app: it does what a test says.
  private final class Manager: NSObject, ObservableObject, SKPaymentTransactionObserver,
    SKProductsRequestDelegate, @unchecked Sendable
  {
    /// What its `deinit` works with. The object itself is on its way out.
    final class Parts: @unchecked Sendable {
      unowned(unsafe) var manager: Manager!
      var device: SimulatedDevice!
      var token: (any NSObjectProtocol)?
      var timer: Timer?
      var task: Task<Void, Never>?
      var request: SKProductsRequest?
      var transaction: SKPaymentTransaction?
      var bought: StoreKit.Transaction?
      var product: Product?
      let queue = OperationQueue()
      lazy var session = URLSession(configuration: .default)
      var cancellables: Set<AnyCancellable> = []
    }

    static let freed = Atomic(0)

    @Published var count = 0
    let parts = Parts()
    private let idiom: Idiom

    @MainActor
    init(_ idiom: Idiom, _ device: SimulatedDevice) {
      self.idiom = idiom
      super.init()
      parts.manager = self
      parts.device = device
      idiom.begin(self)
    }

    deinit {
      idiom.end(parts)
      Self.freed.add(1, ordering: .relaxed)
    }

    func changed(_ notification: Notification) { count += 1 }
    func waited() { count += 1 }

    nonisolated func paymentQueue(
      _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) { for transaction in transactions { parts.transaction = transaction } }

    nonisolated func productsRequest(
      _ request: SKProductsRequest, didReceive response: SKProductsResponse
    ) {}
  }

  private let changed = Notification.Name("changed")

  private final class TidyApp: SimulatedApp {
    nonisolated static let now = Mutex<(idiom: Idiom, keeper: Keeper)?>(nil)

    private let device: SimulatedDevice
    private var manager: Manager?

    init(device: SimulatedDevice) {
      self.device = device
      guard let (idiom, keeper) = Self.now.withLock({ $0 }) else { return }
      let manager = Manager(idiom, device)
      keep(manager, keeper)
    }

    private func keep(_ manager: Manager, _ keeper: Keeper) {
      switch keeper {
      case .app: self.manager = manager
      case .task: Task { for await _ in Transaction.updates { manager.count += 1 } }
      case .sleepingTask:
        Task {
          try? await Task.sleep(for: .seconds(3600))
          manager.count += 1
        }
      case .detachedTask:
        Task.detached {
          try? await Task.sleep(for: .seconds(3600))
          await MainActor.run { manager.count += 1 }
        }
      case .childTask:
        Task {
          await withTaskGroup(of: Void.self) { group in
            group.addTask {
              try? await Task.sleep(for: .seconds(3600))
              await MainActor.run { manager.count += 1 }
            }
          }
        }
      case .continuation:
        Task {
          _ = try? await Product.products(for: ["coins"])
          manager.count += 1
        }
      case .timer:
        _ = Timer.scheduledTimer(withTimeInterval: 3600, repeats: true) { _ in
          MainActor.assumeIsolated { manager.count += 1 }
        }
      case .block: DispatchQueue.main.asyncAfter(deadline: .now() + 3600) { manager.count += 1 }
      case .notification:
        _ = NotificationCenter.default.addObserver(forName: changed, object: nil, queue: nil) { _ in
          MainActor.assumeIsolated { manager.count += 1 }
        }
      case .threadDictionary: Thread.current.threadDictionary["manager"] = manager
      case .association:
        objc_setAssociatedObject(self, key, manager, .OBJC_ASSOCIATION_RETAIN)
      case .operation:
        OperationQueue.main.addOperation { MainActor.assumeIsolated { manager.count += 1 } }
      case .cancellable:
        manager.$count.sink { _ in _ = manager.parts }.store(in: &manager.parts.cancellables)
        Task {
          try? await Task.sleep(for: .seconds(3600))
          manager.parts.cancellables.removeAll()
        }
      case .reader:
        device.watchBalance(inFile: "wallet", amounts: ["coins": 1]) { _ in
          MainActor.assumeIsolated { manager.count }
        }
      case .restless:
        Task { while true { try? await Task.sleep(for: .seconds(manager.count + 60)) } }
      case .defaultsObserver:
        manager.perform(
          Selector(Manager.waited, named: "waited"), with: nil, afterDelay: 3600)
      }
    }

    func buy(_ productID: String) async -> PurchaseMessage {
      guard let product = try? await Product.products(for: [productID]).first,
        case .success(.verified(let transaction)) = try? await product.purchase()
      else { return .failure }
      manager?.parts.bought = transaction
      manager?.parts.product = product
      device.delivered(transaction.id)
      await transaction.finish()
      return .success
    }
  }

  private nonisolated(unsafe) let key = UnsafeRawPointer(
    UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

  private enum TidyShop: HostedSystem {
    typealias App = HostedApp<TidyApp>
    typealias Backend = NoBackend
    static let entry = SystemEntry(name: "tidy-shop", summary: "For tests.")
  }

  /// Their `deinit` runs off the main actor, where assuming it ends an app.
  private let offMain: [Keeper] = [.detachedTask, .childTask]
  /// They let go while the process lives, in which nothing may wait for a thread.
  private let early: [Keeper] = [.continuation, .operation]

  private let idioms: [Idiom] = [
    Idiom(name: "nothing", end: { _ in }),
    Idiom(
      name: "an observer by selector",
      begin: {
        NotificationCenter.default.addObserver(
          $0, selector: Selector(Manager.changed(_:), named: "changed(_:)"), name: changed,
          object: nil)
      }, end: { NotificationCenter.default.removeObserverAndSelectors($0.manager as Any) }),
    Idiom(
      name: "an observer of one name",
      begin: {
        NotificationCenter.default.addObserver(
          $0, selector: Selector(Manager.changed(_:), named: "changed(_:)"), name: changed,
          object: nil)
      },
      end: {
        NotificationCenter.default.removeObserverAndSelectors(
          $0.manager as Any, name: changed, object: nil)
        NotificationCenter.default.post(name: changed, object: nil)
      }),
    Idiom(
      name: "an observer by closure",
      begin: { manager in
        manager.parts.token = NotificationCenter.default.addObserver(
          forName: changed, object: nil, queue: .main
        ) { [weak manager] _ in MainActor.assumeIsolated { manager?.count += 1 } }
      }, end: { if let token = $0.token { NotificationCenter.default.removeObserver(token) } }),
    Idiom(
      name: "an observer of the payment queue", begin: { SKPaymentQueue.default().add($0) },
      end: { parts in
        SKPaymentQueue.default().remove(parts.manager)
        if let transaction = parts.transaction {
          SKPaymentQueue.default().finishTransaction(transaction)
        }
        SKPaymentQueue.default().restoreCompletedTransactions()
        _ = SKPaymentQueue.default().transactions
      }),
    Idiom(
      name: "a request",
      begin: { manager in
        manager.parts.request = SKProductsRequest(productIdentifiers: ["coins"])
        manager.parts.request?.delegate = manager
        manager.parts.request?.start()
      },
      end: { parts in
        parts.request?.delegate = nil
        parts.request?.cancel()
        SKProductsRequest(productIdentifiers: ["coins"]).start()
        SKReceiptRefreshRequest().start()
      }),
    Idiom(
      name: "a timer",
      begin: { manager in
        manager.parts.timer = Timer.scheduledTimer(withTimeInterval: 2, repeats: true) {
          [weak manager] _ in MainActor.assumeIsolated { manager?.count += 1 }
        }
      },
      end: { parts in
        parts.timer?.invalidate()
        parts.timer = nil
        _ = Timer.scheduledTimer(withTimeInterval: 1, repeats: false) { _ in }
      }),
    Idiom(
      name: "a call that is to come later",
      begin: {
        $0.perform(
          Selector(Manager.waited, named: "waited"), with: nil, afterDelay: 3600)
      }, end: { NSObject.cancelPreviousPerformRequests(withTarget: $0.manager as Any) }),
    Idiom(
      name: "defaults",
      end: { parts in
        UserDefaults.standard.set(true, forKey: "ended")
        UserDefaults.standard.removeObject(forKey: "began")
        UserDefaults.standard.register(defaults: ["ended": false])
        UserDefaults.standard.synchronize()
        _ = UserDefaults(suiteName: "group.shop")?.integer(forKey: "count")
        MainActor.assumeIsolated {
          parts.device.defaults.set(1, forKey: "count")
          parts.device.files.write(Data([1]), to: "wallet")
          parts.device.delivered(1)
          parts.device.show(.success, about: "coins")
          _ = (parts.device.account.name, parts.device.account.token)
          parts.device.backend.send(BackendRequest()) { _ in }
        }
      }, without: offMain),
    Idiom(
      name: "a listening task",
      begin: { manager in
        manager.parts.task = Task { [weak manager] in
          for await _ in StoreKit.Transaction.updates { manager?.count += 1 }
        }
      }, end: { $0.task?.cancel() }),
    Idiom(
      name: "new tasks",
      end: { _ in
        Task { for await _ in StoreKit.Transaction.unfinished {} }
        Task { for await _ in StoreKit.Transaction.updates {} }
        Task { _ = await StoreKit.Transaction.latest(for: "coins") }
        Task { try await AppStore.sync() }
        Task { _ = try await Product.products(for: ["coins"]) }
        Task { _ = try await AppTransaction.shared }
        Task { _ = try await Product.SubscriptionInfo.status(for: "group") }
        Task { _ = await Product.SubscriptionInfo.isEligibleForIntroOffer(for: "group") }
        Task { for await _ in Storefront.updates {} }
        Task { for await _ in PurchaseIntent.intents {} }
        Task { for await _ in Message.messages {} }
        Task.detached { try await Task.sleep(for: .seconds(5)) }
        Task { @MainActor in await MainActor.run {} }
      }),
    Idiom(
      name: "what was bought",
      end: { parts in
        if let bought = parts.bought {
          _ = (
            bought.jsonRepresentation, bought.price, bought.purchaseDate, bought.debugDescription
          )
          _ = VerificationResult.verified(bought).jwsRepresentation
          Task { await bought.finish() }
        }
        if let product = parts.product { Task { @MainActor in _ = try await product.purchase() } }
      }),
    Idiom(
      name: "subscribers",
      begin: { manager in
        manager.$count.sink { _ in }.store(in: &manager.parts.cancellables)
        Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { _ in }
          .store(in: &manager.parts.cancellables)
      },
      end: { parts in
        for cancellable in parts.cancellables { cancellable.cancel() }
        parts.cancellables.removeAll()
      }),
    Idiom(
      name: "a log",
      end: { _ in
        Logger(subsystem: "shop", category: "store").info("ended")
        print("ended")
      }),
    Idiom(
      name: "queues",
      end: { _ in
        DispatchQueue.main.async { UserDefaults.standard.set(1, forKey: "late") }
        DispatchQueue.global().async { _ = SKPaymentQueue.default() }
        DispatchQueue(label: "shop").sync {}
        DispatchQueue(label: "shop").asyncAfter(deadline: .now() + 1) {}
        let group = DispatchGroup()
        group.enter()
        group.notify(queue: .main) {}
        _ = group.wait(timeout: .now() + 1)
        group.leave()
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + 1)
      }, without: early),
    Idiom(
      name: "operations", begin: { manager in manager.parts.queue.addOperation {} },
      end: { parts in
        parts.queue.cancelAllOperations()
        OperationQueue.main.addOperation {}
      }),
    Idiom(
      name: "a session", begin: { _ = $0.parts.session }, end: { $0.session.invalidateAndCancel() }),
    Idiom(
      name: "files",
      end: { _ in
        let url = URL.documentsDirectory.appending(path: "journal.json")
        try? Data([1, 2]).write(to: url)
        if let handle = try? FileHandle(forWritingTo: url) { try? handle.close() }
        _ = try? Data(contentsOf: url)
        try? FileManager.default.removeItem(at: url)
        _ = Bundle.main.appStoreReceiptURL
      }),
    Idiom(
      name: "associated objects",
      begin: { objc_setAssociatedObject($0, key, NSObject(), .OBJC_ASSOCIATION_RETAIN) },
      end: { parts in
        objc_setAssociatedObject(parts, key, nil, .OBJC_ASSOCIATION_RETAIN)
        _ = objc_getAssociatedObject(parts, key)
        objc_removeAssociatedObjects(parts)
      }),
    Idiom(name: "the main actor", end: { _ in MainActor.assumeIsolated {} }, without: offMain),
  ]

  private let cases = idioms.flatMap { idiom in
    Keeper.allCases.filter { !idiom.without.contains($0) }.map { (idiom, $0) }
  }

  @Suite("What an app's objects do in their deinit", .serialized)
  struct DeinitTests {
    /// One purchase in which the app dies once the payment is under way, and is started again.
    private func run(_ idiom: Idiom, _ keeper: Keeper) throws -> (record: Record, freed: Int) {
      TidyApp.now.withLock { $0 = (idiom, keeper) }
      defer { TidyApp.now.withLock { $0 = nil } }
      var scenario = try PropertyTest.scenario(for: TidyShop.self, faults: [])
      scenario.setup.devices = [Setup.Device()]
      scenario.setup.accounts = 1
      scenario.setup.steps = Array(scenario.setup.steps.prefix(1))
      let before = Manager.freed.load(ordering: .relaxed)
      let plan = try Plan(parsing: "crash app after pay tx1 #1")
      let record = Simulation(scenario).record(seed: nil, plan: plan)
      #expect(record.unmatched == [])
      return (record, Manager.freed.load(ordering: .relaxed) - before)
    }

    @Test(
      "Whatever a deinit does when its process has died ends no run and spoils no verdict",
      arguments: cases)
    private func idiom(_ idiom: Idiom, _ keeper: Keeper) throws {
      let (record, freed) = try run(idiom, keeper)
      #expect(record.problems == [])
      // A call that is to come later is taken back in a deinit only by who does not keep the object.
      let isKept = keeper == .restless
      if !isKept { #expect(freed > 0) }
      #expect(record.facts.contains { $0.kind == .charged })
    }

    @Test("Outside a run, and on a thread of the app's own, StoreKit answers with nothing")
    func outside() async throws {
      func ask() async {
        #expect(SKPaymentQueue.default().transactions.isEmpty)
        SKPaymentQueue.default().restoreCompletedTransactions()
        SKProductsRequest(productIdentifiers: ["coins"]).start()
        await #expect(throws: CancellationError.self) {
          _ = try await Product.products(for: ["coins"])
        }
        await #expect(throws: CancellationError.self) { try await AppStore.sync() }
        for await _ in StoreKit.Transaction.updates { Issue.record("an update") }
        for await _ in StoreKit.Transaction.currentEntitlements { Issue.record("a purchase") }
        for await _ in Message.messages { Issue.record("a message") }
        let object = NSObject()
        objc_setAssociatedObject(object, key, object, .OBJC_ASSOCIATION_RETAIN)
        #expect(objc_getAssociatedObject(object, key) == nil)
        NotificationCenter.default.removeObserverAndSelectors(object)
        NSObject.cancelPreviousPerformRequests(withTarget: object)
      }
      await ask()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { await ask() } }
      }
    }

    @Test("An observer that leaves the payment queue in its deinit is gone from it")
    func observer() {
      let stage = Stage()
      stage.enter {
        SKPaymentQueue.default().add(ShortLived())
        #expect(SKPaymentQueue.default().transactionObservers.isEmpty)
      }
      #expect(stage.port.log == ["observe", "unobserve"])
      stage.kill()
    }

    private final class ShortLived: NSObject, SKPaymentTransactionObserver {
      deinit { SKPaymentQueue.default().remove(self) }
      func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
      ) {}
    }

    @Test("A deinit may come back to the subject, property or key that has just let go of it")
    func reentrance() {
      let stage = Stage()
      stage.enter {
        let subject = CurrentValueSubject<Leaving?, Never>(nil)
        subject.value = Leaving { _ = subject.value }
        subject.value = nil
        let holder = Holder()
        holder.value = Leaving { [unowned holder] in _ = holder.value }
        holder.value = nil
        let object = NSObject()
        let value = { Leaving { _ = objc_getAssociatedObject(object, key) } }
        objc_setAssociatedObject(object, key, value(), .OBJC_ASSOCIATION_RETAIN)
        objc_setAssociatedObject(object, key, nil, .OBJC_ASSOCIATION_RETAIN)
        let sent = PassthroughSubject<Int, Never>()
        var second: AnyCancellable? = sent.sink { _ in }
        let inner = second
        second = nil
        func subscribed() -> AnyCancellable {
          let leaving = Leaving { inner?.cancel() }
          return sent.sink { _ in _ = leaving }
        }
        subscribed().cancel()
      }
      stage.kill()
      #expect(stage.host.leaks == [])
    }

    private final class Holder: ObservableObject {
      @Published var value: Leaving?
    }

    private final class Leaving {
      private let body: () -> Void
      init(_ body: @escaping () -> Void) { self.body = body }
      deinit { body() }
    }
  }
#endif
