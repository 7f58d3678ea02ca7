/// The trace hash of seed 0x5eed of the mixed scenario, a line a system.
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
}
