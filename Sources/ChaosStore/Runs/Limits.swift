/// How much a scenario may hold. Files and scenarios made in Swift have the same limits.
enum Limits {
  /// Accounts of the app, and store accounts.
  static let accounts = 1...1_000_000
  /// Apple: whoever organises a family and up to five others.
  static let family = 2...6
  static let devices = 1...1_000_000
  static let products = 1...1_000_000
  static let steps = 0...1_000_000
  /// StoreKit's own limit.
  static let quantity = 1...10
  /// Apple offers 3, 16 and 28.
  static let graceDays = 0...60
  static let levels = 1...100
  /// Of one subscription, and of an offer that is paid as one goes.
  static let offers = 0...100
  static let offerPeriods = 1...100
  static let arrivals = 1...10_000_000
  static let retaps = 0...100
  /// What the order of events has bits for.
  static let events = 1...Event.most
  static let seeds = 1...1_000_000_000_000
  static let strikes = 1...Int(UInt32.max)
  /// What the set of broken invariants has bits for.
  static let invariants = 1...64
  /// Each run is compared with all of them.
  static let goals = 0...1000
  /// Steps that can be told apart when taps are brought forward.
  static let hurriedSteps = UInt64.bitWidth

  /// Devices, products and steps of all worlds and scenarios of one file.
  static let entriesOfFile = 2_000_000

  /// Half of what the kernel's queue can hold, so that what is scheduled up to the horizon fits.
  static let longest = Event.lastMillis / 2
  static let times = 0...longest
  static let spans = 1...longest
  /// How long messages of the last step may be under way before the time for judging begins.
  static let settling: Int64 = 5000
  /// When a run may begin, in seconds since 1970: to the end of 2099.
  static let beginnings: ClosedRange<Int64> = 0...4_102_444_799
  /// The longest of a usual delay: a day.
  static let longestDelay: Int64 = 86_400_000

  static func whole(_ range: ClosedRange<Int>) -> String {
    "a whole number from \(range.lowerBound) to \(range.upperBound)"
  }

  static func time(_ range: ClosedRange<Int64>) -> String {
    "a time from \(range.lowerBound)ms to \(range.upperBound)ms"
  }
}
