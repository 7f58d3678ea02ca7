extension Plan {
  /// A list of decisions as JSON, on one line; ``init(json:)`` reads it.
  public var json: String { "[" + decisions.map(\.json).joined(separator: ", ") + "]" }

  static let expected = "a list of decisions"

  /// Reads a list of decisions, each an object, or a text such as `drop verify.reply tx1 #2`.
  ///
  /// The occurrence may be left out and is then the first.
  public init(json text: String) throws(PlanError) {
    let node: JSONNode
    do { node = JSONNode(path: "plan", value: try JSONParser.parse(text)) } catch {
      throw PlanError(error)
    }
    try self.init(reading: node)
  }

  /// Reads either form: JSON begins with a bracket.
  package init(textOrJSON text: String) throws(PlanError) {
    if text.first(where: { !$0.isWhitespace }) == "[" {
      try self.init(json: text)
    } else {
      try self.init(parsing: text)
    }
  }

  init(reading node: JSONNode) throws(PlanError) {
    let nodes: [JSONNode]
    do { nodes = try node.list(Self.expected) } catch { throw PlanError(error) }
    self.init()
    for node in nodes { decisions.append(try Decision(reading: node)) }
    if let (first, second) = twins {
      throw PlanError(
        description: "\(nodes[second].path): '\(decisions[first])' and '\(decisions[second])' "
          + "answer the same question")
    }
  }
}

extension Decision {
  /// `{"question": "delay verify.reply", "subject": "tx1", "occurrence": 2, "answer": "late"}`;
  /// a strike has no answer.
  public var json: String {
    let value: String? =
      switch answer {
      case .strike: nil
      case .value(let value): "\(value)"
      case .millis(let millis): "\"\(millis)ms\""
      case .overtaken: "\"overtaken\""
      case .late: "\"late\""
      }
    return "{\"question\": \(JSONValue.quoted(question.name)), "
      + "\"subject\": \(JSONValue.quoted(subject.name)), \"occurrence\": \(occurrence)"
      + (value.map { ", \"answer\": \($0)" } ?? "") + "}"
  }

  fileprivate init(reading node: JSONNode) throws(PlanError) {
    if case .string(let text) = node.value {
      do { self = try Decision(parsing: text) } catch {
        throw PlanError(description: "\(node.path): \(error)")
      }
      return
    }
    let (question, subject, occurrence, answer): (Question, Subject, Int, String?)
    do {
      let object = try node.object(of: ["question", "subject", "occurrence", "answer"])
      question = try object.required("question", "one such as 'drop verify.reply'").question()
      subject = try object.required("subject", JSONNode.subjects).subject()
      occurrence = try object["occurrence"]?.int(1...1_000_000_000) ?? 1
      answer = try object["answer"]?.answer()
    } catch { throw PlanError(error) }
    self.init(question, subject, occurrence, try question.answer(from: answer, in: node.path))
  }
}

extension JSONNode {
  fileprivate static let subjects = "one such as tx1, tx1/2, tx1/r1, phone1 or step1"

  fileprivate func question() throws(ScenarioError) -> Question {
    Question.allCases[try index(among: Question.names, "questions of this simulator")]
  }

  fileprivate func subject() throws(ScenarioError) -> Subject {
    guard let subject = Subject(name: try string(Self.subjects)) else {
      throw error(expected: Self.subjects)
    }
    return subject
  }

  fileprivate func answer() throws(ScenarioError) -> String {
    switch value {
    case .int(let number): return "\(number)"
    case .string(let word): return word
    case .null, .bool, .number, .list, .object:
      throw error(expected: "a number, or a text such as '250ms' or 'late'")
    }
  }
}

extension PlanError {
  fileprivate init(_ error: ScenarioError) { description = error.description }
}
