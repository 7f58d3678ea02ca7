import Foundation

/// What an app asks of the App Store as a whole.
public enum AppStore {
  /// True: the simulated person may buy.
  public static var canMakePayments: Bool { true }

  /// Follows from nothing; it proves nothing. The same in every run.
  public static var deviceVerificationID: UUID? { SimulatedStore.uuid(1) }

  /// Restores what this person bought, as a tap on Restore Purchases does.
  ///
  /// As in StoreKit 2 what comes of it comes through ``Transaction/updates`` and the entitlements.
  /// As Apple documents, the person is asked for their password: an app that calls this of its own accord
  /// breaks `few-prompts` (I26) the third time. Simulated: they give it. Throws
  /// ``StoreKitError/networkError(_:)`` if it fails, and `CancellationError` if the process ends before the
  /// answer.
  public static func sync() async throws {
    let succeeded: Bool = try await StoreSession.current.answer { $0.restore($1) }
    if !succeeded { throw StoreKitError.networkError(URLError(.networkConnectionLost)) }
  }

  /// Where money is real and where it is not.
  public struct Environment: RawRepresentable, Sendable, Hashable {
    /// The text used in signed transactions.
    public let rawValue: String
    /// An environment by that text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Purchases cost money. What a scenario's phones buy in unless it says otherwise.
    public static let production = Self(rawValue: "Production")
    /// Purchases cost nothing; a backend must not deliver real goods for them.
    public static let sandbox = Self(rawValue: "Sandbox")
    /// Never occurs.
    public static let xcode = Self(rawValue: "Xcode")
  }

  /// A platform on which an app was first bought.
  public struct Platform: RawRepresentable, Sendable, Hashable {
    /// The text used in signed transactions.
    public let rawValue: String
    /// A platform by that text.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// iPhone and iPad: the one that occurs here.
    public static let iOS = Self(rawValue: "iOS")
    /// The Mac. Never occurs.
    public static let macOS = Self(rawValue: "macOS")
    /// Apple TV. Never occurs.
    public static let tvOS = Self(rawValue: "tvOS")
    /// Apple Vision. Never occurs.
    public static let visionOS = Self(rawValue: "visionOS")
  }
}

extension AppStore.Environment: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}
