import ChaosStore
import Foundation
import Invariants
import Testing

@testable import ChaosStoreKit

@Suite struct `Messages of the pipe` {
  /// As the other end reads it.
  private func sent(_ message: PipeMessage) throws -> PipeMessage {
    var received = PipeMessage(received: message.bytes)
    #expect(try received.takeKind() == .call)
    return received
  }

  @Test func `Calls with texts and bytes come out of a message as they were put in`() throws {
    var message = PipeMessage(.call)
    message.put(PhoneCalls.KeepName(key: 7, name: "münzen/€"))
    message.put(PhoneCalls.NoteProblem(text: ""))
    message.put(PhoneCalls.KeepPayload(data: Data([0, 255])))
    message.put(PhoneCalls.StartTimer(millis: -1, tag: 9))
    var received = try sent(message)
    let name: PhoneCalls.KeepName = try received.take()
    #expect(name.key == 7 && name.name == "münzen/€")
    #expect(try received.take(PhoneCalls.NoteProblem.self).text == "")
    #expect(try received.take(PhoneCalls.KeepPayload.self).data == Data([0, 255]))
    let timer: PhoneCalls.StartTimer = try received.take()
    #expect(timer.millis == -1 && timer.tag == 9)
  }

  @Test func `Answers that may be missing, and lists, come out of a message as they were put in`()
    throws
  {
    var message = PipeMessage(.call)
    message.put(String?.none)
    message.put(String?("key"))
    message.put([Int64(3), -4])
    message.put([UInt8]())
    message.put(Done())
    var received = try sent(message)
    #expect(try received.take(String?.self) == nil)
    #expect(try received.take(String?.self) == "key")
    #expect(try received.take([Int64].self) == [3, -4])
    #expect(try received.take([UInt8].self) == [])
    _ = try received.take(Done.self)
    #expect(throws: PipeFailure.endsTooSoon) { try received.take(UInt8.self) }
  }

  @Test func `A message that ends too soon, or is of no kind, is an error wherever it ends`() throws
  {
    var message = PipeMessage(.call)
    message.put(Data("four".utf8))
    message.put(["a", "b"])
    for count in 1..<message.bytes.count {
      var cut = PipeMessage(received: Array(message.bytes.prefix(count)))
      #expect(throws: PipeFailure.endsTooSoon) {
        _ = try cut.takeKind()
        _ = try cut.take(Data.self)
        _ = try cut.take([String].self)
      }
    }
    var unknown = PipeMessage(received: [99])
    #expect(throws: PipeFailure.garbage("a message of kind 99")) { try unknown.takeKind() }
  }

  @Test func `Each call of the phone has a number of its own`() {
    let numbers = PhoneCalls.all.map { PhoneCalls.number(of: $0) }
    #expect(numbers == (0..<UInt8(PhoneCalls.all.count)).map { $0 })
  }
}
