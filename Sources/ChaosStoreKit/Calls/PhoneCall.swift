/// One thing that a hosted process asks of the simulator: with what, what is answered, and how.
///
/// All of them are in ``PhoneCalls``. In the simulator's own process a call is performed where it is
/// made; from an app process it goes over the pipe, where `PipeValue` says how it is written.
protocol PhoneCall: PipeValue, SendableMetatype {
  associatedtype Answer: PipeValue
  /// Whether an app process goes on only when it was performed.
  static var waits: Bool { get }
  func answer(by service: PhoneService) -> Answer
}

/// A call that has no answer but that it was heard.
protocol PhoneCommand: PhoneCall where Answer == Done {
  func perform(by service: PhoneService)
}

extension PhoneCommand {
  func answer(by service: PhoneService) -> Done {
    perform(by: service)
    return Done()
  }
}

extension PhoneCall {
  static var waits: Bool { true }
}

/// A command after which an app process goes on: it changes nothing of what the process knows, and goes with
/// the process if that ends before anything else is asked.
protocol PhoneNote: PhoneCommand {}

extension PhoneNote {
  static var waits: Bool { false }
}
