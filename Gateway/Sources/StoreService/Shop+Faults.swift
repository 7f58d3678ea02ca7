import ChaosStore
import Foundation
import Invariants
import StoreSignatures

/// Which faults strike.
extension Shop {
  struct FaultState: Codable {
    var name: String
    var code: String
    var summary: String
    var about: String
    var places: [String]
    var strikes: Int
  }

  private struct Arming: Codable {
    var chance: String?
    var times: UInt32?
    var at: String?
  }

  private func state(of fault: Fault) -> FaultState {
    let entry = fault.entry
    return FaultState(
      name: entry.name, code: entry.code, summary: entry.short,
      about: entry.about.replacing("\n", with: " "),
      places: LiveStore.questions(of: fault).map(\.name), strikes: store.strikes(of: fault))
  }

  func faults() -> Answer { .json(LiveStore.faults.map(state)) }

  private func fault(_ name: String) throws(BadBody) -> Fault {
    guard let fault = Fault(named: name), LiveStore.faults.contains(fault) else {
      throw BadBody(
        "fault: found '\(name)', expected one of "
          + LiveStore.faults.map(\.name).joined(separator: ", "))
    }
    return fault
  }

  func arm(_ name: String, _ body: [UInt8]) throws(BadBody) -> Answer {
    let fault = try fault(name)
    let asked =
      body.isEmpty
      ? Arming() : try JSON.decode(Arming.self, from: body, keys: ["chance", "times", "at"])
    guard let chance = asked.chance.map(Ratio.init(parsing:)) ?? .one else {
      throw BadBody("chance: found '\(asked.chance ?? "")', expected a ratio such as 1/4, or 1")
    }
    var place: Question?
    if let name = asked.at {
      place = LiveStore.questions(of: fault).first { $0.name == name }
      guard place != nil else {
        throw BadBody(
          "at: found '\(name)', expected one of "
            + LiveStore.questions(of: fault).map(\.name).joined(separator: ", "))
      }
    }
    store.note(
      "\(fault.name) may strike" + (asked.times.map { " \($0) times" } ?? "")
        + (asked.at.map { " at \($0)" } ?? ""))
    store.arm(fault, chance: chance, most: asked.times ?? .max, at: place)
    return .json(state(of: fault))
  }

  func disarm(_ name: String) throws(BadBody) -> Answer {
    let fault = try fault(name)
    store.note("\(fault.name) strikes no more")
    store.disarm(fault)
    return .json(state(of: fault))
  }

  func disarmAll() -> Answer {
    store.note("no fault strikes any more")
    for fault in LiveStore.faults { store.disarm(fault) }
    return faults()
  }

  private struct Revocation: Codable {
    var mode: String
    var times: Int?
  }

  func setRevocation(_ body: [UInt8]) throws(BadBody) -> Answer {
    let asked = try JSON.decode(Revocation.self, from: body, keys: ["mode", "times"])
    guard let mode = RevocationResponder.Mode(rawValue: asked.mode) else {
      throw BadBody(
        "mode: found '\(asked.mode)', expected one of "
          + RevocationResponder.Mode.allCases.map(\.rawValue).joined(separator: ", "))
    }
    if let times = asked.times, times < 1 {
      throw BadBody("times: found \(times), expected a whole number from 1")
    }
    revocation = mode
    revocationsLeft = asked.times
    store.note("certificates are said to be \(mode.rawValue)")
    return .json(Revocation(mode: mode.rawValue, times: asked.times))
  }

  /// How the responder answers this time.
  func nextRevocation() -> RevocationResponder.Mode {
    guard let left = revocationsLeft else { return revocation }
    let mode = revocation
    revocationsLeft = left - 1
    if left <= 1 {
      revocation = .good
      revocationsLeft = nil
    }
    return mode
  }
}
