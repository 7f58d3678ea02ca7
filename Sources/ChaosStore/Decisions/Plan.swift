/// Named decisions that override what the seed says; the durable form of a reproduction.
///
/// As text: `drop verify.reply tx1 #2, crash app after finish tx1 #1, delay verify.reply tx2 = late`.
public struct Plan: Hashable, Sendable {
  /// In the order in which they were written; they apply in whatever order they are asked.
  public var decisions: [Decision]

  /// A plan of these decisions; of none, it is the quiet run.
  public init(_ decisions: [Decision] = []) { self.decisions = decisions }

  /// Whether it names no decision.
  public var isEmpty: Bool { decisions.isEmpty }

  /// What it takes, such as `2 decisions`; delays within their usual time are no faults.
  package var cost: String {
    if size == 0 { return "no fault at all" }
    let isOfDelays = decisions.allSatisfy { decision in
      decision.question.isOmission || decision.question.isDelay && decision.fault == nil
    }
    return isOfDelays ? "\(size.of("delay")) and no fault" : size.of("decision")
  }

  /// How many of the decisions choose something; the others only leave out what is not needed.
  public var size: Int { decisions.count { !$0.question.isOmission } }
}

/// One question about one subject, its occurrence, and the answer it gets.
public struct Decision: Hashable, Sendable {
  /// What a decision says; which of them fits belongs to the ``Question/shape`` of the question.
  public enum Answer: Hashable, Sendable {
    /// The fault strikes.
    case strike
    /// It strikes with this value, such as a verifier's status.
    case value(Int)
    /// A delay of so many milliseconds, from 0 to a day; to four years where it usually takes more than a day.
    case millis(Int64)
    /// A delay longer than that of what is sent next.
    case overtaken
    /// A delay beyond the patience of whoever waits.
    case late
  }

  /// What is asked.
  public var question: Question
  /// Whom it is asked about.
  public var subject: Subject
  /// Which of the times the question is asked about the subject, counted from 1.
  public var occurrence: Int
  /// What is answered.
  public var answer: Answer

  /// A decision; where the question does not take the answer, its first value or quiet answer counts.
  public init(_ question: Question, _ subject: Subject, _ occurrence: Int, _ answer: Answer) {
    self.question = question
    self.subject = subject
    self.occurrence = occurrence
    self.answer = answer
  }
}

/// Why a text is not a plan.
public struct PlanError: Error, Equatable, CustomStringConvertible {
  /// What was found, where, and what was expected.
  public var description: String
}

extension Decision: CustomStringConvertible {
  /// As plans have it, such as `delay verify.reply tx2 #1 = late`.
  public var description: String {
    let name = "\(question.name) \(subject.name) #\(occurrence)"
    return switch answer {
    case .strike: name
    case .value(let value): "\(name) = \(value)"
    case .millis(let millis): "\(name) = \(millis)ms"
    case .overtaken: "\(name) = overtaken"
    case .late: "\(name) = late"
    }
  }

  /// Reads one decision; the occurrence may be left out and is then the first.
  public init(parsing text: String) throws(PlanError) {
    let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    var words = sides[0].split(whereSeparator: \.isWhitespace).map(String.init)
    var occurrence = 1
    if let last = words.last, last.hasPrefix("#") {
      // By the letter: neither #+1 nor #01.
      guard let number = Int(last.dropFirst()), (1...1_000_000_000).contains(number),
        String(number) == last.dropFirst()
      else {
        throw PlanError(
          description: "'\(last)' in '\(text)' is no occurrence: expected #1 to #1000000000")
      }
      occurrence = number
      words.removeLast()
    }
    guard words.count >= 3 else {
      throw PlanError(
        description: "'\(text)' is no decision: expected 'verb site subject #occurrence', "
          + "such as 'drop verify.reply tx1 #1'")
    }
    let subjectName = words.removeLast()
    guard let subject = Subject(name: subjectName) else {
      throw PlanError(
        description: "'\(subjectName)' in '\(text)' is no subject: expected one such as "
          + "tx1, tx1/2, tx1/r1, phone1 or step1")
    }
    let name = words.joined(separator: " ")
    guard let question = Question(name: name) else {
      throw PlanError(
        description: "'\(name)' is not a question of this simulator"
          + suggestion(for: name, among: Question.names))
    }
    let value = sides.count > 1 ? sides[1].value : nil
    self.init(question, subject, occurrence, try question.answer(from: value, in: text))
  }
}

extension Question {
  /// The answer that a text gives to this question; the whole decision is quoted in errors.
  func answer(from value: String?, in text: String) throws(PlanError)
    -> Decision.Answer
  {
    switch shape {
    case .strike, .omission:
      guard value == nil else {
        throw PlanError(description: "'\(text)': '\(name)' takes no value, found '\(value!)'")
      }
      return .strike
    case .choice(_, let values):
      guard let value, let number = Int(value), values.contains(number), String(number) == value
      else {
        let allowed = values.map(String.init).joined(separator: ", ")
        throw PlanError(
          description: "'\(text)': '\(name)' needs one of \(allowed), "
            + "found \(value.map { "'\($0)'" } ?? "nothing")")
      }
      return .value(number)
    case .delay(let delay):
      if value == "late", delay.late != nil { return .late }
      if value == "overtaken", delay.overtaken != nil { return .overtaken }
      let digits = value.map { $0.hasSuffix("ms") ? $0.dropLast(2) : $0[...] }
      // By the letter: neither +250 nor -0 nor 0250.
      if let digits, let millis = Int64(digits), (0...delay.longest).contains(millis),
        String(millis) == digits
      {
        return .millis(millis)
      }
      let classes =
        (delay.overtaken == nil ? "" : ", 'overtaken'") + (delay.late == nil ? "" : ", 'late'")
      // A number that is none of these is too large.
      let limit = digits.map { !$0.isEmpty && $0.allSatisfy(\.isNumber) } ?? false
      throw PlanError(
        description: "'\(text)': '\(name)' needs milliseconds such as '250ms'"
          + (limit ? " from 0 to \(delay.longest)" : "")
          + "\(classes), found \(value.map { "'\($0)'" } ?? "nothing")")
    }
  }
}

extension Plan: CustomStringConvertible {
  /// The decisions, separated by commas; ``init(parsing:)`` reads it.
  public var description: String { decisions.map(\.description).joined(separator: ", ") }

  /// Reads a plan: decisions separated by commas, semicolons or line ends.
  public init(parsing text: String) throws(PlanError) {
    var decisions: [Decision] = []
    for part in text.split(whereSeparator: { $0 == "," || $0 == ";" || $0.isNewline }) {
      if part.allSatisfy(\.isWhitespace) { continue }
      decisions.append(try Decision(parsing: part.trimmed))
    }
    self.init(decisions)
    if let (first, second) = twins {
      throw PlanError(
        description: "'\(decisions[first])' and '\(decisions[second])' answer the same question")
    }
  }

  /// Where the first decision stands that answers the same question as one before it, and that one;
  /// found by sorting, as a plan may be long.
  var twins: (first: Int, second: Int)? {
    func key(_ index: Int) -> (UInt8, UInt64, Int) {
      let decision = decisions[index]
      return (decision.question.rawValue, decision.subject.key, decision.occurrence)
    }
    // Not stable: what is the same stays in the plan's order by its place.
    let order = decisions.indices.sorted { key($0) == key($1) ? $0 < $1 : key($0) < key($1) }
    let pairs = zip(order, order.dropFirst()).filter { key($0) == key($1) }
    return pairs.min { $0.1 < $1.1 }.map { (first: $0.0, second: $0.1) }
  }
}

extension Decision {
  /// For how long it delays something; nil where it is about something else.
  var delayMillis: Int64? {
    guard case .delay(let delay) = question.shape else { return nil }
    switch answer {
    case .millis(let millis): return millis
    case .overtaken: return delay.overtaken
    case .late: return delay.late
    case .strike, .value: return nil
    }
  }

  /// The fault that it amounts to; nil for an ordinary delay, an omission and a use.
  package var fault: Fault? {
    guard let fault = question.fault(behind: answer), !fault.isUse else { return nil }
    return fault
  }

  /// Whether it is something that a person does with the app of their own accord.
  var isUse: Bool { question.fault?.isUse ?? false }

  func asksTheSame(as other: Decision) -> Bool {
    question == other.question && subject == other.subject && occurrence == other.occurrence
  }
}

extension Substring {
  /// One word; a space may stand before the unit of a time.
  fileprivate var value: String {
    let words = split(whereSeparator: \.isWhitespace)
    return words.joined(separator: words.count == 2 && words[1] == "ms" ? "" : " ")
  }

  fileprivate var trimmed: String {
    var text = self
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }
}
