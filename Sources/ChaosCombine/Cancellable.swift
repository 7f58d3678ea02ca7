/// Something under way that can be given up.
public protocol Cancellable {
  /// Gives it up. A second call does nothing.
  func cancel()
}

/// Gives something up when it is asked to or when nobody keeps it any more, as Combine's does.
public final class AnyCancellable: Cancellable, Hashable {
  private var body: (() -> Void)?

  /// Calls this once, when it is cancelled or let go of.
  public init(_ cancel: @escaping () -> Void) { body = cancel }

  /// Cancels another one when it is cancelled or let go of.
  public convenience init(_ cancellable: some Cancellable) { self.init(cancellable.cancel) }

  deinit { cancel() }

  /// Gives it up now. A second call does nothing.
  public func cancel() {
    let body = body
    self.body = nil
    body?()
  }

  /// Keeps it in a set.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  /// Keeps it in a collection, such as an array.
  public func store(in collection: inout some RangeReplaceableCollection<AnyCancellable>) {
    collection.append(self)
  }

  /// Whether they are one object.
  public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }
  /// Goes by identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
