import ChaosStore
import Foundation
import HTTPTypes
import Hummingbird
import Invariants
import NIOCore
import StoreSignatures

/// The addresses of the store: those of Apple's hosts, and those of whoever drives it.
public struct Routes: Sendable {
  let shop: Shop
  let chain: SigningChain
  /// How long a request waits that is to have no answer.
  let patience: Duration

  /// The routes to a shop, with the chain that it signs with.
  public init(_ shop: Shop, _ chain: SigningChain, patience: Duration = .seconds(10)) {
    self.shop = shop
    self.chain = chain
    self.patience = patience
  }

  /// The largest body that is read.
  private static let mostBytes = 10_000_000

  /// All of them.
  ///
  /// Apple's hosts say which environment is asked. Elsewhere the path says so: `/sandbox/inApps/…` is the sandbox's, and
  /// `/inApps/…` or `/production/inApps/…` production's.
  public func router() -> Router<BasicRequestContext> {
    let router = Router(context: BasicRequestContext.self)
    router.add(middleware: LocalVisitors())
    addAPI(to: router)
    addResponder(to: router)
    addControl(to: router.group("chaos/v1"))
    return router
  }

  // MARK: - Apple's

  private func addAPI(to router: Router<BasicRequestContext>) {
    for prefix in ["", "production/", "sandbox/"] {
      for method in [HTTPRequest.Method.get, .post, .put] {
        router.on("\(prefix)inApps/**", method: method) { request, _ in try await answer(request) }
      }
      router.post("\(prefix)verifyReceipt") { request, _ in try await answer(request) }
    }
  }

  private func answer(_ request: Request) async throws -> Response {
    let answer = await shop.answer(
      AppleRequest(
        method: request.method.rawValue, target: request.uri.string,
        host: request.head.authority ?? "", body: try await bytes(of: request),
        authorization: request.headers[.authorization]))
    guard answer.isWithheld else { return Self.response(answer) }
    try await Task.sleep(for: patience)
    return Self.response(.text("no answer came", status: 504))
  }

  /// What stands in the path, which may have to be decoded.
  private func parameter(_ context: BasicRequestContext, _ name: String) -> String {
    let text = context.parameters.get(name) ?? ""
    return text.removingPercentEncoding ?? text
  }

  private func bytes(of request: Request) async throws -> [UInt8] {
    Array(buffer: try await request.body.collect(upTo: Self.mostBytes))
  }

  static func response(_ answer: Answer) -> Response {
    var headers = HTTPFields()
    if let type = answer.type { headers[.contentType] = type }
    for (name, value) in answer.headers {
      if let field = HTTPField.Name(name) { headers[field] = value }
    }
    return Response(
      status: .init(code: answer.status), headers: headers,
      body: .init(byteBuffer: ByteBuffer(bytes: answer.body)))
  }

  // MARK: - Revocation

  private func addResponder(to router: Router<BasicRequestContext>) {
    let responder = RevocationResponder(chain)
    router.post("ocsp") { request, _ in try await status(responder, try await bytes(of: request)) }
    // RFC 6960, A.1: the request in base 64, in the path.
    router.get("ocsp/**") { request, context in
      let text = context.parameters.getCatchAll().joined(separator: "/")
      let bytes = Data(base64Encoded: text.removingPercentEncoding ?? text)
      return try await status(responder, Array(bytes ?? Data()))
    }
  }

  private func status(
    _ responder: RevocationResponder, _ request: [UInt8]
  ) async throws -> Response {
    let mode = await shop.nextRevocation()
    do {
      guard let answer = try responder.answer(request, mode: mode, date: Date()) else {
        return Self.response(.text("the responder fails, as it was told to", status: 500))
      }
      return Self.response(Answer(status: 200, body: answer, type: "application/ocsp-response"))
    } catch {
      return Self.response(.text("this is no OCSP request", status: 400))
    }
  }

  // MARK: - Whoever drives the store

  private typealias Control =
    @Sendable (_ parameter: (String) -> String, _ query: (String) -> String?, _ body: [UInt8])
    async throws(BadBody) -> Answer

  private func addControl(to group: RouterGroup<BasicRequestContext>) {
    let (shop, chain) = (shop, chain)
    func add(_ method: HTTPRequest.Method, _ path: RouterPath, _ call: @escaping Control) {
      group.on(path, method: method) { request, context in
        let query = request.uri.queryParameters
        let body = try await bytes(of: request)
        do throws(BadBody) {
          return Self.response(
            try await call(
              { parameter(context, $0) }, { query[Substring($0)].map(String.init) }, body))
        } catch { return Self.response(.refused(error.description)) }
      }
    }
    add(.get, "store") { _, _, _ in await shop.state() }
    add(.post, "reset") { _, _, body throws(BadBody) in try await shop.reset(body) }
    add(.post, "accounts") { _, _, _ in await shop.createAccount() }
    add(.get, "accounts/:account") { get, _, _ throws(BadBody) in
      try await shop.account(Int(get("account"), radix: 10))
    }
    add(.get, "accounts/:account/receipt") { get, query, _ throws(BadBody) in
      try await shop.receipt(Int(get("account"), radix: 10), query("environment"))
    }
    add(.post, "accounts/:account/leave-family") { get, _, _ throws(BadBody) in
      try await shop.leaveFamily(Int(get("account"), radix: 10))
    }
    add(.post, "purchases") { _, _, body throws(BadBody) in try await shop.buy(body) }
    add(.get, "transactions/:id") { get, _, _ throws(BadBody) in
      try await shop.purchase(get("id"))
    }
    for deed in Shop.Deed.allCases {
      add(.post, "transactions/:id/\(deed.rawValue)") { get, _, body throws(BadBody) in
        try await shop.perform(deed, on: get("id"), body)
      }
    }
    add(.get, "time") { _, _, _ in await shop.time() }
    add(.post, "time") { _, _, body throws(BadBody) in try await shop.pass(body) }
    add(.get, "faults") { _, _, _ in await shop.faults() }
    add(.delete, "faults") { _, _, _ in await shop.disarmAll() }
    add(.put, "faults/:fault") { get, _, body throws(BadBody) in
      try await shop.arm(get("fault"), body)
    }
    add(.delete, "faults/:fault") { get, _, _ throws(BadBody) in
      try await shop.disarm(get("fault"))
    }
    add(.put, "revocation") { _, _, body throws(BadBody) in try await shop.setRevocation(body) }
    add(.put, "notifications") { _, _, body throws(BadBody) in
      try await shop.setNotifications(body)
    }
    add(.post, "credits") { _, _, body throws(BadBody) in try await shop.credit(body) }
    add(.post, "reversals") { _, _, body throws(BadBody) in try await shop.reverse(body) }
    add(.post, "entitlements") { _, _, body throws(BadBody) in try await shop.entitle(body) }
    add(.get, "history") { _, query, _ throws(BadBody) in
      guard let from = query("from").map({ Int($0, radix: 10) }) ?? 0, from >= 0 else {
        throw BadBody("from: found '\(query("from") ?? "")', expected a whole number from 0")
      }
      return await shop.history(from: from)
    }
    add(.get, "verdict") { _, _, _ in await shop.verdict() }
    add(.get, "root.pem") { _, _, _ in
      Answer(
        status: 200, body: Array(chain.rootPEM.utf8), type: "application/x-pem-file")
    }
    add(.get, "root.der") { _, _, _ in
      Answer(status: 200, body: chain.rootDER, type: "application/pkix-cert")
    }
    add(.get, "openapi.json") { _, _, _ in
      Answer(status: 200, body: PackageResources.openapi_json, type: Answer.json)
    }
  }
}
