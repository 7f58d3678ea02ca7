/// A property of a class that can be subscribed to through `$name`.
///
/// As with Combine a subscriber gets the present value at once and a new one before it is set.
@propertyWrapper
public struct Published<Value> {
  private let storage: Storage

  public init(wrappedValue: Value) { storage = Storage(wrappedValue) }
  public init(initialValue: Value) { storage = Storage(initialValue) }

  /// What `$name` is.
  public var projectedValue: Publisher { Publisher(storage: storage) }

  @available(*, unavailable, message: "@Published is for properties of classes")
  public var wrappedValue: Value {
    get { fatalError("bug: an unavailable property was read") }
    nonmutating set { fatalError("bug: an unavailable property was set to \(newValue)") }
  }

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
      value = newValue
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
  public typealias Output = Value
  public typealias Failure = Never

  public func subscribe(
    _ receiveValue: @escaping (Value) -> Void,
    _ receiveCompletion: @escaping (Subscribers.Completion<Never>) -> Void
  ) -> AnyCancellable {
    receiveValue(storage.value)
    return storage.subscribed().add(receiveValue, receiveCompletion)
  }
}
