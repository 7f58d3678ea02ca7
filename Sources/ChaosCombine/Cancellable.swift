/// Something under way that can be given up.
public protocol Cancellable {
  func cancel()
}

/// Gives something up when it is asked to or when nobody keeps it any more, as Combine's does.
public final class AnyCancellable: Cancellable, Hashable {
  private var body: (() -> Void)?

  public init(_ cancel: @escaping () -> Void) { body = cancel }

  public convenience init(_ cancellable: some Cancellable) { self.init(cancellable.cancel) }

  deinit { cancel() }

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

  public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
