#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
#endif

/// What the variables of the program hold, but for the harness's own and the toolchain's: to be put back, as if no
/// code of anybody's had run since.
///
/// What they held by then is let go of without a word, as when a process is killed: nothing is deinitialised.
package struct SavedVariables {
  /// Where a variable lies, and its bytes in ``bytes``.
  private var places: [(address: UnsafeMutableRawPointer, bytes: Range<Int>)] = []
  private var bytes: [UInt8] = []

  /// What they hold now.
  package init() {
    #if os(Linux)
      guard let program = ImportTables.loadedImages().first else { return }
      ProgramVariables.visitState { symbol, _ in
        let address = program.base &+ UInt(truncatingIfNeeded: symbol.offset)
        guard symbol.size > 0, symbol.size < 1 << 20,
          Self.isWritable(address..<address + UInt(symbol.size), program),
          let place = UnsafeMutableRawPointer(bitPattern: address)
        else { return }
        let start = bytes.count
        bytes += UnsafeRawBufferPointer(start: place, count: Int(symbol.size))
        places.append((place, start..<bytes.count))
      }
    #endif
  }

  /// Puts it back.
  package func restore() {
    bytes.withUnsafeBytes { bytes in
      for (address, range) in places {
        address.copyMemory(from: bytes.baseAddress! + range.lowerBound, byteCount: range.count)
      }
    }
  }

  #if os(Linux)
    private static func isWritable(_ range: Range<UInt>, _ program: ImageInfo) -> Bool {
      let parts = UnsafeBufferPointer(start: program.headers, count: Int(program.headerCount))
      func lies(_ part: ImageInfo.Header) -> Bool {
        let start = program.base + part.address
        return range.overlaps(start..<start + part.size)
      }
      // PT_LOAD with PF_W, and not PT_GNU_RELRO, which cannot be written once the program has been loaded.
      return parts.contains { $0.type == 1 && $0.flags & 2 != 0 && lies($0) }
        && !parts.contains { $0.type == 0x6474_e552 && lies($0) }
    }
  #endif
}
