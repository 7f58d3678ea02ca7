/// The trace hash of seed 0x5eed of the mixed scenario, a line a system: with the mix as it is,
/// and with the subset and the rates that the seed gives it.
///
/// They are equal in debug and release and on every platform. When one changes, say so in the
/// CHANGELOG: seeds that people have kept no longer mean what they meant.
enum GoldenHashes {
  static let mixed: [String: UInt64] = [
    "observer-on-demand": 0x8530_b023_5ead_d699,
    "observe-at-launch": 0x5b6c_ef99_6345_8012,
    "receipt-store": 0x90ce_8776_29e6_173d,
    "storekit2-order-token": 0x98fa_45be_af1c_5d23,
    "white-black-tables": 0xe997_e128_9832_27e0,
    "exactly-once": 0x8c81_cc4e_0ee0_ace8,
    "checkout-benchmark": 0x28e5_ffe9_4d32_8ee2,
  ]

  static let swarmed: [String: UInt64] = [
    "observer-on-demand": 0x1c1b_e4e8_58a7_fc2e,
    "observe-at-launch": 0x9cf7_1f64_643a_fad0,
    "receipt-store": 0xda3b_26a4_4bba_702d,
    "storekit2-order-token": 0xa28a_3906_371f_a20e,
    "white-black-tables": 0xba16_eadf_0362_66bd,
    "exactly-once": 0xe39a_566a_5b55_23ab,
    "checkout-benchmark": 0xb5e6_a3b3_971b_98e9,
  ]
}
