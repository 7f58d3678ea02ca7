import ChaosStore
import Foundation
import Invariants

/// The simulated phone as an app process of its own sees it: each use is a question over the pipe.
///
/// An answer that does not come is how the process dies: it is killed while it waits.
final class PipedPhone: PhonePort, PayloadKeeper {
  let number: Int
  let launches: Int
  let environment: Environment
  private let catalogue: [Setup.Product]
  private let pipe: PipeEnd
  private(set) var now: Int64 = 0
  private(set) var account = AccountID.none

  /// Reads the message that the process was launched with.
  init(_ message: inout PipeMessage, _ pipe: PipeEnd) throws(PipeFailure) {
    self.pipe = pipe
    number = try message.take()
    launches = try message.take()
    environment = try message.take()
    let count: Int = try message.take()
    var products: [Setup.Product] = []
    for _ in 0..<count {
      products.append(
        Setup.Product(try message.takeText(), isConsumable: try message.take()))
    }
    catalogue = products
  }

  var isAlive: Bool { true }
  var products: Range<Int> { catalogue.indices }
  func product(_ product: ProductID) -> Setup.Product { catalogue[product.index] }

  /// Takes what every event begins with.
  func begin(_ message: inout PipeMessage) throws(PipeFailure) {
    now = try message.take()
    account = try message.take()
  }

  private func exchange(_ call: PipeCall, _ fill: (inout PipeMessage) -> Void = { _ in })
    -> PipeMessage
  {
    var message = PipeMessage(call)
    fill(&message)
    return orEnd { () throws(PipeFailure) in
      try pipe.send(message)
      var answer = try pipe.receive()
      guard try answer.takeEvent() == .answer else { throw .garbage("an event for an answer") }
      account = try answer.take()
      return answer
    }
  }

  private func tell(_ call: PipeCall, _ fill: (inout PipeMessage) -> Void = { _ in }) {
    _ = exchange(call, fill)
  }

  private func ask<Value: BitwiseCopyable>(
    _ call: PipeCall, _ fill: (inout PipeMessage) -> Void = { _ in }
  ) -> Value {
    var answer = exchange(call, fill)
    return orEnd { () throws(PipeFailure) in try answer.take() }
  }

  private func askAll<Value: BitwiseCopyable>(_ call: PipeCall) -> [Value] {
    var answer = exchange(call)
    return orEnd { () throws(PipeFailure) in try answer.takeAll() }
  }
}

// MARK: - PhonePort

extension PipedPhone {
  func observe() { tell(.observe) }
  func unobserve() { tell(.unobserve) }
  func loadProducts(for tap: Tap) { tell(.loadProducts) { $0.put(tap) } }
  func purchase(_ tap: Tap, appAccountToken token: Token) {
    tell(.purchase) {
      $0.put(tap)
      $0.put(token)
    }
  }
  func add(_ tap: Tap, applicationUsername token: Token) {
    tell(.add) {
      $0.put(tap)
      $0.put(token)
    }
  }
  func finish(_ transaction: PaymentTransaction) { tell(.finish) { $0.put(transaction) } }
  func restore() { tell(.restore) }
  var unfinishedTransactions: [PaymentTransaction] { askAll(.unfinished) }
  var history: [PaymentTransaction] { askAll(.history) }
  func receipt() -> Evidence { ask(.receipt) }
  func refreshReceipt() { tell(.refreshReceipt) }
  func evidence(for transaction: TransactionID) -> Evidence {
    ask(.evidence) { $0.put(transaction) }
  }

  func send(_ report: Report, about transaction: TransactionID, tag: UInt32) {
    tell(.send) {
      $0.put(report)
      $0.put(transaction)
      $0.put(tag)
    }
  }
  func newOrder(for tap: Tap) -> Token { ask(.newOrder) { $0.put(tap) } }
  func save(_ record: StoredRecord, key: UInt64) {
    tell(.save) {
      $0.put(record)
      $0.put(key)
    }
  }
  func erase(key: UInt64) { tell(.erase) { $0.put(key) } }
  func flush() { tell(.flush) }
  var storedRecords: [(key: UInt64, record: StoredRecord)] {
    var answer = exchange(.records)
    return orEnd { () throws(PipeFailure) in
      let count: UInt32 = try answer.take()
      var records: [(key: UInt64, record: StoredRecord)] = []
      for _ in 0..<count { records.append((key: try answer.take(), record: try answer.take())) }
      return records
    }
  }
  func startTimer(after millis: Int64, tag: UInt8) {
    tell(.startTimer) {
      $0.put(millis)
      $0.put(tag)
    }
  }
  func nextTask(of count: Int) -> Int { ask(.nextTask) { $0.put(count) } }
  func note(problem: String) { tell(.note) { $0.put(problem) } }
  func note(leak: String) { tell(.noteLeak) { $0.put(leak) } }

  func tell(_ message: Fact.Message, about tap: Tap) {
    tell(.tell) {
      $0.put(message)
      $0.put(tap)
    }
  }
  func tell(_ message: Fact.Message, about transaction: PaymentTransaction) {
    tell(.tellOfPayment) {
      $0.put(message)
      $0.put(transaction)
    }
  }
  func tell(_ message: Fact.Message, about transaction: TransactionID) {
    tell(.tellOfTransaction) {
      $0.put(message)
      $0.put(transaction)
    }
  }
}

// MARK: - PayloadKeeper

extension PipedPhone {
  func keep(_ data: Data) -> UInt32 { ask(.keep) { $0.put(data) } }

  func payload(_ number: UInt32) -> Data? {
    var answer = exchange(.payload) { $0.put(number) }
    return orEnd { () throws(PipeFailure) in
      try answer.take(Bool.self) ? try answer.takeData() : nil
    }
  }

  func receipt(_ evidence: Evidence) -> Data {
    var answer = exchange(.keepReceipt) { $0.put(evidence) }
    return orEnd { () throws(PipeFailure) in try answer.takeData() }
  }

  func evidence(inReceipt data: Data) -> Evidence? {
    var answer = exchange(.evidenceInReceipt) { $0.put(data) }
    return orEnd { () throws(PipeFailure) in try answer.take(Bool.self) ? try answer.take() : nil }
  }

  func keep(storedName name: String, _ key: UInt64) {
    tell(.keepName) {
      $0.put(name)
      $0.put(key)
    }
  }

  func storedName(_ key: UInt64) -> String? {
    var answer = exchange(.storedName) { $0.put(key) }
    return orEnd { () throws(PipeFailure) in
      try answer.take(Bool.self) ? try answer.takeText() : nil
    }
  }
}

/// An app process without a simulator has nothing left to do.
func orEnd<Value>(_ body: () throws(PipeFailure) -> Value) -> Value {
  do {
    return try body()
  } catch {
    if error != .closed {
      FileHandle.standardError.write(Data("an app process cannot go on: \(error)\n".utf8))
    }
    exit(error == .closed ? 0 : 70)
  }
}
