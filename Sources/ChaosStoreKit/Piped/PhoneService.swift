import ChaosStore
import Foundation
import Invariants

/// Does with the simulated phone what an app process asks over the pipe; the other half of
/// `PipedPhone`.
struct PhoneService {
  let run: HostedRun
  let phone: Phone

  /// Returns the body of the answer.
  func perform(_ call: PipeCall, _ question: inout PipeMessage) throws(PipeFailure) -> PipeMessage {
    var answer = PipeMessage.empty
    switch call {
    case .hello, .idle: throw .garbage("\(call), which is no question")
    case .observe: phone.observe()
    case .unobserve: phone.unobserve()
    case .loadProducts: phone.loadProducts(for: try question.take())
    case .purchase:
      let tap: Tap = try question.take()
      phone.purchase(tap, appAccountToken: try question.take())
    case .add:
      let tap: Tap = try question.take()
      phone.add(tap, applicationUsername: try question.take())
    case .finish: phone.finish(try question.take(PaymentTransaction.self))
    case .restore: phone.restore()
    case .unfinished: answer.put(phone.unfinishedTransactions)
    case .history: answer.put(phone.history)
    case .receipt: answer.put(phone.receipt())
    case .refreshReceipt: phone.refreshReceipt()
    case .evidence: answer.put(phone.evidence(for: try question.take()))
    case .send:
      let report: Report = try question.take()
      let transaction: TransactionID = try question.take()
      phone.send(report, about: transaction, tag: try question.take())
    case .newOrder: answer.put(phone.newOrder(for: try question.take()))
    case .save:
      let record: StoredRecord = try question.take()
      phone.save(record, key: try question.take())
    case .erase: phone.erase(key: try question.take())
    case .flush: phone.flush()
    case .records:
      let records = phone.storedRecords
      answer.put(UInt32(records.count))
      for (key, record) in records {
        answer.put(key)
        answer.put(record)
      }
    case .startTimer:
      let millis: Int64 = try question.take()
      phone.startTimer(after: millis, tag: try question.take(UInt8.self))
    case .nextTask: answer.put(phone.nextTask(of: try question.take()))
    case .note: phone.note(problem: try question.takeText())
    case .noteLeak: phone.note(leak: try question.takeText())
    case .tell:
      let message: Fact.Message = try question.take()
      phone.tell(message, about: try question.take(Tap.self))
    case .tellOfPayment:
      let message: Fact.Message = try question.take()
      phone.tell(message, about: try question.take(PaymentTransaction.self))
    case .tellOfTransaction:
      let message: Fact.Message = try question.take()
      phone.tell(message, about: try question.take(TransactionID.self))
    case .keep: answer.put(run.keep(try question.takeData()))
    case .payload:
      let data = run.payload(try question.take())
      answer.put(data != nil)
      if let data { answer.put(data) }
    case .keepReceipt: answer.put(run.receipt(try question.take()))
    case .evidenceInReceipt:
      let evidence = run.evidence(inReceipt: try question.takeData())
      answer.put(evidence != nil)
      if let evidence { answer.put(evidence) }
    case .keepName:
      let name = try question.takeText()
      run.keep(storedName: name, try question.take())
    case .storedName:
      let name = run.storedName(try question.take())
      answer.put(name != nil)
      if let name { answer.put(name) }
    }
    return answer
  }
}
