/// How the runs of a campaign are divided among shards: a scenario's plans are one piece, its seeds several, and the
/// pieces are dealt out in turn.
///
/// Each run is in exactly one shard. A scenario of many seeds is divided among all of them; one of few is not cut
/// up, as to set up its world would take longer than to run it.
struct Partition {
  /// What one shard runs of one scenario.
  struct Share: Equatable {
    var hasPlans: Bool
    var seeds: Range<UInt64>

    var isNothing: Bool { !hasPlans && seeds.isEmpty }
  }

  /// A piece has so many seeds at least, unless the scenario has fewer.
  static let leastSeeds: UInt64 = 1000

  /// The seeds of each scenario.
  let seeds: [Range<UInt64>]
  /// Whether the strategy runs small plans before it draws seeds.
  let hasPlans: Bool
  let count: Int

  /// What a shard runs, scenario by scenario.
  func shares(of shard: Shard) -> [Share] {
    var next = 0
    return seeds.map { seeds in
      let pieces = Self.pieces(of: seeds, among: count)
      let plans = hasPlans ? 1 : 0
      // The place of this shard in the turn that begins with this scenario.
      let place = ((shard.number - 1 - next) % count + count) % count
      let piece = (place - plans + count) % count
      next = (next + plans + pieces) % count
      return Share(
        hasPlans: hasPlans && place == 0,
        seeds: piece < pieces
          ? Self.piece(piece, of: pieces, seeds) : seeds.lowerBound..<seeds.lowerBound)
    }
  }

  private static func pieces(of seeds: Range<UInt64>, among count: Int) -> Int {
    Int(max(1, min(UInt64(count), UInt64(seeds.count) / leastSeeds)))
  }

  private static func piece(_ piece: Int, of pieces: Int, _ seeds: Range<UInt64>) -> Range<UInt64> {
    let (size, rest) = UInt64(seeds.count).quotientAndRemainder(dividingBy: UInt64(pieces))
    func start(_ piece: UInt64) -> UInt64 { seeds.lowerBound + piece * size + min(piece, rest) }
    return start(UInt64(piece))..<start(UInt64(piece) + 1)
  }
}
