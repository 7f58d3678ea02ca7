/// A publisher of one value.
public struct Just<Output>: Publisher {
  /// It cannot fail.
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// A publisher of this value.
  public init(_ output: Output) { self.output = output }

  /// Hands out the value and ends.
  public func subscribe(
    _ receiveValue: @escaping (Output) -> Void,
    _ receiveCompletion: @escaping (Subscribers.Completion<Never>) -> Void
  ) -> AnyCancellable {
    receiveValue(output)
    receiveCompletion(.finished)
    return AnyCancellable {}
  }

  /// The same value, of a publisher that could fail.
  public func setFailureType<Failure: Error>(to type: Failure.Type) -> AnyPublisher<Output, Failure>
  {
    AnyPublisher { value, end in
      value(output)
      end(.finished)
      return AnyCancellable {}
    }
  }
}

/// A publisher that fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
  /// How it fails.
  public let error: Failure

  /// A publisher that fails so.
  public init(error: Failure) { self.error = error }

  /// The same, with the type of the values that never come.
  public init(outputType: Output.Type, failure: Failure) { error = failure }

  /// Fails.
  public func subscribe(
    _ receiveValue: @escaping (Output) -> Void,
    _ receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> AnyCancellable {
    receiveCompletion(.failure(error))
    return AnyCancellable {}
  }
}

/// A publisher without values.
public struct Empty<Output, Failure: Error>: Publisher {
  private let ends: Bool

  /// One that ends at once, or never.
  public init(completeImmediately: Bool = true) { ends = completeImmediately }

  /// Ends, if it does.
  public func subscribe(
    _ receiveValue: @escaping (Output) -> Void,
    _ receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> AnyCancellable {
    if ends { receiveCompletion(.finished) }
    return AnyCancellable {}
  }
}

/// A publisher of one value that is promised when it is made, and that every subscriber gets.
public final class Future<Output, Failure: Error>: Publisher {
  /// What fulfils it, or breaks it.
  public typealias Promise = (Result<Output, Failure>) -> Void

  private var result: Result<Output, Failure>?
  private let subscriptions = Subscriptions<Output, Failure>()

  /// Begins at once; the first result counts.
  public init(_ attempt: @escaping (@escaping Promise) -> Void) {
    attempt { self.fulfil($0) }
  }

  private func fulfil(_ result: Result<Output, Failure>) {
    guard self.result == nil else { return }
    self.result = result
    switch result {
    case .success(let value):
      subscriptions.send(value)
      subscriptions.send(completion: .finished)
    case .failure(let error): subscriptions.send(completion: .failure(error))
    }
  }

  /// Hands out the value, now or when it is there.
  public func subscribe(
    _ receiveValue: @escaping (Output) -> Void,
    _ receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) -> AnyCancellable {
    if case .success(let value) = result { receiveValue(value) }
    return subscriptions.add(receiveValue, receiveCompletion)
  }
}

extension Publisher {
  /// Each failure changed.
  public func mapError<Other: Error>(
    _ change: @escaping (Failure) -> Other
  ) -> AnyPublisher<Output, Other> {
    AnyPublisher { value, end in
      subscribe(value) { completion in
        switch completion {
        case .finished: end(.finished)
        case .failure(let error): end(.failure(change(error)))
        }
      }
    }
  }

  /// A last value in the place of a failure.
  public func replaceError(with output: Output) -> AnyPublisher<Output, Never> {
    AnyPublisher { value, end in
      subscribe(value) { completion in
        if case .failure = completion { value(output) }
        end(.finished)
      }
    }
  }

  /// The values of both, as they come; it ends when both have ended.
  public func merge(
    with other: some Publisher<Output, Failure>
  ) -> AnyPublisher<Output, Failure> {
    AnyPublisher { value, end in
      var open = 2
      func one(_ completion: Subscribers.Completion<Failure>) {
        open -= 1
        if case .failure = completion { open = 0 } else if open != 0 { return }
        end(completion)
      }
      let first = subscribe(value, one)
      let second = other.subscribe(value, one)
      return AnyCancellable {
        first.cancel()
        second.cancel()
      }
    }
  }
}
