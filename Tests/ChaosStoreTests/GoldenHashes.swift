/// The trace hash of seed 0x5eed of the mixed scenario, a line a system: with the mix as it is,
/// and with the subset and the rates that the seed gives it.
///
/// They are equal in debug and release and on every platform. When one changes, say so in the
/// CHANGELOG: seeds that people have kept no longer mean what they meant.
enum GoldenHashes {
  static let mixed: [String: UInt64] = [
    "observer-on-demand": 0x8a74_2d01_8725_7ec1,
    "observe-at-launch": 0xa1d1_0b27_0d39_eb2f,
    "receipt-store": 0xd3e4_c6b3_9445_2d46,
    "storekit2-order-token": 0xdccf_2719_5226_346c,
    "white-black-tables": 0xdcf5_f9da_355a_87a1,
    "exactly-once": 0xebc5_6e61_f305_cbbf,
    "checkout-benchmark": 0xb12b_5d0f_a0db_dea3,
  ]

  static let swarmed: [String: UInt64] = [
    "observer-on-demand": 0x3a90_7ba5_f22e_582e,
    "observe-at-launch": 0xcb05_5b5a_3f4f_738b,
    "receipt-store": 0xdcc7_c0e1_d674_d000,
    "storekit2-order-token": 0x3a1f_761d_77a8_b924,
    "white-black-tables": 0xd45b_ee21_a40c_008d,
    "exactly-once": 0xde17_a8f5_5766_5560,
    "checkout-benchmark": 0x57d2_73ef_8553_6008,
  ]
}
