/// Which faults strike.
extension LiveStore {
  /// The faults that a store without apps can have.
  public static let faults = Fault.allCases.filter { !questions(of: $0).isEmpty }

  /// Where one of them strikes.
  public static func questions(of fault: Fault) -> [Question] {
    fault.questions.filter { asked.contains($0) }
  }

  /// What is asked where no app runs and no time passes by itself.
  private static let asked: Set<Question> = [
    .declinePayment, .cancelRenewal, .failRenewal, .abandonRenewal, .refundCharge, .askRefund,
    .declineRefund, .prorateRefund, .reverseRefund, .leaveFamily, .raisePrice, .withholdConsent,
    .dropNotification, .duplicateNotification, .repeatNotification, .forgeNotification,
    .delayNotification, .statusVerifier, .voidCharge, .failVerifier, .dropVerifier, .limitVerifier,
    .hideTransaction, .refuseLookUp, .hideFinished, .dropCommand,
  ]

  /// From now on a fault strikes so often, at most so many more times; where a question is named, there alone.
  ///
  /// Each strike is chosen by the seed, the purchase and how often it was asked about it before.
  ///
  /// - Returns: whether there is such a place: false for a fault that is none of ``faults``, or does not strike there.
  @discardableResult
  public func arm(
    _ fault: Fault, chance: Ratio, most: UInt32 = .max, at question: Question? = nil
  ) -> Bool {
    let questions = Self.questions(of: fault).filter { question == nil || $0 == question }
    guard !questions.isEmpty else { return false }
    for question in Self.questions(of: fault) {
      world.decisions.arm(fault, at: question, chance: questions.contains(question) ? chance : nil)
    }
    world.decisions.allow(fault, timesMore: most)
    return true
  }

  /// From now on a fault does not strike.
  public func disarm(_ fault: Fault) {
    for question in Self.questions(of: fault) {
      world.decisions.arm(fault, at: question, chance: nil)
    }
  }

  /// How often a fault has struck.
  public func strikes(of fault: Fault) -> Int { Int(world.decisions.struck[Int(fault.rawValue)]) }
}

extension Decisions {
  /// From now on no fault strikes until it is armed.
  mutating func disarm() {
    for question in Question.allCases {
      setThreshold(question, 0)
      setClasses(question, late: 0, overtaken: 0)
    }
  }

  /// From now on a fault strikes so often at this question; nil for never.
  mutating func arm(_ fault: Fault, at question: Question, chance: Ratio?) {
    let threshold = chance?.threshold ?? 0
    guard case .delay(let delay) = question.shape else {
      return setThreshold(question, threshold)
    }
    setClasses(
      question, late: delay.lateBy == fault ? threshold : nil,
      overtaken: delay.overtakenBy == fault ? threshold : nil)
  }
}
