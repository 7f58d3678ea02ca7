import ChaosStore

/// What one call of `run` learned.
struct Session {
  var trials: [Trial] = []
  /// What the kept plan files came to, which are replayed before anything else.
  var regressions = Regressions()
  var seconds = 0.0
  /// How many scenarios were chosen; more than there are trials after an interrupt.
  var chosen = 0
  var isInterrupted = false
  /// The one strategy that was asked for; nil for `run`.
  var strategy: (any Strategy)?
  /// One seed or one plan instead of a campaign.
  var single: RunOptions.Seeds?
  var paste: PasteLine

  var runs: Int { trials.reduce(0) { $0 + $1.runs } }
  var events: Int { trials.reduce(0) { $0 + $1.events } }
  var simulatedMillis: Int64 { trials.reduce(0) { $0 + $1.simulatedMillis } }

  /// A plan that was asked for in one scenario need not be in the others.
  mutating func forgiveUnmatched() {
    guard trials.contains(where: { !$0.matchesNothing }) else { return }
    for index in trials.indices { trials[index].matchesNothing = false }
  }

  /// The gravest verdict there is.
  var verdict: Verdict {
    let worst = max(trials.map(\.verdict).max() ?? .noVerdict, regressions.verdict)
    return isInterrupted ? max(worst, .noVerdict) : worst
  }

  /// With one seed or one plan any violation is red, expected or not.
  var exitCode: ExitCode {
    if single != nil, trials.contains(where: { $0.verdict != .noVerdict && !$0.findings.isEmpty }) {
      return .red
    }
    return verdict.exitCode
  }
}
