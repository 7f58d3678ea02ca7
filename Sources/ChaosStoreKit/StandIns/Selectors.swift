#if !canImport(ObjectiveC)
  import Foundation

  /// A method that Objective-C would call by its name, and that is called as it is here.
  ///
  /// `#selector(changed(_:))` of an app's file is compiled as
  /// `Selector(Self.changed(_:), named: "changed(_:)")`.
  public struct Selector: Hashable, CustomStringConvertible, @unchecked Sendable {
    /// The method's name, without that of its type.
    public let description: String
    /// Calls the method of an object, with what it takes.
    let perform: (AnyObject, Any?) -> Void

    /// Whether it is a method of that name.
    public static func == (one: Selector, other: Selector) -> Bool {
      one.description == other.description
    }

    /// By its name.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }

    /// A method without parameters.
    public init<Target: AnyObject>(
      _ method: @escaping (Target) -> () -> Void, named name: String
    ) {
      description = name
      perform = { target, _ in
        if let target = target as? Target { method(target)() }
      }
    }

    /// A method of the main actor without parameters.
    public init<Target: AnyObject>(
      _ method: @escaping (Target) -> @MainActor () -> Void, named name: String
    ) {
      description = name
      perform = { target, _ in
        if let target = target as? Target { Self.free(method(target))() }
      }
    }

    /// A method that takes a notification, a timer or whatever else it is called with.
    ///
    /// It is not called with what is of another type.
    public init<Target: AnyObject, Value>(
      _ method: @escaping (Target) -> (Value) -> Void, named name: String
    ) {
      description = name
      perform = { target, value in
        if let target = target as? Target, let value = value as? Value { method(target)(value) }
      }
    }

    /// The same for a method of the main actor.
    public init<Target: AnyObject, Value>(
      _ method: @escaping (Target) -> @MainActor (Value) -> Void, named name: String
    ) {
      description = name
      perform = { target, value in
        if let target = target as? Target, let value = value as? Value {
          Self.free(method(target))(value)
        }
      }
    }

    /// Selectors are called on the thread that asks for it: nobody looks at an actor.
    private static func free(_ body: @escaping @MainActor () -> Void) -> () -> Void {
      unsafeBitCast(body, to: (() -> Void).self)
    }

    private static func free<Value>(_ body: @escaping @MainActor (Value) -> Void) -> (Value) -> Void
    {
      unsafeBitCast(body, to: ((Value) -> Void).self)
    }
  }

  extension NotificationCenter {
    /// Has a method called at each notification, until the observer is gone or removed.
    public func addObserver(
      _ observer: Any, selector: Selector, name: Notification.Name?, object: Any?
    ) {
      SelectorObservers.current?.add(
        observer as AnyObject, selector, of: self, name: name, object: object)
    }

    /// Takes away what `addObserver` with a selector or with a closure has added.
    ///
    /// Files of an app say `removeObserver`, which leads here.
    public func removeObserverAndSelectors(_ observer: Any) {
      SelectorObservers.current?.remove(observer as AnyObject, from: self) { _ in true }
      removeObserver(observer)
    }

    /// The same for one name, or one sender.
    public func removeObserverAndSelectors(
      _ observer: Any, name: Notification.Name?, object: Any?
    ) {
      SelectorObservers.current?.remove(observer as AnyObject, from: self) { entry in
        (name == nil || entry.name == name)
          && (object == nil || entry.object === object as AnyObject)
      }
      removeObserver(observer, name: name, object: object)
    }
  }

  /// Which objects of one process have a method called at notifications.
  final class SelectorObservers {
    struct Entry {
      weak var observer: AnyObject?
      weak var center: NotificationCenter?
      weak var object: AnyObject?
      var name: Notification.Name?
      var token: any NSObjectProtocol
    }

    /// What a notification calls; no other thread has it.
    private struct Call: @unchecked Sendable {
      weak var observer: AnyObject?
      let selector: Selector
    }

    private var entries: [Entry] = []

    /// Those of the process whose code is running; nil where none runs.
    static var current: SelectorObservers? { StoreSession.current.objectiveC?.selectorObservers }

    func add(
      _ observer: AnyObject, _ selector: Selector, of center: NotificationCenter,
      name: Notification.Name?, object: Any?
    ) {
      entries.removeAll { entry in
        guard entry.observer == nil else { return false }
        entry.center?.removeObserver(entry.token)
        return true
      }
      let call = Call(observer: observer, selector: selector)
      let token = center.addObserver(forName: name, object: object, queue: nil) { notification in
        guard let observer = call.observer else { return }
        call.selector.perform(observer, notification)
      }
      entries.append(
        Entry(
          observer: observer, center: center, object: object as AnyObject?, name: name,
          token: token))
    }

    func remove(
      _ observer: AnyObject, from center: NotificationCenter, where isMeant: (Entry) -> Bool
    ) {
      entries.removeAll { entry in
        guard entry.observer === observer, entry.center === center, isMeant(entry) else {
          return false
        }
        center.removeObserver(entry.token)
        return true
      }
    }
  }
#endif
