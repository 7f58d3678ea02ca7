import ChaosStore
import Invariants

/// The simulated phone and what is kept beside it: performs the calls of hosted processes, those of
/// this process of the operating system and those that come over a pipe.
final class PhoneService: PhonePort {
  let phone: Phone
  let payloads: Payloads
  let identity: PhoneIdentity

  /// `products` are those of the phone.
  init(_ phone: Phone, _ payloads: Payloads, selling products: [Setup.Product]) {
    self.phone = phone
    self.payloads = payloads
    identity = PhoneIdentity(phone, selling: products)
  }

  var isAlive: Bool { phone.isAlive }
  var account: AccountID { phone.account }
  var now: Int64 { phone.time }

  func ask<Call: PhoneCall>(_ call: Call) -> Call.Answer { call.answer(by: self) }

  /// Performs what a message of an app process asks, and adds what is answered to another; false if nobody
  /// waits for that.
  func perform(
    _ question: inout PipeMessage, into answer: inout PipeMessage
  ) throws(PipeFailure) -> Bool {
    let number: UInt8 = try question.take()
    guard number < PhoneCalls.all.count else { throw .garbage("a call number \(number)") }
    let call = try PhoneCalls.all[Int(number)].init(from: &question)
    let result: any PipeValue = call.answer(by: self)
    // Read after the call, which may have let somebody else log in.
    answer.put(phone.account)
    answer.put(result)
    return type(of: call).waits
  }
}
