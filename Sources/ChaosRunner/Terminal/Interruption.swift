import Foundation
import Synchronization

/// Ctrl-C: the first one asks for what is known so far, the second one ends the process.
enum Interruption {
  private static let flag = Atomic<Bool>(false)

  static var hasCome: Bool { flag.load(ordering: .relaxed) }

  static func watch() {
    signal(SIGINT) { _ in
      Interruption.flag.store(true, ordering: .relaxed)
      signal(SIGINT, SIG_DFL)
    }
  }
}
