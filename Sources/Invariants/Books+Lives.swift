/// The lives of apps: who is in front of them, and for how long the apps of a store account run.
extension Books {
  mutating func beginLife(of device: DeviceID, _ storeAccount: StoreAccountID) {
    let number = lifeEnds.count
    page.lifeEnds.makeRoom(for: number, .max)
    let place = room(for: device)
    page.devices[changing: place].life = UInt32(number)
    page.devices[changing: place].storeAccount = storeAccount
    page.devices[changing: place].noted = .none
    page.devices[changing: place].lastWish = .none
  }

  /// From now on this person is in front of the device; for the one before, the life of the app is over.
  @inline(__always)
  mutating func seat(_ account: AccountID, at device: DeviceID) {
    guard device.index < devices.count, !account.isNone else { return }
    if _slowPath(devices[device.index].user != account) { changeUser(of: device, to: account) }
    noteUser(account, of: device)
  }

  @inline(never)
  mutating func changeUser(of device: DeviceID, to account: AccountID) {
    let isRunning = life(on: device).number != .max
    if isRunning, !devices[device.index].user.isNone {
      endLife(of: device)
      beginLife(of: device, devices[device.index].storeAccount)
    }
    page.devices[changing: device.index].user = account
  }

  mutating func endLife(of device: DeviceID) {
    let life = Int(life(on: device).number)
    guard life < lifeEnds.count else { return }
    page.lifeEnds[changing: life] = now.millis
    page.devices[changing: device.index].life = .max
  }

  @inline(never)
  mutating func start(_ account: StoreAccountID) {
    makeRoom(forStoreAccount: account.index)
    if storeAccounts[account.index].runningApps == 0 {
      page.storeAccounts[changing: account.index].runningSince = now.millis
    }
    page.storeAccounts[changing: account.index].runningApps += 1
  }

  mutating func stop(_ account: StoreAccountID) {
    guard account.index < storeAccounts.count else { return }
    guard storeAccounts[account.index].runningApps > 0 else { return }
    let running = faultFreeRunning(account)
    page.storeAccounts[changing: account.index].runningApps -= 1
    if storeAccounts[account.index].runningApps == 0 {
      page.storeAccounts[changing: account.index].running = running
    }
  }
}
