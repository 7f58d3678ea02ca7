import ChaosStore

/// A kept plan file, and what became of it.
public struct Regression {
  /// Whether it could be run at all.
  public enum Result {
    /// It was run again.
    case replayed(Replay)
    /// Why it could not be.
    case unreadable(String)
  }

  /// The file.
  public var path: String
  /// What became of it.
  public var result: Result

  /// The run; nil where the file could not be read.
  public var replay: Replay? { if case .replayed(let replay) = result { replay } else { nil } }

  /// Nil where it could not be read.
  public var standing: Replay.Standing? { replay?.standing }

  /// Whether it came out as recorded, by whatever history.
  public var isAsRecorded: Bool { standing == .sameHistory || standing == .otherHistory }

  /// Why nothing can be said.
  public var doubts: [String] {
    switch result {
    case .replayed(let replay): replay.doubts
    case .unreadable(let reason): [reason]
    }
  }

  /// A violation that no longer comes is missing; one that comes where none was is unexpected.
  public var verdict: Verdict {
    switch standing {
    case .sameHistory, .otherHistory: .asExpected
    case .different: replay?.file.expectation == .holds ? .unexpected : .missing
    case .stale, nil: .noVerdict
    }
  }
}

/// What the kept plan files came to.
public struct Regressions {
  /// One for each file, by name.
  public var all: [Regression] = []
  /// How many an interrupt, or the end of the budget, left out.
  public var left = 0

  /// Whether nothing is kept.
  public var isEmpty: Bool { all.isEmpty }

  /// How many break what they broke.
  public var stillFail: Int {
    all.count { $0.isAsRecorded && $0.replay?.file.expectation != .holds }
  }
  /// How many hold, as they did.
  public var hold: Int { all.count { $0.isAsRecorded && $0.replay?.file.expectation == .holds } }
  /// Those that came out otherwise than recorded.
  public var different: [Regression] { all.filter { $0.standing == .different } }
  /// Those of which nothing can be said any more.
  public var noLongerMatch: [Regression] { all.filter { $0.verdict == .noVerdict } }
  /// Those that came out as recorded, in another way.
  public var byOtherHistory: [Regression] { all.filter { $0.standing == .otherHistory } }

  /// The gravest there is.
  public var verdict: Verdict {
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
