/// The trace hash of seed 0x5eed of the mixed scenario, a line a system: with the mix as it is,
/// and with the subset and the rates that the seed gives it.
///
/// They are equal in debug and release and on every platform. When one changes, say so in the
/// commit: seeds that people have kept no longer mean what they meant.
enum GoldenHashes {
  static let mixed: [String: UInt64] = [
    "observer-on-demand": 0xda5a_a83a_ffe2_1f06,
    "observe-at-launch": 0x80d6_1fb6_c0aa_4540,
    "receipt-store": 0xf37f_cecb_79be_6820,
    "storekit2-order-token": 0xbbf8_45fe_9c10_7019,
    "white-black-tables": 0xdfb1_3c77_88ae_30cb,
    "stored-expiry": 0x365f_9313_091e_310e,
    "exactly-once": 0x2749_4f04_44e9_2024,
    "exactly-once-mutant": 0x2749_4f04_44e9_2024,
    "checkout-benchmark": 0x3ec7_5956_1f3b_53d2,
    "job-queue": 0xcb65_4dcb_8ada_91c2,
  ]

  static let swarmed: [String: UInt64] = [
    "observer-on-demand": 0x8fdd_0489_e8e1_c7ce,
    "observe-at-launch": 0x7e48_d0ad_c57c_e1e1,
    "receipt-store": 0x9cc5_d1c4_92b6_5d80,
    "storekit2-order-token": 0xc477_dc04_73bc_606d,
    "white-black-tables": 0x870e_a9a5_22e7_7095,
    "stored-expiry": 0x3524_37c0_0bdc_f505,
    "exactly-once": 0x69e2_787b_5386_cdd8,
    "exactly-once-mutant": 0x69e2_787b_5386_cdd8,
    "checkout-benchmark": 0x57d2_73ef_8553_6008,
    "job-queue": 0xaeb9_dea6_83f4_c38b,
  ]
}
