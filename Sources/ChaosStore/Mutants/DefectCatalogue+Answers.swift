extension Defect {
  /// The entry of a defect of who is told what about which purchase;
  /// nil for any other.
  var ofAnswers: Entry? {
    switch self {
    case .answersLatestTap:
      Entry(
        name: "answers-latest-tap",
        summary: "A success is shown to whoever tapped last.",
        form: .storeKit2, world: .twoPhones, breaks: "honest-answers",
        coinciding: 1,
        plan: "hurry person.tap tx1 #1",
        evidence: ["RevenueCat/purchases-unity#1042"])
    case .answersFirstTap:
      Entry(
        name: "answers-first-tap",
        summary: "A success is shown to whoever has waited longest.",
        form: .storeKit2, world: .twoPhones, breaks: "honest-answers",
        coinciding: 1,
        plan: "drop verify.request tx1 #1",
        evidence: ["RevenueCat/purchases-unity#1042"])
    case .returnedIsOwn:
      Entry(
        name: "returned-is-own",
        summary: "What the store returns for a tap is taken for this person's purchase.",
        form: .storeKit2, world: .twoBuyers, breaks: "honest-answers",
        coinciding: 1,
        plan: "drop verify.request tx1 #1",
        evidence: ["Apple forum 723126"])
    case .successToAllWaiting:
      Entry(
        name: "success-to-all-waiting",
        summary: "A success is shown to all who wait for the product.",
        form: .storeKit2, world: .boughtTwice, breaks: "honest-answers",
        coinciding: 1,
        plan: "drop verify.request tx1 #1",
        evidence: [])
    case .errorFailsOthers:
      Entry(
        name: "error-fails-others",
        summary: "When one payment ends with an error, all others that wait are told a failure.",
        form: .storeKit2, world: .twoPhones, breaks: "honest-answers",
        coinciding: 2,
        plan: "drop verify.request tx1 #1, decline store.payment tx2 #1",
        evidence: ["RevenueCat/purchases-unity#1042"])
    case .successToSession:
      Entry(
        name: "success-to-session",
        summary: "Where the buyer has logged out, the success is shown to whoever is logged in.",
        form: .storeKit2, world: .sharedPhone, breaks: "honest-answers",
        coinciding: 2,
        plan: "drop verify.request tx1 #1, drop verify.request tx2 #1",
        evidence: [])
    default: nil
    }
  }
}
