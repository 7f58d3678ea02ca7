import ChaosStore
import Foundation
import Invariants
import StoreKit

// Hosted apps and backends with one planted defect each. Each is written twice in one place, as it was
// meant and with the defect, so that what makes the difference can be read.

/// Whether a hosted app or backend has its defect.
protocol Planting: Sendable { static var isPlanted: Bool { get } }
enum Sound2: Planting { static var isPlanted: Bool { false } }
enum Defective: Planting { static var isPlanted: Bool { true } }

/// An app with the backend that it is hosted with.
enum PlantedSystem<App: SimulatedApp, Backend: SimulatedBackend>: HostedSystem {
  typealias App = HostedApp<App>
  typealias Backend = HostedBackend<Backend>
  static var entry: SystemEntry {
    SystemEntry(
      name: "planted", summary: "An app or a backend that may have a planted defect.",
      backends: [.idempotent])
  }
}

/// A planted defect as ordinary code, with its sound twin.
package struct PlantedPair: Sendable, CustomStringConvertible {
  /// What is done otherwise.
  package var name: String
  /// The invariant that it is known to break.
  package var breaks: String
  package var planted: AnySystem
  package var sound: AnySystem
  /// Whether the seeds of a check as it is by default are too few to find it.
  package var isRare = false
  /// The default world in which fewer runs show it than in the others.
  package private(set) var world = DefaultWorld.leftOpen
  /// Its type's name, as `power` has it.
  package private(set) var code: String
  /// What somebody does who wants to know about it.
  package var check: @Sendable () throws -> Void

  package var description: String { name }

  private init<P: HostedSystem, S: HostedSystem>(
    _ name: String, breaks: String, _ part: Any.Type, _ planted: P.Type, sound: S.Type
  ) {
    self.name = name
    self.breaks = breaks
    code = Self.code(of: part)
    self.planted = AnySystem(planted)
    self.sound = AnySystem(sound)
    check = { try PropertyTest.check(planted) }
  }

  init<P: SimulatedApp, S: SimulatedApp>(
    _ name: String, breaks: String, _ planted: P.Type, _ sound: S.Type
  ) {
    self.init(
      name, breaks: breaks, P.self, PlantedSystem<P, PlantedBackend>.self,
      sound: PlantedSystem<S, PlantedBackend>.self)
  }

  init<P: SimulatedBackend, S: SimulatedBackend>(
    _ name: String, breaks: String, backend planted: P.Type, _ sound: S.Type
  ) {
    self.init(name, breaks: breaks, Shop2.self, with: planted, sound)
  }

  init<App: SimulatedApp, P: SimulatedBackend, S: SimulatedBackend>(
    _ name: String, breaks: String, _ app: App.Type, with planted: P.Type, _ sound: S.Type
  ) {
    self.init(
      name, breaks: breaks, P.self, PlantedSystem<App, P>.self, sound: PlantedSystem<App, S>.self)
  }

  /// The default world in which fewer runs show it than in the others.
  private func seen(in world: DefaultWorld) -> PlantedPair {
    var pair = self
    pair.world = world
    return pair
  }

  /// `buyer-after-await` for `BuyerAfterAwait<Defective>`.
  private static func code(of type: Any.Type) -> String {
    let name = "\(type)".prefix { $0 != "<" }
    return name.reduce(into: "") { code, letter in
      if letter.isUppercase, !code.isEmpty { code += "-" }
      code += letter.lowercased()
    }
  }

  private var rare: PlantedPair {
    var pair = self
    pair.isRare = true
    return pair
  }

  package static let all = [
    // The session is read after an await.
    PlantedPair(
      "the account is read after the products have come", breaks: "right-account",
      BuyerAfterAwait<Defective>.self, BuyerAfterAwait<Sound2>.self
    ).seen(in: .otherUser),
    PlantedPair(
      "the buyer is who was logged in at the launch", breaks: "right-account",
      AccountOfLaunch<Defective>.self, AccountOfLaunch<Sound2>.self
    ).seen(in: .otherUser),
    // The order of messages, and several purchases.
    PlantedPair(
      "a success finishes whatever is unfinished", breaks: "finish-only-after-credit",
      SiblingsFinished<Defective>.self, SiblingsFinished<Sound2>.self
    ).seen(in: .otherUser),
    PlantedPair(
      "what was delivered is remembered by its product", breaks: "finish-only-after-credit",
      HandledByProduct<Defective>.self, HandledByProduct<Sound2>.self
    ).seen(in: .boughtAgain),
    PlantedPair(
      "open payments are counted, and each callback takes one off", breaks: "one-tap-one-charge",
      CountedPayments<Defective>.self, CountedPayments<Sound2>.self
    ).seen(in: .boughtAgain).rare,
    PlantedPair(
      "what is called back a second time is finished", breaks: "finish-only-after-credit",
      SecondCallback<Defective>.self, SecondCallback<Sound2>.self),
    PlantedPair(
      "of an array that is called back the first is handled", breaks: "queue-drains",
      FirstOfArray<Defective>.self, FirstOfArray<Sound2>.self
    ).rare,
    PlantedPair(
      "a payment that comes back ends the oldest wait", breaks: "honest-answers",
      FirstCompletion<Defective>.self, FirstCompletion<Sound2>.self
    ).seen(in: .onePhone),
    PlantedPair(
      "an answer finishes what was reported last", breaks: "finish-only-after-credit",
      CurrentInProperty<Defective>.self, CurrentInProperty<Sound2>.self
    ).seen(in: .otherUser),
    PlantedPair(
      "a report under way is joined by its product", breaks: "finish-only-after-credit",
      JoinedByProduct<Defective>.self, JoinedByProduct<Sound2>.self),
    // Stalls while the app stays open.
    PlantedPair(
      "an error ends the loop that looks for what is unfinished",
      breaks: "no-charge-without-delivery",
      LoopEndsOnError<Defective>.self, LoopEndsOnError<Sound2>.self),
    PlantedPair(
      "a report that fails is repeated at the next launch", breaks: "no-charge-without-delivery",
      RetryAtLaunch<Defective>.self, RetryAtLaunch<Sound2>.self),
    PlantedPair(
      "a failed payment removes the observer", breaks: "no-charge-without-delivery",
      ObserverRemoved<Defective>.self, ObserverRemoved<Sound2>.self),
    PlantedPair(
      "an error of a purchase is followed by no word", breaks: "no-endless-wait",
      SilentError<Defective>.self, SilentError<Sound2>.self),
    PlantedPair(
      "a product whose purchase failed counts as being bought", breaks: "no-endless-wait",
      StuckAfterError<Defective>.self, StuckAfterError<Sound2>.self),
    PlantedPair(
      "only the answer to the first report is told", breaks: "no-endless-wait",
      SilentRetry<Defective>.self, SilentRetry<Sound2>.self),
    // Told the wrong person.
    PlantedPair(
      "a success is shown for the product that was tapped last", breaks: "honest-answers",
      LastTapIsTold<Defective>.self, LastTapIsTold<Sound2>.self
    ).seen(in: .onePhone),
    PlantedPair(
      "one completion is kept for all purchases", breaks: "honest-answers",
      OneCompletion<Defective>.self, OneCompletion<Sound2>.self
    ).seen(in: .onePhone),
    PlantedPair(
      "a success is shown to whoever is logged in", breaks: "no-endless-wait",
      AnybodyIsTold<Defective>.self, AnybodyIsTold<Sound2>.self),
    // Durable records.
    PlantedPair(
      "that somebody is buying is kept in UserDefaults", breaks: "no-endless-wait",
      FlagInDefaults<Defective>.self, FlagInDefaults<Sound2>.self),
    PlantedPair(
      "a transaction is written down as handled before the answer",
      breaks: "finish-only-after-credit",
      HandledInDefaults<Defective>.self, HandledInDefaults<Sound2>.self),
    PlantedPair(
      "the date of the newest transaction says what was handled",
      breaks: "finish-only-after-credit",
      NewestInDefaults<Defective>.self, NewestInDefaults<Sound2>.self
    ).seen(in: .onePhone),
    PlantedPair(
      "what is sent again from a record stays in it", breaks: "local-record-discipline",
      JournalIsKept<Defective>.self, JournalIsKept<Sound2>.self),
    PlantedPair(
      "what was credited is kept in the process", breaks: "no-double-credit",
      backend: CreditsInMemory<Defective>.self, CreditsInMemory<Sound2>.self),
    // Statements of a backend that interleave.
    PlantedPair(
      "the owner waits in a property of the backend", breaks: "right-account",
      backend: OwnerInProperty<Defective>.self, OwnerInProperty<Sound2>.self
    ).seen(in: .otherUser),
    PlantedPair(
      "the backend's lock is that of one process", breaks: "no-double-credit",
      backend: LockInProcess<Defective>.self, LockInProcess<Sound2>.self),
    PlantedPair(
      "what was reported before is answered as delivered", breaks: "finish-only-after-credit",
      backend: SeenIsDone<Defective>.self, SeenIsDone<Sound2>.self
    ).seen(in: .twoPhones),
    PlantedPair(
      "a row is looked for, and then written over", breaks: "no-double-credit",
      backend: RowWrittenOver<Defective>.self, RowWrittenOver<Sound2>.self
    ).seen(in: .twoPhones),
    PlantedPair(
      "an account's credits are a list in one row", breaks: "no-double-credit",
      backend: ListInOneRow<Defective>.self, ListInOneRow<Sound2>.self
    ).seen(in: .twoPhones),
    PlantedPair(
      "what is unique is an account's product", breaks: "finish-only-after-credit",
      backend: KeyOfProduct<Defective>.self, KeyOfProduct<Sound2>.self
    ).seen(in: .boughtAgain),
    PlantedPair(
      "a commit of unknown outcome is made again without a key", breaks: "no-double-credit",
      backend: UnknownIsFailed<Defective>.self, UnknownIsFailed<Sound2>.self),
    PlantedPair(
      "a commit of unknown outcome is a success", breaks: "finish-only-after-credit",
      backend: UnknownIsDone<Defective>.self, UnknownIsDone<Sound2>.self),
    PlantedPair(
      "what waits is entered for whom the next report is about", breaks: "right-account",
      backend: ParkedForNext<Defective>.self, ParkedForNext<Sound2>.self
    ).seen(in: .twoPhones),
    // Work of a backend that is lost, or does not go on.
    PlantedPair(
      "a report is answered before the commit", breaks: "finish-only-after-credit",
      backend: AnsweredFirst<Defective>.self, AnsweredFirst<Sound2>.self),
    PlantedPair(
      "a new process does not look into the outbox", breaks: "no-charge-without-delivery",
      backend: OutboxNotRead<Defective>.self, OutboxNotRead<Sound2>.self),
    PlantedPair(
      "a commit that fails keeps the lock", breaks: "no-charge-without-delivery",
      backend: LockIsKept<Defective>.self, LockIsKept<Sound2>.self),
    // Theft from outside.
    PlantedPair(
      "a sandbox purchase is entered as any other", breaks: "environment-isolation",
      backend: SandboxIsReal<Defective>.self, SandboxIsReal<Sound2>.self),
    PlantedPair(
      "the owner is whom the report names", breaks: "right-account",
      backend: OwnerIsNamed<Defective>.self, OwnerIsNamed<Sound2>.self
    ).seen(in: .otherUser),
    PlantedPair(
      "what a receipt lists belongs to its sender", breaks: "right-account",
      Shop1.self, with: ReceiptOfSender<Defective>.self, ReceiptOfSender<Sound2>.self
    ).seen(in: .twoPhones),
    PlantedPair(
      "a receipt of another app is accepted", breaks: "no-credit-without-charge",
      Shop1.self, with: OtherAppAccepted<Defective>.self, OtherAppAccepted<Sound2>.self
    ).seen(in: .onePhone),
  ]
}
