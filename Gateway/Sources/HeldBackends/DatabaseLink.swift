import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A connection of the backend's to PostgreSQL, with the gateway in between.
///
/// What the client says up to a point at which it waits for the answer is one round trip: it is held until somebody
/// lets it go, and what the server says to it is held until somebody hands it over.
///
/// Source: PostgreSQL, Frontend/Backend Protocol 3.0.
final class DatabaseLink {
  /// Less than nothing once it is gone.
  private(set) var client: Int32
  let server: Int32
  private(set) var isClosed = false
  private var isAbandoned = false
  /// The process of the database that serves it.
  private(set) var process: Int32 = 0
  /// Whether the first words are over, after which the server is ready.
  private(set) var isOpen = false

  private var fromClient: [UInt8] = []
  private var fromServer: [UInt8] = []
  /// What is held: the trip that was not let go yet.
  private var trip: [UInt8] = []
  /// Whether a trip was let go, and its answer is not whole yet.
  private(set) var isUnderWay = false
  private var answer: [UInt8] = []
  /// Whether an answer is whole, and was not handed over yet.
  private(set) var hasAnswer = false

  init(client: Int32, server: Int32) {
    self.client = client
    self.server = server
  }

  deinit { close() }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    if !isAbandoned { Glibc.close(client) }
    Glibc.close(server)
  }

  /// Its client is gone, and the server is not to know yet.
  func abandon() {
    guard !isAbandoned, !isClosed else { return }
    isAbandoned = true
    Glibc.close(client)
    client = -1
  }

  private static func read(_ file: Int32, into buffer: inout [UInt8]) -> Bool {
    while true {
      var bytes = [UInt8](repeating: 0, count: 65_536)
      let count = recv(file, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        Sockets.acknowledge(file)
        buffer += bytes[..<count]
        continue
      }
      if count < 0, errno == EINTR { continue }
      return count < 0 && errno == EAGAIN
    }
  }

  private func write(_ bytes: some Collection<UInt8>, to file: Int32) {
    guard file >= 0 else { return }
    let bytes = Array(bytes)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return close() }
      sent += count
    }
  }

  private static func length(_ bytes: [UInt8], at place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// Takes what the client has said; what it says of, where a round trip is whole and waits to be let go.
  func receiveFromClient() -> String? {
    if !Self.read(client, into: &fromClient) {
      close()
      return nil
    }
    if !isOpen {
      begin()
      return nil
    }
    var whole: String?
    while fromClient.count >= 5 {
      let size = 1 + Self.length(fromClient, at: 1)
      guard fromClient.count >= size else { break }
      let message = Array(fromClient[..<size])
      fromClient.removeFirst(size)
      switch message[0] {
      case UInt8(ascii: "X"):
        write(message, to: server)
        close()
        return nil
      case UInt8(ascii: "d"), UInt8(ascii: "c"), UInt8(ascii: "f"): write(message, to: server)
      default:
        trip += message
        if "QSF".utf8.contains(message[0]) { whole = Self.words(trip) }
      }
    }
    return whole
  }

  /// The first words, in which no message has a type: they go through.
  private func begin() {
    while fromClient.count >= 8 {
      let first = Self.length(fromClient, at: 4)
      // 80877103 asks for TLS, 80877104 for GSSAPI: neither is spoken here.
      if first == 80_877_103 || first == 80_877_104 {
        fromClient.removeFirst(8)
        write([UInt8(ascii: "N")], to: client)
        continue
      }
      break
    }
    write(fromClient, to: server)
    fromClient = []
  }

  /// Takes what the server has said.
  func receiveFromServer() {
    if !Self.read(server, into: &fromServer) {
      write(answer + fromServer, to: client)
      return close()
    }
    while fromServer.count >= 5 {
      let size = 1 + Self.length(fromServer, at: 1)
      guard fromServer.count >= size else { break }
      let message = fromServer[..<size]
      // BackendKeyData, and ReadyForQuery.
      if message[0] == UInt8(ascii: "K") { process = Int32(Self.length(fromServer, at: 5)) }
      let isReady = message[0] == UInt8(ascii: "Z")
      if isOpen {
        answer += message
        if isReady, isUnderWay {
          isUnderWay = false
          hasAnswer = true
        } else if !isUnderWay, !hasAnswer {
          // What nobody has asked for, such as a notice.
          hand()
        }
      } else {
        write(message, to: client)
        if isReady { isOpen = true }
      }
      fromServer.removeFirst(size)
    }
  }

  /// Lets the trip go to the database.
  func letGo() {
    isUnderWay = true
    let bytes = trip
    trip = []
    write(bytes, to: server)
  }

  /// Hands the client what the database has answered.
  func hand() {
    hasAnswer = false
    let bytes = answer
    answer = []
    write(bytes, to: client)
  }

  /// The statements in a trip, for people and for comparing.
  private static func words(_ trip: [UInt8]) -> String {
    var words: [String] = []
    var place = 0
    while place + 5 <= trip.count {
      let size = 1 + length(trip, at: place + 1)
      let body = trip[(place + 5)..<min(place + size, trip.count)]
      switch trip[place] {
      case UInt8(ascii: "Q"): words.append(text(body))
      case UInt8(ascii: "P"):
        words.append(text(body.drop { $0 != 0 }.dropFirst()))
      case UInt8(ascii: "B"): words.append("bind")
      default: break
      }
      place += size
    }
    return words.isEmpty ? "sync" : words.joined(separator: "; ")
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
