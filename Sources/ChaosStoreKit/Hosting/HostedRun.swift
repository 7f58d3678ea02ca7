import ChaosHost
import ChaosStore
import Foundation
import Invariants

/// What the hosted processes of one simulation share: the executor, and what cannot be kept in
/// the numbers that the simulator passes on.
///
/// It belongs to the simulation's thread, as everything of a simulation does; that is why it can be
/// passed to closures that Swift wants to be sendable.
final class HostedRun: ClockWatching, @unchecked Sendable {
  let host = ChaosHost.Host()
  let payloads: Payloads
  @exclusivity(unchecked) private(set) var phones: [HostedPhone] = []
  /// The phone whose process was entered, which decides what runs next; none for a backend's.
  @exclusivity(unchecked) private unowned(unsafe) var chooser: HostedPhone?
  /// The products that are for sale, as the simulator has them and as StoreKit has; the same in all runs.
  @exclusivity(unchecked) private var products: [Setup.Product] = []
  @exclusivity(unchecked) private(set) var catalogue: [StoreProduct] = []
  @exclusivity(unchecked) private var isOver = true
  /// Whether this is an app's own process, which knows of one launch and no run.
  private let isApp: Bool
  /// True once an app ran in a process of its own, where it may read clocks unseen.
  @exclusivity(unchecked) private var hasBeenPiped = false
  /// Processes that are run over a pipe.
  @exclusivity(unchecked) private var piped = 0
  /// App processes that wait for a launch.
  @exclusivity(unchecked) private var resting: [ChildProcess] = []
  /// Processes of a hosted backend.
  @exclusivity(unchecked) private var servers = 0
  /// Whether processes of the backend have something to do when they start, as far as is known.
  @exclusivity(unchecked) var startsBackends = true
  @exclusivity(unchecked) var launchDeaths = LaunchDeaths()
  /// Whether an app of this run has looked at its files.
  @exclusivity(unchecked) var hasFiles = false
  /// How many of the host's leaks were told, and who tells them: a phone of this run, dead or alive.
  @exclusivity(unchecked) private var told = 0
  @exclusivity(unchecked) private var teller: (any PhonePort)?

  /// What random numbers begin with; each process draws numbers of its own.
  static let seed: UInt64 = 0x6368_616f_7373_746f

  /// Where its apps run, if not in this process.
  private(set) var place: RemoteApp.Place?
  /// Where they run once the app has left too much behind in this process.
  private let later: RemoteApp.Place?

  var hasReadClock: Bool { host.hasReadClock || hasBeenPiped }

  /// What the processes of a simulation share.
  init(place: RemoteApp.Place? = nil, later: RemoteApp.Place? = nil) {
    self.place = place
    self.later = later
    ReceiptFolder.removeForgotten
    payloads = Payloads()
    isApp = false
    letPhonesChoose()
  }

  /// The one process of an app that the simulator drives over a pipe.
  init(at phone: any PhonePort) {
    place = nil
    later = nil
    payloads = Payloads(elsewhere: phone)
    isApp = true
    letPhonesChoose()
  }

  private func letPhonesChoose() {
    host.choose = { [unowned self] count in
      chooser?.ask(PhoneCalls.NextTask(count: count)) ?? 0
    }
  }

  /// What is asked of a phone, and of what is kept beside it.
  func service(of phone: Phone) -> PhoneService {
    if products.isEmpty { products = phone.products.map { phone.product(ProductID(index: $0)) } }
    return PhoneService(phone, payloads, selling: products)
  }

  /// A process starts; with the first one a run begins.
  func begin(_ phone: any PhonePort) -> HostedPhone {
    let identity = phone.identity
    beginRun(identity.launches)
    host.wallClockStart = UInt64(identity.beginsSeconds)
    if catalogue.isEmpty {
      catalogue = identity.products.enumerated().map { index, product in
        StoreProduct(
          id: product.name, displayName: product.name, description: "simulated \(product.name)",
          price: Decimal(index) + Decimal(99) / 100, isConsumable: product.isConsumable,
          isNonRenewing: product.kind == .nonRenewing,
          isFamilyShareable: product.isFamilyShareable, renewal: product.renewal)
      }
    }
    teller = phone
    let hosted = HostedPhone(self, phone, identity)
    phones.append(hosted)
    return hosted
  }

  /// Where the next launch runs. A run begins and ends in one place.
  func placeOfLaunch() -> RemoteApp.Place? {
    if isOver { moveOut() }
    return place
  }

  private func moveOut() {
    guard Leftovers.isAny, place == nil, let later, Leftovers.areTooMany(of: later.app) else {
      return
    }
    place = later
  }

  private func beginRun(_ launches: Int) {
    // An only phone that starts again begins no run.
    guard isOver, launches == 1 || isApp else { return }
    moveOut()
    isOver = false
    hasFiles = false
    payloads.forget()
    host.reset(randomSeed: Self.seed)
    told = 0
    launchDeaths = LaunchDeaths()
  }

  /// The simulation has ended this process.
  func end(_ phone: HostedPhone) {
    phone.stop()
    tellLeaks()
    phones.removeAll { $0 === phone }
    noteEnd()
  }

  /// A run is over when its last process is.
  private func noteEnd() { isOver = phones.isEmpty && piped == 0 && servers == 0 }

  /// A process of the backend starts; one that was never started before can be the first of a run.
  func begin(_ server: Server) {
    beginRun(server.starts)
    host.wallClockStart = UInt64(server.beginsSeconds)
    servers += 1
  }

  func end(_ process: BackendProcess) {
    tellLeaks()
    servers -= 1
    noteEnd()
  }

  /// The same for a process that is run over a pipe.
  func beginPiped(_ phone: PhoneService) {
    hasBeenPiped = true
    beginRun(phone.identity.launches)
    host.wallClockStart = UInt64(phone.identity.beginsSeconds)
    teller = phone
    piped += 1
  }

  /// A process for a launch: one that has served others, or a new one.
  func takeProcess(for place: RemoteApp.Place) throws(PipeFailure) -> ChildProcess {
    while let child = resting.popLast() {
      if child.becomesReady() { return child }
      child.kill()
    }
    return try ChildProcess(place.program, place.app)
  }

  /// The launch is over, and its process may serve another.
  func giveBack(_ child: ChildProcess) {
    child.endLaunch()
    if child.isRunning { resting.append(child) }
  }

  func endPiped() {
    piped -= 1
    #if os(Linux)
      if piped == 0 { LinuxCalls.stayNowhere() }
    #endif
    noteEnd()
  }

  /// Runs code of a process, and then whatever it made ready.
  ///
  /// Afterwards whoever died in it is ended, and whoever sleeps is woken in time: the phone of the process, if it is
  /// one's, and all where jobs of others have run.
  func enter(
    _ process: HostProcess, of phone: HostedPhone? = nil, cause: UInt64 = 0, now: Int64,
    _ body: () -> Void
  ) {
    chooser = phone
    host.advance(to: UInt64(now) * 1_000_000, in: process)
    host.run(in: process, cause: cause, body)
    chooser = nil
    if hasFiles { for phone in phones { phone.handOverFiles() } }
    tellLeaks()
    if host.ranOthers {
      for phone in phones { phone.settle() }
    } else {
      phone?.settle()
    }
  }

  /// What left the simulation makes the run unfit for a verdict.
  func tellLeaks() {
    guard told < host.leakCount, let teller else { return }
    for leak in host.leaks[told...] {
      switch leak.kind {
      // A process of its own takes it along, sooner or later.
      case .notEnded, .goesOn:
        guard !isApp else { continue }
        Leftovers.tell(leak)
        if place == nil, let later { Leftovers.count(of: later.app) }
      default:
        teller.tell(PhoneCalls.NoteLeak(text: "not simulated: \(whose(leak))\(leak)"))
      }
    }
    told = host.leakCount
  }

  /// The phone on which the process runs, or ran.
  private func whose(_ leak: HostLeak) -> String {
    guard let number = leak.process else { return "" }
    return phones.first { $0.process.number == number }
      .map { "phone\($0.identity.number + 1), " } ?? ""
  }
}

/// Calls what belongs to the main actor from code that the host runs there, which Swift does not know.
///
/// `MainActor.assumeIsolated` asks the runtime and allocates, at each launch.
@inline(__always)
func onMain<Value, Result>(
  _ body: @escaping @MainActor (Value) -> Result, _ value: Value
) -> Result {
  unsafeBitCast(body, to: ((Value) -> Result).self)(value)
}
