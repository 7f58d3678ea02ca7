import ChaosStore
import Foundation
import Invariants

/// Everything that a hosted process asks of the simulated phone, and of what is kept beside it.
///
/// A new call is a structure here and its line in ``all``, which numbers the calls on the pipe.
enum PhoneCalls {
  static let all: [any PhoneCall.Type] = [
    Observe.self, Unobserve.self, LoadProducts.self, Purchase.self, Add.self, Finish.self,
    Restore.self, LosesRequest.self, Unfinished.self, History.self, Receipt.self,
    RefreshReceipt.self,
    EvidenceFor.self,
    Send.self, NewOrder.self, Save.self, Erase.self, Flush.self, Records.self, WholeRecords.self,
    Deliver.self,
    StartTimer.self, NextTask.self,
    TapFor.self, TellAboutTap.self, TellAboutProduct.self, TellAboutPayment.self,
    TellAboutTransaction.self, NoteProblem.self,
    NoteLeak.self, NoteOutput.self, NoteRemark.self, Entitlements.self,
    KeepPayload.self, Payload.self, KeepReceipt.self, EvidenceInReceipt.self, KeepName.self,
    StoredName.self, PayloadTime.self, Subscriptions.self, Follow.self,
    IsEligible.self, RequestRefund.self,
  ]

  static func number(of call: any PhoneCall.Type) -> UInt8 {
    guard let number = all.firstIndex(where: { $0 == call }) else {
      fatalError("bug: \(call) is not in PhoneCalls.all")
    }
    return UInt8(number)
  }
}

// MARK: - StoreKit

extension PhoneCalls {
  struct Observe: PhoneNote {
    func perform(by service: PhoneService) { service.phone.observe() }
  }

  struct Unobserve: PhoneCommand {
    func perform(by service: PhoneService) { service.phone.unobserve() }
  }

  struct LoadProducts: PhoneCommand {
    var tap: Tap
    func perform(by service: PhoneService) {
      tap.isNone ? service.phone.loadProducts() : service.phone.loadProducts(for: tap)
    }
  }

  /// Whether a request that the app has not kept is answered to nobody.
  struct LosesRequest: PhoneCall {
    func answer(by service: PhoneService) -> Bool { service.phone.losesRequest() }
  }

  /// StoreKit 2.
  struct Purchase: PhoneCommand {
    var tap: Tap
    var appAccountToken: Token
    func perform(by service: PhoneService) {
      service.phone.purchase(tap, appAccountToken: appAccountToken)
    }
  }

  /// StoreKit 1.
  struct Add: PhoneCommand {
    var tap: Tap
    var applicationUsername: Token
    func perform(by service: PhoneService) {
      service.phone.add(tap, applicationUsername: applicationUsername)
    }
  }

  /// The tap that a purchase is made for; see `World.wish(for:on:inContextOf:)`.
  struct TapFor: PhoneCall {
    var product: ProductID
    var wish: IntentID
    func answer(by service: PhoneService) -> Tap {
      service.phone.tap(for: product, inContextOf: wish)
    }
  }

  struct Finish: PhoneCommand {
    var transaction: PaymentTransaction
    func perform(by service: PhoneService) { service.phone.finish(transaction) }
  }

  struct Restore: PhoneCommand {
    func perform(by service: PhoneService) { service.phone.restore() }
  }

  struct Unfinished: PhoneCall {
    func answer(by service: PhoneService) -> [PaymentTransaction] {
      Array(service.phone.unfinished)
    }
  }

  struct History: PhoneCall {
    func answer(by service: PhoneService) -> [PaymentTransaction] { service.phone.history }
  }

  struct Entitlements: PhoneCall {
    func answer(by service: PhoneService) -> [PaymentTransaction] {
      let entitled = service.phone.entitlements
      service.phone.showEntitled(entitled)
      return entitled
    }
  }

  struct Subscriptions: PhoneCall {
    func answer(by service: PhoneService) -> [HeldSubscription] { service.phone.subscriptions }
  }

  struct IsEligible: PhoneCall {
    var product: ProductID
    func answer(by service: PhoneService) -> Bool {
      service.phone.isEligibleForIntroductoryOffer(of: product)
    }
  }

  struct RequestRefund: PhoneCall {
    var transaction: TransactionID
    func answer(by service: PhoneService) -> UInt8 {
      service.phone.requestRefund(of: transaction).rawValue
    }
  }

  struct Follow: PhoneNote {
    var kinds: StoreNews.Kinds
    func perform(by service: PhoneService) { service.phone.follow(kinds) }
  }

  struct Receipt: PhoneCall {
    func answer(by service: PhoneService) -> Evidence { service.phone.receipt() }
  }

  struct RefreshReceipt: PhoneCommand {
    func perform(by service: PhoneService) { service.phone.refreshReceipt() }
  }

  struct EvidenceFor: PhoneCall {
    var transaction: TransactionID
    func answer(by service: PhoneService) -> Evidence {
      service.phone.evidence(for: transaction)
    }
  }
}

// MARK: - The backend, storage and time

extension PhoneCalls {
  struct Send: PhoneCommand {
    var report: Report
    var transaction: TransactionID
    var tag: UInt32
    func perform(by service: PhoneService) {
      service.phone.send(report, about: transaction, tag: tag)
    }
  }

  struct NewOrder: PhoneCall {
    var tap: Tap
    func answer(by service: PhoneService) -> Token { service.phone.newOrder(for: tap) }
  }

  struct Save: PhoneCommand {
    var record: StoredRecord
    var key: UInt64
    func perform(by service: PhoneService) { service.phone.save(record, key: key) }
  }

  struct Erase: PhoneCommand {
    var key: UInt64
    func perform(by service: PhoneService) { service.phone.erase(key: key) }
  }

  struct Flush: PhoneCommand {
    func perform(by service: PhoneService) { service.phone.flush() }
  }

  /// Hands out goods where there is no backend.
  struct Deliver: PhoneCommand {
    var transaction: TransactionID
    var isShownByStore: Bool
    func perform(by service: PhoneService) {
      service.phone.deliver(transaction, isShownByStore: isShownByStore)
    }
  }

  /// What is on the disk.
  struct Records: PhoneCall {
    struct Entry: PipeValue {
      var key: UInt64
      var record: StoredRecord
    }
    func answer(by service: PhoneService) -> [Entry] {
      service.phone.records.map { Entry(key: $0.key, record: $0.record) }
    }
  }

  /// The same with what an app process would ask about each.
  struct WholeRecords: PhoneCall {
    struct Entry: PipeValue {
      var key: UInt64
      var record: StoredRecord
      var name: String?
      var bytes: Data?
      var millis: Int64
    }
    func answer(by service: PhoneService) -> [Entry] {
      let payloads = service.payloads
      return service.phone.records.map {
        Entry(
          key: $0.key, record: $0.record, name: payloads.storedName($0.key),
          bytes: payloads.payload($0.record.payload), millis: payloads.time(of: $0.record.payload))
      }
    }
  }

  struct StartTimer: PhoneNote {
    var millis: Int64
    var tag: UInt8
    func perform(by service: PhoneService) {
      service.phone.startTimer(after: millis, about: .none, tag: tag)
    }
  }

  /// Which of so many ready tasks runs next.
  struct NextTask: PhoneCall {
    var count: Int
    func answer(by service: PhoneService) -> Int { service.phone.nextTask(of: count) }
  }
}

// MARK: - What is said

extension PhoneCalls {
  struct TellAboutTap: PhoneCommand {
    var message: Fact.Message
    var tap: Tap
    func perform(by service: PhoneService) { service.phone.tell(message, about: tap) }
  }

  struct TellAboutProduct: PhoneCommand {
    var message: Fact.Message
    var product: ProductID
    var wish: IntentID
    func perform(by service: PhoneService) {
      service.phone.tell(message, about: product, inContextOf: wish)
    }
  }

  struct TellAboutPayment: PhoneCommand {
    var message: Fact.Message
    var transaction: PaymentTransaction
    func perform(by service: PhoneService) { service.phone.tell(message, about: transaction) }
  }

  struct TellAboutTransaction: PhoneCommand {
    var message: Fact.Message
    var transaction: TransactionID
    func perform(by service: PhoneService) { service.phone.tell(message, about: transaction) }
  }

  /// What makes the run unfit for a verdict.
  struct NoteProblem: PhoneCommand, TextCall {
    var text: String
    func perform(by service: PhoneService) { service.phone.note(problem: text) }
  }

  /// A line that the app has printed.
  /// Why something comes to nothing.
  struct NoteRemark: PhoneCommand, TextCall {
    var text: String
    func perform(by service: PhoneService) { service.phone.note(remark: text) }
  }

  struct NoteOutput: PhoneCommand, TextCall {
    var text: String
    func perform(by service: PhoneService) { service.phone.note(output: text) }
  }

  struct NoteLeak: PhoneCommand, TextCall {
    var text: String
    func perform(by service: PhoneService) { service.phone.note(leak: text) }
  }
}

// MARK: - What does not fit into the simulator's numbers

extension PhoneCalls {
  /// Its number is the one after the last.
  struct KeepPayload: PhoneNote, DataCall {
    var data: Data
    func perform(by service: PhoneService) { _ = service.payloads.keep(data, at: service.now) }
  }

  struct Payload: PhoneCall {
    var number: UInt32
    func answer(by service: PhoneService) -> Data? { service.payloads.payload(number) }
  }

  struct PayloadTime: PhoneCall {
    var number: UInt32
    func answer(by service: PhoneService) -> Int64 { service.payloads.time(of: number) }
  }

  struct KeepReceipt: PhoneCall {
    var evidence: Evidence
    func answer(by service: PhoneService) -> Data { service.payloads.receipt(evidence) }
  }

  struct EvidenceInReceipt: PhoneCall, DataCall {
    var data: Data
    func answer(by service: PhoneService) -> Evidence? {
      service.payloads.evidence(inReceipt: data)
    }
  }

  struct KeepName: PhoneNote {
    var key: UInt64
    var name: String
    func perform(by service: PhoneService) { service.payloads.keep(storedName: name, key) }

    func put(into message: inout PipeMessage) {
      message.put(key)
      message.put(name)
    }
  }

  struct StoredName: PhoneCall {
    var key: UInt64
    func answer(by service: PhoneService) -> String? { service.payloads.storedName(key) }
  }
}

extension PhoneCalls.WholeRecords.Entry {
  func put(into message: inout PipeMessage) {
    message.put(key)
    message.put(record)
    message.put(name)
    message.put(bytes)
    message.put(millis)
  }
  init(from message: inout PipeMessage) throws(PipeFailure) {
    self.init(
      key: try message.take(), record: try message.take(), name: try message.take(),
      bytes: try message.take(), millis: try message.take())
  }
}

extension PhoneCalls.KeepName {
  init(from message: inout PipeMessage) throws(PipeFailure) {
    self.init(key: try message.take(), name: try message.take())
  }
}

/// A call that consists of a text.
protocol TextCall: PipeValue {
  var text: String { get }
  init(text: String)
}

extension TextCall {
  func put(into message: inout PipeMessage) { message.put(text) }
  init(from message: inout PipeMessage) throws(PipeFailure) {
    self.init(text: try message.take())
  }
}

/// A call that consists of bytes.
protocol DataCall: PipeValue {
  var data: Data { get }
  init(data: Data)
}

extension DataCall {
  func put(into message: inout PipeMessage) { message.put(data) }
  init(from message: inout PipeMessage) throws(PipeFailure) {
    self.init(data: try message.take())
  }
}
