/// A block that is run when it is its turn. With a Dispatch queue it keeps the queue, as the queue's own
/// list would.
final class HostBlock {
  private let body: () -> Void
  private let queue: UnsafeMutableRawPointer?
  private let release: (UnsafeMutableRawPointer) -> Void
  private var cause: UInt64 = 0

  init(
    queue: UnsafeMutableRawPointer, retain: (UnsafeMutableRawPointer) -> Void,
    release: @escaping (UnsafeMutableRawPointer) -> Void, body: @escaping () -> Void
  ) {
    retain(queue)
    self.queue = queue
    self.release = release
    self.body = body
  }

  init(_ body: @escaping () -> Void) {
    queue = nil
    release = { _ in }
    self.body = body
  }

  deinit { if let queue { release(queue) } }

  var name: String { queue == nil ? "the end of a sleep" : "a block of a Dispatch queue" }

  /// Notes what the code that hands it in is run for.
  func take(cause: UInt64) { self.cause = cause }

  func run(in host: Host) {
    host.because(of: cause) {
      if let queue { host.standing(on: queue, body) } else { body() }
    }
  }
}
