import Foundation

/// The download of the app itself: one that cost nothing, at the start of the run.
public struct AppTransaction: Sendable, Hashable {
  private let isProduction: Bool

  init(isProduction: Bool) { self.isProduction = isProduction }

  /// This app's download. It is always there and always verified.
  public static var shared: VerificationResult<AppTransaction> {
    get async throws {
      let session = StoreSession.current
      if session.mustStop { await session.stop() }
      guard session.isAlive else { throw CancellationError() }
      return .verified(AppTransaction(isProduction: session.port.isProduction))
    }
  }

  /// The same as ``shared``. Simulated: nobody is asked for a password.
  public static func refresh() async throws -> VerificationResult<AppTransaction> {
    try await shared
  }

  /// The app's number in the App Store; nil in the sandbox.
  public var appID: UInt64? { isProduction ? 1 : nil }
  /// The simulated app's version, the same in every run.
  public var appVersion: String { SimulatedStore.appVersion }
  /// The version's number in the App Store; nil in the sandbox.
  public var appVersionID: UInt64? { isProduction ? 1 : nil }
  /// The simulated app's bundle identifier, the same in every run.
  public var bundleID: String { SimulatedStore.bundleID }
  /// The version that was first downloaded: the same as ``appVersion``.
  public var originalAppVersion: String { SimulatedStore.appVersion }
  /// When the app was first downloaded: the beginning of the run's virtual time.
  public var originalPurchaseDate: Date { SimulatedStore.date(millis: 0) }
  /// Always iOS.
  public var originalPlatform: AppStore.Platform { .iOS }
  /// Nil: nobody orders in advance.
  public var preorderDate: Date? { nil }
  /// Production or sandbox, as the scenario has it.
  public var environment: AppStore.Environment { isProduction ? .production : .sandbox }
  /// When the store signed it: the beginning of the run's virtual time. StoreKit signs anew at a
  /// refresh.
  public var signedDate: Date { SimulatedStore.date(millis: 0) }
  /// The same in every run.
  public var appTransactionID: String { SimulatedStore.appTransactionID }
  /// Follows from nothing; it proves nothing.
  public var deviceVerification: Data { Data([0]) }
  /// The same in every run; StoreKit's is random.
  public var deviceVerificationNonce: UUID { SimulatedStore.uuid(2) }

  /// The download as JSON.
  public var jsonRepresentation: Data {
    SimulatedStore.json([
      "bundleId": bundleID, "applicationVersion": appVersion,
      "originalApplicationVersion": originalAppVersion, "receiptType": environment.rawValue,
      "originalPurchaseDate": SimulatedStore.milliseconds(originalPurchaseDate),
      "receiptCreationDate": SimulatedStore.milliseconds(signedDate),
      "appTransactionId": appTransactionID,
    ])
  }
}

extension AppTransaction: CustomDebugStringConvertible {
  /// The download as JSON text.
  public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
