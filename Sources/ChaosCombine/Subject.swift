/// Who subscribed, in the order in which they did.
final class Subscriptions<Output, Failure: Error> {
  private struct Entry {
    let number: Int
    let value: (Output) -> Void
    let completion: (Subscribers.Completion<Failure>) -> Void
  }

  private var entries: [Entry] = []
  private var last = 0
  private(set) var end: Subscribers.Completion<Failure>?

  func add(
    _ value: @escaping (Output) -> Void,
    _ completion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> AnyCancellable {
    if let end {
      completion(end)
      return AnyCancellable {}
    }
    last += 1
    let number = last
    entries.append(Entry(number: number, value: value, completion: completion))
    return AnyCancellable { [weak self] in self?.remove(number) }
  }

  /// Frees the closures only afterwards: the `deinit` of what they hold may come back here.
  private func remove(_ number: Int) {
    let old = entries
    let kept = old.filter { $0.number != number }
    withExtendedLifetime(old) { entries = kept }
  }

  func send(_ value: Output) {
    guard end == nil else { return }
    for entry in entries { entry.value(value) }
  }

  func send(completion: Subscribers.Completion<Failure>) {
    guard end == nil else { return }
    end = completion
    let entries = entries
    self.entries = []
    for entry in entries { entry.completion(completion) }
  }
}

/// A publisher that the program sends values through.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Hands a value to who has subscribed; nothing after the end.
  func send(_ value: Output)
  /// Ends it, once.
  func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
  /// Hands on that something happened.
  public func send() { send(()) }
}

/// Hands on what is sent to whoever has subscribed by then.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  private let subscriptions = Subscriptions<Output, Failure>()

  /// A subject that nobody has subscribed to.
  public init() {}

  /// Hands a value to who has subscribed, before it returns. Nothing after the end.
  public func send(_ value: Output) { subscriptions.send(value) }

  /// Ends it. Later calls do nothing.
  public func send(completion: Subscribers.Completion<Failure>) {
    subscriptions.send(completion: completion)
  }

  /// Calls back with what is sent from now on; with nothing but the end if it is over.
  public func subscribe(
    _ receiveValue: @escaping (Output) -> Void,
    _ receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> AnyCancellable {
    subscriptions.add(receiveValue, receiveCompletion)
  }
}

/// Hands on what is sent, and to a new subscriber the latest value first.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  private let subscriptions = Subscriptions<Output, Failure>()
  private var latest: Output

  /// A subject with its first value.
  public init(_ value: Output) { latest = value }

  /// The latest value; setting it sends it.
  public var value: Output {
    get { latest }
    set { send(newValue) }
  }

  /// Keeps a value and hands it to who has subscribed, before it returns. Nothing after the end.
  public func send(_ value: Output) {
    guard subscriptions.end == nil else { return }
    // Freed afterwards: its `deinit` may ask for the latest value.
    let old = latest
    withExtendedLifetime(old) { latest = value }
    subscriptions.send(value)
  }

  /// Ends it. Later calls do nothing.
  public func send(completion: Subscribers.Completion<Failure>) {
    subscriptions.send(completion: completion)
  }

  /// Calls back with the latest value at once, and with what is sent from now on; with nothing but
  /// the end if it is over.
  public func subscribe(
    _ receiveValue: @escaping (Output) -> Void,
    _ receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> AnyCancellable {
    if subscriptions.end == nil { receiveValue(latest) }
    return subscriptions.add(receiveValue, receiveCompletion)
  }
}
