import Foundation

/// One message of either side: values one after the other, as they lie in memory.
///
/// Both ends are one machine and one build, which the greeting makes sure of.
struct PipeMessage {
  private(set) var bytes: [UInt8]
  private var position = 0

  init(_ event: PipeEvent) { bytes = [event.rawValue] }
  init(_ call: PipeCall) { bytes = [call.rawValue] }
  init(received bytes: [UInt8]) { self.bytes = bytes }
  static var empty: PipeMessage { PipeMessage(received: []) }

  mutating func append(_ body: PipeMessage) { bytes += body.bytes }

  mutating func put<Value: BitwiseCopyable>(_ value: Value) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  mutating func put<Value: BitwiseCopyable>(_ values: [Value]) {
    put(UInt32(values.count))
    for value in values { put(value) }
  }

  mutating func put(_ data: Data) { put([UInt8](data)) }
  mutating func put(_ text: String) { put([UInt8](text.utf8)) }

  mutating func take<Value: BitwiseCopyable>(_: Value.Type = Value.self) throws(PipeFailure)
    -> Value
  {
    let end = position + MemoryLayout<Value>.size
    guard end <= bytes.count else { throw .garbage("a message that ends too soon") }
    defer { position = end }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: Value.self) }
  }

  mutating func takeAll<Value: BitwiseCopyable>(_: Value.Type = Value.self) throws(PipeFailure)
    -> [Value]
  {
    let count: UInt32 = try take()
    guard bytes.count - position >= Int(count) * MemoryLayout<Value>.size else {
      throw .garbage("a message that ends too soon")
    }
    var values: [Value] = []
    values.reserveCapacity(Int(count))
    for _ in 0..<count { values.append(try take()) }
    return values
  }

  mutating func takeData() throws(PipeFailure) -> Data { Data(try takeAll(UInt8.self)) }
  mutating func takeText() throws(PipeFailure) -> String {
    String(decoding: try takeAll(UInt8.self), as: UTF8.self)
  }

  mutating func takeCall() throws(PipeFailure) -> PipeCall {
    let raw: UInt8 = try take()
    guard let call = PipeCall(rawValue: raw) else { throw .garbage("a call number \(raw)") }
    return call
  }

  mutating func takeEvent() throws(PipeFailure) -> PipeEvent {
    let raw: UInt8 = try take()
    guard let event = PipeEvent(rawValue: raw) else { throw .garbage("an event number \(raw)") }
    return event
  }
}

/// What the simulator tells the app process; an answer belongs to the call before it.
enum PipeEvent: UInt8 {
  case answer = 1
  case launched, tapped, visitedShop, productsArrived, sessionChanged, updated, purchaseEnded,
    restoreEnded, receiptRefreshed
  case replied, timerFired
}

/// What the app process asks of the simulator; `idle` ends the handling of an event.
enum PipeCall: UInt8 {
  case hello = 101
  case idle
  case observe, unobserve, loadProducts, purchase, add, finish, restore, unfinished, history
  case receipt, refreshReceipt, evidence
  case send, newOrder, save, erase, flush, records, startTimer, nextTask
  case tell, tellOfPayment, tellOfTransaction
  case keep, payload, keepReceipt, evidenceInReceipt, keepName, storedName
  case note, noteLeak
}

/// Why an app process cannot be driven any further.
enum PipeFailure: Error, Equatable {
  case cannotStart(path: String, reason: String)
  /// It says hello in another way than this build does.
  case otherBuild
  /// The other end is closed.
  case closed
  case silent(seconds: Int)
  case garbage(String)
}
