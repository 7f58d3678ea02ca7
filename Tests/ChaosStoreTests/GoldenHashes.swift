/// The trace hash of seed 0x5eed of the mixed scenario, a line a system: with the mix as it is,
/// and with the subset and the rates that the seed gives it.
///
/// They are equal in debug and release and on every platform. When one changes, say so in the
/// CHANGELOG: seeds that people have kept no longer mean what they meant.
enum GoldenHashes {
  static let mixed: [String: UInt64] = [
    "observer-on-demand": 0x6338_6df2_0ee6_1e9a,
    "observe-at-launch": 0x6316_dda3_9aca_16e7,
    "receipt-store": 0x9e26_ae51_5fbb_cb67,
    "storekit2-order-token": 0x00fc_0733_9bc9_8018,
    "white-black-tables": 0x546b_a773_f911_9a48,
    "exactly-once": 0x2749_4f04_44e9_2024,
    "checkout-benchmark": 0x6b5f_406c_c031_f74e,
  ]

  static let swarmed: [String: UInt64] = [
    "observer-on-demand": 0x52f2_4156_a054_84af,
    "observe-at-launch": 0x9b8f_f2d3_a04b_474d,
    "receipt-store": 0xef28_672f_0d17_7a29,
    "storekit2-order-token": 0xa75c_23d3_85a9_2225,
    "white-black-tables": 0xbdb9_9b27_d359_db3b,
    "exactly-once": 0x69e2_787b_5386_cdd8,
    "checkout-benchmark": 0x57d2_73ef_8553_6008,
  ]
}
