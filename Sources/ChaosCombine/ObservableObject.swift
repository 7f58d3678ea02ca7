/// An object that says when it is about to change.
///
/// As with Combine, setting an `@Published` property sends through ``objectWillChange`` first. Nothing
/// here draws a view; what subscribes is the program itself.
public protocol ObservableObject: AnyObject {
  /// What tells of the changes; one that never fails.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Sends before a property changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// The publisher that the object's `@Published` properties share; a new one each time in an object
  /// that has none.
  public var objectWillChange: ObservableObjectPublisher {
    var owners: [any PublisherOwner] = []
    var mirror: Mirror? = Mirror(reflecting: self)
    while let level = mirror {
      for case (_, let property as any PublishedProperty) in level.children {
        owners.append(property.owner)
      }
      mirror = level.superclassMirror
    }
    let publisher = owners.lazy.compactMap(\.objectWillChange).first ?? ObservableObjectPublisher()
    for owner in owners { owner.objectWillChange = publisher }
    return publisher
  }
}

/// Says that an object is about to change.
public final class ObservableObjectPublisher: Publisher {
  /// Nothing but that something changes.
  public typealias Output = Void
  /// It does not fail.
  public typealias Failure = Never

  private let subscriptions = Subscriptions<Void, Never>()

  /// One that nobody has subscribed to.
  public init() {}

  /// Tells who subscribed, at once and in the order in which they subscribed.
  public func send() { subscriptions.send(()) }

  /// Calls back at each change. It never ends by itself.
  public func subscribe(
    _ receiveValue: @escaping (()) -> Void,
    _ receiveCompletion: @escaping (Subscribers.Completion<Never>) -> Void
  ) -> AnyCancellable {
    subscriptions.add(receiveValue, receiveCompletion)
  }
}

/// What an object finds in its `@Published` properties, whatever their values are.
protocol PublishedProperty {
  var owner: any PublisherOwner { get }
}

protocol PublisherOwner: AnyObject {
  var objectWillChange: ObservableObjectPublisher? { get set }
}
