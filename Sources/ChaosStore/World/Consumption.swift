import Invariants

/// What a backend tells Apple of a purchase whose money somebody asks for.
///
/// Source: App Store Server API 1.19, ConsumptionRequest.
public struct ConsumptionInformation: Equatable, Sendable, BitwiseCopyable {
  /// Whether what was bought came. Apple: deliveryStatus.
  public enum Delivery: UInt8, Sendable, BitwiseCopyable {
    /// DELIVERED.
    case delivered
    /// UNDELIVERED_QUALITY_ISSUE: it came, and does not work.
    case qualityIssue
    /// UNDELIVERED_WRONG_ITEM: something else came.
    case wrongItem
    /// UNDELIVERED_SERVER_OUTAGE: it did not come, as a server was down.
    case serverOutage
    /// UNDELIVERED_OTHER: it did not come.
    case other
  }

  /// What whoever sells would have Apple decide. Apple: refundPreference.
  public enum Preference: UInt8, Sendable, BitwiseCopyable {
    /// DECLINE.
    case decline
    /// GRANT_FULL.
    case grantFull
    /// GRANT_PRORATED: as much as was not used up.
    case grantProrated
  }

  /// customerConsented: whether the customer has agreed to this being told; without it nothing is taken (4000035).
  public var isConsentedTo: Bool
  /// deliveryStatus.
  public var delivery: Delivery
  /// consumptionPercentage: how many thousandths of a percent were used up, 0 to 100000; nil for nothing said. Of a
  /// subscription Apple knows itself (4000209).
  public var consumed: UInt32?
  /// refundPreference; nil for nothing said.
  public var preference: Preference?

  /// What is to be told.
  public init(
    isConsentedTo: Bool, delivery: Delivery, consumed: UInt32? = nil,
    preference: Preference? = nil
  ) {
    self.isConsentedTo = isConsentedTo
    self.delivery = delivery
    self.consumed = consumed
    self.preference = preference
  }

  private static let mostConsumed: UInt32 = 100_000
  private static let unsaid: UInt32 = (1 << 20) - 1

  /// All of it in one number.
  var packed: UInt32 {
    (isConsentedTo ? 1 : 0) | UInt32(delivery.rawValue) << 1
      | (preference.map { UInt32($0.rawValue) + 1 } ?? 0) << 4
      | (consumed.map { min($0, Self.unsaid - 1) } ?? Self.unsaid) << 8
  }

  init(packed: UInt32) {
    isConsentedTo = packed & 1 != 0
    delivery = Delivery(rawValue: UInt8(packed >> 1 & 7)) ?? .other
    let preference = UInt8(packed >> 4 & 15)
    self.preference = preference == 0 ? nil : Preference(rawValue: preference - 1)
    consumed = packed >> 8 == Self.unsaid ? nil : packed >> 8
  }

  /// What Apple says to it; 0 where it takes it.
  ///
  /// Of what has no code in Apple's list that could be checked it is a bad request (4000000).
  func status(isSubscription: Bool) -> Int32 {
    if !isConsentedTo { return 4_000_035 }
    if isSubscription { return consumed == nil ? 0 : 4_000_209 }
    if let consumed {
      // What did not come is not used up.
      if consumed > Self.mostConsumed || delivery != .delivered && consumed > 0 {
        return 4_000_000
      }
    }
    if preference == .grantProrated, !(1..<Self.mostConsumed).contains(consumed ?? 0) {
      return 4_000_000
    }
    return 0
  }
}

extension World {
  /// Apple takes what a backend tells of a purchase; it decides as it would have.
  func take(_ information: ConsumptionInformation, about row: TransactionID) -> Int32 {
    information.status(isSubscription: purchases[row].subscription != .none)
  }
}
