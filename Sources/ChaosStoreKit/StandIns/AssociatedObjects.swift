// The names are those of the Objective-C runtime.
// swift-format-ignore-file: TypeNamesShouldBeCapitalized, AlwaysUseLowerCamelCase

#if !canImport(ObjectiveC)
  import Foundation

  /// How the Objective-C runtime keeps an associated object. Here all of them are kept strongly.
  public enum objc_AssociationPolicy: UInt, Sendable {
    /// Kept without counting a reference; here like the others.
    case OBJC_ASSOCIATION_ASSIGN = 0
    /// Kept strongly.
    case OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1
    /// Kept as a copy; here the object itself.
    case OBJC_ASSOCIATION_COPY_NONATOMIC = 3
    /// Kept strongly.
    case OBJC_ASSOCIATION_RETAIN = 769
    /// Kept as a copy; here the object itself.
    case OBJC_ASSOCIATION_COPY = 771
  }

  /// What was associated with an object under a key; nil if there is nothing.
  public func objc_getAssociatedObject(_ object: Any, _ key: UnsafeRawPointer) -> Any? {
    AssociatedObjects.current?[object as AnyObject, key]
  }

  /// Associates something with an object under a key; nil takes it away.
  ///
  /// Here it is kept until the simulated process ends, and the object with it.
  public func objc_setAssociatedObject(
    _ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy
  ) {
    AssociatedObjects.current?[object as AnyObject, key] = value
  }

  /// Takes away all that was associated with an object.
  public func objc_removeAssociatedObjects(_ object: Any) {
    AssociatedObjects.current?.removeAll(of: object as AnyObject)
  }

  /// What the objects of one process have been given.
  final class AssociatedObjects {
    private struct Key: Hashable {
      var object: ObjectIdentifier
      var key: UnsafeRawPointer
    }

    /// The objects are kept, so that no other can get the identifier of one.
    private var values: [Key: (object: AnyObject, value: Any)] = [:]

    /// Those of the process whose code is running; nil where none runs.
    static var current: AssociatedObjects? { StoreSession.current.objectiveC?.associatedObjects }

    subscript(object: AnyObject, key: UnsafeRawPointer) -> Any? {
      get { values[Key(object: ObjectIdentifier(object), key: key)]?.value }
      set {
        let key = Key(object: ObjectIdentifier(object), key: key)
        // Freed afterwards: its `deinit` may come back here.
        let old = values[key]
        withExtendedLifetime(old) { values[key] = newValue.map { (object, $0) } }
      }
    }

    func removeAll(of object: AnyObject) {
      let old = values
      let kept = old.filter { $0.key.object != ObjectIdentifier(object) }
      withExtendedLifetime(old) { values = kept }
    }
  }
#endif
