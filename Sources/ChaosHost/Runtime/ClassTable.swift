#if !canImport(ObjectiveC)
  /// The table of methods behind a class, as Swift lays it out without Objective-C.
  struct ClassTable {
    private let start: UnsafeMutableRawPointer
    private let size: Int

    init(_ type: AnyClass) {
      self.init(unsafeBitCast(type, to: UnsafeMutableRawPointer.self))
    }

    /// The class whose metadata is at this address.
    init(_ metadata: UnsafeMutableRawPointer) {
      start = metadata
      // The size of a class object, and how much of it lies before its address.
      size =
        Int(start.load(fromByteOffset: 32, as: UInt32.self))
        - Int(start.load(fromByteOffset: 36, as: UInt32.self))
    }

    /// Puts another function where this one stands; false if it stands nowhere.
    @discardableResult
    func replace(_ method: UnsafeRawPointer, with other: UnsafeRawPointer) -> Bool {
      var isFound = false
      for offset in stride(from: 40, to: size, by: MemoryLayout<UnsafeRawPointer>.size)
      where start.load(fromByteOffset: offset, as: UnsafeRawPointer?.self) == method {
        start.storeBytes(of: other, toByteOffset: offset, as: UnsafeRawPointer.self)
        isFound = true
      }
      return isFound
    }
  }

  /// The code of methods as the code of closures.
  ///
  /// A closure that keeps nothing but one object has that object for its context, which is passed where a
  /// method gets `self`. So its code can stand where the code of a method stood. `Closure` is a structure
  /// with one function in it: by itself, generic code would be handed another closure around it.
  enum MethodCode {
    /// The code of a closure that keeps nothing but this object; nil if it is not made so.
    private static func of<Closure>(_ closure: Closure, keeping object: AnyObject)
      -> UnsafeRawPointer?
    {
      let parts = unsafeBitCast(
        closure, to: (code: UnsafeRawPointer, context: UnsafeRawPointer?).self)
      return parts.context == context(object) ? parts.code : nil
    }

    /// The code of the closures that this makes, each of which keeps the object that it is made for; nil if it
    /// is not made so.
    static func ofMade<Closure>(_ make: (AnyObject) -> Closure) -> UnsafeRawPointer? {
      let object = Anchor()
      return withExtendedLifetime(object) {
        let made = make(object)
        return withExtendedLifetime(made) { of(made, keeping: object) }
      }
    }

    /// An object to make a closure for.
    private final class Anchor {}

    /// The code of a closure that keeps nothing, which takes no notice of `self`; nil if it is not made so.
    static func ofFree<Closure>(_ closure: Closure) -> UnsafeRawPointer? {
      let parts = unsafeBitCast(
        closure, to: (code: UnsafeRawPointer, context: UnsafeRawPointer?).self)
      return parts.context == nil ? parts.code : nil
    }

    /// The method with this code, of this object.
    static func closure<Closure>(
      _ code: UnsafeRawPointer, of object: AnyObject, as _: Closure.Type
    ) -> Closure {
      unsafeBitCast((code: code, context: context(object)), to: Closure.self)
    }

    private static func context(_ object: AnyObject) -> UnsafeRawPointer? {
      UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }
  }
#endif
