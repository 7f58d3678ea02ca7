extension Question {
  /// The fault that a yes to this question belongs to; nil for a delay.
  public var fault: Fault? {
    switch shape {
    case .strike(let fault), .choice(let fault, _): fault
    case .delay, .omission: nil
    }
  }

  /// The fault that an answer amounts to; nil for an ordinary delay.
  public func fault(behind answer: Decision.Answer) -> Fault? {
    switch shape {
    case .strike(let fault), .choice(let fault, _): return fault
    case .delay(let delay):
      switch answer {
      case .late: return delay.lateBy
      case .overtaken: return delay.overtakenBy
      case .millis(let millis):
        if let late = delay.late, millis >= late { return delay.lateBy }
        if delay.overtaken != nil, millis > delay.range.upperBound { return delay.overtakenBy }
        return millis > delay.range.upperBound ? delay.lateBy ?? delay.overtakenBy : nil
      case .strike, .value: return nil
      }
    case .omission: return nil
    }
  }
}
