/// Something that hands out values over time.
///
/// A stand-in for Combine's where there is no Combine: values go straight to whoever subscribed, in the
/// order in which they subscribed; there is no demand and no back-pressure, and a subscriber cannot be
/// written by hand. A publisher belongs to one thread, as everything in a simulated process does.
public protocol Publisher<Output, Failure> {
  /// What it hands out.
  associatedtype Output
  /// How it can fail; `Never` if it cannot.
  associatedtype Failure: Error

  /// Begins to call back, until the result is cancelled or let go of.
  func subscribe(
    _ receiveValue: @escaping (Output) -> Void,
    _ receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> AnyCancellable
}

/// Names that subscribers use.
public enum Subscribers {
  /// How a publisher ended.
  public enum Completion<Failure: Error> {
    /// There are no more values.
    case finished
    /// Something went wrong.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Sendable {}

extension Publisher {
  /// Calls back with each value, and at the end.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    subscribe(receiveValue, receiveCompletion)
  }

  /// The same publisher with its type out of sight.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }

  /// Each value changed.
  public func map<Result>(
    _ change: @escaping (Output) -> Result
  ) -> AnyPublisher<Result, Failure> {
    AnyPublisher { value, end in subscribe({ value(change($0)) }, end) }
  }

  /// Each value changed, without those that become nil.
  public func compactMap<Result>(
    _ change: @escaping (Output) -> Result?
  ) -> AnyPublisher<Result, Failure> {
    AnyPublisher { value, end in
      subscribe(
        { output in
          if let result = change(output) { value(result) }
        }, end)
    }
  }

  /// The values that pass.
  public func filter(
    _ passes: @escaping (Output) -> Bool
  ) -> AnyPublisher<Output, Failure> {
    AnyPublisher { value, end in subscribe({ if passes($0) { value($0) } }, end) }
  }

  /// The values after the first few.
  public func dropFirst(_ count: Int = 1) -> AnyPublisher<Output, Failure> {
    AnyPublisher { value, end in
      var left = count
      return subscribe(
        { output in
          if left > 0 { left -= 1 } else { value(output) }
        }, end)
    }
  }
}

extension Publisher where Failure == Never {
  /// Calls back with each value.
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    subscribe(receiveValue, { _ in })
  }

  /// Sets a property to each value; keeps the object alive, as Combine's does.
  public func assign<Root>(
    to path: ReferenceWritableKeyPath<Root, Output>, on object: Root
  ) -> AnyCancellable {
    sink { object[keyPath: path] = $0 }
  }
}

extension Publisher where Output: Equatable {
  /// The values that differ from the one before.
  public func removeDuplicates() -> AnyPublisher<Output, Failure> {
    AnyPublisher { value, end in
      var last: Output?
      return subscribe(
        { output in
          if last != output { value(output) }
          last = output
        }, end)
    }
  }
}

/// A publisher with its type out of sight.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
  typealias Begin = (
    @escaping (Output) -> Void, @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> AnyCancellable

  private let begin: Begin

  init(begin: @escaping Begin) { self.begin = begin }

  /// A publisher with its type hidden.
  public init(_ publisher: some Publisher<Output, Failure>) { begin = publisher.subscribe }

  /// Subscribes to the publisher it was made from.
  public func subscribe(
    _ receiveValue: @escaping (Output) -> Void,
    _ receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> AnyCancellable {
    begin(receiveValue, receiveCompletion)
  }
}
