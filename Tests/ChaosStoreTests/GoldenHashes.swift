/// The trace hash of seed 0x5eed of the mixed scenario, a line a system.
///
/// They are equal in debug and release and on every platform. When one changes, say so in the
/// CHANGELOG: seeds that people have kept no longer mean what they meant.
enum GoldenHashes {
  static let mixed: [String: UInt64] = [
    "observer-on-demand": 0x4aa6_7d91_beb5_eaf7,
    "observe-at-launch": 0xb1b5_3443_3aa7_695f,
    "receipt-store": 0xf68_8230_9f14_63d6,
    "storekit2-order-token": 0x316e_a24d_73a0_57ab,
    "white-black-tables": 0x1dcd_8b71_34c4_e4f5,
    "exactly-once": 0x8c81_cc4e_0ee0_ace8,
    "checkout-benchmark": 0x63c9_ec3c_57cf_a473,
  ]
}
