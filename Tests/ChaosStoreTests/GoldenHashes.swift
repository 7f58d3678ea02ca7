/// The trace hash of seed 0x5eed of the mixed scenario, a line a system: with the mix as it is,
/// and with the subset and the rates that the seed gives it.
///
/// They are equal in debug and release and on every platform. When one changes, say so in the
/// CHANGELOG: seeds that people have kept no longer mean what they meant.
enum GoldenHashes {
  static let mixed: [String: UInt64] = [
    "observer-on-demand": 0x8a74_2d01_8725_7ec1,
    "observe-at-launch": 0x35ba_8305_4b2f_14be,
    "receipt-store": 0xd3e4_c6b3_9445_2d46,
    "storekit2-order-token": 0xb98a_31f4_ff1c_256f,
    "white-black-tables": 0x6403_f8e6_4fd6_074f,
    "exactly-once": 0xfbf9_1036_3e07_6c19,
    "checkout-benchmark": 0xb12b_5d0f_a0db_dea3,
  ]

  static let swarmed: [String: UInt64] = [
    "observer-on-demand": 0x3a90_7ba5_f22e_582e,
    "observe-at-launch": 0xcb05_5b5a_3f4f_738b,
    "receipt-store": 0xdcc7_c0e1_d674_d000,
    "storekit2-order-token": 0x3068_7dd0_bbfc_be69,
    "white-black-tables": 0x29cc_93d1_936f_2db4,
    "exactly-once": 0x96f3_3571_6053_0916,
    "checkout-benchmark": 0x57d2_73ef_8553_6008,
  ]
}
