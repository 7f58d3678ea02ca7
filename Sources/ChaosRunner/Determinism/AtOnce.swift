import Dispatch
import Foundation

/// Does the same work on so many threads, which begin together, and waits for all of them.
///
/// These are threads of their own: on a pool the first may be done before the second begins.
func atOnce(_ count: Int, _ work: @escaping @Sendable (Int) -> Void) {
  let ready = DispatchSemaphore(value: 0)
  let go = DispatchSemaphore(value: 0)
  let done = DispatchSemaphore(value: 0)
  for index in 0..<count {
    Thread.detachNewThread {
      ready.signal()
      go.wait()
      work(index)
      done.signal()
    }
  }
  for _ in 0..<count { ready.wait() }
  for _ in 0..<count { go.signal() }
  for _ in 0..<count { done.wait() }
}
