extension Fault.Entry {
  static let reopen = Self(
    code: "U01", name: "reopen", short: "the app is closed and opened again",
    about: """
      Ordinary use: after a tap, or after being told something, a person closes the app and \
      opens it again. What was stored is on the disk. It costs a plan no fault, and what strikes \
      at a launch can strike then.
      """,
    evidence: ["Apple: transactions are handed over at each launch"],
    oneIn: 40)
  static let visitAgain = Self(
    code: "U02", name: "visit-again", short: "the shop page is opened once more",
    about: """
      Ordinary use: after being told something, a person opens the shop page once more. It \
      costs a plan no fault.
      """,
    evidence: ["Apple forum 716059"],
    oneIn: 40)
  static let buyMore = Self(
    code: "U03", name: "buy-more", short: "the same product is bought once more",
    about: """
      Ordinary use: a person who was told something about a purchase wants the same product \
      once more. It is a wish of its own, and costs a plan no fault.
      """,
    evidence: ["Apple: consumables can be bought any number of times"],
    oneIn: 40)
  static let background = Self(
    code: "U04", name: "background", short: "the app is in the background for a while",
    about: """
      Ordinary use: after a tap, or after being told something, a person looks at another app. \
      None of the app's code runs meanwhile: timers, answers and callbacks come when it is back. \
      It costs a plan no fault.
      """,
    evidence: ["Apple: apps in the background are suspended"],
    oneIn: 40)
}
