import Dispatch
import Foundation

/// Something on which values are handed on: a queue.
public protocol Scheduler {
  /// Has an action run when it is its turn.
  func schedule(_ action: @escaping () -> Void)
}

/// What is handed from one queue to another of the same simulated process.
private struct Action: @unchecked Sendable {
  let run: () -> Void
}

extension DispatchQueue: Scheduler {
  /// Has an action run on the queue, after what was given to it before.
  public func schedule(_ action: @escaping () -> Void) {
    let action = Action(run: action)
    async { action.run() }
  }
}

extension OperationQueue: Scheduler {
  /// Has an action run as an operation.
  public func schedule(_ action: @escaping () -> Void) {
    let action = Action(run: action)
    addOperation { action.run() }
  }
}

extension RunLoop: Scheduler {
  /// Has an action run on the main queue, which is where the main run loop takes its turns.
  public func schedule(_ action: @escaping () -> Void) { DispatchQueue.main.schedule(action) }
}

/// Runs each action at once.
public struct ImmediateScheduler: Scheduler, Sendable {
  /// The only one.
  public static let shared = Self()

  /// Runs it.
  public func schedule(_ action: @escaping () -> Void) { action() }
}

extension Publisher {
  /// The same values and the same end, handed on by a queue; none of them once the subscription is cancelled.
  public func receive(on scheduler: some Scheduler) -> AnyPublisher<Output, Failure> {
    AnyPublisher { value, end in
      var isCancelled = false
      let source = subscribe(
        { output in scheduler.schedule { if !isCancelled { value(output) } } },
        { completion in scheduler.schedule { if !isCancelled { end(completion) } } })
      return AnyCancellable {
        isCancelled = true
        source.cancel()
      }
    }
  }

  /// The same publisher: where one subscribes makes no difference to what is simulated.
  public func subscribe(on scheduler: some Scheduler) -> AnyPublisher<Output, Failure> {
    eraseToAnyPublisher()
  }
}
