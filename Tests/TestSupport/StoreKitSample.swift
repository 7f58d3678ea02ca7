/// Small StoreKit configuration files in the shapes that Xcode has written over the years.
public enum StoreKitSample {
  /// Each version of the format, with what it was the first to have.
  public static let versions: [(major: Int, text: String)] = [
    (2, version2), (3, version3), (4, version4), (5, version5),
  ]

  /// A file of version 4 that sells coins, a map and two levels of tea, with these settings.
  public static func file(settings: String = "") -> String {
    """
    {
      "identifier" : "0C0FFEE0",
      "nonRenewingSubscriptions" : [

      ],
      "products" : [
        {"displayPrice" : "0.99", "familyShareable" : false, "internalID" : "11AA11AA", "localizations" : [],
         "productID" : "coins", "referenceName" : "Coins", "type" : "Consumable"},
        {"displayPrice" : "4.99", "familyShareable" : false, "internalID" : "22BB22BB", "localizations" : [],
         "productID" : "map", "referenceName" : "Map", "type" : "NonConsumable"}
      ],
      "settings" : {\(settings)},
      "subscriptionGroups" : [
        {"id" : "77A77A77", "localizations" : [], "name" : "Tea", "subscriptions" : [
          {"adHocOffers" : [], "codeOffers" : [], "displayPrice" : "9.99", "familyShareable" : false,
           "groupNumber" : 1, "internalID" : "33CC33CC", "introductoryOffer" : null, "localizations" : [],
           "productID" : "tea.pot", "recurringSubscriptionPeriod" : "P1M", "referenceName" : "Pot",
           "subscriptionGroupID" : "77A77A77", "type" : "RecurringSubscription", "winbackOffers" : []},
          {"adHocOffers" : [], "codeOffers" : [], "displayPrice" : "1.99", "familyShareable" : false,
           "groupNumber" : 2, "internalID" : "44DD44DD", "introductoryOffer" : null, "localizations" : [],
           "productID" : "tea.cup", "recurringSubscriptionPeriod" : "P1W", "referenceName" : "Cup",
           "subscriptionGroupID" : "77A77A77", "type" : "RecurringSubscription", "winbackOffers" : []}
        ]}
      ],
      "version" : {
        "major" : 4,
        "minor" : 0
      }
    }
    """
  }

  private static let version2 = """
    {
      "identifier" : "2A2A2A2A",
      "nonRenewingSubscriptions" : [
        {
          "displayPrice" : "12.99",
          "familyShareable" : false,
          "internalID" : "90909090",
          "localizations" : [

          ],
          "productID" : "garden.season",
          "referenceName" : "One Season",
          "type" : "NonRenewingSubscription"
        }
      ],
      "products" : [
        {
          "displayPrice" : "2.49",
          "familyShareable" : true,
          "internalID" : "80808080",
          "localizations" : [
            {
              "description" : "A spade that lasts",
              "displayName" : "Spade",
              "locale" : "en_GB"
            }
          ],
          "productID" : "garden.spade",
          "referenceName" : "Spade",
          "type" : "NonConsumable"
        }
      ],
      "settings" : {
        "_askToBuyEnabled" : false,
        "_billingIssuesEnabled" : true,
        "_failTransactionsEnabled" : false,
        "_locale" : "en_GB",
        "_storeKitError" : 0,
        "_storefront" : "GBR",
        "_timeRate" : 5
      },
      "subscriptionGroups" : [

      ],
      "version" : {
        "major" : 2,
        "minor" : 0
      }
    }
    """

  private static let version3 = """
    {
      "identifier" : "3B3B3B3B",
      "nonRenewingSubscriptions" : [

      ],
      "products" : [
        {
          "displayPrice" : "0.49",
          "familyShareable" : false,
          "internalID" : "70707070",
          "localizations" : [

          ],
          "productID" : "garden.seeds",
          "referenceName" : "Seeds",
          "type" : "Consumable"
        }
      ],
      "settings" : {
        "_failTransactionsEnabled" : false,
        "_locale" : "en_US",
        "_storeKitErrors" : [
          {
            "current" : {
              "index" : 2,
              "type" : "generic"
            },
            "enabled" : true,
            "name" : "Load Products"
          },
          {
            "current" : null,
            "enabled" : false,
            "name" : "Purchase"
          },
          {
            "current" : null,
            "enabled" : true,
            "name" : "Refund Request Sheet"
          }
        ],
        "_storefront" : "USA"
      },
      "subscriptionGroups" : [

      ],
      "version" : {
        "major" : 3,
        "minor" : 0
      }
    }
    """

  private static let version4 = """
    {
      "appPolicies" : {
        "eula" : "",
        "policies" : [
          {
            "locale" : "en_US",
            "policyText" : "",
            "policyURL" : ""
          }
        ]
      },
      "identifier" : "4C4C4C4C",
      "nonRenewingSubscriptions" : [

      ],
      "products" : [

      ],
      "settings" : {
        "_applicationInternalID" : "1234567890",
        "_askToBuyEnabled" : true,
        "_billingGracePeriodEnabled" : true,
        "_billingIssuesEnabled" : false,
        "_developerTeamID" : "A1B2C3D4E5",
        "_disableDialogs" : true,
        "_failTransactionsEnabled" : false,
        "_lastSynchronizedDate" : 712345678.12345695,
        "_locale" : "en_US",
        "_renewalBillingIssuesEnabled" : true,
        "_storeKitErrors" : [

        ],
        "_storefront" : "USA",
        "_timeRate" : 0
      },
      "subscriptionGroups" : [
        {
          "id" : "60606060",
          "localizations" : [

          ],
          "name" : "Gardeners",
          "subscriptions" : [
            {
              "adHocOffers" : [
                {
                  "displayPrice" : "1.99",
                  "internalID" : "61616161",
                  "numberOfPeriods" : 2,
                  "offerID" : "autumn",
                  "paymentMode" : "payAsYouGo",
                  "referenceName" : "Autumn",
                  "subscriptionPeriod" : "P1M"
                }
              ],
              "codeOffers" : [

              ],
              "displayPrice" : "5.99",
              "familyShareable" : false,
              "groupNumber" : 1,
              "internalID" : "62626262",
              "introductoryOffer" : {
                "internalID" : "63636363",
                "paymentMode" : "free",
                "subscriptionPeriod" : "P1W"
              },
              "localizations" : [

              ],
              "productID" : "gardeners.estate",
              "recurringSubscriptionPeriod" : "P1M",
              "referenceName" : "Estate",
              "subscriptionGroupID" : "60606060",
              "type" : "RecurringSubscription",
              "winbackOffers" : [

              ]
            },
            {
              "adHocOffers" : [

              ],
              "codeOffers" : [

              ],
              "displayPrice" : "0.99",
              "familyShareable" : false,
              "groupNumber" : 2,
              "internalID" : "64646464",
              "introductoryOffer" : null,
              "localizations" : [

              ],
              "productID" : "gardeners.balcony",
              "recurringSubscriptionPeriod" : "P1W",
              "referenceName" : "Balcony",
              "subscriptionGroupID" : "60606060",
              "type" : "RecurringSubscription",
              "winbackOffers" : [

              ]
            }
          ]
        }
      ],
      "subscriptionOffersKeyPair" : {
        "id" : "65656565",
        "privateKey" : ""
      },
      "version" : {
        "major" : 4,
        "minor" : 0
      }
    }
    """

  private static let version5 = """
    {
      "appPolicies" : {
        "eula" : "",
        "policies" : [

        ]
      },
      "identifier" : "5D5D5D5D",
      "nonRenewingSubscriptions" : [

      ],
      "products" : [

      ],
      "settings" : {
        "_compatibilityTimeRate" : 0,
        "_disableDialogs" : false,
        "_failTransactionsEnabled" : true,
        "_locale" : "en_US",
        "_somethingNewEnabled" : true,
        "_storeKitErrors" : [

        ],
        "_storefront" : "USA",
        "_timeRate" : 0
      },
      "subscriptionGroups" : [
        {
          "id" : "50505050",
          "localizations" : [

          ],
          "name" : "Almanac",
          "subscriptions" : [
            {
              "adHocOffers" : [

              ],
              "billingPlans" : [
                {
                  "billingPlanType" : "BILLED_UPFRONT",
                  "commitmentDisplayPrice" : "24.99",
                  "displayPrice" : "24.99",
                  "internalID" : "51515151",
                  "isEnabled" : true
                },
                {
                  "billingPlanType" : "MONTHLY",
                  "commitmentDisplayPrice" : "27.99",
                  "displayPrice" : "2.49",
                  "internalID" : "52525252",
                  "isEnabled" : true
                }
              ],
              "codeOffers" : [

              ],
              "displayPrice" : "24.99",
              "familyShareable" : false,
              "groupNumber" : 3,
              "internalID" : "53535353",
              "introductoryOffers" : [

              ],
              "localizations" : [

              ],
              "productID" : "almanac.year",
              "recurringSubscriptionPeriod" : "P1Y",
              "referenceName" : "Year",
              "subscriptionGroupID" : "50505050",
              "type" : "RecurringSubscription",
              "winbackOffers" : [

              ]
            }
          ]
        }
      ],
      "version" : {
        "major" : 5,
        "minor" : 0
      }
    }
    """
}
