import ChaosStore

/// A kept plan file, and what became of it.
struct Regression {
  enum Result {
    case replayed(Replay)
    /// Why it could not be.
    case unreadable(String)
  }

  var path: String
  var result: Result

  var replay: Replay? { if case .replayed(let replay) = result { replay } else { nil } }

  /// Nil where it could not be read.
  var standing: Replay.Standing? { replay?.standing }

  /// Whether it came out as recorded, by whatever history.
  var isAsRecorded: Bool { standing == .sameHistory || standing == .otherHistory }

  /// Why nothing can be said.
  var doubts: [String] {
    switch result {
    case .replayed(let replay): replay.doubts
    case .unreadable(let reason): [reason]
    }
  }

  /// A violation that no longer comes is missing; one that comes where none was is unexpected.
  var verdict: Verdict {
    switch standing {
    case .sameHistory, .otherHistory: .asExpected
    case .different: replay?.file.expectation == .holds ? .unexpected : .missing
    case .stale, nil: .noVerdict
    }
  }
}

/// What the kept plan files came to.
struct Regressions {
  var all: [Regression] = []
  /// How many an interrupt, or the end of the budget, left out.
  var left = 0

  var isEmpty: Bool { all.isEmpty }

  var stillFail: Int { all.count { $0.isAsRecorded && $0.replay?.file.expectation != .holds } }
  var hold: Int { all.count { $0.isAsRecorded && $0.replay?.file.expectation == .holds } }
  var different: [Regression] { all.filter { $0.standing == .different } }
  var noLongerMatch: [Regression] { all.filter { $0.verdict == .noVerdict } }
  var byOtherHistory: [Regression] { all.filter { $0.standing == .otherHistory } }

  var verdict: Verdict {
    max(all.map(\.verdict).max() ?? .asExpected, left == 0 ? .asExpected : .noVerdict)
  }

  /// How many there are of each, on one line.
  var summary: String {
    let counts = [
      "\(all.count.grouped) replayed",
      "\(stillFail.grouped) still fail\(stillFail == 1 ? "s" : "") as recorded",
      "\(hold.grouped) hold\(hold == 1 ? "s" : "")",
    ]
    return "Regressions: " + (counts + troubles(\.grouped)).joined(separator: ", ")
  }

  /// What is not as it was; a count is written as the caller wants it.
  func troubles(_ text: (Int) -> String) -> [String] {
    var parts: [String] = []
    if !different.isEmpty { parts.append("\(text(different.count)) not as recorded") }
    if left > 0 { parts.append("\(text(left)) not replayed") }
    if !noLongerMatch.isEmpty {
      let verb = noLongerMatch.count == 1 ? "matches" : "match"
      parts.append("\(text(noLongerMatch.count)) no longer \(verb)")
    }
    return parts
  }
}
