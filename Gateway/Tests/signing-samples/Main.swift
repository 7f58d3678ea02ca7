import Foundation
import StoreSignatures

/// Signs what stands on standard input, a line each, so that the libraries of others can be asked what they make of it.
///
///     signing-samples RESPONDER     prints the root's DER in base 64, and then, for each line of the input:
///       sign JSON                   its JWS
///       receipt PRODUCT ID          an app receipt with one purchase
///       ocsp MODE BASE64            the answer to an OCSP request, in base 64; an empty line for HTTP 500
@main
enum Main {
  static func main() throws {
    let chain = try SigningChain(
      responder: CommandLine.arguments.dropFirst().first ?? "http://localhost")
    let signer = try StoreSigner(chain)
    let responder = RevocationResponder(chain)
    say(Data(try chain.root.der()).base64EncodedString())
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      switch words[0] {
      case "sign": say(try signer.sign(line.dropFirst("sign ".count).utf8))
      case "receipt":
        let receipt = AppReceipt(
          bundle: "com.example.shop", environment: "ProductionSandbox", version: "1",
          created: Date(),
          purchases: [
            .init(
              product: words[1], transaction: words[2], original: words[2], quantity: 1,
              date: Date())
          ])
        say(try receipt.base64())
      case "ocsp":
        guard let mode = RevocationResponder.Mode(rawValue: words[1]),
          let request = Data(base64Encoded: words[2])
        else { fatalError("not understood: \(line)") }
        let answer = try responder.answer(Array(request), mode: mode, date: Date())
        say(answer.map { Data($0).base64EncodedString() } ?? "")
      default: fatalError("not understood: \(line)")
      }
    }
  }

  /// At once: whoever asks waits for it.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}
