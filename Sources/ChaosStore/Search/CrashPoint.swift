/// Where the death of an app comes to the same as at the point before.
///
/// An app that dies leaves what it did to the world, and nothing of itself: its memory, and its
/// timers. So between two effects it does not matter where it dies, and what can happen after it
/// is the same but for the numbers of questions that were asked in between.
enum CrashPoint {
  static func isOne(_ question: Question) -> Bool { question.fault == .appCrash }

  /// Whether dying at `second`, asked directly after `first`, comes to the same as at `first`.
  static func isSame(_ first: Asking, _ second: Asking) -> Bool {
    first.event == second.event && isOne(first.question) && isOne(second.question)
      && !hasEffectAfter(first.question)
  }

  /// Whether something that outlives the app may happen between this point and the next.
  private static func hasEffectAfter(_ question: Question) -> Bool {
    switch question {
    // After an effect, and where a handler is entered; not where a purchase is called back, for what a purchase
    // returns is marked as handed over after that.
    case .crashAfterObserve, .crashAfterUnobserve, .crashAfterProducts, .crashAfterPay,
      .crashAfterFinish, .crashAfterRestore, .crashAfterReceipt, .crashAfterRefresh,
      .crashAfterSend, .crashAfterSave, .crashAfterErase, .crashAfterFlush, .crashAfterTell,
      .crashAfterTimer, .crashOnReply:
      false
    // What is read, and a timer, are gone with the app.
    case .crashBeforeReceipt, .crashBeforeTimer: false
    default: true
    }
  }
}
