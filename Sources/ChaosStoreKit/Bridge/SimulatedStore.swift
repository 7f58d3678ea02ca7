import ChaosHost
import Foundation

/// What is the same for every product and every purchase of the simulated store.
enum SimulatedStore {
  static let bundleID = "com.example.simulated"
  static let currencyCode = "USD"
  static let countryCode = "USA"
  static let storefrontID = "143441"
  static let locale = Locale(identifier: "en_US")
  static let appVersion = "1.0"
  static let appTransactionID = "700000000000000001"

  static func date(millis: Int64) -> Date {
    let start = Host.current?.wallClockStart ?? Host.usualWallClockStart
    return Date(timeIntervalSince1970: TimeInterval(start) + TimeInterval(millis) / 1000)
  }

  /// A UUID that follows from a number, where Apple's is random.
  static func uuid(_ number: UInt64) -> UUID {
    let high = UInt8(truncatingIfNeeded: number >> 32)
    func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: number >> (8 * index)) }
    return UUID(
      uuid: (
        0xC4, 0xA0, 0x55, byte(7), byte(6), byte(5), 0x40, high, 0x80, 0, 0, 0, byte(3), byte(2),
        byte(1), byte(0)
      ))
  }

  static func json(_ fields: [String: Any]) -> Data {
    // Sorted, so that the same value is the same bytes in every process.
    (try? JSONSerialization.data(withJSONObject: fields, options: [.sortedKeys])) ?? Data()
  }

  static func milliseconds(_ date: Date) -> Int64 {
    Int64((date.timeIntervalSince1970 * 1000).rounded())
  }
}
