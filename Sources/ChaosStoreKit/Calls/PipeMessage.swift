import Foundation

/// One message of either side: what kind it is, and values one after the other.
///
/// Both ends are one machine and one build, which the greeting makes sure of.
struct PipeMessage {
  /// What a message says; an app process begins with `hello`, ends each event with `idle`, and says `ready` where it
  /// is as if it had never been launched.
  enum Kind: UInt8 {
    // From the simulator; an answer belongs to the call before it.
    case launch = 1
    case event, answer
    /// Which of the program's variables hold an object.
    case look
    /// The launch is over, also in the place of an answer.
    case end
    // From the app process.
    case hello = 101
    case call, idle, ready
  }

  private(set) var bytes: [UInt8]
  private var position = 0

  init(_ kind: Kind) { bytes = [kind.rawValue] }
  init(received bytes: [UInt8]) { self.bytes = bytes }

  mutating func put(_ value: some PipeValue) { value.put(into: &self) }

  mutating func take<Value: PipeValue>(_: Value.Type = Value.self) throws(PipeFailure) -> Value {
    try Value(from: &self)
  }

  mutating func takeKind() throws(PipeFailure) -> Kind {
    let raw: UInt8 = try take()
    guard let kind = Kind(rawValue: raw) else { throw .garbage("a message of kind \(raw)") }
    return kind
  }

  // MARK: - Bytes

  mutating func putBytes<Value: BitwiseCopyable>(of value: Value) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }

  mutating func takeBytes<Value: BitwiseCopyable>(of _: Value.Type) throws(PipeFailure) -> Value {
    let end = position + MemoryLayout<Value>.size
    guard end <= bytes.count else { throw .endsTooSoon }
    defer { position = end }
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: position, as: Value.self) }
  }

  mutating func put(counted some: some Collection<UInt8>) {
    put(UInt32(some.count))
    bytes.append(contentsOf: some)
  }

  mutating func takeCounted() throws(PipeFailure) -> ArraySlice<UInt8> {
    let end = Int(try take(UInt32.self)) + position
    guard end <= bytes.count else { throw .endsTooSoon }
    defer { position = end }
    return bytes[position..<end]
  }
}

/// Why an app process cannot be driven any further.
enum PipeFailure: Error, Equatable {
  case cannotStart(path: String, reason: String)
  /// It says hello in another way than this build does.
  case otherBuild
  /// The other end is closed.
  case closed
  case silent(seconds: Int)
  case garbage(String)

  static var endsTooSoon: Self { .garbage("a message that ends too soon") }
}
