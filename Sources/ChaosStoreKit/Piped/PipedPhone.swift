import ChaosHost
import ChaosStore
import Foundation
import Invariants

/// The simulated phone as an app process of its own sees it: each call is a question over the pipe.
///
/// An answer that does not come is how the process dies: it is killed while it waits. Where it is to serve another
/// launch it is told that this one is over, and hears nothing any more.
final class PipedPhone: PhonePort {
  let identity: PhoneIdentity
  private let pipe: PipeEnd
  private(set) var now: Int64 = 0
  private(set) var account = AccountID.none
  /// The number of the last that is kept for the run; see ``Payloads``.
  private(set) var lastPayload: UInt32 = 0

  /// Reads the message that the process was launched with.
  init(_ message: inout PipeMessage, _ pipe: PipeEnd) throws(PipeFailure) {
    self.pipe = pipe
    identity = try message.take()
    try begin(&message)
  }

  /// Whether the simulator has not said that the launch is over.
  private(set) var isAlive = true

  /// The launch is over.
  func end() { isAlive = false }

  /// Takes what every event begins with.
  func begin(_ message: inout PipeMessage) throws(PipeFailure) {
    now = try message.take()
    account = try message.take()
    lastPayload = try message.take()
  }

  func ask<Call: PhoneCall>(_ call: Call) -> Call.Answer {
    guard isAlive else { return .nothing }
    var message = PipeMessage(.call)
    message.put(PhoneCalls.number(of: Call.self))
    message.put(call)
    if !Call.waits, let done = Done() as? Call.Answer {
      pipe.add(message)
      return done
    }
    return orEnd { () throws(PipeFailure) in
      try pipe.send(message)
      var answer = try pipe.receive()
      switch try answer.takeKind() {
      case .answer: break
      case .end:
        isAlive = false
        return .nothing
      default: throw .garbage("an event for an answer")
      }
      account = try answer.take()
      return try answer.take()
    }
  }
}

/// An app process without a simulator has nothing left to do.
func orEnd<Value>(_ body: () throws(PipeFailure) -> Value) -> Value {
  do {
    return try body()
  } catch {
    if error != .closed {
      Host.beside {
        FileHandle.standardError.write(Data("an app process cannot go on: \(error)\n".utf8))
      }
    }
    if error != .closed { exit(70) }
    // Nothing of the app's is to happen any more.
    ReceiptFolder.removeFirst(of: getpid())
    _exit(0)
  }
}
