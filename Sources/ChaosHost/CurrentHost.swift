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
  nonisolated(unsafe) private static var key: pthread_key_t = 0

  static func prepare() { pthread_key_create(&key, nil) }

  @inline(__always)
  static func get() -> Host? {
    guard let address = pthread_getspecific(key) else { return nil }
    return Unmanaged<Host>.fromOpaque(address).takeUnretainedValue()
  }

  static func replace(with host: Host) -> UnsafeMutableRawPointer? {
    let previous = pthread_getspecific(key)
    pthread_setspecific(key, Unmanaged.passUnretained(host).toOpaque())
    return previous
  }

  static func restore(_ previous: UnsafeMutableRawPointer?) { pthread_setspecific(key, previous) }
}
