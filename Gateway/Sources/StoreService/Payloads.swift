import Invariants

/// What the App Store signs and answers, in its own names and units: milliseconds since 1970, thousandths of a
/// currency. What is nil is left out.
///
/// Source: App Store Server API 1.21 and App Store Server Notifications 2.

/// JWSTransactionDecodedPayload.
struct TransactionPayload: Codable, Sendable {
  var transactionId: String
  var originalTransactionId: String
  var webOrderLineItemId: String?
  var bundleId: String
  var productId: String
  var subscriptionGroupIdentifier: String?
  var purchaseDate: Int64
  var originalPurchaseDate: Int64
  var expiresDate: Int64?
  var quantity: Int
  var type: String
  var appAccountToken: String?
  var inAppOwnershipType: String
  var signedDate: Int64
  var revocationDate: Int64?
  var revocationReason: Int?
  var revocationType: String?
  var revocationPercentage: Int?
  var isUpgraded: Bool?
  var offerType: Int?
  var offerIdentifier: String?
  var offerDiscountType: String?
  var environment: String
  var storefront: String
  var storefrontId: String
  var transactionReason: String
  var currency: String
  var price: Int
  var appTransactionId: String?
}

/// JWSRenewalInfoDecodedPayload.
struct RenewalPayload: Codable, Sendable {
  var originalTransactionId: String
  var autoRenewProductId: String
  var productId: String
  var autoRenewStatus: Int
  var renewalPrice: Int?
  var currency: String?
  var expirationIntent: Int?
  var gracePeriodExpiresDate: Int64?
  var isInBillingRetryPeriod: Bool?
  var offerType: Int?
  var offerIdentifier: String?
  var offerDiscountType: String?
  var priceIncreaseStatus: Int?
  var recentSubscriptionStartDate: Int64
  var renewalDate: Int64?
  var signedDate: Int64
  var environment: String
  var appAccountToken: String?
  var appTransactionId: String?
}

/// responseBodyV2DecodedPayload.
struct NotificationPayload: Codable, Sendable {
  struct Content: Codable, Sendable {
    var appAppleId: Int64?
    var bundleId: String
    var bundleVersion: String
    var environment: String
    var status: Int?
    var consumptionRequestReason: String?
    var signedTransactionInfo: String?
    var signedRenewalInfo: String?
  }

  var notificationType: String
  var subtype: String?
  var notificationUUID: String
  var version = "2.0"
  var signedDate: Int64
  var data: Content
}

/// JWSAppTransactionDecodedPayload.
struct AppTransactionPayload: Codable, Sendable {
  var receiptType: String
  var appAppleId: Int64?
  var bundleId: String
  var applicationVersion = "1"
  var versionExternalIdentifier = 1
  var receiptCreationDate: Int64
  var originalPurchaseDate: Int64
  var originalApplicationVersion = "1"
  var deviceVerification = "AAAA"
  var deviceVerificationNonce = "00000000-0000-4000-8000-000000000000"
  var appTransactionId: String
  var originalPlatform = "iOS"
}

/// What the calls of the App Store Server API are answered with.
enum APIBody {
  struct Transaction: Codable { var signedTransactionInfo: String }
  struct AppTransaction: Codable { var signedAppTransactionInfo: String }

  struct History: Codable {
    var revision: String
    var hasMore: Bool
    var bundleId: String
    var appAppleId: Int64?
    var environment: String
    var signedTransactions: [String]
  }

  struct Refunds: Codable {
    var revision: String
    var hasMore: Bool
    var signedTransactions: [String]
  }

  struct Statuses: Codable {
    struct Group: Codable {
      var subscriptionGroupIdentifier: String
      var lastTransactions: [Last]
    }
    struct Last: Codable {
      var originalTransactionId: String
      var status: Int
      var signedTransactionInfo: String
      var signedRenewalInfo: String
    }
    var environment: String
    var bundleId: String
    var appAppleId: Int64?
    var data: [Group]
  }

  struct OrderLookUp: Codable {
    var status: Int
    var signedTransactions: [String]
  }

  struct SendAttempt: Codable {
    var attemptDate: Int64
    var sendAttemptResult: String
  }

  struct Notifications: Codable {
    struct Item: Codable {
      var signedPayload: String
      var sendAttempts: [SendAttempt]
    }
    var notificationHistory: [Item]
    var hasMore: Bool
    var paginationToken: String?
  }

  struct TestToken: Codable { var testNotificationToken: String }

  struct TestStatus: Codable {
    var signedPayload: String
    var sendAttempts: [SendAttempt]
  }

  struct Extension: Codable {
    var originalTransactionId: String
    var webOrderLineItemId: String
    var success: Bool
    var effectiveDate: Int64
  }

  struct MassExtension: Codable { var requestIdentifier: String }

  struct MassExtensionStatus: Codable {
    var requestIdentifier: String
    var complete: Bool
    var completeDate: Int64
    var succeededCount: Int
    var failedCount: Int
  }

  struct Problem: Codable {
    var errorCode: Int
    var errorMessage: String
  }
}

/// What the calls of the App Store Server API bring.
enum APIRequest {
  struct Notifications: Codable {
    var startDate: Int64
    var endDate: Int64
    var notificationType: String?
    var notificationSubtype: String?
    var onlyFailures: Bool?
    var transactionId: String?
  }

  struct Token: Codable { var appAccountToken: String }

  struct Extension: Codable {
    var extendByDays: Int
    var extendReasonCode: Int
    var requestIdentifier: String
  }

  struct MassExtension: Codable {
    var extendByDays: Int
    var extendReasonCode: Int
    var requestIdentifier: String
    var productId: String
    var storefrontCountryCodes: [String]?
  }

  /// Of the second version; the first has numbers where this has words.
  struct Consumption: Codable {
    var customerConsented: Bool
    var deliveryStatus: WordOrNumber
    var consumptionPercentage: Int?
    var refundPreference: WordOrNumber?
  }

  enum WordOrNumber: Codable {
    case word(String)
    case number(Int)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .word(try container.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .word(let word): try container.encode(word)
      case .number(let number): try container.encode(number)
      }
    }
  }
}

extension Environment {
  /// Apple's name of it.
  var name: String { self == .production ? "Production" : "Sandbox" }

  /// The environment of such a name, whatever its case; nil where it is none.
  init?(named name: String) {
    switch name.lowercased() {
    case "production": self = .production
    case "sandbox": self = .sandbox
    default: return nil
    }
  }
}
