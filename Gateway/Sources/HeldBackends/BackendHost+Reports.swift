import ChaosStore
import Foundation
import Invariants
import StoreService

/// What a report says, in the words of the file.
extension BackendHost {
  func reportValues(_ report: Report, _ server: Server) throws -> [String: String] {
    guard let desk else { return [:] }
    let claim = server.claim(report)
    let account = report.session.isNone ? 0 : report.session.index
    var values: [BackendFile.Said: String] = [
      .account: "user\(account + 1)", .accountNumber: "\(account + 1)",
      .appAccountToken: desk.names.text(of: .account(report.session)) ?? "",
      .orderToken: desk.names.text(of: report.token) ?? "",
      .productId: report.product.isNone ? "" : server.books.products[report.product.index].name,
      .quantity: "\(claim.quantity)", .transactionId: "", .originalTransactionId: "",
      .signedTransactionInfo: "", .receipt: "",
      .purpose: report.purpose == .deliver ? "deliver" : "probe",
    ]
    values[.environment] = claim.environment == .production ? "Production" : "Sandbox"
    if report.evidence.isReceipt {
      values[.receipt] = try desk.receipt(report.evidence, in: claim.environment)
    }
    if let said = try desk.said(of: claim.transaction) {
      values[.transactionId] = said.id
      values[.originalTransactionId] = said.original
      values[.signedTransactionInfo] = said.signed
      values[.productId] = said.product
    } else if !report.evidence.isNone {
      let invented = try desk.invented(values[.productId] ?? "", by: setup.forger)
      values[.transactionId] = invented.id
      values[.originalTransactionId] = invented.id
      values[.signedTransactionInfo] = invented.signed
    }
    return values.named
  }
}

extension Dictionary where Key: RawRepresentable, Key.RawValue == String, Value == String {
  /// As placeholders name them.
  var named: [String: String] {
    [String: String](uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
  }
}
