import ChaosStore
import Foundation
import Invariants

/// Something that can be sent over the pipe to an app process.
///
/// What is copied byte by byte is sent as it lies in memory.
protocol PipeValue {
  func put(into message: inout PipeMessage)
  init(from message: inout PipeMessage) throws(PipeFailure)
}

extension PipeValue {
  /// What a message of zeros says: what is asked of nobody answers.
  static var nothing: Self {
    var message = PipeMessage(received: [UInt8](repeating: 0, count: 4096))
    do { return try message.take() } catch {
      fatalError("bug: \(Self.self) cannot be nothing: \(error)")
    }
  }
}

extension PipeValue where Self: BitwiseCopyable {
  func put(into message: inout PipeMessage) { message.putBytes(of: self) }

  init(from message: inout PipeMessage) throws(PipeFailure) {
    self = try message.takeBytes(of: Self.self)
  }
}

extension Bool: PipeValue {}
extension Int: PipeValue {}
extension Int32: PipeValue {}
extension Int64: PipeValue {}
extension UInt8: PipeValue {}
extension UInt32: PipeValue {}
extension UInt64: PipeValue {}

extension AccountID: PipeValue {}
extension Environment: PipeValue {}
extension Evidence: PipeValue {}
extension HeldSubscription: PipeValue {}
extension PaymentTransaction: PipeValue {}
extension StoreNews.Kinds: PipeValue {}
extension Tap: PipeValue {}
extension StoredRecord: PipeValue {}
extension Token: PipeValue {}

/// The answer to a call that asks for none.
struct Done: PipeValue {}

extension String: PipeValue {
  func put(into message: inout PipeMessage) { message.put(counted: utf8) }
  init(from message: inout PipeMessage) throws(PipeFailure) {
    self.init(decoding: try message.takeCounted(), as: UTF8.self)
  }
}

extension Data: PipeValue {
  func put(into message: inout PipeMessage) { message.put(counted: self) }
  init(from message: inout PipeMessage) throws(PipeFailure) {
    self.init(try message.takeCounted())
  }
}

extension Array: PipeValue where Element: PipeValue {
  func put(into message: inout PipeMessage) {
    message.put(UInt32(count))
    for element in self { message.put(element) }
  }
  init(from message: inout PipeMessage) throws(PipeFailure) {
    self.init()
    for _ in 0..<(try message.take(UInt32.self)) { append(try message.take()) }
  }
}

extension Optional: PipeValue where Wrapped: PipeValue {
  func put(into message: inout PipeMessage) {
    message.put(self != nil)
    if let self { message.put(self) }
  }
  init(from message: inout PipeMessage) throws(PipeFailure) {
    self = try message.take(Bool.self) ? try message.take(Wrapped.self) : nil
  }
}
