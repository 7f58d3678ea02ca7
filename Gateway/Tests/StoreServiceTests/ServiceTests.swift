import ChaosStore
import Foundation
import Hummingbird
import HummingbirdTesting
import Invariants
import NIOCore
import NIOEmbedded
import NIOPosix
import StoreSignatures
import Testing

@testable import StoreService

/// A backend that keeps what it is told, and answers with what a test wants.
private actor Backend: NotificationPoster {
  private(set) var heard: [NotificationPayload] = []
  private var answer = LiveStore.Answer.status(200)
  /// What it asks while it handles a notification.
  private var asks: (@Sendable () async -> Void)?

  func answers(_ answer: LiveStore.Answer) { self.answer = answer }
  func asks(_ ask: @escaping @Sendable () async -> Void) { asks = ask }

  func post(_ body: [UInt8], to url: String) async -> LiveStore.Answer {
    guard
      let signed = try? JSONDecoder().decode([String: String].self, from: Data(body)),
      let payload = signed["signedPayload"].flatMap({ try? claims(of: $0) as NotificationPayload })
    else { return .status(400) }
    heard.append(payload)
    await asks?()
    return answer
  }

  var kinds: [String] {
    heard.map { $0.notificationType + ($0.subtype.map { ".\($0)" } ?? "") }
  }
}

/// What a JWS says.
private func claims<Payload: Decodable>(of token: String) throws -> Payload {
  let parts = token.split(separator: ".")
  let bytes = try #require(parts.count == 3 ? Base64URL.decode(parts[1]) : nil)
  return try JSONDecoder().decode(Payload.self, from: Data(bytes))
}

@Suite("The store over HTTP")
struct ServiceTests {
  private static let chain = Result { try SigningChain(responder: "http://127.0.0.1:1/ocsp") }
  private let backend = Backend()
  private let shop: Shop
  private let app: any ApplicationProtocol

  @Test("A notification to a port where nobody listens has failed at once")
  func nobody() async throws {
    let client = StoreServer.makeClient()
    let begun = ContinuousClock.now
    let answer = await HTTPPoster(client: client, patience: .seconds(10))
      .post(Array("{}".utf8), to: "http://127.0.0.1:1/notifications")
    try await client.shutdown()
    guard case .noResponse = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(ContinuousClock.now - begun < .seconds(5))
  }

  init() throws {
    var terms = LiveStore.Terms(
      products: [
        Setup.Product("coins"), Setup.Product("map", .nonConsumable),
        Setup.Product("pro", .autoRenewable(.init(Period(1, .month), graceDays: 16))),
      ], people: 3)
    terms.seed = 42
    var settings = Shop.Settings(terms: terms)
    settings.clock = .standing
    settings.notificationURLs = [.production: "http://backend", .sandbox: "http://backend"]
    let chain = try Self.chain.get()
    shop = try Shop(settings, signer: try StoreSigner(chain), poster: backend)
    app = Application(
      router: Routes(shop, chain, patience: .milliseconds(1)).router(), logger: .init(label: "test")
    )
  }

  /// A request, and its answer: the status, and the JSON in it.
  private func ask(
    _ client: any TestClientProtocol, _ method: HTTPRequest.Method, _ path: String,
    _ body: String? = nil, authorization: String? = nil
  ) async throws -> (status: Int, json: [String: Any]) {
    var headers = HTTPFields()
    if let authorization { headers[.authorization] = authorization }
    return try await client.execute(
      uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }
    ) { response in
      let json = try? JSONSerialization.jsonObject(with: Data(buffer: response.body))
      return (response.status.code, json as? [String: Any] ?? [:])
    }
  }

  private func control(
    _ client: any TestClientProtocol, _ method: HTTPRequest.Method, _ path: String,
    _ body: String? = nil
  ) async throws -> (status: Int, json: [String: Any]) {
    try await ask(client, method, "/chaos/v1/\(path)", body)
  }

  /// A token as a backend sends it, whose signature nobody looks at.
  private var token: String {
    return token(claims: #""exp":\#(Int(Date().timeIntervalSince1970) + 300)"#)
  }

  private func token(claims: String) -> String {
    func part(_ text: String) -> String {
      String(decoding: Base64URL.encode(Array(text.utf8)), as: UTF8.self)
    }
    let signature = String(
      decoding: Base64URL.encode([UInt8](repeating: 1, count: 64)), as: UTF8.self)
    return "Bearer " + part(#"{"alg":"ES256","kid":"K","typ":"JWT"}"#) + "."
      + part(
        #"{"iss":"i","aud":"appstoreconnect-v1","bid":"com.example.app",\#(claims)}"#)
      + "." + signature
  }

  private func bought(
    _ client: any TestClientProtocol, _ product: String, sandbox: Bool = false
  ) async throws -> String {
    let account = try #require(try await control(client, .post, "accounts").json["account"] as? Int)
    let environment = sandbox ? "Sandbox" : "Production"
    let answer = try await control(
      client, .post, "purchases",
      #"{"account":\#(account),"productId":"\#(product)","environment":"\#(environment)"}"#)
    #expect(answer.status == 201)
    return try #require(answer.json["transactionId"] as? String)
  }

  @Test("what is bought is signed, and the backend is told of it before the answer comes")
  func buys() async throws {
    try await app.test(.router) { client in
      let id = try await bought(client, "coins")
      #expect(await backend.kinds == ["ONE_TIME_CHARGE"])
      let answer = try await ask(
        client, .get, "/inApps/v1/transactions/\(id)", authorization: token)
      let signed = try #require(answer.json["signedTransactionInfo"] as? String)
      let payload: TransactionPayload = try claims(of: signed)
      #expect(payload.transactionId == id)
      #expect(payload.type == "Consumable")
      #expect(payload.environment == "Production")
    }
  }

  @Test("a backend that asks the store while it is told of something is answered")
  func asksMeanwhile() async throws {
    try await app.test(.router) { client in
      let shop = shop
      let request = AppleRequest(
        method: "GET", target: "/inApps/v1/transactions/480000000000001", host: "", body: [],
        authorization: token)
      await backend.asks { #expect(await shop.answer(request).status == 200) }
      _ = try await bought(client, "coins")
      #expect(await backend.heard.count == 1)
    }
  }

  @Test("each environment has addresses of its own, by host and by path")
  func environments() async throws {
    try await app.test(.router) { client in
      let id = try await bought(client, "coins", sandbox: true)
      for (path, status) in [
        ("/sandbox/inApps", 200), ("/inApps", 404), ("/production/inApps", 404),
      ] {
        let answer = try await ask(
          client, .get, "\(path)/v1/transactions/\(id)", authorization: token)
        #expect(answer.status == status)
        if status == 404 { #expect(answer.json["errorCode"] as? Int == 4_040_010) }
      }
    }
  }

  @Test("who has no token is nobody, and is told why where Apple says nothing")
  func unauthorized() async throws {
    try await app.test(.router) { client in
      try await client.execute(uri: "/inApps/v1/transactions/1", method: .get) { response in
        #expect(response.status == .unauthorized)
        #expect(response.headers[.init("X-Chaos-Reason")!]?.contains("Authorization") == true)
      }
    }
  }

  @Test("time passes where it is told to, and only there")
  func passes() async throws {
    try await app.test(.router) { client in
      let id = try await bought(client, "pro")
      let before = try await control(client, .get, "time").json["now"] as? Int
      #expect(try await control(client, .get, "time").json["now"] as? Int == before)
      #expect(try await control(client, .post, "time", #"{"days":31}"#).status == 200)
      #expect(await backend.kinds == ["SUBSCRIBED.INITIAL_BUY", "DID_RENEW"])
      _ = try await control(client, .post, "transactions/\(id)/renewal-off")
      _ = try await control(client, .post, "time", #"{"days":31}"#)
      #expect(await backend.kinds.last == "EXPIRED.VOLUNTARY")
      #expect(try await control(client, .post, "transactions/\(id)/renewal-off").status == 409)
    }
  }

  @Test("a notification that nobody answers comes six times")
  func retries() async throws {
    try await app.test(.router) { client in
      await backend.answers(.timedOut)
      _ = try await bought(client, "coins")
      _ = try await control(client, .post, "time", #"{"days":30}"#)
      #expect(await backend.heard.count == 6)
      #expect(Set(await backend.heard.map(\.notificationUUID)).count == 1)
    }
  }

  @Test("a fault strikes as often as it was told to, and a question that has no answer ends in 504")
  func faults() async throws {
    try await app.test(.router) { client in
      let id = try await bought(client, "coins")
      let path = "/inApps/v1/transactions/\(id)"
      #expect(
        try await control(
          client, .put, "faults/F61", #"{"times":1,"at":"drop verifier.answer"}"#
        ).status == 200)
      #expect(try await ask(client, .get, path, authorization: token).status == 504)
      #expect(try await ask(client, .get, path, authorization: token).status == 200)
      let state = try await control(client, .put, "faults/verifier-outage", #"{"chance":"0"}"#)
      #expect(state.json["strikes"] as? Int == 1)
    }
  }

  @Test("the verdict goes by what is said of credits")
  func verdict() async throws {
    try await app.test(.router) { client in
      let id = try await bought(client, "coins")
      #expect(try await control(client, .get, "verdict").json["remark"] != nil)
      let credit = #"{"account":1,"transactionId":"\#(id)"}"#
      #expect(try await control(client, .post, "credits", credit).status == 201)
      #expect(try await control(client, .get, "verdict").json["holds"] as? Bool == true)
      _ = try await control(client, .post, "credits", credit)
      let verdict = try await control(client, .get, "verdict").json
      #expect(verdict["holds"] as? Bool == false)
      let broken = try #require(verdict["broken"] as? [[String: Any]])
      #expect(
        broken.contains { $0["transactionId"] as? String == id && $0["code"] as? String == "I02" })
    }
  }

  @Test("the same requests have the same history after the store was founded again")
  func resets() async throws {
    try await app.test(.router) { client in
      func told() async throws -> [String] {
        _ = try await control(client, .put, "faults/notification-lost", #"{"chance":"1/2"}"#)
        _ = try await bought(client, "coins")
        _ = try await bought(client, "pro")
        _ = try await control(client, .post, "time", #"{"days":100}"#)
        let lines = try await control(client, .get, "history").json["lines"] as? [[String: Any]]
        return try #require(lines).compactMap { $0["text"] as? String }
      }
      let first = try await told()
      #expect(first.contains { $0.contains("480000000000001") })
      _ = try await control(client, .post, "reset")
      #expect(try await told() == first)
      _ = try await control(client, .post, "reset", #"{"seed":7}"#)
      #expect(try await told() != first)
    }
  }

  @Test(
    "what makes no sense is refused with its place",
    arguments: [
      ("POST", "purchases", #"{"account":1}"#, "productId"),
      ("POST", "purchases", #"{"account":"x","productId":"coins"}"#, "account"),
      ("POST", "purchases", #"{"account":9,"productId":"coins"}"#, "account"),
      ("POST", "purchases", #"{"account":1,"productId":"gold"}"#, "productId"),
      ("POST", "purchases", #"{"account":1,"productId":"coins","quantity":11}"#, "quantity"),
      ("POST", "purchases", #"{"account":1,"productId":"coins","offerId":"x"}"#, "offerId"),
      ("POST", "purchases", #"{"account":1,"productId":"coins","environment":"x"}"#, "environment"),
      ("POST", "purchases", #"{"account":1,"productId":"coins","appAccountToken":"x"}"#, "UUID"),
      ("POST", "purchases", "{", "JSON"),
      ("POST", "time", #"{"days":-1}"#, "days"),
      ("POST", "time", "{}", "no time"),
      ("POST", "time", #"{"days":100000}"#, "at most"),
      ("PUT", "faults/F01", "{}", "fault"),
      ("PUT", "faults/F61", #"{"chance":"2"}"#, "chance"),
      ("PUT", "faults/F61", #"{"at":"x"}"#, "at"),
      ("PUT", "revocation", #"{"mode":"x"}"#, "mode"),
      ("PUT", "notifications", #"{"production":"ftp://x"}"#, "production"),
      ("POST", "credits", #"{"account":1,"transactionId":"5"}"#, "transactionId"),
      ("GET", "history?from=x", nil, "from"),
      ("GET", "accounts/x", nil, "account"),
    ] as [(String, String, String?, String)])
  func refuses(_ method: String, _ path: String, _ body: String?, _ word: String) async throws {
    try await app.test(.router) { client in
      _ = try await control(client, .post, "accounts")
      let answer = try await control(
        client, HTTPRequest.Method(rawValue: method)!, path, body)
      #expect(answer.status == 400)
      let error = try #require(answer.json["error"] as? String)
      #expect(error.contains(word), "\(error)")
    }
  }

  /// A request with a number that nothing can hold, and the status of its answer.
  struct Hostile: Sendable, CustomTestStringConvertible {
    var method = HTTPRequest.Method.get
    var path: String
    var body: String?
    var claims: String?
    var status: Int
    var testDescription: String { "\(method) \(path) \(body ?? "") \(claims ?? "")" }
  }

  @Test(
    "a number that nothing can hold is answered, and the store goes on",
    arguments: [
      Hostile(path: "/inApps/v1/transactions/{coins}", claims: #""exp":-1e300"#, status: 401),
      Hostile(
        path: "/inApps/v1/transactions/{coins}", claims: #""exp":1e300,"iat":1e300"#, status: 401),
      Hostile(path: "/inApps/v2/history/{coins}?startDate=-9223372036854775808", status: 200),
      Hostile(path: "/inApps/v2/history/{coins}?endDate=-9223372036854775808", status: 200),
      Hostile(path: "/inApps/v2/history/{coins}?startDate=9223372036854775808", status: 400),
      Hostile(
        method: .put, path: "/inApps/v2/transactions/consumption/{coins}",
        body:
          #"{"customerConsented":true,"deliveryStatus":"DELIVERED","consumptionPercentage":5000000000}"#,
        status: 400),
      Hostile(
        method: .post, path: "/chaos/v1/entitlements",
        body: #"{"account":1,"transactionId":"{pro}","until":-9223372036854775808}"#, status: 201),
      Hostile(
        method: .post, path: "/chaos/v1/entitlements",
        body: #"{"account":1,"transactionId":"{pro}","until":9223372036854775807}"#, status: 201),
      Hostile(
        method: .post, path: "/chaos/v1/time", body: #"{"days":1e308,"seconds":1e308}"#, status: 400
      ),
      Hostile(
        method: .put, path: "/chaos/v1/notifications",
        body: #"{"production":"http://127.0.0.1:99999/"}"#, status: 400),
    ])
  func outlives(_ hostile: Hostile) async throws {
    try await app.test(.router) { client in
      let coins = try await bought(client, "coins")
      let pro = try await bought(client, "pro")
      func filled(_ text: String) -> String {
        text.replacing("{coins}", with: coins).replacing("{pro}", with: pro)
      }
      let answer = try await ask(
        client, hostile.method, filled(hostile.path), hostile.body.map(filled),
        authorization: hostile.claims.map(token) ?? token)
      #expect(answer.status == hostile.status)
      #expect(try await control(client, .get, "time").status == 200)
    }
  }

  @Test(
    "a page elsewhere has no way in, and this machine's own callers have",
    arguments: [
      ("evil.example", nil, 403), ("evil.example:8181", nil, 403),
      ("localhost@evil.example", nil, 403),
      ("127.0.0.1.evil.example", nil, 403), ("10.0.0.7:8181", nil, 403),
      ("localhost:8181", "https://evil.example", 403), ("localhost:8181", "null", 403),
      ("localhost:8181", "http://localhost.evil.example", 403),
      ("localhost", nil, 200), ("LOCALHOST:8181", nil, 200), ("127.0.0.1:8181", nil, 200),
      ("[::1]:8181", nil, 200), ("api.storekit.itunes.apple.com", nil, 200),
      ("localhost:8181", "http://localhost:3000", 200),
      ("127.0.0.1:1", "http://127.0.0.1:3000", 200),
    ] as [(String, String?, Int)])
  func visitors(_ host: String, _ origin: String?, _ status: Int) {
    #expect((LocalVisitors.refusal(host: host, origin: origin) == nil) == (status == 200))
  }

  @Test("the store refuses a second Host, and a request line with a foreign host")
  func disguises() {
    func refusal(_ path: String, twice: Bool = false) -> String? {
      LocalVisitors.refusal(
        host: "localhost", origin: nil, path: path, isHostGivenTwice: twice)
    }
    #expect(refusal("/chaos/v1/time") == nil)
    #expect(refusal("http://127.0.0.1:8181/ocsp") == nil, "as a proxy is asked")
    #expect(refusal("/chaos/v1/time", twice: true)?.hasPrefix("Host: found several") == true)
    for path in ["http://evil.com/chaos/v1/time", "HTTP://EVIL.com", "http://localhost@evil.com/"] {
      #expect(refusal(path)?.hasPrefix("the path: found") == true, "\(path)")
    }
  }

  @Test("a store that sells nothing is refused without ending the program")
  func nothingSold() throws {
    let ports = try StoreServer.Ports(plain: 0, secure: 0, proxy: 0)
    let chain = try SigningChain(responder: ports.responder)
    #expect(throws: ScenarioError.self) {
      _ = try StoreServer(Shop.Settings(terms: LiveStore.Terms(products: [])), chain, ports)
    }
  }

  @Test("the proxy closes a connection that sends no request for ten seconds")
  func silence() throws {
    let channel = EmbeddedChannel(handler: Greeting(host: "127.0.0.1", tlsPort: 1))
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try channel.writeInbound(ByteBuffer(string: "GET"))
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
  }

  @Test("the proxy closes a connection that its client closes before a whole request")
  func halfRequests() async throws {
    let ports = try StoreServer.Ports(plain: 0, secure: 0, proxy: 0)
    let proxy = Proxy(host: ports.host, port: ports.proxy, tlsPort: ports.secure)
    let running = Task { try await proxy.run() }
    defer { running.cancel() }
    for text in ["", "GET", "CONNECT 127.0.0.1:1 HTTP/1.1\r\n"] {
      var client: (any Channel)?
      for _ in 0..<200 where client == nil {
        client = try? await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
          .channelOption(.allowRemoteHalfClosure, value: true)
          .connect(host: ports.host, port: ports.proxy).get()
        if client == nil { try await Task.sleep(for: .milliseconds(20)) }
      }
      let channel = try #require(client)
      let isClosed = Task { try await channel.closeFuture.get() }
      try await channel.writeAndFlush(ByteBuffer(string: text))
      try await channel.close(mode: .output).get()
      // Ends the test if the proxy leaves the connection open.
      let ended = Task {
        try await Task.sleep(for: .seconds(5))
        Issue.record("left open after '\(text)'")
        try await channel.close()
      }
      try await isClosed.value
      ended.cancel()
    }
  }

  @Test("a page elsewhere cannot reset the store")
  func pages() async throws {
    try await app.test(.router) { client in
      _ = try await control(client, .post, "accounts")
      try await client.execute(
        uri: "/chaos/v1/reset", method: .post, headers: [.origin: "https://evil.example"]
      ) { #expect($0.status == .forbidden) }
      #expect(try await control(client, .get, "store").json["accounts"] as? Int == 1)
    }
  }

  @Test("notifications go to this machine, or to a host that was allowed at the start")
  func targets() {
    func problem(_ text: String) -> String? {
      NotificationTarget.problem(with: text, allowing: ["web"])
    }
    for text in [
      "http://localhost:5000/a", "https://127.0.0.1/a", "http://[::1]:1/", "http://web:80/",
    ] {
      #expect(problem(text) == nil, "\(text)")
    }
    for text in ["http://169.254.169.254/", "http://example.com/", "http://localhost.example.com/"]
    {
      #expect(problem(text)?.contains("--notify-host") == true, "\(text)")
    }
    for text in [
      "ftp://localhost/", "http://", "http://localhost:0/", "http://127.0.0.1:65536/",
      "http://127.0.0.1:99999999999999999999/", "http://evil.example\\@127.0.0.1/",
    ] {
      #expect(problem(text)?.contains("expected a") == true, "\(text)")
    }
  }

  @Test("the proxy takes a port that there is, and no other")
  func ports() {
    #expect(Proxy.destination("CONNECT 127.0.0.1:443 HTTP/1.1", tlsPort: 1)?.port == 443)
    for port in ["99999", "-1", "x"] {
      #expect(Proxy.destination("CONNECT 127.0.0.1:\(port) HTTP/1.1", tlsPort: 1) == nil)
    }
  }

  @Test("there are as many accounts as there are people")
  func accounts() async throws {
    try await app.test(.router) { client in
      for status in [201, 201, 201, 409] {
        let answer = try await control(client, .post, "accounts")
        #expect(answer.status == status)
      }
    }
  }

  @Test("the description names each path that there is")
  func described() async throws {
    try await app.test(.router) { client in
      let document = try await control(client, .get, "openapi.json").json
      let paths = try #require(document["paths"] as? [String: [String: Any]])
      #expect(paths.count > 20)
      for (path, operations) in paths {
        for method in operations.keys {
          let asked = path.replacingOccurrences(of: "{account}", with: "1")
            .replacingOccurrences(of: "{id}", with: "480000000000001")
            .replacingOccurrences(of: "{fault}", with: "F61")
          let answer = try await control(
            client, HTTPRequest.Method(rawValue: method.uppercased())!, String(asked.dropFirst()))
          // Whatever it says, it is said by the call itself.
          #expect(answer.status != 404 || answer.json["error"] != nil, "\(method) \(path)")
        }
      }
    }
  }
}

@Suite("Names")
struct NamesTests {
  @Test("identifiers go there and back, and each environment has its own")
  func transactions() {
    for raw in [0, 1, 4_000_000] as [UInt32] {
      let id = TransactionID(raw)
      for environment in Environment.allCases {
        #expect(Names.transaction(Names.transaction(id, environment)) == id)
      }
    }
    #expect(Names.transaction("77") == TransactionID.none)
    for text in ["", "abc", "-1", "1 ", "99999999999999999999"] {
      #expect(Names.transaction(text) == nil)
    }
  }

  @Test("orders go there and back")
  func orders() {
    for number in [0, 1, 36, UInt32.max] as [UInt32] {
      #expect(Names.order(Names.order(OrderID(number: number))) == OrderID(number: number))
    }
    #expect(Names.order("MQ1") == nil)
    #expect(Names.order("XX00000001") == nil)
  }

  @Test("a UUID that somebody gives is a token, and an account's own is the account's")
  func tokens() throws {
    let names = Names(seed: 1)
    names.add(account: 1)
    let given = try #require(UUID(uuidString: "11111111-2222-4333-8444-555555555555"))
    let token = names.token(given)
    #expect(names.uuid(token) == given)
    #expect(names.token(given) == token)
    #expect(names.token(names.account(1)).accountNumber == 1)
    #expect(names.uuid(.none) == nil)
    #expect(names.account(0) != Names(seed: 2).account(0))
  }
}
