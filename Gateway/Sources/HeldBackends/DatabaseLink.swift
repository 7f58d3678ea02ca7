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
  /// How many messages in it are answered with ReadyForQuery, and how many of these end a COPY.
  private var tripEnds = 0
  private var copyEnds = 0
  /// How many answers are to come to what stands behind the last of these, where that ends with Flush.
  private var tripFlushes = 0
  /// Whether the trip is whole, and waits to be let go.
  private var isWhole = false
  /// How many times the server has to say that it is ready until all is answered that was let go.
  private var awaited = 0
  /// Whether a trip was let go, and its answer is not whole yet.
  var isUnderWay: Bool { awaited > 0 || flushed > 0 }
  private var answer: [UInt8] = []
  /// Whether an answer is whole, and was not handed over yet.
  private(set) var hasAnswer = false
  /// How many answers are to come to what was sent with Flush.
  private var flushed = 0
  /// Whether they are handed over once all have come: something was carried out.
  private var holdsFlushed = false
  /// Whether the server passes over all until Sync, after an error.
  private var isSkipping = false
  /// The statements that were prepared with Flush.
  private var flushedWords: [String] = []

  /// Whether the server takes the rows of a COPY now, and what ends it for the client.
  private var copy = Copy.none
  private enum Copy {
    case none
    /// CopyDone, and the server is ready.
    case byQuery
    /// CopyDone and Sync.
    case bySync
  }

  /// What the client asks for and the link does not speak, as a sentence; nil while there is no such thing.
  private(set) var refusal: String?
  /// Whether the client asked for TLS or GSSAPI, and has said nothing since it was told that there is none.
  private var wantsCover: String?
  /// Whether the client has said who it is.
  private var hasBegun = false

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
      let count = recv(file, &bytes, bytes.count, Int32(clamping: MSG_DONTWAIT))
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
        send(file, $0.baseAddress, $0.count, Int32(clamping: MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return close() }
      sent += count
    }
  }

  private static func length(_ bytes: [UInt8], at place: Int) -> Int {
    bytes[place..<place + 4].reduce(0) { $0 << 8 | Int(truncatingIfNeeded: $1) }
  }

  /// Takes the whole messages from the front of a buffer; false where it holds what is no message.
  private static func takeMessages(
    from buffer: inout [UInt8], _ body: (ArraySlice<UInt8>) -> Bool
  ) -> Bool {
    var place = 0
    defer { buffer.removeFirst(min(place, buffer.count)) }
    while buffer.count - place >= 5 {
      let length = length(buffer, at: place + 1)
      // PostgreSQL takes no message of more than a gibibyte.
      guard (4...0x3fff_ffff).contains(length) else { return false }
      guard buffer.count - place > length else { return true }
      let message = buffer[place...(place + length)]
      place += length + 1
      guard body(message) else { return true }
    }
    return true
  }

  private func refuse(_ what: String) {
    refusal = refusal ?? "the link between the backend and PostgreSQL does not know \(what)"
    close()
  }

  private func refuse(cover: String) {
    refusal =
      "the backend's connection to PostgreSQL insists on \(cover), which the link between the two does not "
      + "speak: set sslmode=disable (or prefer) in the backend's database URL"
    close()
  }

  /// Takes what the client has said; what it says of, where a round trip is whole and waits to be let go.
  func receiveFromClient() -> String? {
    if !Self.read(client, into: &fromClient) {
      if let wantsCover { refuse(cover: wantsCover) }
      close()
      return nil
    }
    if !isOpen {
      begin()
      return nil
    }
    let wasWhole = isWhole
    let isSound = Self.takeMessages(from: &fromClient) { message in
      take(message)
      return !isClosed
    }
    if !isSound { refuse("what is no message of the protocol") }
    return isWhole && !wasWhole && !isClosed ? Self.words(trip, flushedWords) : nil
  }

  private func take(_ message: ArraySlice<UInt8>) {
    guard let type = message.first else { return }
    switch type {
    case UInt8(ascii: "X"):
      write(message, to: server)
      close()
    case UInt8(ascii: "d"): write(message, to: server)
    case UInt8(ascii: "c"), UInt8(ascii: "f"):
      // After an error the server passes over it.
      guard copy != .none else { return write(message, to: server) }
      trip += message
      if copy == .byQuery {
        copyEnds += 1
        endTrip()
      }
    case UInt8(ascii: "Q"), UInt8(ascii: "S"), UInt8(ascii: "F"):
      trip += message
      endTrip()
    case UInt8(ascii: "P"), UInt8(ascii: "B"), UInt8(ascii: "D"), UInt8(ascii: "E"),
      UInt8(ascii: "C"):
      trip += message
    case UInt8(ascii: "H"): flush(message)
    default: refuse("messages of type '\(String(decoding: [type], as: UTF8.self))'")
    }
  }

  private func endTrip() {
    tripEnds += 1
    tripFlushes = 0
    isWhole = true
  }

  /// The client wants to be answered what it has said so far. It is a round trip if anything is carried out in it;
  /// otherwise it goes through.
  private func flush(_ message: ArraySlice<UInt8>) {
    let types = Self.types(in: trip).split(
      separator: UInt8(ascii: "S"), omittingEmptySubsequences: false)
    let asked = types.last ?? []
    if isWhole || isUnderWay || asked.contains(UInt8(ascii: "E")) {
      trip += message
      tripFlushes = asked.count { $0 != UInt8(ascii: "H") }
      isWhole = true
    } else {
      flushed = isSkipping ? 0 : asked.count
      flushedWords += Self.statements(in: trip)
      write(trip + message, to: server)
      trip = []
    }
  }

  /// The first words, in which no message has a type: they go through.
  private func begin() {
    // TLS without asking for it.
    if !hasBegun, fromClient.first == 0x16 { return refuse(cover: "TLS (sslnegotiation=direct)") }
    while !hasBegun, fromClient.count >= 8 {
      let first = Self.length(fromClient, at: 4)
      // 80877103 asks for TLS, 80877104 for GSSAPI: neither is spoken here.
      guard first == 80_877_103 || first == 80_877_104 else {
        hasBegun = true
        wantsCover = nil
        break
      }
      wantsCover = first == 80_877_103 ? "TLS (sslmode=require or stricter)" : "GSSAPI (gssencmode)"
      fromClient.removeFirst(8)
      write([UInt8(ascii: "N")], to: client)
    }
    guard hasBegun else { return }
    write(fromClient, to: server)
    fromClient = []
  }

  /// Takes what the server has said.
  func receiveFromServer() {
    if !Self.read(server, into: &fromServer) {
      write(answer + fromServer, to: client)
      return close()
    }
    let isSound = Self.takeMessages(from: &fromServer) { message in
      hear(message)
      return !isClosed
    }
    if !isSound { refuse("what is no message of the protocol") }
  }

  private func hear(_ message: ArraySlice<UInt8>) {
    guard let type = message.first else { return }
    let isReady = type == UInt8(ascii: "Z")
    guard isOpen else {
      // BackendKeyData: some servers put any number in the place of a process.
      if type == UInt8(ascii: "K"), message.count >= 9 {
        process = Int32(truncatingIfNeeded: Self.length(Array(message), at: 5))
      }
      write(message, to: client)
      if isReady { isOpen = true }
      return
    }
    if type == UInt8(ascii: "W") { return refuse("CopyBothResponse, which replication uses") }
    answer += message
    if isReady || type == UInt8(ascii: "E") {
      // The end of a COPY that the server has given up is answered no more.
      if copy == .byQuery, awaited == 0 {
        tripEnds -= copyEnds
        copyEnds = 0
      }
      copy = .none
      isSkipping = !isReady
    }
    if flushed > 0, awaited == 0 {
      // What an answer to one message ends with.
      flushed = isSkipping ? 0 : "123TnCIs".utf8.contains(type) ? flushed - 1 : flushed
      if holdsFlushed {
        hasAnswer = flushed == 0
        return
      }
    }
    if isReady, awaited > 0 {
      awaited -= 1
      if awaited == 0, flushed == 0 { hasAnswer = true }
    } else if type == UInt8(ascii: "G"), awaited > 0 {
      // The client is to send rows now; the server is ready once they have come.
      copy = endsWithQuery ? .byQuery : .bySync
      awaited -= 1
      hasAnswer = true
    } else if awaited == 0, !hasAnswer {
      // What nobody has asked for, such as a notice, and what was asked for by Flush.
      hand()
    }
  }

  /// Whether what was last let go ended with a query of its own, and not with Sync.
  private var endsWithQuery = false

  /// Lets the trip go to the database.
  func letGo() {
    let bytes = trip
    endsWithQuery = Self.types(in: trip).last == UInt8(ascii: "Q")
    awaited += tripEnds
    flushed = isSkipping && tripEnds == 0 ? 0 : tripFlushes
    holdsFlushed = flushed > 0
    // To what the server passes over no answer comes.
    hasAnswer = hasAnswer || !isUnderWay
    trip = []
    (tripEnds, copyEnds, tripFlushes) = (0, 0, 0)
    isWhole = false
    flushedWords = []
    write(bytes, to: server)
  }

  /// Hands the client what the database has answered.
  func hand() {
    hasAnswer = false
    let bytes = answer
    answer = []
    write(bytes, to: client)
  }

  private static func eachMessage(in trip: [UInt8], _ body: (ArraySlice<UInt8>) -> Void) {
    var rest = trip
    _ = takeMessages(from: &rest) {
      body($0)
      return true
    }
  }

  private static func types(in trip: [UInt8]) -> [UInt8] {
    var types: [UInt8] = []
    eachMessage(in: trip) { message in if let type = message.first { types.append(type) } }
    return types
  }

  /// The statements in a trip, for people and for comparing.
  private static func words(_ trip: [UInt8], _ flushed: [String]) -> String {
    let words = flushed + statements(in: trip)
    return words.isEmpty ? "sync" : words.joined(separator: "; ")
  }

  private static func statements(in trip: [UInt8]) -> [String] {
    var words: [String] = []
    eachMessage(in: trip) { message in
      let body = message.dropFirst(5)
      switch message.first {
      case UInt8(ascii: "Q"): words.append(text(body))
      case UInt8(ascii: "P"): words.append(text(body.drop { $0 != 0 }.dropFirst()))
      case UInt8(ascii: "B"): words.append("bind")
      case UInt8(ascii: "c"): words.append("the rows of COPY end")
      case UInt8(ascii: "f"): words.append("COPY is given up")
      default: break
      }
    }
    return words
  }

  private static func text(_ bytes: some Collection<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
