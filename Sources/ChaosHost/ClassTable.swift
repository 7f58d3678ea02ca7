#if os(Linux)
  /// The table of methods behind a class, as Swift lays it out without Objective-C.
  struct ClassTable {
    private let start: UnsafeMutableRawPointer
    private let size: Int

    init(_ type: AnyClass) { self.init(unsafeBitCast(type, to: UnsafeMutableRawPointer.self)) }

    /// The class whose metadata is at this address.
    init(_ metadata: UnsafeMutableRawPointer) {
      start = metadata
      // The size of a class object, and how much of it lies before its address.
      size =
        Int(start.load(fromByteOffset: 32, as: UInt32.self))
        - Int(start.load(fromByteOffset: 36, as: UInt32.self))
    }

    func replace(_ method: UnsafeRawPointer, with other: UnsafeRawPointer) {
      for offset in stride(from: 40, to: size, by: MemoryLayout<UnsafeRawPointer>.size)
      where start.load(fromByteOffset: offset, as: UnsafeRawPointer?.self) == method {
        start.storeBytes(of: other, toByteOffset: offset, as: UnsafeRawPointer.self)
      }
    }
  }
#endif
