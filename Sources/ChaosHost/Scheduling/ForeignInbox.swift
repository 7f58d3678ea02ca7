import Synchronization

/// Where threads that simulate nothing leave jobs that belong to a host.
final class ForeignInbox: Sendable {
  struct Letter: @unchecked Sendable {
    let job: RuntimeJob
    let lane: Lane
    let mark: TaskMark
  }

  private struct Registry {
    var inboxes: [UInt16: ForeignInbox] = [:]
    var last: UInt16 = 0
    var unclaimed = 0
  }

  private static let registry = Mutex(Registry())

  let id: UInt16
  private let letters = Mutex<[Letter]>([])
  private let mail = Atomic(false)

  /// Takes an identifier that no living host has.
  init() {
    id = Self.registry.withLock { registry in
      guard registry.inboxes.count < Int(UInt16.max) else {
        fatalError("bug: more than 65,534 hosts at once")
      }
      repeat {
        registry.last = registry.last == .max ? 1 : registry.last + 1
      } while registry.inboxes[registry.last] != nil
      return registry.last
    }
  }

  func register() { Self.registry.withLock { $0.inboxes[id] = self } }
  func unregister() { Self.registry.withLock { $0.inboxes[id] = nil } }

  var hasMail: Bool { mail.load(ordering: .relaxed) }

  func takeAll() -> [Letter] {
    letters.withLock { letters in
      mail.store(false, ordering: .relaxed)
      defer { letters = [] }
      return letters
    }
  }

  /// Leaves a job with the host that its task belongs to; if that is gone, the job is not run.
  static func deliver(_ job: RuntimeJob, lane: Lane, mark: TaskMark) {
    let letter = Letter(job: job, lane: lane, mark: mark)
    let inbox = registry.withLock { registry in
      let inbox = registry.inboxes[mark.host]
      if inbox == nil { registry.unclaimed += 1 }
      return inbox
    }
    inbox?.letters.withLock { letters in
      letters.append(letter)
      inbox?.mail.store(true, ordering: .relaxed)
    }
  }

  /// How many jobs were resumed when their host was gone.
  static var unclaimed: Int { registry.withLock { $0.unclaimed } }
}

extension TaskMark {
  private static let processes = Atomic<UInt32>(0)

  /// A number for a process that no other process of any host has.
  static func makeStamp(host: UInt16) -> UInt64 {
    UInt64(host) << 32 | UInt64(processes.wrappingAdd(1, ordering: .relaxed).newValue)
  }
}

extension ForeignInbox {
  /// Takes a job from a thread that simulates nothing, if its task belongs to a host.
  static func takeIfMarked(_ job: RuntimeJob, lane: Lane) -> Bool {
    guard RuntimeJob.isLayoutKnown, job.isTask else { return false }
    let mark = job.mark
    guard !mark.isNone else { return false }
    deliver(job, lane: lane, mark: mark)
    return true
  }
}
