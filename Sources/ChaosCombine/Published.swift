/// A property of a class that can be subscribed to through `$name`.
///
/// As with Combine a subscriber gets the present value at once and a new one before it is set.
@propertyWrapper
public struct Published<Value> {
  private let storage: Storage

  /// A property with its first value, as `@Published var x = 1` has it.
  public init(wrappedValue: Value) { storage = Storage(wrappedValue) }
  /// The same, called by name.
  public init(initialValue: Value) { storage = Storage(initialValue) }

  /// What `$name` is.
  public var projectedValue: Publisher { Publisher(storage: storage) }

  /// Only for the compiler: the wrapper of a struct's property cannot tell of changes.
  @available(*, unavailable, message: "@Published is for properties of classes")
  public var wrappedValue: Value {
    get { fatalError("bug: an unavailable property was read") }
    nonmutating set { fatalError("bug: an unavailable property was set to \(newValue)") }
  }

  /// Reads the property of an object, or tells of the new value and then sets it. The compiler
  /// calls it wherever the property is used.
  public static subscript<Object: AnyObject>(
    _enclosingInstance object: Object,
    wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
    storage storage: ReferenceWritableKeyPath<Object, Published<Value>>
  ) -> Value {
    get { object[keyPath: storage].storage.value }
    set { object[keyPath: storage].storage.set(newValue) }
  }

  /// Hands out the values of one property.
  public struct Publisher {
    fileprivate let storage: Storage
  }

  fileprivate final class Storage: PublisherOwner {
    var value: Value
    var objectWillChange: ObservableObjectPublisher?
    /// Made for the first who subscribes: most properties have nobody.
    private(set) var subscriptions: Subscriptions<Value, Never>?

    init(_ value: Value) { self.value = value }

    func set(_ newValue: Value) {
      objectWillChange?.send()
      subscriptions?.send(newValue)
      // Freed afterwards: its `deinit` may ask for the value.
      let old = value
      withExtendedLifetime(old) { value = newValue }
    }

    func subscribed() -> Subscriptions<Value, Never> {
      let all = subscriptions ?? Subscriptions()
      subscriptions = all
      return all
    }
  }
}

extension Published: PublishedProperty {
  var owner: any PublisherOwner { storage }
}

extension Published: @unchecked Sendable where Value: Sendable {}

extension Published.Publisher: Publisher {
  /// The property's value.
  public typealias Output = Value
  /// It does not fail.
  public typealias Failure = Never

  /// Calls back with the present value at once, and with each new one before it is set.
  public func subscribe(
    _ receiveValue: @escaping (Value) -> Void,
    _ receiveCompletion: @escaping (Subscribers.Completion<Never>) -> Void
  ) -> AnyCancellable {
    receiveValue(storage.value)
    return storage.subscribed().add(receiveValue, receiveCompletion)
  }
}
