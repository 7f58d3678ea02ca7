#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The operating system's random numbers, as code on a simulated thread gets them.
  ///
  /// `SystemRandomNumberGenerator`, and with it `Int.random` and `shuffled()`, come in the end to the
  /// standard library's one call of `getrandom`, which it makes by way of `syscall`. `UUID()` has a
  /// function of its own. A seed that is set for C's `rand` and `random` counts for nothing.
  enum VirtualRandom {
    private typealias Syscall = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int
    private typealias GetRandom = @convention(c) (UnsafeMutableRawPointer?, Int, UInt32) -> Int
    private typealias GetEntropy = @convention(c) (UnsafeMutableRawPointer?, Int) -> CInt
    private typealias Fill = @convention(c) (UnsafeMutableRawPointer?, Int) -> Void
    private typealias MakeUUID = @convention(c) (UnsafeMutableRawPointer) -> Void
    private typealias Draw = @convention(c) () -> UInt32
    private typealias DrawSigned = @convention(c) () -> CInt
    private typealias DrawLong = @convention(c) () -> Int
    private typealias DrawFraction = @convention(c) () -> Double
    private typealias DrawBelow = @convention(c) (UInt32) -> UInt32

    #if arch(x86_64)
      private static let getRandomNumber = 318
    #else
      private static let getRandomNumber = 278
    #endif

    nonisolated(unsafe) private static var originalSyscall: Syscall?
    nonisolated(unsafe) private static var originalGetRandom: GetRandom?
    nonisolated(unsafe) private static var originalGetEntropy: GetEntropy?
    nonisolated(unsafe) private static var originalFill: Fill?
    nonisolated(unsafe) private static var originalMakeUUID: MakeUUID?
    nonisolated(unsafe) private static var originalDraw: Draw?
    nonisolated(unsafe) private static var originalDrawBelow: DrawBelow?
    nonisolated(unsafe) private static var originalRand: DrawSigned?
    nonisolated(unsafe) private static var originalRandom: DrawLong?
    nonisolated(unsafe) private static var originalFraction: DrawFraction?

    static func addReplacements(to list: inout ReplacementList) {
      list.add("syscall", &originalSyscall, callSystem)
      list.add("getrandom", &originalGetRandom, getRandom)
      list.add("getentropy", &originalGetEntropy, getEntropy)
      list.add("arc4random_buf", &originalFill, fill)
      list.add("_foundation_uuid_generate_random", &originalMakeUUID, makeUUID)
      list.add("arc4random", &originalDraw, draw)
      list.add("arc4random_uniform", &originalDrawBelow, drawBelow)
      list.add("rand", &originalRand, rand)
      list.add("random", &originalRandom, random)
      list.add("drand48", &originalFraction, fraction)
    }

    private static let callSystem: Syscall = { number, first, second, third, fourth, fifth, sixth in
      if number == getRandomNumber, let host = CurrentHost.get(),
        let start = UnsafeMutableRawPointer(bitPattern: first)
      {
        host.random.fill(UnsafeMutableRawBufferPointer(start: start, count: second))
        return second
      }
      guard let originalSyscall else { return -1 }
      return originalSyscall(number, first, second, third, fourth, fifth, sixth)
    }

    private static let getRandom: GetRandom = { start, count, flags in
      guard let host = CurrentHost.get() else {
        return originalGetRandom?(start, count, flags) ?? -1
      }
      host.random.fill(UnsafeMutableRawBufferPointer(start: start, count: count))
      return count
    }

    private static let getEntropy: GetEntropy = { start, count in
      guard let host = CurrentHost.get() else { return originalGetEntropy?(start, count) ?? -1 }
      host.random.fill(UnsafeMutableRawBufferPointer(start: start, count: count))
      return 0
    }

    private static let fill: Fill = { start, count in
      guard let host = CurrentHost.get() else {
        originalFill?(start, count)
        return
      }
      host.random.fill(UnsafeMutableRawBufferPointer(start: start, count: count))
    }

    private static let makeUUID: MakeUUID = { start in
      guard let host = CurrentHost.get() else {
        originalMakeUUID?(start)
        return
      }
      let bytes = UnsafeMutableRawBufferPointer(start: start, count: 16)
      host.random.fill(bytes)
      bytes[6] = bytes[6] & 0x0F | 0x40  // version 4, random
      bytes[8] = bytes[8] & 0x3F | 0x80
    }

    private static let draw: Draw = {
      guard let host = CurrentHost.get() else { return originalDraw?() ?? 0 }
      return UInt32(truncatingIfNeeded: host.random.next())
    }

    private static let drawBelow: DrawBelow = { bound in
      guard let host = CurrentHost.get() else { return originalDrawBelow?(bound) ?? 0 }
      return UInt32((host.random.next() >> 32) * UInt64(bound) >> 32)
    }

    // Of 31 bits both, as C's library has them on Linux.

    private static let rand: DrawSigned = {
      guard let host = CurrentHost.get() else { return originalRand?() ?? 0 }
      return CInt(host.random.next() >> 33)
    }

    private static let random: DrawLong = {
      guard let host = CurrentHost.get() else { return originalRandom?() ?? 0 }
      return Int(host.random.next() >> 33)
    }

    private static let fraction: DrawFraction = {
      guard let host = CurrentHost.get() else { return originalFraction?() ?? 0 }
      return Double(host.random.next() >> 11) / Double(1 << 53)
    }
  }
#endif
