#if !canImport(ObjectiveC)
  import Foundation

  // What Foundation has on Apple's platforms alone.

  extension NotificationCenter {
    /// The notifications of this name, as they are posted, for `for await`.
    ///
    /// What is posted while nobody waits is kept, the newest eight. The loop ends when its task is cancelled,
    /// as at the end of the process.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil)
      -> Notifications
    {
      Notifications(center: self, name: name, object: object)
    }

    /// Notifications of one name.
    public final class Notifications: AsyncSequence, @unchecked Sendable {
      /// A notification.
      public typealias Element = Notification
      /// None.
      public typealias Failure = Never

      private let center: NotificationCenter
      private let name: Notification.Name
      private let object: AnyObject?

      init(center: NotificationCenter, name: Notification.Name, object: AnyObject?) {
        (self.center, self.name, self.object) = (center, name, object)
      }

      /// Begins to observe; what was posted before is not seen.
      public func makeAsyncIterator() -> Iterator {
        Iterator(observing: name, object, at: center)
      }

      /// One observer. It observes for as long as it is there.
      public struct Iterator: AsyncIteratorProtocol {
        private var iterator: AsyncStream<Posted>.Iterator

        fileprivate init(
          observing name: Notification.Name, _ object: AnyObject?, at center: NotificationCenter
        ) {
          let (stream, continuation) = AsyncStream.makeStream(
            of: Posted.self, bufferingPolicy: .bufferingNewest(8))
          let observer = Observer(
            center: center,
            token: center.addObserver(forName: name, object: object, queue: nil) {
              continuation.yield(Posted(notification: $0))
            })
          continuation.onTermination = { _ in observer.remove() }
          iterator = stream.makeAsyncIterator()
        }

        /// The next one; nil when the task was cancelled.
        public mutating func next() async -> Notification? {
          await iterator.next()?.notification
        }

        /// The next one; nil when the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
          await iterator.next(isolation: actor)?.notification
        }
      }

      /// Hosted code runs on one thread.
      private struct Posted: @unchecked Sendable {
        let notification: Notification
      }

      private final class Observer: @unchecked Sendable {
        private let center: NotificationCenter
        private let token: any NSObjectProtocol

        init(center: NotificationCenter, token: any NSObjectProtocol) {
          (self.center, self.token) = (center, token)
        }

        func remove() { center.removeObserver(token) }
      }
    }
  }
#endif
