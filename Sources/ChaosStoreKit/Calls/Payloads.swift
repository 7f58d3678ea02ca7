import ChaosStore
import Foundation

/// What does not fit into the numbers that the simulator passes on: the bytes behind requests, answers,
/// stored records and receipts.
///
/// Those of a run are in the simulator's process; an app process asks for them over its pipe.
final class Payloads {
  /// From 1.
  private var payloads: [Data] = []
  /// The virtual time at which each was kept.
  private var times: [Int64] = []
  private var receipts: [Evidence] = []
  /// What the keys of stored records are the hashes of; only looked up.
  private var storedNames: [UInt64: String] = [:]
  /// Where they are kept, if not here.
  private let elsewhere: (any PhonePort)?

  init(elsewhere: (any PhonePort)? = nil) { self.elsewhere = elsewhere }

  /// Another run begins; names stay what they are.
  func forget() {
    payloads.removeAll(keepingCapacity: true)
    receipts.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
  }

  func keep(_ data: Data, at millis: Int64 = 0) -> UInt32 {
    if let elsewhere { return elsewhere.ask(PhoneCalls.KeepPayload(data: data)) }
    payloads.append(data)
    times.append(millis)
    return UInt32(payloads.count)
  }

  func payload(_ number: UInt32) -> Data? {
    if let elsewhere { return elsewhere.ask(PhoneCalls.Payload(number: number)) }
    return number > 0 && number <= payloads.count ? payloads[Int(number) - 1] : nil
  }

  /// When it was kept, in virtual milliseconds since the run began.
  func time(of number: UInt32) -> Int64 {
    if let elsewhere { return elsewhere.ask(PhoneCalls.PayloadTime(number: number)) }
    return number > 0 && number <= times.count ? times[Int(number) - 1] : 0
  }

  func keep(storedName name: String, _ key: UInt64) {
    guard storedNames.updateValue(name, forKey: key) == nil else { return }
    elsewhere?.tell(PhoneCalls.KeepName(key: key, name: name))
  }

  func storedName(_ key: UInt64) -> String? {
    storedNames[key] ?? elsewhere?.ask(PhoneCalls.StoredName(key: key))
  }

  /// The bytes of a receipt file, which the simulated verifier can read again.
  func receipt(_ evidence: Evidence) -> Data {
    if let elsewhere { return elsewhere.ask(PhoneCalls.KeepReceipt(evidence: evidence)) }
    // The same receipt has the same bytes, so that its file need not be written again.
    let index = receipts.firstIndex(of: evidence) ?? receipts.count
    if index == receipts.count { receipts.append(evidence) }
    return Data("simulated receipt \(index + 1)".utf8)
  }

  func evidence(inReceipt data: Data) -> Evidence? {
    if let elsewhere { return elsewhere.ask(PhoneCalls.EvidenceInReceipt(data: data)) }
    let words = String(decoding: data, as: UTF8.self).split(separator: " ")
    guard words.count == 3, words[0] == "simulated", let number = Int(words[2]),
      receipts.indices.contains(number - 1)
    else { return nil }
    return receipts[number - 1]
  }
}
