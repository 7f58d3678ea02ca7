#if os(Linux)
  import Foundation

  /// The objects that Foundation has once for a whole program, as code on a simulated thread finds them: one
  /// for each process, which goes with it, so that nothing that one does reaches what another has left
  /// behind, or what another simulation does on another thread.
  enum SharedObjects {
    private typealias Code = UnsafeRawPointer

    /// Functions as properties keep them: code, and a context that is passed where a method gets `self`.
    private struct Center {
      let function: () -> NotificationCenter
    }
    private struct Queue {
      let function: () -> OperationQueue
    }

    /// A method as a closure: code, and an object that is passed where a method gets `self`.
    private struct AddObserver {
      let function:
        (NSNotification.Name?, Any?, OperationQueue?, @escaping @Sendable (Notification) -> Void)
          -> any NSObjectProtocol
    }

    private struct ThreadDictionary {
      let function: () -> NSMutableDictionary
    }

    /// What code finds by its thread, such as `Progress.current()`: simulated processes have theirs on one thread.
    nonisolated(unsafe) private static var originalThreadDictionary: Code?
    nonisolated(unsafe) private static var originalAddObserver: Code?
    nonisolated(unsafe) private static var originalCenter: Code?
    nonisolated(unsafe) private static var originalQueue: Code?
    /// What everybody else has.
    nonisolated(unsafe) private static var center: NotificationCenter?
    nonisolated(unsafe) private static var mainQueue: OperationQueue?

    static func addReplacements(to list: inout ReplacementList) {
      center = NotificationCenter.default
      mainQueue = OperationQueue.main
      // A function without a context of its own can stand where a method without arguments stood.
      let ofCenter = Center {
        CurrentHost.get()?.running?.notificationCenter ?? center ?? NotificationCenter()
      }
      if let code = MethodCode.ofFree(ofCenter) {
        let name = "$s20FoundationEssentials18NotificationCenterC7defaultACvgZ"
        list.add(name, &originalCenter, code)
      }
      let ofQueue = Queue {
        CurrentHost.get()?.running?.mainOperations ?? mainQueue ?? OperationQueue()
      }
      if let code = MethodCode.ofFree(ofQueue) {
        list.add("$s10Foundation14OperationQueueC4mainACvgZ", &originalQueue, code)
        if let originalQueue { ClassTable(OperationQueue.self).replace(originalQueue, with: code) }
      }
      if let code = MethodCode.ofMade(threadDictionary) {
        list.add(
          "$s10Foundation6ThreadC16threadDictionaryAA09NSMutableD0Cvg", &originalThreadDictionary,
          code)
        if let originalThreadDictionary {
          ClassTable(Thread.self).replace(originalThreadDictionary, with: code)
        }
      }
      if let code = MethodCode.ofMade(addObserver) {
        let name =
          "$s20FoundationEssentials18NotificationCenterC0A0E11addObserver7forName6object5queue5using"
          + "AD16NSObjectProtocol_pAD14NSNotificationC0H0VSg_ypSgAD14OperationQueueCSgyAD0C0VYbctF"
        list.add(name, &originalAddObserver, code)
      }
    }

    @inline(never)
    private static func threadDictionary(of thread: AnyObject) -> ThreadDictionary {
      ThreadDictionary {
        if let process = CurrentHost.get()?.running { return process.threadDictionary }
        guard let originalThreadDictionary else { return NSMutableDictionary() }
        return MethodCode.closure(originalThreadDictionary, of: thread, as: ThreadDictionary.self)
          .function()
      }
    }

    /// Whoever posts waits until the observers' queues have run their blocks. Everything runs on one thread
    /// here, so the blocks run at once, as they do where the main queue posts to itself.
    @inline(never)
    private static func addObserver(to object: AnyObject) -> AddObserver {
      AddObserver { name, sender, queue, block in
        guard let originalAddObserver else { return NSObject() }
        let queue = CurrentHost.get()?.running == nil ? queue : nil
        return MethodCode.closure(originalAddObserver, of: object, as: AddObserver.self)
          .function(name, sender, queue, block)
      }
    }
  }
#endif
