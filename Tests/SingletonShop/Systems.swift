import ChaosStore
import ChaosStoreKit
import Foundation
import Invariants

/// Asks Apple, and enters each transaction once together with the credit.
public final class ShopBackend: SimulatedBackend {
  public init(_ kind: BackendKind) {}

  public func handle(_ request: ReceivedRequest, _ services: BackendServices) async
    -> BackendResponse
  {
    let question: VerifierQuestion = request.isReceipt ? .productionReceipt : .transaction
    guard let answer = await services.verify(question) else { return BackendResponse(.retry) }
    switch answer.class {
    case .retry, .otherEnvironment, .notFound: return BackendResponse(.retry)
    case .permanent: return BackendResponse(.refused)
    case .valid: break
    }
    var outcome = Reply.Outcome.refused
    for purchase in services.purchases(in: answer)
    where purchase.isOurs && !purchase.transaction.isNone {
      let owner = services.owner(of: purchase)
      switch await services.commit(purchase, to: owner.isNone ? request.account : owner) {
      case .credited: outcome = .delivered
      case .alreadyThere: if outcome != .delivered { outcome = .alreadyDelivered }
      case .unavailable, .unknown: return BackendResponse(.retry)
      }
    }
    return BackendResponse(outcome, body: Data("answer to ".utf8) + request.body)
  }
}

private func entry(_ name: String) -> SystemEntry {
  SystemEntry(name: name, summary: "An app for tests.", backends: [.idempotent])
}

/// The app with a singleton, in a process of its own for every launch.
public enum PipedSingleton: PipedSystem {
  public typealias Hosted = SingletonApp
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("piped-singleton")
  public static var program: HostedProgram { .named("singleton-shop") }
}

/// The same without pipes, where launches share the singleton.
public enum SharedSingleton: HostedSystem {
  public typealias App = HostedApp<SingletonApp>
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("shared-singleton")
  public static var ownProcesses: OwnProcesses { .never }
}

/// The same, and not a word about the singleton.
public enum FoundSingleton: HostedSystem {
  public typealias App = HostedApp<SingletonApp>
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("found-singleton")
}

/// The same code without a singleton, and without pipes.
public enum Fresh: HostedSystem {
  public typealias App = HostedApp<FreshApp>
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("fresh")
}

/// The app with a StoreKit 1 singleton, in a process of its own for every launch.
public enum PipedClassic: PipedSystem {
  public typealias Hosted = ClassicApp
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("piped-classic")
  public static var program: HostedProgram { .named("singleton-shop") }
}

/// The same code without a singleton, and without pipes.
public enum FreshClassic: HostedSystem {
  public typealias App = HostedApp<FreshClassicApp>
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("fresh-classic")
}

/// An app with the simplest singleton, and not a word about it.
public enum FoundPlain: HostedSystem {
  public typealias App = HostedApp<PlainApp>
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("found-plain")
}

/// An app that would end the simulator's process, and not a word about it.
public enum FoundTrapping: HostedSystem {
  public typealias App = HostedApp<TrappingApp>
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("found-trapping")
}

public enum Trapping: PipedSystem {
  public typealias Hosted = TrappingApp
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("trapping")
  public static var program: HostedProgram { .named("singleton-shop") }
}

public enum Stumbling: PipedSystem {
  public typealias Hosted = StumblingApp
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("stumbling")
  public static var program: HostedProgram { .named("singleton-shop") }
}

public enum Dying: PipedSystem {
  public typealias Hosted = DyingApp
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("dying")
  public static var program: HostedProgram { .named("singleton-shop") }
}

public enum Noisy: PipedSystem {
  public typealias Hosted = NoisyApp
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("noisy")
}

public enum Hanging: PipedSystem {
  public typealias Hosted = HangingApp
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("hanging")
  public static var program: HostedProgram {
    var program = HostedProgram.this
    program.patience = 1
    return program
  }
}

/// Names a program that there is not.
public enum Missing: PipedSystem {
  public typealias Hosted = SingletonApp
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("missing")
  public static var program: HostedProgram { .named("no-such-shop") }
}

/// An app that remembers its launches, and not a word about it.
public enum Remembering: HostedSystem {
  public typealias App = HostedApp<RememberingApp>
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("remembering")
}

/// The same in a new process at every launch.
public enum AlwaysRemembering: HostedSystem {
  public typealias App = HostedApp<RememberingApp>
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("always-remembering")
  public static var ownProcesses: OwnProcesses { .always }
}

/// An app with a singleton and a manager that takes leave in its `deinit`.
public enum Tidying: HostedSystem {
  public typealias App = HostedApp<TidyingApp>
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("tidying")
}

/// An app that takes up a lot of memory, and not a word about it.
public enum Hoarding: HostedSystem {
  public typealias App = HostedApp<HoardingApp>
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("hoarding")
}

/// An app that leaves tasks behind that nobody can end.
public enum Leaving: HostedSystem {
  public typealias App = HostedApp<LeavingApp>
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("leaving")
}

/// The app with a StoreKit 1 singleton, and not a word about it.
public enum FoundClassic: HostedSystem {
  public typealias App = HostedApp<ClassicApp>
  public typealias Backend = HostedBackend<ShopBackend>
  public static let entry = SingletonShop.entry("found-classic")
}

/// What several tests run.
public enum Systems {
  /// Two people who take turns on two phones, and ask for their purchases again.
  public static func takingTurns<System: PurchaseSystem>(_ system: System.Type) throws -> Scenario {
    var scenario = try PropertyTest.scenario(for: system)
    scenario.setup.steps += [
      Setup.Step(atMillis: 12_000, device: 0, .logIn(account: 1)),
      Setup.Step(atMillis: 20_000, device: 0, .restore),
      Setup.Step(atMillis: 30_000, device: 1, .buy(product: 0, quantity: 1, account: 0)),
    ]
    return scenario
  }
}
