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

extension Question.Delay {
  /// The longest that a plan can name: a day, but of what takes days anyway four years, as long as a run can be.
  var longest: Int64 {
    let day: Int64 = 86_400_000
    return range.upperBound > day ? 1461 * day : day
  }

  /// A way in which it takes longer than usual.
  struct Class {
    let answer: Decision.Answer
    let fault: Fault
    /// In milliseconds; a plan that names the class has the least.
    let range: ClosedRange<Int64>
  }

  /// The ways in which it may take longer than usual, shortest first.
  var classes: [Class] {
    var classes: [Class] = []
    if let fault = overtakenBy, let least = overtaken {
      classes.append(Class(answer: .overtaken, fault: fault, range: least...2 * least))
    }
    if let fault = lateBy, let least = late {
      classes.append(Class(answer: .late, fault: fault, range: least...2 * least))
    }
    return classes
  }
}
