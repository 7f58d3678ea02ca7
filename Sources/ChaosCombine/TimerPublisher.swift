// On Apple platforms Combine adds this to Foundation itself.
#if !canImport(Combine)
  import Foundation

  extension Timer {
    /// Hands out the time at each interval, once it is connected.
    ///
    /// The run loop has to be the main one, as nobody runs another.
    public static func publish(
      every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop,
      in mode: RunLoop.Mode
    ) -> TimerPublisher {
      TimerPublisher(interval: interval, runLoop: runLoop, mode: mode)
    }

    /// What `Timer.publish` makes: the time, at each interval, from the moment in which it is connected.
    public final class TimerPublisher: Publisher {
      private let interval: TimeInterval
      private let runLoop: RunLoop
      private let mode: RunLoop.Mode
      private let dates = PassthroughSubject<Date, Never>()

      init(interval: TimeInterval, runLoop: RunLoop, mode: RunLoop.Mode) {
        self.interval = interval
        self.runLoop = runLoop
        self.mode = mode
      }

      /// Hands on each date, as long as it is connected.
      public func subscribe(
        _ receiveValue: @escaping (Date) -> Void,
        _ receiveCompletion: @escaping (Subscribers.Completion<Never>) -> Void
      ) -> AnyCancellable {
        dates.subscribe(receiveValue, receiveCompletion)
      }

      /// Starts it, until the result is cancelled or let go of.
      public func connect() -> AnyCancellable {
        nonisolated(unsafe) let dates = dates
        let timer = Timer(
          fire: Date(timeIntervalSinceNow: interval), interval: interval, repeats: true
        ) { _ in dates.send(Date()) }
        runLoop.add(timer, forMode: mode)
        return AnyCancellable { timer.invalidate() }
      }

      /// Starts it with the first subscriber, until the last one gives up.
      public func autoconnect() -> AnyPublisher<Date, Never> {
        var subscribers = 0
        var connection: AnyCancellable?
        return AnyPublisher { value, end in
          let subscription = self.subscribe(value, end)
          subscribers += 1
          if subscribers == 1 { connection = self.connect() }
          return AnyCancellable {
            subscription.cancel()
            subscribers -= 1
            if subscribers == 0 { connection?.cancel() }
          }
        }
      }
    }
  }
#endif
