extension Fault {
  /// What is known about those on the phone that strike only where they are named.
  var describedOfClient: Entry {
    switch self {
    case .handlerTwice:
      Entry(
        code: "F04", name: "handler-twice", short: "the listener is attached twice",
        about: """
          The code that attaches the listener has run twice, as on a screen that is visited again: each \
          transaction is handled twice at the same moment, until the listener is removed or the app ends. A \
          hosted app attaches its listeners itself, and is left alone.
          """,
        evidence: [
          "hrk4649/godot_ios_plugin_iap#17", "j3k0/cordova-plugin-purchase#1298",
          "j3k0/cordova-plugin-purchase#1579",
        ],
        oneIn: 4)
    case .identityDrift:
      Entry(
        code: "F17", name: "identity-drift", short: "what is owned comes with another id",
        about: """
          At a launch a non-consumable or a subscription that is paid for comes once more, unasked, with a \
          transaction id of its own and the original id of the charge. It is unfinished until it is finished, \
          and until then it comes under no further one.
          """,
        evidence: [
          "j3k0/cordova-plugin-purchase: release notes, duplicates of subscriptions",
          "jamesmontemagno/InAppBillingPlugin#214",
        ],
        oneIn: 8)
    case .finishedElsewhere:
      Entry(
        code: "F18", name: "finished-elsewhere", short: "another part of the app has finished it",
        about: """
          Another library in the app listens to the same queue and finishes a transaction as soon as it is \
          charged: StoreKit 1 never calls the app back with it, StoreKit 2 returns it finished. If the app \
          dies then, nothing on the phone has it.
          """,
        evidence: ["RevenueCat/purchases-ios#2415", "RevenueCat/purchases-ios#3300"],
        oneIn: 8)
    case .storefrontChanged:
      Entry(
        code: "F25", name: "storefront-changed", short: "the storefront changes in between",
        about: """
          Between the price on the screen and the payment the person's storefront becomes another one: the \
          product is not sold there, and the payment is refused; or it is, and is charged at its price, and \
          the transaction names that storefront.
          """,
        evidence: [
          "Apple: SKPaymentQueueDelegate, paymentQueue(_:shouldContinue:in:)",
          "Apple: Storefront.updates",
        ],
        oneIn: 8)
    case .clockWrong:
      Entry(
        code: "F26", name: "clock-wrong", short: "the phone's clock is wrong",
        about: """
          In one launch the phone's clock is hours or weeks slow or fast, as its owner has set it. The store's \
          dates are right.
          """,
        evidence: ["j3k0/cordova-plugin-purchase: clock_rollback of offline entitlements"],
        oneIn: 4)
    default: fatalError("bug: \(self) is no fault of the phone's that is named alone")
    }
  }
}
