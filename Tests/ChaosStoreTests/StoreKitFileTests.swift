import Invariants
import TestSupport
import Testing

@testable import ChaosStore

@Suite("A .storekit file, as Xcode writes it,")
struct StoreKitFileTests {
  private func version(_ major: Int) throws -> StoreKitFile {
    try StoreKitFile(json: try #require(StoreKitSample.versions.first { $0.major == major }).text)
  }

  private func refusal(_ text: String) -> String? {
    do {
      _ = try StoreKitFile(json: text)
      return nil
    } catch { return "\(error)" }
  }

  // MARK: - The versions

  @Test("of version 2 sells what is bought once, and has one number for the error of a payment")
  func version2() throws {
    let file = try version(2)
    var spade = Setup.Product("garden.spade", .nonConsumable)
    spade.isFamilyShareable = true
    #expect(file.products == [spade, .init("garden.season", .nonRenewing)])
    #expect(file.switches.map(\.path) == ["settings._billingIssuesEnabled"])
    #expect(
      file.remarks.map(\.description) == [
        "settings._timeRate: a rate at which subscriptions are renewed sooner: not simulated",
        "settings._storefront: another storefront than that of the United States: not simulated",
        "settings._locale: prices that are written otherwise than in the United States: not simulated",
      ])
  }

  @Test("of version 3 makes one call after the other fail")
  func version3() throws {
    let file = try version(3)
    #expect(file.products == [.init("garden.seeds", .consumable)])
    #expect(
      file.switches == [
        .init(
          path: "settings._storeKitErrors[0]", fault: .productsFail, question: .failProducts)
      ])
    #expect(
      file.remarks.map(\.description) == [
        "settings._storeKitErrors[0].current: which error 'Load Products' fails with: not simulated",
        "settings._storeKitErrors[2]: an error of 'Refund Request Sheet': not simulated",
      ])
  }

  @Test("of version 4 has levels of subscriptions, grace by the length of a period, and offers")
  func version4() throws {
    let file = try version(4)
    #expect(
      file.products == [
        .init(
          "gardeners.estate",
          .autoRenewable(
            .init(
              Period(1, .month), graceDays: 16, group: "60606060", level: 1,
              offers: [
                .init(nil, .introductory, .freeTrial, Period(1, .week)),
                .init("autumn", .promotional, .payAsYouGo, Period(1, .month), periods: 2),
              ]))),
        .init(
          "gardeners.balcony",
          .autoRenewable(.init(Period(1, .week), graceDays: 6, group: "60606060", level: 2))),
      ])
    #expect(file.switches.map(\.fault) == [.askToBuy, .billingProblem])
    #expect(file.remarks == [])
  }

  @Test("of version 5 has plans of payment, and what nobody knows yet is named")
  func version5() throws {
    let file = try version(5)
    #expect(
      file.products == [
        .init("almanac.year", .autoRenewable(.init(Period(1, .year), group: "50505050", level: 3)))
      ])
    #expect(file.switches.map(\.question) == [.declinePayment])
    let first = "subscriptionGroups[0].subscriptions[0]"
    #expect(
      file.remarks.map(\.description) == [
        "settings._somethingNewEnabled: an unknown key: not simulated",
        "\(first).billingPlans[1]: a billing plan that is not paid upfront: not simulated",
      ])
  }

  @Test("has nothing to remark where all of it is simulated or changes nothing")
  func quiet() throws {
    let settings = """
      "_askToBuyEnabled": false, "_disableDialogs": true, "_lastSynchronizedDate": 7.5, "_timeRate": 0,
      "_locale": "en_US", "_storefront": "USA", "_storeKitError": 0, "_developerTeamID": "A1",
      "_storeKitErrors": [{"name": "Offer Code Redeem Sheet", "enabled": false, "current": null}]
      """
    let file = try StoreKitFile(json: StoreKitSample.file(settings: settings))
    #expect(file.remarks == [] && file.switches == [])
    #expect(file.products.map(\.name) == ["coins", "map", "tea.pot", "tea.cup"])
  }

  @Test("names a switch for renewals where nothing is renewed")
  func nothingIsRenewed() throws {
    let text = #"""
      {"version": {"major": 4}, "settings": {"_renewalBillingIssuesEnabled": true},
       "products": [{"productID": "coins", "type": "Consumable"}]}
      """#
    let file = try StoreKitFile(json: text)
    #expect(file.switches == [])
    #expect(
      file.remarks.map(\.description) == [
        "settings._renewalBillingIssuesEnabled: a renewal cannot be charged, and none is sold: not simulated"
      ])
  }

  // MARK: - Refusals

  /// A file with one product and one group, in which one part is replaced.
  private static func changed(_ part: String, to other: String) -> String {
    let whole = #"""
      {"version": {"major": 4, "minor": 0},
       "products": [{"productID": "coins", "type": "Consumable", "familyShareable": false}, \#(mapText)],
       "nonRenewingSubscriptions": [{"productID": "pass", "type": "NonRenewingSubscription"}],
       "subscriptionGroups": [{"id": "G", "subscriptions": [{"productID": "pro", "groupNumber": 1,
         "type": "RecurringSubscription", "recurringSubscriptionPeriod": "P1M", "subscriptionGroupID": "G",
         "introductoryOffer": null, "codeOffers": [], "billingPlans": [{"isEnabled": true}]}]}],
       "settings": {"_askToBuyEnabled": false, "_timeRate": 0, "_locale": "en_US",
         "_storeKitErrors": [{"name": "Purchase", "enabled": false}]}}
      """#
    precondition(whole.ranges(of: part).count == 1, part)
    return whole.replacing(part, with: other)
  }

  private static let mapText =
    #"{"productID": "map", "type": "NonConsumable", "familyShareable": true}"#
  private static let group = "subscriptionGroups[0].subscriptions[0]"

  @Test(
    "is refused with the place, what was found and what is expected",
    arguments: [
      (#""major": 4, "#, "", "version.major: found nothing, expected a whole number from 1 to 5"),
      (
        #""major": 4"#, #""major": 6"#,
        "version.major: found 6, expected a whole number from 1 to 5"
      ),
      (
        #"{"major": 4, "minor": 0}"#, "4",
        #"version: found 4, expected the version of the format, such as {"major": 4, "minor": 0}"#
      ),
      (
        #""products""#, #""product""#,
        "products: found nothing, expected a list of products, which may be empty"
      ),
      (
        #"[{"productID": "coins", "type": "Consumable", "familyShareable": false}, \#(mapText)]"#,
        "{}",
        "products: found an object, expected a list of products, which may be empty"
      ),
      (
        #"{"productID": "coins", "type": "Consumable", "familyShareable": false}"#, "7",
        "products[0]: found 7, expected a product"
      ),
      (
        #""productID": "coins", "#, "",
        "products[0].productID: found nothing, expected the identifier of a product"
      ),
      (
        #""productID": "coins""#, #""productID": 7"#,
        "products[0].productID: found 7, expected the identifier of a product"
      ),
      (
        #""productID": "coins""#, #""productID": """#,
        "products[0].productID: found '', expected the identifier of a product"
      ),
      (
        #""Consumable""#, #""Consumeable""#,
        "products[0].type: found 'Consumeable', expected one of Consumable, NonConsumable; did you mean 'Consumable'?"
      ),
      (
        #""Consumable""#, #""RecurringSubscription""#,
        "products[0].type: found 'RecurringSubscription', expected one of Consumable, NonConsumable"
      ),
      (
        #""familyShareable": true"#, #""familyShareable": "no""#,
        "products[1].familyShareable: found 'no', expected true or false"
      ),
      (
        #""NonRenewingSubscription""#, "null",
        "nonRenewingSubscriptions[0].type: found null, expected NonRenewingSubscription"
      ),
      (
        #""pass""#, #""coins""#,
        "nonRenewingSubscriptions[0].productID: found 'coins', expected an identifier that no other product has; products[0].productID is the same"
      ),
      (
        #""pro""#, #""coins""#,
        "\(group).productID: found 'coins', expected an identifier that no other product has; products[0].productID is the same"
      ),
      (
        #""id": "G", "#, "",
        "subscriptionGroups[0].id: found nothing, expected the identifier of a group"
      ),
      (
        #""subscriptions""#, #""subscription""#,
        "subscriptionGroups[0].subscriptions: found nothing, expected a list of subscriptions"
      ),
      (
        #""subscriptionGroupID": "G""#, #""subscriptionGroupID": "H""#,
        "\(group).subscriptionGroupID: found 'H', expected 'G', as the group that it stands in"
      ),
      (
        #""P1M""#, #""PT1M""#,
        "\(group).recurringSubscriptionPeriod: found 'PT1M', expected how long a payment lasts, such as P1W, P1M or P1Y"
      ),
      (
        #""P1M""#, "30",
        "\(group).recurringSubscriptionPeriod: found 30, expected how long a payment lasts, such as P1W, P1M or P1Y"
      ),
      (
        #""groupNumber": 1,"#, "",
        "\(group).groupNumber: found nothing, expected a whole number from 1 to 100"
      ),
      (
        #""groupNumber": 1"#, #""groupNumber": 0"#,
        "\(group).groupNumber: found 0, expected a whole number from 1 to 100"
      ),
      (
        #""introductoryOffer": null"#, #""introductoryOffer": []"#,
        "\(group).introductoryOffer: found a list, expected an offer, or null"
      ),
      (
        #""codeOffers": []"#, #""codeOffers": {}"#,
        "\(group).codeOffers: found an object, expected a list of offers"
      ),
      (
        #""_askToBuyEnabled": false"#, #""_askToBuyEnabled": 1"#,
        "settings._askToBuyEnabled: found 1, expected true or false"
      ),
      (
        #""enabled": false"#, #""enabled": null"#,
        "settings._storeKitErrors[0].enabled: found null, expected true or false"
      ),
      (
        #"[{"name": "Purchase", "enabled": false}]"#, #""Purchase""#,
        "settings._storeKitErrors: found 'Purchase', expected a list"
      ),
    ])
  func refusals(part: String, other: String, message: String) {
    #expect(refusal(Self.changed(part, to: other)) == message)
  }

  // MARK: - What is not simulated

  private static let mostShapes: [String] = [
    "null", "true", "7", "-1", "6.5", "1e400", #""text""#, "[]", "[6]", "{}", #"{"3": 6}"#,
  ]

  @Test(
    "is read whatever the form of a key that is not simulated",
    arguments: [
      (#""_timeRate": 0"#, #""_timeRate""#),
      (#""_timeRate": 0"#, #""_compatibilityTimeRate""#),
      (#""_timeRate": 0"#, #""_storeKitError""#),
      (#""_locale": "en_US""#, #""_locale""#), (#""_locale": "en_US""#, #""_storefront""#),
      (#""_locale": "en_US""#, #""_nobodyKnows""#),
      (#""name": "Purchase""#, #""current""#),
      (#""name": "Purchase", "enabled": false"#, #""name""#),
      (#""name": "Purchase", "enabled": false"#, #""name": "Refund Request Sheet", "enabled""#),
      (#""minor": 0"#, #""minor""#), (#""familyShareable": false"#, #""familyShareable""#),
      (#""billingPlans": [{"isEnabled": true}]"#, #""billingPlans""#),
      (#"{"isEnabled": true}"#, #"{"isEnabled": true}, {"isEnabled""#),
      (#"{"isEnabled": true}"#, ""),
    ])
  func otherShapes(part: String, key: String) {
    for shape in Self.mostShapes {
      var other = key.isEmpty ? shape : "\(key): \(shape)"
      // The last one opens another object.
      if key.hasPrefix("{") { other += "}" }
      #expect(refusal(Self.changed(part, to: other)) == nil, "\(other)")
    }
  }

  @Test("says that renewals come sooner in Xcode, in the form that Xcode 26 writes")
  func timeRate() throws {
    let settings = #""_compatibilityTimeRate": {"3": 6}"#
    let file = try StoreKitFile(json: StoreKitSample.file(settings: settings))
    #expect(
      file.remarks.map(\.description) == [
        "settings._compatibilityTimeRate: a rate at which subscriptions are renewed sooner: not simulated"
      ])
  }

  /// The remarks on a subscription that has this key.
  private func remarks(_ key: String) throws -> [String] {
    let file = try StoreKitFile(
      json: Self.changed(#""introductoryOffer": null"#, to: key))
    return file.remarks.map { $0.description.replacing(Self.group + ".", with: "") }
      .filter { !$0.hasPrefix("billingPlans") }
  }

  @Test("has one introductory offer under the old key and the new one")
  func introductoryOffers() throws {
    func offer(_ mode: String, _ more: String = "") -> String {
      #"{"paymentMode": "\#(mode)", "subscriptionPeriod": "P1W"\#(more)}"#
    }
    let one = #""introductoryOffer": \#(offer("free", #", "referenceName": null"#))"#
    #expect(try remarks("\(one), \"introductoryOffers\": [\(offer("free"))]") == [])
    #expect(
      try remarks("\(one), \"introductoryOffers\": [\(offer("payUpFront"))]") == [
        "introductoryOffers[0]: another introductory offer than the first: not simulated"
      ])
    let plans =
      offer("free", #", "billingPlanType": "BILLED_UPFRONT""#) + ","
      + offer("free", #", "billingPlanType": "MONTHLY""#)
    #expect(
      try remarks("\"introductoryOffers\": [\(plans)]") == [
        "introductoryOffers[1].billingPlanType: an offer for a plan that is not paid upfront: not simulated"
      ])
  }

  @Test("says where a code is not for everybody")
  func eligibility() throws {
    let offer =
      #"{"offerID": "SPRING", "paymentMode": "free", "subscriptionPeriod": "P1W", "eligibility": "#
    func found(_ groups: String) throws -> [String] {
      let text = Self.changed(#""codeOffers": []"#, to: "\"codeOffers\": [\(offer)\(groups)}]")
      return try StoreKitFile(json: text).remarks.map(\.description)
        .filter { $0.contains("codeOffers") }
    }
    #expect(try found(#"["new", "existing", "expired"]"#) == [])
    #expect(
      try found(#"["expired"]"#) == [
        "\(Self.group).codeOffers[0].eligibility: a code that some people may not redeem: not simulated"
      ])
  }

  @Test("is refused where it is no JSON, or something else")
  func noFile() {
    #expect(refusal("{") == "line 1, column 2: found the end, expected a key in quotation marks")
    #expect(refusal("[]") == "the file: found a list, expected an object, as Xcode writes it")
    #expect(
      refusal("{}")
        == #"version: found nothing, expected the version of the format, such as {"major": 4, "minor": 0}"#
    )
  }

  @Test("never traps, whatever stands in any of its places")
  func mutated() throws {
    var refused = 0
    var read = 0
    for (_, text) in StoreKitSample.versions {
      for mutation in JSONMutation.all(of: try JSONParser.parse(text)) {
        if refusal(mutation.value.text) == nil { read += 1 } else { refused += 1 }
      }
    }
    #expect(refused > 500 && read > 500, "\(refused) refused, \(read) read")
  }
}
