import Foundation

/// One end of the pipe between the simulator and an app process; it waits for messages.
///
/// A message has its length and a checksum before it: what anybody else writes there is noticed.
final class PipeEnd {
  private let descriptor: Int32
  private let patience: Int
  private var isOpen = true

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
    var frame: [UInt8] = []
    frame.reserveCapacity(8 + message.bytes.count)
    withUnsafeBytes(of: UInt32(message.bytes.count)) { frame.append(contentsOf: $0) }
    withUnsafeBytes(of: Self.checksum(message.bytes)) { frame.append(contentsOf: $0) }
    frame.append(contentsOf: message.bytes)
    try write(frame)
  }

  func receive() throws(PipeFailure) -> PipeMessage {
    let head = try read(8)
    let (count, sum) = head.withUnsafeBytes {
      ($0.loadUnaligned(as: UInt32.self), $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    }
    guard count > 0, count <= Self.limit else { throw .garbage(Self.shown(head)) }
    let bytes = try read(Int(count))
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

  private func read(_ count: Int) throws(PipeFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let more = bytes.withUnsafeMutableBytes {
        recv(descriptor, $0.baseAddress! + done, count - done, 0)
      }
      if more > 0 { done += more } else { try check(more) }
    }
    return bytes
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
