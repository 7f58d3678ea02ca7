import Foundation

/// One end of the pipe between the simulator and an app process; it waits for messages.
///
/// A message has its length and a checksum before it: what anybody else writes there is noticed.
final class PipeEnd {
  private let descriptor: Int32
  private let patience: Int
  private var isOpen = true
  /// What has come, of which so much was taken.
  private var received: [UInt8] = []
  private var taken = 0
  private var unsent: [UInt8] = []

  /// So much is read at a time.
  private static let most = 4096

  /// The largest message there may be.
  private static let limit: UInt32 = 64 << 20

  /// Takes over the descriptor. Waits so many seconds for a message; 0 is for ever.
  init(_ descriptor: Int32, patience: Int) {
    self.descriptor = descriptor
    self.patience = patience
    if patience > 0 {
      var time = timeval(tv_sec: .init(patience), tv_usec: 0)
      let size = socklen_t(MemoryLayout<timeval>.size)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
      setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
    }
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(
        descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  deinit { close() }

  func close() {
    guard isOpen else { return }
    isOpen = false
    #if canImport(Darwin)
      _ = Darwin.close(descriptor)
    #else
      _ = Foundation.close(descriptor)
    #endif
  }

  func send(_ message: PipeMessage) throws(PipeFailure) {
    add(message)
    defer { unsent.removeAll(keepingCapacity: true) }
    try write(unsent)
  }

  /// Sends a message together with the next.
  func add(_ message: PipeMessage) {
    withUnsafeBytes(of: UInt32(message.bytes.count)) { unsent.append(contentsOf: $0) }
    withUnsafeBytes(of: Self.checksum(message.bytes)) { unsent.append(contentsOf: $0) }
    unsent.append(contentsOf: message.bytes)
  }

  func receive() throws(PipeFailure) -> PipeMessage {
    let head = try read(8)
    let (count, sum) = head.withUnsafeBytes {
      ($0.loadUnaligned(as: UInt32.self), $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    }
    guard count > 0, count <= Self.limit else { throw .garbage(Self.shown(Array(head))) }
    let bytes = Array(try read(Int(count)))
    guard Self.checksum(bytes) == sum else { throw .garbage(Self.shown(head + bytes)) }
    return PipeMessage(received: bytes)
  }

  /// Writes bytes as they are.
  func write(_ bytes: [UInt8]) throws(PipeFailure) {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress! + done, bytes.count - done, flags)
      }
      if count > 0 { done += count } else { try check(count) }
    }
  }

  private func read(_ count: Int) throws(PipeFailure) -> ArraySlice<UInt8> {
    while received.count - taken < count {
      if taken > 0 { received.removeSubrange(..<taken) }
      taken = 0
      let had = received.count
      received.append(contentsOf: repeatElement(0, count: max(Self.most, count - had)))
      let more = received.withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress! + had, $0.count - had, 0)
      }
      received.removeSubrange((had + max(0, more))...)
      if more <= 0 { try check(more) }
    }
    defer { taken += count }
    return received[taken..<taken + count]
  }

  private func check(_ count: Int) throws(PipeFailure) {
    if count == 0 { throw .closed }
    switch errno {
    case EINTR: return
    case EAGAIN, EWOULDBLOCK: throw .silent(seconds: patience)
    default: throw .closed
    }
  }

  /// FNV-1a.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }

  private static func shown(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes.prefix(40), as: UTF8.self)
    return "bytes that are no message: \(text.debugDescription)"
  }
}
