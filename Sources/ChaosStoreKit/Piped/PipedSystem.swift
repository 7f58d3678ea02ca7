import ChaosStore
import Invariants

/// A `HostedSystem` whose app runs in an operating system process of its own.
///
/// For apps with a `static let shared`: what is global to the app is new at every launch, because its
/// process is. The same seed gives the same run.
public protocol PipedSystem: PurchaseSystem where App == PipedApp<Self> {
  /// The app under test.
  associatedtype Hosted: SimulatedApp
  /// The executable that calls `HostedProgram.serve` with this system.
  static var program: HostedProgram { get }
}

extension PipedSystem {
  /// The executable that runs the simulation.
  public static var program: HostedProgram { .this }
  /// What the app and backend processes of one simulation share.
  public static func makeShared() -> AnyObject? { HostedRun() }
}

/// Passes on to an app in another operating system process what happens to its simulated one.
public struct PipedApp<System: PipedSystem>: PurchaseApp {
  /// Whether the app has a shop page: as the app says.
  public static var hasShopPage: Bool { System.Hosted.hasShopPage }

  private let run: HostedRun
  private var child: ChildProcess?
  private var isLaunched = false

  /// Called by the simulator, for a system that is a ``PipedSystem``.
  public init(_ launch: Launch) {
    guard let run = launch.shared as? HostedRun else {
      fatalError("bug: a hosted app in a system that is no PipedSystem")
    }
    self.run = run
  }

  /// Called by the simulator: starts the program, which builds the app. Stops the whole program
  /// with exit code 2 if it cannot be started.
  public mutating func launched(_ phone: Phone) {
    run.beginPiped(phone)
    isLaunched = true
    guard run.launchDeaths.mayStart(phone.number) else { return }
    do throws(PipeFailure) {
      child = try ChildProcess(System.program, serving: System.entry.name)
    } catch {
      PipeError.report(error, "\(System.entry.name), at launch", System.program)
    }
    deliver(.launched, phone) {
      $0.put(phone.number)
      $0.put(phone.launches)
      $0.put(phone.environment)
      $0.put(phone.products.count)
      for index in phone.products {
        let product = phone.product(ProductID(index: index))
        $0.put(product.name)
        $0.put(product.isConsumable)
      }
      $0.put(phone.now)
      $0.put(phone.account)
    }
  }

  /// Called by the simulator: the app hears of a tap.
  public mutating func tapped(_ tap: Tap, _ phone: Phone) {
    tell(.tapped, phone) { $0.put(tap) }
  }

  /// Called by the simulator: the app hears of a visit to its shop page.
  public mutating func visitedShop(_ phone: Phone) { tell(.visitedShop, phone) { _ in } }

  /// Called by the simulator: the app's wait for products is over.
  public mutating func productsArrived(for tap: Tap, _ phone: Phone) {
    tell(.productsArrived, phone) { $0.put(tap) }
  }

  /// Called by the simulator: the app hears that somebody else is logged in.
  public mutating func sessionChanged(_ phone: Phone) { tell(.sessionChanged, phone) { _ in } }

  /// Called by the simulator: StoreKit's observers and listeners hear of a transaction.
  public mutating func updated(_ transaction: PaymentTransaction, _ phone: Phone) {
    tell(.updated, phone) { $0.put(transaction) }
  }

  /// Called by the simulator: `purchase()` returns or throws in the app.
  public mutating func purchaseEnded(_ result: PurchaseResult, for tap: Tap, _ phone: Phone) {
    tell(.purchaseEnded, phone) {
      $0.put(tap)
      switch result {
      case .failed: $0.put(false)
      case .success(let transaction):
        $0.put(true)
        $0.put(transaction)
      }
    }
  }

  /// Called by the simulator: the app's wait for a restore is over.
  public mutating func restoreEnded(_ phone: Phone) { tell(.restoreEnded, phone) { _ in } }

  /// Called by the simulator: the app's wait for a receipt is over.
  public mutating func receiptRefreshed(_ succeeded: Bool, _ phone: Phone) {
    tell(.receiptRefreshed, phone) { $0.put(succeeded) }
  }

  /// Called by the simulator: the app's wait for its backend is over.
  public mutating func replied(_ reply: Reply, _ phone: Phone) {
    tell(.replied, phone) { $0.put(reply) }
  }

  /// Called by the simulator: the virtual time has come to which a task sleeps or a request waits.
  public mutating func timerFired(
    _ tag: UInt8, about transaction: TransactionID, _ phone: Phone
  ) {
    tell(.timerFired, phone) { $0.put(tag) }
  }

  /// Called by the simulator: the app's process is killed.
  public mutating func stopped() {
    guard isLaunched else { return }
    isLaunched = false
    child?.kill()
    child = nil
    run.endPiped()
  }

  private func tell(
    _ event: PipeEvent, _ phone: Phone, _ fill: (inout PipeMessage) -> Void
  ) {
    deliver(event, phone) {
      $0.put(phone.now)
      $0.put(phone.account)
      fill(&$0)
    }
  }

  /// Has the app handle an event, and answers what it asks until it is done or dead.
  private func deliver(
    _ event: PipeEvent, _ phone: Phone, _ fill: (inout PipeMessage) -> Void
  ) {
    guard let child, child.isRunning, phone.isAlive else { return }
    var message = PipeMessage(event)
    fill(&message)
    do throws(PipeFailure) {
      try child.pipe.send(message)
      while true {
        var question = try child.pipe.receive()
        let call = try question.takeCall()
        if call == .idle {
          if event == .launched { run.launchDeaths.survived(phone.number) }
          return
        }
        let answer = try answer(call, &question, phone)
        // Whoever died in this call hears nothing any more.
        guard phone.isAlive else {
          if event == .launched { run.launchDeaths.survived(phone.number) }
          child.kill()
          return
        }
        try child.pipe.send(answer)
      }
    } catch {
      let how = child.kill()
      guard error == .closed else {
        PipeError.report(error, "\(System.entry.name), when it was told \(event)", System.program)
      }
      OwnDeaths.note("\(System.entry.name) ended by itself (\(how)) when it was told \(event)")
      if event == .launched, !run.launchDeaths.died(phone.number) {
        let count = LaunchDeaths.most
        phone.note(
          problem: "\(System.entry.name) ended by itself at \(count) launches of "
            + "phone\(phone.number + 1) in a row, the last of them its launch \(phone.launches) "
            + "(\(how)), and is not started on it again in this run")
      }
      phone.crash()
    }
  }

  private func answer(_ call: PipeCall, _ question: inout PipeMessage, _ phone: Phone)
    throws(PipeFailure) -> PipeMessage
  {
    var result = PipeMessage(.answer)
    let body = try PhoneService(run: run, phone: phone).perform(call, &question)
    result.put(phone.account)
    result.append(body)
    return result
  }
}
