#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Conditions of POSIX threads, such as those behind `NSCondition` and `Operation.waitUntilFinished`.
  ///
  /// Whoever would signal one is work of the same thread, which waits. It is named as a leak; a wait
  /// with a limit ends at once, and one without ends the program, unless a real thread comes to its
  /// help.
  enum ConditionWaiting {
    private typealias Object = UnsafeMutableRawPointer
    private typealias Wait = @convention(c) (Object, Object) -> CInt
    private typealias WaitUntil = @convention(c) (Object, Object, UnsafePointer<timespec>) -> CInt

    nonisolated(unsafe) private static var originalWait: Wait?
    nonisolated(unsafe) private static var originalWaitUntil: WaitUntil?

    /// Seconds of real time.
    private static let patience = 2

    static func addReplacements(to list: inout ReplacementList) {
      list.add("pthread_cond_wait", &originalWait, wait, exempt: DispatchShadow.exempt)
      list.add(
        "pthread_cond_timedwait", &originalWaitUntil, waitUntil, exempt: DispatchShadow.exempt)
    }

    private static func isHosted() -> Bool {
      guard let host = CurrentHost.get(), let process = host.running else { return false }
      host.record(.blocks, process.number, "waiting for a condition")
      return true
    }

    private static let wait: Wait = { condition, mutex in
      guard isHosted() else { return originalWait?(condition, mutex) ?? EINVAL }
      var limit = timespec()
      Host.beside { _ = clock_gettime(CLOCK_REALTIME, &limit) }
      limit.tv_sec += patience
      let result = originalWaitUntil?(condition, mutex, &limit) ?? EINVAL
      guard result != ETIMEDOUT else {
        fatalError(
          """
          Hosted code waits for a condition (NSCondition, Operation.waitUntilFinished, \
          OperationQueue.waitUntilAllOperationsAreFinished) on the only thread there is, so nobody can \
          signal it. Await the result in its place.
          """)
      }
      return result
    }

    private static let waitUntil: WaitUntil = { condition, mutex, limit in
      guard isHosted() else { return originalWaitUntil?(condition, mutex, limit) ?? EINVAL }
      var over = timespec()
      return originalWaitUntil?(condition, mutex, &over) ?? EINVAL
    }
  }
#endif
