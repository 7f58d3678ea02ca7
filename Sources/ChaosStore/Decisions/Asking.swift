import Invariants

/// A question that a run asked: when, about whom, and for which time.
public struct Asking: Sendable, Equatable {
  /// When it was asked.
  public var at: Instant
  /// The number of the event it was asked in, from 1; 0 before the first.
  public var event: Int
  /// What was asked.
  public var question: Question
  /// Whom it was asked about.
  public var subject: Subject
  /// How often the same had been asked about the same subject, this time included.
  public var occurrence: Int
}

extension Asking {
  /// The decision that answers it so.
  func decision(_ answer: Decision.Answer) -> Decision {
    Decision(question, subject, occurrence, answer)
  }

  /// Whether a plan with this decision answers it.
  func isAnswered(by decision: Decision) -> Bool {
    question == decision.question && subject == decision.subject
      && occurrence == decision.occurrence
  }
}
