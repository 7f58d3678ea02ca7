/// What an app's module gets beside its own files on a platform without Objective-C.
package enum PlatformSource {
  /// The name of that file.
  package static let name = "ObjectiveCStandIns"

  package static let text = """
    // What the app's files find in Objective-C on Apple's platforms.
    import Foundation
    import StoreKit

    typealias Selector = StoreKit.Selector

    extension Timer {
      convenience init(
        timeInterval interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void
      ) {
        self.init(firstAfter: interval, repeats: repeats, block: block)
      }
    }

    extension NotificationCenter {
      func removeObserver(_ observer: Any) { removeObserverAndSelectors(observer) }

      func removeObserver(_ observer: Any, name: Notification.Name?, object: Any?) {
        removeObserverAndSelectors(observer, name: name, object: object)
      }
    }

    """
}
