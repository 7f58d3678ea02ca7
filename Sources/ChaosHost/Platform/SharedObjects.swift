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
    }
  }
#endif
