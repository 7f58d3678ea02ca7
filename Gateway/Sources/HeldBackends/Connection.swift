import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOSSL
import StoreService

#if canImport(Glibc)
  import Glibc
#endif

/// One TCP connection, read and written by hand, so that nothing happens while nobody looks.
///
/// What its bytes mean is NIO's to say: its handlers run in a channel that has no event loop.
final class Connection {
  enum Role {
    /// To the backend, with one request.
    case request
    /// From the backend, to Apple.
    case apple
    /// The same over TLS.
    case secureApple
    /// The same, behind the first words to a proxy.
    case proxy
  }

  let file: Int32
  private(set) var role: Role
  private var channel = EmbeddedChannel()
  private var greeting: [UInt8] = []
  private(set) var isClosed = false
  /// Whether whoever is at the other end does not trust our certificate.
  private(set) var isDistrusted = false
  /// The address that it was accepted at, or is connected to.
  let port: Int

  // The message that is coming in.
  private var head: HTTPRequestHead?
  /// Whether whoever asked reads until the connection ends, and not as far as a length says.
  private var endsAfterAnswer = false
  private var status = 0
  private var body = ByteBuffer()

  /// What has come in whole.
  enum Message {
    case request(AppleRequest, target: String)
    case response(status: Int, body: [UInt8])
  }

  init(_ file: Int32, _ role: Role, port: Int, tls: NIOSSLContext?) throws {
    self.file = file
    self.role = role
    self.port = port
    try prepare(tls)
  }

  deinit { close() }

  private func prepare(_ tls: NIOSSLContext?) throws {
    channel = EmbeddedChannel()
    let pipeline = channel.pipeline.syncOperations
    switch role {
    case .request:
      try pipeline.addHandler(HTTPRequestEncoder())
      try pipeline.addHandler(
        ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes)))
    case .secureApple, .apple:
      if role == .secureApple, let tls {
        try pipeline.addHandler(NIOSSLServerHandler(context: tls))
      }
      try pipeline.addHandler(HTTPResponseEncoder())
      try pipeline.addHandler(
        ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
    case .proxy: return
    }
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    try flush()
  }

  /// What one message may have; whoever says more is not listened to.
  static let mostBytes = 8 << 20

  /// Reads what has come, and returns what of it is whole; nothing more will come once it ``isClosed``.
  func receive(_ tls: NIOSSLContext?) -> [Message] {
    var messages: [Message] = []
    // Who never ends is not to keep others waiting.
    for _ in 0..<64 where !isClosed {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = recv(file, &bytes, bytes.count, Int32(clamping: MSG_DONTWAIT))
      if count < 0, errno == EAGAIN || errno == EINTR { break }
      Sockets.acknowledge(file)
      guard count > 0 else {
        if role == .request { finishReading() }
        collect(&messages)
        close()
        break
      }
      do {
        try take(bytes[..<count], tls)
        collect(&messages)
        if max(body.readableBytes, greeting.count) > Self.mostBytes { close() }
        try flush()
      } catch {
        isDistrusted = role == .secureApple && Self.isDistrust(error)
        close()
      }
    }
    return messages
  }

  /// Whether somebody ends a handshake: in words, or in those that cannot be read, as OpenSSL's are before there are keys.
  private static func isDistrust(_ error: any Error) -> Bool {
    if let error = error as? NIOSSLError, case .handshakeFailed = error { return true }
    let alerts = ["UNKNOWN_CA", "BAD_CERTIFICATE", "CERTIFICATE_UNKNOWN"]
    return alerts.contains { "\(error)".contains($0) }
  }

  private func take(_ bytes: ArraySlice<UInt8>, _ tls: NIOSSLContext?) throws {
    guard role == .proxy else {
      try channel.writeInbound(ByteBuffer(bytes: bytes))
      return
    }
    greeting += bytes
    guard let end = greeting.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
    if greeting.starts(with: Array("CONNECT ".utf8)) {
      role = .secureApple
      send(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
      try prepare(tls)
      let rest = greeting[end.upperBound...]
      if !rest.isEmpty { try channel.writeInbound(ByteBuffer(bytes: rest)) }
    } else {
      role = .apple
      try prepare(tls)
      try channel.writeInbound(ByteBuffer(bytes: greeting))
    }
    greeting = []
  }

  /// What has no length ends with the connection.
  private func finishReading() { _ = try? channel.finish() }

  private func collect(_ messages: inout [Message]) {
    if role == .request {
      while let part = try? channel.readInbound(as: HTTPClientResponsePart.self) {
        switch part {
        case .head(let head): status = Int(clamping: head.status.code)
        case .body(var buffer): body.writeBuffer(&buffer)
        case .end:
          messages.append(.response(status: status, body: Array(buffer: body)))
          body.clear()
        }
      }
      return
    }
    while let part = try? channel.readInbound(as: HTTPServerRequestPart.self) {
      switch part {
      case .head(let head): self.head = head
      case .body(var buffer): body.writeBuffer(&buffer)
      case .end:
        guard let head else { continue }
        endsAfterAnswer = !head.isKeepAlive
        messages.append(
          .request(
            AppleRequest(
              method: head.method.rawValue, target: Self.path(head.uri),
              host: head.headers["host"].first ?? "", body: Array(buffer: body),
              authorization: head.headers["authorization"].first), target: Self.path(head.uri)))
        body.clear()
      }
    }
  }

  /// Of a whole address, as a proxy is given it, what stands behind the host.
  private static func path(_ uri: String) -> String {
    guard uri.hasPrefix("http://") else { return uri }
    let rest = uri.dropFirst("http://".count)
    return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
  }

  /// Sends a request.
  func ask(_ method: String, _ path: String, headers: [String: String], body: [UInt8]?) {
    var fields = HTTPHeaders([
      ("Host", "127.0.0.1:\(port)"), ("Connection", "close"), ("Accept", "*/*"),
    ])
    if let body {
      fields.add(name: "Content-Type", value: "application/json")
      fields.add(name: "Content-Length", value: "\(body.count)")
    }
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
      fields.replaceOrAdd(name: name, value: value)
    }
    let head = HTTPRequestHead(
      version: .http1_1, method: HTTPMethod(rawValue: method), uri: path, headers: fields)
    write(HTTPClientRequestPart.head(head))
    if let body { write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: body)))) }
    write(HTTPClientRequestPart.end(nil))
  }

  /// Sends an answer.
  func answer(_ answer: Answer) {
    var fields = HTTPHeaders([("Content-Length", "\(answer.body.count)")])
    if let type = answer.type { fields.add(name: "Content-Type", value: type) }
    for (name, value) in answer.headers { fields.add(name: name, value: value) }
    if endsAfterAnswer { fields.add(name: "Connection", value: "close") }
    let head = HTTPResponseHead(
      version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: fields)
    write(HTTPServerResponsePart.head(head))
    write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: answer.body))))
    write(HTTPServerResponsePart.end(nil))
    if endsAfterAnswer { finishWriting() }
  }

  /// Nothing more is said on it; over TLS whoever listens is told so there as well.
  private func finishWriting() {
    guard !isClosed else { return }
    channel.close(promise: nil)
    try? flush()
    shutdown(file, Int32(clamping: SHUT_WR))
  }

  private func write(_ part: some Any) {
    do {
      try channel.writeOutbound(part)
      try flush()
    } catch { close() }
  }

  private func flush() throws {
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) { send(Array(buffer: buffer)) }
  }

  private func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count, !isClosed {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(file, $0.baseAddress, $0.count, Int32(clamping: MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return close() }
      sent += count
    }
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    // A channel and its handlers hold each other until it is over. Who waits for the other side's last words waits no
    // longer than this; nobody reads what is said meanwhile.
    channel.close(promise: nil)
    channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    Glibc.close(file)
  }
}

/// Sockets of this machine.
enum Sockets {
  struct Failed: Error, CustomStringConvertible {
    var description: String
  }

  private static func address(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(clamping: AF_INET)
    address.sin_port = in_port_t(clamping: port).bigEndian
    address.sin_addr.s_addr = (0x7f00_0001 as in_addr_t).bigEndian
    return address
  }

  /// A socket that listens at a port; at any that is free where it is 0.
  static func listen(_ port: Int = 0) throws(Failed) -> (file: Int32, port: Int) {
    let file = socket(AF_INET, Int32(clamping: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var one: Int32 = 1
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(clamping: MemoryLayout<Int32>.size))
    var address = address(port)
    var length = socklen_t(clamping: MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(file, $0, length) == 0 && Glibc.listen(file, 128) == 0
          && getsockname(file, $0, &length) == 0
      }
    }
    guard isBound else {
      Glibc.close(file)
      throw Failed(description: "no port can be opened: \(String(cString: strerror(errno)))")
    }
    return (file, Int(clamping: in_port_t(bigEndian: address.sin_port)))
  }

  /// A port that nobody listens at now.
  static func freePort() throws(Failed) -> Int {
    let (file, port) = try listen()
    close(file)
    return port
  }

  /// How long whoever listens may take until a connection is there, in milliseconds; on one machine it is there at once.
  private static let mostMillis: Int32 = 250

  /// A connection to a port; nil where nobody listens, or so many wait to be let in that no more are.
  static func connect(_ port: Int) -> Int32? {
    let file = socket(AF_INET, Int32(clamping: SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let flags = fcntl(file, F_GETFL)
    _ = fcntl(file, F_SETFL, flags | O_NONBLOCK)
    var address = address(port)
    let isThere = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(file, $0, socklen_t(clamping: MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isThere || errno == EINPROGRESS && isConnected(file) else {
      close(file)
      return nil
    }
    _ = fcntl(file, F_SETFL, flags)
    noDelay(file)
    return file
  }

  /// Waits until a connection that was begun is there, or is not to be.
  private static func isConnected(_ file: Int32) -> Bool {
    var polled = pollfd(fd: file, events: Int16(clamping: POLLOUT), revents: 0)
    guard poll(&polled, 1, mostMillis) == 1 else { return false }
    var error: Int32 = 0
    var length = socklen_t(clamping: MemoryLayout<Int32>.size)
    getsockopt(file, SOL_SOCKET, SO_ERROR, &error, &length)
    return error == 0
  }

  static func accept(_ listener: Int32) -> Int32? {
    let file = Glibc.accept(listener, nil, nil)
    guard file >= 0 else { return nil }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    noDelay(file)
    return file
  }

  /// Acknowledges what was received at once: whoever waits for that before they send more would look quiet for 40 ms.
  static func acknowledge(_ file: Int32) {
    var one: Int32 = 1
    setsockopt(
      file, Int32(clamping: IPPROTO_TCP), TCP_QUICKACK, &one,
      socklen_t(clamping: MemoryLayout<Int32>.size))
  }

  private static func noDelay(_ file: Int32) {
    var one: Int32 = 1
    setsockopt(
      file, Int32(clamping: IPPROTO_TCP), TCP_NODELAY, &one,
      socklen_t(clamping: MemoryLayout<Int32>.size))
  }

  /// Which of these can be read without waiting, after so long at most.
  static func readable(_ files: [Int32], within millis: Int32) -> [Int32] {
    var polled = files.map { pollfd(fd: $0, events: Int16(clamping: POLLIN), revents: 0) }
    guard poll(&polled, nfds_t(clamping: polled.count), millis) > 0 else { return [] }
    return polled.filter { $0.revents != 0 }.map(\.fd)
  }
}
