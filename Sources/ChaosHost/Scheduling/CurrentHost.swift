#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Which host has this thread in its hands.
enum CurrentHost {
  /// Set before any hook is; a constant, so that reading it needs no check for its first use.
  @exclusivity(unchecked) nonisolated(unsafe) private static var key: pthread_key_t = 0

  static func prepare() { pthread_key_create(&key, nil) }

  @inline(__always)
  static func get() -> Host? { uncounted?.takeUnretainedValue() }

  /// The same without a reference of one's own; a host is alive for as long as it has the thread.
  @inline(__always)
  static var uncounted: Unmanaged<Host>? {
    pthread_getspecific(key).map { Unmanaged.fromOpaque($0) }
  }

  static func replace(with host: Host?) -> UnsafeMutableRawPointer? {
    let previous = pthread_getspecific(key)
    pthread_setspecific(key, host.map { Unmanaged.passUnretained($0).toOpaque() })
    return previous
  }

  static func restore(_ previous: UnsafeMutableRawPointer?) { pthread_setspecific(key, previous) }
}
