import Invariants

/// What a broken invariant comes to, as somebody who sells things would say it.
///
/// The table has a letter for each; the order is that of the damage.
enum Harm: Int, CaseIterable, Comparable {
  case lost, twice, wrongAccount, paidTwice, free, otherGoods, early, lies, refused, stuck
  case untraceable, record, books, other

  init(_ invariant: any Invariant) {
    self =
      switch invariant.code {
      case "I01": .lost
      case "I02": .twice
      case "I03", "I15": .early
      case "I04", "I23": .wrongAccount
      case "I05", "I08": .free
      case "I06", "I17": .stuck
      case "I11": .books
      case "I13": .paidTwice
      case "I14": .lies
      case "I16", "I20": .refused
      case "I18": .record
      case "I19": .otherGoods
      case "I24": .untraceable
      default: .other
      }
  }

  static func < (a: Harm, b: Harm) -> Bool { a.rawValue < b.rawValue }

  var letter: String { words.letter }
  var title: String { words.title }
  var meaning: String { words.meaning }

  /// Whether goods or money are gone.
  var isGrave: Bool { self <= .otherGoods }

  private var words: (letter: String, title: String, meaning: String) {
    switch self {
    case .lost: ("L", "money lost", "somebody paid, and the goods never came or came too late")
    case .twice: ("D", "delivered twice", "one payment was credited more than once")
    case .wrongAccount: ("W", "wrong account", "credited to somebody else, or noted as theirs")
    case .paidTwice: ("P", "paid twice", "one wish was charged more than once")
    case .free: ("F", "free goods", "credited without a payment that stands behind it")
    case .otherGoods: ("X", "other goods", "credited another product or quantity than was paid")
    case .early:
      ("E", "finished too early", "taken from the store's queue while the goods are not there yet")
    case .lies:
      ("T", "told wrong", "\"failed\" though charged, \"bought\" though nothing came, no answer")
    case .refused:
      ("R", "wrong refusal", "a good purchase refused, or a dead one sent again for ever")
    case .stuck:
      ("Q", "queue stuck", "never finished: it comes back at every launch, and blocks others")
    case .untraceable: ("N", "nobody's", "support cannot find out who paid")
    case .record: ("K", "local record", "the phone's own note of it lost too soon or kept too long")
    case .books: ("B", "books differ", "the sums of charges and credits do not agree")
    case .other: ("*", "other", "another invariant: see --details")
    }
  }
}
