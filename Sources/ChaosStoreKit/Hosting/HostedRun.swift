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
  let host = Host()
  /// What requests, answers and stored records stand for, from 1.
  private var payloads: [Data] = []
  private var receipts: [Evidence] = []
  /// What the keys of stored records are the hashes of.
  private var storedNames: [UInt64: String] = [:]
  private(set) var phones: [HostedPhone] = []
  /// The phone whose process was entered, which decides what runs next; none for a backend's.
  var chooser: HostedPhone?
  /// The products that are for sale; the same in all runs.
  private(set) var catalogue: [StoreProduct] = []
  private var isOver = true
  /// Where payloads are kept if not here: in the process of the simulator.
  private let keeper: (any PayloadKeeper)?
  private let randomSeed: UInt64
  /// Processes that are run over a pipe.
  private var piped = 0
  var launchDeaths = LaunchDeaths()
  /// How many of the host's leaks were told, and who tells them: a phone of this run, dead or alive.
  private var told = 0
  private var teller: (any PhonePort)?

  init(keeper: (any PayloadKeeper)? = nil, randomSeed: UInt64 = 0x6368_616f_7373_746f) {
    self.keeper = keeper
    self.randomSeed = randomSeed
    host.choose = { [unowned self] count in chooser?.phone.nextTask(of: count) ?? 0 }
  }

  /// A process starts; with the first one a run begins.
  func begin(_ phone: any PhonePort) -> HostedPhone {
    beginRun(phone.launches)
    if catalogue.isEmpty {
      catalogue = phone.products.map { index in
        let product = phone.product(ProductID(index: index))
        return StoreProduct(
          id: product.name, displayName: product.name, description: "simulated \(product.name)",
          price: Decimal(index) + Decimal(99) / 100, isConsumable: product.isConsumable)
      }
    }
    advance(to: phone.now)
    teller = phone
    let hosted = HostedPhone(self, phone)
    phones.append(hosted)
    return hosted
  }

  private func beginRun(_ launches: Int) {
    // An only phone that starts again begins no run.
    guard isOver, launches == 1 || keeper != nil else { return }
    isOver = false
    payloads.removeAll(keepingCapacity: true)
    receipts.removeAll(keepingCapacity: true)
    host.reset(randomSeed: randomSeed)
    told = 0
    launchDeaths = LaunchDeaths()
  }

  /// The simulation has ended this process.
  func end(_ phone: HostedPhone) {
    phone.stop()
    tellLeaks()
    phones.removeAll { $0 === phone }
    isOver = phones.isEmpty && piped == 0
  }

  /// The same for a process that is run over a pipe.
  func beginPiped(_ phone: Phone) {
    beginRun(phone.launches)
    teller = phone
    piped += 1
  }

  func endPiped() {
    piped -= 1
    isOver = phones.isEmpty && piped == 0
  }

  /// Runs code of a process, and then whatever it made ready.
  func enter(_ process: HostProcess, now: Int64, _ body: () -> Void) {
    advance(to: now)
    host.run(in: process, body)
    settle()
  }

  func advance(to millis: Int64) { host.advance(to: UInt64(millis) * 1_000_000) }

  /// After a handler: whoever died in it is ended, and whoever waits is woken in time.
  func settle() {
    tellLeaks()
    for phone in phones { phone.isAlive ? phone.armTimer() : phone.stop() }
  }

  /// What left the simulation makes the run unfit for a verdict.
  func tellLeaks() {
    guard told < host.leaks.count, let teller else { return }
    for leak in host.leaks[told...] {
      if leak.kind == .notEnded {
        Leftovers.tell(leak.name)
      } else {
        teller.note(leak: "not simulated: \(whose(leak))\(leak)")
      }
    }
    told = host.leaks.count
  }

  /// The phone on which the process runs, or ran.
  private func whose(_ leak: HostLeak) -> String {
    guard let number = leak.process else { return "" }
    return phones.first { $0.process.number == number }.map { "phone\($0.phone.number + 1), " }
      ?? ""
  }

  // MARK: -

  func keep(_ data: Data) -> UInt32 {
    if let keeper { return keeper.keep(data) }
    payloads.append(data)
    return UInt32(payloads.count)
  }

  func keep(storedName name: String, _ key: UInt64) {
    if storedNames.updateValue(name, forKey: key) == nil { keeper?.keep(storedName: name, key) }
  }

  func storedName(_ key: UInt64) -> String? { storedNames[key] ?? keeper?.storedName(key) }

  func payload(_ number: UInt32) -> Data? {
    if let keeper { return keeper.payload(number) }
    return number > 0 && number <= payloads.count ? payloads[Int(number) - 1] : nil
  }

  /// The bytes of a receipt file, which the simulated verifier can read again.
  func receipt(_ evidence: Evidence) -> Data {
    if let keeper { return keeper.receipt(evidence) }
    // The same receipt has the same bytes, so that its file need not be written again.
    let index = receipts.firstIndex(of: evidence) ?? receipts.count
    if index == receipts.count { receipts.append(evidence) }
    return Data("simulated receipt \(index + 1)".utf8)
  }

  func evidence(inReceipt data: Data) -> Evidence? {
    if let keeper { return keeper.evidence(inReceipt: data) }
    let words = String(decoding: data, as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[0] == "simulated", let number = Int(words[2]),
      receipts.indices.contains(number - 1)
    else { return nil }
    return receipts[number - 1]
  }
}
