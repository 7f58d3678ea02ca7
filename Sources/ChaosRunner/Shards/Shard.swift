/// One of so many equal parts of a campaign.
struct Shard: Equatable {
  /// From 1, as people count.
  let number: Int
  let count: Int

  /// As many as any batch system counts; sums of what so many files say cannot overflow.
  static let most = 1 << 16

  static let whole = Shard(number: 1, count: 1)

  var isWhole: Bool { count == 1 }

  private init(number: Int, count: Int) {
    self.number = number
    self.count = count
  }

  /// Refuses a number that is not one of so many.
  init(_ number: Int, of count: Int, _ place: String) throws(Failure) {
    guard (1...Self.most).contains(count) else {
      throw .usage("\(place): found \(count) shards, expected 1 to \(Self.most)")
    }
    guard (1...count).contains(number) else {
      throw .usage("\(place): found shard \(number) of \(count), expected 1 to \(count)")
    }
    self.init(number: number, count: count)
  }

  /// Reads `I/N`.
  init(parsing text: String, _ place: String) throws(Failure) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let number = Self.number(parts[0]), let count = Self.number(parts[1])
    else {
      throw .usage(
        "\(place): found '\(text)', expected I/N such as 3/64, 'auto', or one of "
          + ShardEnvironment.all.map(\.name).joined(separator: ", "))
    }
    try self.init(number, of: count, place)
  }

  /// Decimal digits and nothing else.
  static func number(_ text: some StringProtocol) -> Int? {
    text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
  }

  /// What its file is called where a folder is given.
  var fileName: String { "shard-\(number)-of-\(count).json" }
}

extension Shard: CustomStringConvertible {
  var description: String { "shard \(number) of \(count)" }
}
