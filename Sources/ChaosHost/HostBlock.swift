/// A block that was handed to a Dispatch queue. It keeps the queue, as the queue's own list would.
final class HostBlock {
  private let body: () -> Void
  private let queue: UnsafeMutableRawPointer
  private let release: (UnsafeMutableRawPointer) -> Void

  init(
    queue: UnsafeMutableRawPointer, retain: (UnsafeMutableRawPointer) -> Void,
    release: @escaping (UnsafeMutableRawPointer) -> Void, body: @escaping () -> Void
  ) {
    retain(queue)
    self.queue = queue
    self.release = release
    self.body = body
  }

  deinit { release(queue) }

  var name: String { "a block of a Dispatch queue" }

  func run(in host: Host) { host.standing(on: queue, body) }
}
