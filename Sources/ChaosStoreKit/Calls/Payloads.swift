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
  /// Those that are known here.
  private var receipts: [(evidence: Evidence, bytes: Data)] = []
  /// What the keys of stored records are the hashes of; only looked up.
  private var storedNames: [UInt64: String] = [:]
  /// Where they are kept, if not here.
  private let elsewhere: (any PhonePort)?
  /// Payloads that have come over the pipe, or gone, as an app process knows them; only looked up.
  private var copies: [UInt32: (bytes: Data, millis: Int64)] = [:]

  init(elsewhere: (any PhonePort)? = nil) { self.elsewhere = elsewhere }

  /// The number of the last; what an app process keeps next has the one after it, as the simulator waits meanwhile.
  private(set) var last: UInt32 = 0

  /// So many are kept in the simulator's process by now.
  func advance(to last: UInt32) { self.last = last }

  /// Another run begins; names stay what they are.
  func forget() {
    payloads.removeAll(keepingCapacity: true)
    receipts.removeAll(keepingCapacity: true)
    times.removeAll(keepingCapacity: true)
    if elsewhere == nil { last = 0 }
  }

  func keep(_ data: Data, at millis: Int64 = 0) -> UInt32 {
    last += 1
    if let elsewhere {
      copies[last] = (data, millis)
      elsewhere.tell(PhoneCalls.KeepPayload(data: data))
    } else {
      payloads.append(data)
      times.append(millis)
    }
    return last
  }

  func payload(_ number: UInt32) -> Data? {
    if let elsewhere {
      if let copy = copies[number] { return copy.bytes }
      return elsewhere.ask(PhoneCalls.Payload(number: number))
    }
    return number > 0 && number <= payloads.count ? payloads[Int(number) - 1] : nil
  }

  /// When it was kept, in virtual milliseconds since the run began.
  func time(of number: UInt32) -> Int64 {
    if let elsewhere {
      if let copy = copies[number] { return copy.millis }
      return elsewhere.ask(PhoneCalls.PayloadTime(number: number))
    }
    return number > 0 && number <= times.count ? times[Int(number) - 1] : 0
  }

  /// What is on the disk of the phone.
  func records(of phone: any PhonePort) -> [PhoneCalls.Records.Entry] {
    guard elsewhere != nil else { return phone.ask(PhoneCalls.Records()) }
    // With what will be asked about them.
    return phone.ask(PhoneCalls.WholeRecords()).map { entry in
      if let name = entry.name { storedNames[entry.key] = name }
      if let bytes = entry.bytes {
        copies[entry.record.payload] = (bytes, entry.millis)
      }
      return PhoneCalls.Records.Entry(key: entry.key, record: entry.record)
    }
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
    // The same receipt has the same bytes, so that its file need not be written again.
    if let known = receipts.first(where: { $0.evidence == evidence }) { return known.bytes }
    let bytes =
      elsewhere?.ask(PhoneCalls.KeepReceipt(evidence: evidence))
      ?? Data("simulated receipt \(receipts.count + 1)".utf8)
    receipts.append((evidence, bytes))
    return bytes
  }

  func evidence(inReceipt data: Data) -> Evidence? {
    if let known = receipts.first(where: { $0.bytes == data }) { return known.evidence }
    return elsewhere?.ask(PhoneCalls.EvidenceInReceipt(data: data)) ?? nil
  }
}
