#if os(Linux)
  import Foundation

  /// The queues on which `URLSession` keeps its books. A session may be one for the whole program, as
  /// `URLSession.shared` is, and its queue would let in one block at a time; as each host runs the blocks of its
  /// simulation by itself, they are kept apart here.
  enum SessionQueues {
    private typealias Label = @convention(c) (UnsafeMutableRawPointer) -> UnsafePointer<CChar>?

    nonisolated(unsafe) private static var label: Label?
    private static let lock = NSRecursiveLock()
    private static let names = ["URLSession<", "org.swift.URLSession", "MultiHandle."]

    static func find() {
      // In a program that has Foundation's networking.
      guard Symbols.address(of: "$s20FoundationNetworking10URLSessionCN") != nil else { return }
      label = Symbols.function("dispatch_queue_get_label", as: Label.self)
    }

    /// Runs a block of a queue; one of these queues' while no other host runs one.
    static func run(_ body: () -> Void, on queue: UnsafeMutableRawPointer) {
      guard let label, let name = label(queue),
        names.contains(where: { strncmp($0, name, $0.utf8.count) == 0 })
      else { return body() }
      lock.withLock(body)
    }
  }
#endif
