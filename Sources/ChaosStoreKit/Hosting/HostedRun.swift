import ChaosHost
import ChaosStore
import Foundation
import Invariants

/// What the hosted processes of one simulation share: the executor, and what cannot be kept in
/// the numbers that the simulator passes on.
///
/// It belongs to the simulation's thread, as everything of a simulation does; that is why it can be
/// passed to closures that Swift wants to be sendable.
final class HostedRun: @unchecked Sendable {
  let host = ChaosHost.Host()
  let payloads: Payloads
  @exclusivity(unchecked) private(set) var phones: [HostedPhone] = []
  /// The phone whose process was entered, which decides what runs next; none for a backend's.
  @exclusivity(unchecked) var chooser: HostedPhone?
  /// The products that are for sale, as the simulator has them and as StoreKit has; the same in all runs.
  @exclusivity(unchecked) private var products: [Setup.Product] = []
  @exclusivity(unchecked) private(set) var catalogue: [StoreProduct] = []
  @exclusivity(unchecked) private var isOver = true
  /// Whether this is an app's own process, which knows of one launch and no run.
  private let isApp: Bool
  /// Processes that are run over a pipe.
  @exclusivity(unchecked) private var piped = 0
  /// App processes that wait for a launch.
  @exclusivity(unchecked) private var resting: [ChildProcess] = []
  /// Processes of a hosted backend.
  @exclusivity(unchecked) private var servers = 0
  /// Whether processes of the backend have something to do when they start, as far as is known.
  @exclusivity(unchecked) var startsBackends = true
  @exclusivity(unchecked) var launchDeaths = LaunchDeaths()
  /// How many of the host's leaks were told, and who tells them: a phone of this run, dead or alive.
  @exclusivity(unchecked) private var told = 0
  @exclusivity(unchecked) private var teller: (any PhonePort)?

  /// What random numbers begin with; each process draws numbers of its own.
  static let seed: UInt64 = 0x6368_616f_7373_746f

  /// Where its apps run, if not in this process.
  private(set) var place: RemoteApp.Place?
  /// Where they run once the app has left too much behind in this process.
  private let later: RemoteApp.Place?

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
    beginRun(phone.identity.launches)
    host.wallClockStart = UInt64(phone.identity.beginsSeconds)
    if catalogue.isEmpty {
      catalogue = phone.identity.products.enumerated().map { index, product in
        StoreProduct(
          id: product.name, displayName: product.name, description: "simulated \(product.name)",
          price: Decimal(index) + Decimal(99) / 100, isConsumable: product.isConsumable)
      }
    }
    teller = phone
    let hosted = HostedPhone(self, phone)
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
    noteEnd()
  }

  /// Runs code of a process, and then whatever it made ready.
  func enter(
    _ process: HostProcess, cause: UInt64 = 0, now: Int64, _ body: () -> Void
  ) {
    host.advance(to: UInt64(now) * 1_000_000, in: process)
    host.run(in: process, cause: cause, body)
    settle()
  }

  /// After a handler: whoever died in it is ended, and whoever waits is woken in time.
  func settle() {
    for phone in phones { phone.handOverFiles() }
    tellLeaks()
    for phone in phones { phone.isAlive ? phone.armTimer() : phone.stop() }
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
