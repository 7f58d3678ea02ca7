/// What a broken invariant comes to, as somebody who sells things would say it.
///
/// The order is that of the damage, the costliest first; a report has a letter for each.
public enum Impact: String, CaseIterable, Comparable, Sendable {
  /// A customer paid, and the goods came too late or never.
  case moneyLost = "money-lost"
  /// One payment was credited more than once.
  case deliveredTwice = "delivered-twice"
  /// Credited to another user, or recorded as theirs.
  case wrongAccount = "wrong-account"
  /// One wish was charged more than once.
  case paidTwice = "paid-twice"
  /// Credited without a payment that stands behind it.
  case freeGoods = "free-goods"
  /// Credited another product or quantity than was paid.
  case otherGoods = "other-goods"
  /// Taken from the store's queue while the goods are not there yet.
  case finishedEarly = "finished-early"
  /// The person was told something that is not so.
  case toldWrong = "told-wrong"
  /// A good purchase refused, or a dead one sent again for ever.
  case wrongRefusal = "wrong-refusal"
  /// Never finished: it comes back at every launch, and blocks others.
  case queueStuck = "queue-stuck"
  /// The person is asked for a password again and again, without having done anything.
  case askedAgain = "asked-again"
  /// Support cannot find out who paid.
  case untraceable
  /// The phone's own note of a purchase lost too soon or kept too long.
  case localRecord = "local-record"
  /// The sums of charges and credits do not agree.
  case booksDiffer = "books-differ"
  /// Anything else; what a rule has that says nothing of it.
  case other
  /// The app said nothing for too long. It weighs least, since it often follows from another break.
  case leftWaiting = "left-waiting"

  /// The costlier one comes first.
  public static func < (a: Impact, b: Impact) -> Bool { a.rank < b.rank }

  /// The letter that stands for it in a table.
  public var letter: String { words.letter }
  /// What it is called, in two or three words.
  public var title: String { words.title }
  /// What it means for those who pay and those who sell, in half a sentence.
  public var meaning: String { words.meaning }
  /// Whether goods or money are gone.
  public var isGrave: Bool { self <= .otherGoods }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  private var words: (letter: String, title: String, meaning: String) {
    switch self {
    case .moneyLost:
      ("L", "money lost", "a customer paid, and the goods came too late or never")
    case .deliveredTwice: ("D", "delivered twice", "one payment was credited more than once")
    case .wrongAccount: ("W", "wrong account", "credited to another user, or recorded as theirs")
    case .paidTwice: ("P", "paid twice", "one wish was charged more than once")
    case .freeGoods: ("F", "free goods", "credited without a payment that stands behind it")
    case .otherGoods: ("X", "other goods", "credited another product or quantity than was paid")
    case .finishedEarly:
      ("E", "finished early", "taken from the store's queue while the goods are not there yet")
    case .toldWrong:
      ("T", "told wrong", "\"failed\" though charged, or \"bought\" though nothing came")
    case .wrongRefusal:
      ("R", "wrong refusal", "a good purchase refused, or a dead one sent again for ever")
    case .queueStuck:
      ("Q", "queue stuck", "never finished: it comes back at every launch, and blocks others")
    case .askedAgain:
      ("A", "asked again", "the password is asked for time and again, and nobody tapped anything")
    case .untraceable: ("N", "buyer unknown", "support cannot find out who paid")
    case .localRecord:
      ("K", "local record", "the phone's own note of it lost too soon or kept too long")
    case .booksDiffer:
      ("B", "books differ", "the sums of charges and credits do not agree")
    case .other: ("*", "other", "another rule is broken: see --details")
    case .leftWaiting: ("S", "left waiting", "the app stayed open and said nothing for too long")
    }
  }
}
