/// An object that says when it is about to change.
///
/// As with Combine, setting an `@Published` property sends through ``objectWillChange`` first. Nothing
/// here draws a view; what subscribes is the program itself.
public protocol ObservableObject: AnyObject {
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

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
  public typealias Output = Void
  public typealias Failure = Never

  private let subscriptions = Subscriptions<Void, Never>()

  public init() {}

  public func send() { subscriptions.send(()) }

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
