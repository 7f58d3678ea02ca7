/// The clock that people see, and set.
extension Phone {
  /// What the phone's own clock shows, in seconds since 1970: it may be wrong, where the store's dates are right.
  public var clockSeconds: Int64 { beginsSeconds + now / 1000 + clockSkewSeconds }
  /// By how many seconds it is fast.
  package var clockSkewSeconds: Int64 { Int64(world.devices[device].clockMinutes) * 60 }
}
