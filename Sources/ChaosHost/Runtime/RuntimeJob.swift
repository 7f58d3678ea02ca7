import _Concurrency

/// A job of Swift's runtime: a piece of a task, an actor's turn, or the end of a sleep.
///
/// Reads and writes three words of the runtime's own objects: the flags of a job, the word that it keeps
/// in reserve, which the host uses for its ``TaskMark``, and the state of a task's result. The runtime
/// exports the version of its layout; with one that is not known here the host leaves them alone.
struct RuntimeJob {
  let address: UnsafeMutableRawPointer

  init(address: UnsafeMutableRawPointer) { self.address = address }

  init(_ job: UnownedJob) { address = unsafeBitCast(job, to: UnsafeMutableRawPointer.self) }

  private static let flagsOffset = 4 * MemoryLayout<Int>.size
  private static let reserveOffset = 6 * MemoryLayout<Int>.size

  /// The size of a task without its result, or 0 where the layout is not known. Set before any hook is.
  @exclusivity(unchecked) nonisolated(unsafe) private static var resultOffset = 0

  static func prepare() {
    resultOffset = findResultOffset()
    #if os(Linux)
      currentTask = Symbols.function("swift_task_getCurrent", as: Ask.self)
    #endif
  }

  private static func findResultOffset() -> Int {
    guard MemoryLayout<Int>.size == 8,
      let version = Symbols.address(of: "_swift_concurrency_debug_internal_layout_version"),
      version.load(as: UInt32.self) == 1,
      let size = Symbols.address(of: "_swift_concurrency_debug_asyncTaskSize")
    else { return 0 }
    return size.load(as: Int.self)
  }

  static var isLayoutKnown: Bool { resultOffset > 0 }

  private var flags: UInt32 { address.load(fromByteOffset: Self.flagsOffset, as: UInt32.self) }

  /// Whether it is a task, and not an actor's turn or the like.
  var isTask: Bool { flags & 0xFF == 0 }

  /// Whether it is a task that another one waits for before it returns: of a group, or `async let`.
  var isChild: Bool { flags & (1 << 24) != 0 }

  var mark: TaskMark {
    get { TaskMark(raw: address.load(fromByteOffset: Self.reserveOffset, as: UInt64.self)) }
    nonmutating set {
      address.storeBytes(of: newValue.raw, toByteOffset: Self.reserveOffset, as: UInt64.self)
    }
  }

  /// The place of a task in its process, if it has one.
  var slot: Int? { Self.isLayoutKnown && isTask ? mark.slot : nil }

  /// Whether a task has its result.
  var isComplete: Bool {
    flags & (1 << 25) != 0
      && address.load(fromByteOffset: Self.resultOffset, as: UInt.self) & 3 != 0
  }

  func retain() { _ = Unmanaged<AnyObject>.fromOpaque(address).retain() }
  func release() { Unmanaged<AnyObject>.fromOpaque(address).release() }
  func cancel() { unsafeBitCast(address, to: Task<Void, Never>.self).cancel() }

  /// The task that runs on this thread, if one does.
  static var current: Self? {
    if let currentTask { return currentTask().map { Self(address: $0) } }
    return withUnsafeCurrentTask { task in
      task.map { Self(address: unsafeBitCast($0, to: UnsafeMutableRawPointer.self)) }
    }
  }

  private typealias Ask = @convention(thin) () -> UnsafeMutableRawPointer?

  /// What `withUnsafeCurrentTask` asks the runtime, which then counts a reference. Set before any hook is.
  @exclusivity(unchecked) nonisolated(unsafe) private static var currentTask: Ask?

  /// The same, as Swift hands it to executors.
  var unowned: UnownedJob { unsafeBitCast(address, to: UnownedJob.self) }

  /// The function of the program in which it waits or goes on; if there is none, the innermost of all.
  var name: String {
    let function = address.load(fromByteOffset: 7 * MemoryLayout<Int>.size, as: UInt.self)
    let first = Symbols.name(at: function)
    guard first.isForeign, isTask, Self.isLayoutKnown else { return first.text }
    // Each function that waits has its caller's context, and where that goes on, at the beginning of its own.
    var context = address.load(fromByteOffset: 8 * MemoryLayout<Int>.size, as: UInt.self)
    for _ in 0..<Self.deepest {
      guard let words = UnsafePointer<UInt>(bitPattern: context) else { break }
      let caller = Symbols.name(at: words[1])
      if !caller.isForeign { return caller.text }
      context = words[0]
    }
    return first.text
  }

  /// How many callers are looked at.
  private static let deepest = 32
}

/// What a task carries in its reserved word: which process it belongs to, and its place there.
struct TaskMark {
  let raw: UInt64

  /// How many tasks of one process can be numbered.
  static let slots = 0xFFFF

  init(raw: UInt64) { self.raw = raw }

  init(stamp: UInt64, slot: Int?) { raw = stamp << 16 | UInt64(slot ?? Self.slots) }

  var isNone: Bool { raw == 0 }
  var stamp: UInt64 { raw >> 16 }
  var host: UInt16 { UInt16(raw >> 48) }
  var slot: Int? {
    let slot = Int(raw & 0xFFFF)
    return raw == 0 || slot == Self.slots ? nil : slot
  }
}
