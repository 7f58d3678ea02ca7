import ChaosStore
import Foundation
import Invariants

/// What an app keeps on its device: written at once in memory, on the disk a little later.
///
/// When the app dies, what had not reached the disk is gone; a reinstall loses all, and a restored
/// backup brings back what was there once.
///
/// The device and `UserDefaults` share it; it belongs to the simulation's thread.
final class SimulatedStorage {
  private let port: HostedPhone
  /// What the process sees; made from the disk when it starts.
  private var values: [UInt64: Data] = [:]

  init(_ port: HostedPhone) {
    self.port = port
    for entry in port.run.payloads.records(of: port.phone) where values[entry.key] == nil {
      values[entry.key] = port.run.payloads.payload(entry.record.payload)
    }
  }

  /// The names under which something is kept in a part of the storage, sorted.
  func names(in part: String) -> [String] {
    values.keys.compactMap { port.run.payloads.storedName($0) }.filter { $0.hasPrefix(part) }
      .map { String($0.dropFirst(part.count)) }.sorted()
  }

  func value(_ name: String) -> Data? { values[Self.key(name)] }

  func set(_ data: Data?, _ name: String, about transactionID: UInt64?) {
    let key = Self.key(name)
    guard port.isAlive else { return }
    let before = values[key]
    values[key] = data
    port.run.payloads.keep(storedName: name, key)
    // Like any record of the app's: what is lost with it is lost with the goods.
    defer { port.noteGoods(name, from: before, to: data) }
    guard let data else { return port.tell(PhoneCalls.Erase(key: key)) }
    let record = StoredRecord(
      transaction: transactionID.map(SimulatedJWS.transaction) ?? .none,
      payload: port.run.payloads.keep(data, at: port.now))
    port.tell(PhoneCalls.Save(record: record, key: key))
  }

  /// What the device keeps, with the number of its bytes.
  func records() -> [(name: String, payload: UInt32)] {
    var known: Set<UInt64> = []
    return port.run.payloads.records(of: port.phone).compactMap { entry in
      guard let name = port.run.payloads.storedName(entry.key), known.insert(entry.key).inserted
      else { return nil }
      return (name, entry.record.payload)
    }
  }

  /// The app's code finds the file of this name as `device.files` has left it.
  func changedFile(_ name: String) { port.changedFile(name) }

  func flush() { if port.isAlive { port.tell(PhoneCalls.Flush()) } }

  /// FNV-1a: the simulator knows records by number.
  private static func key(_ name: String) -> UInt64 {
    name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}

/// Shaped like UserDefaults, for the keys and values that purchase code keeps there.
///
/// On Linux `UserDefaults.standard` of a hosted app has the same keys and values.
@MainActor
public final class SimulatedDefaults {
  /// What its keys begin with in the storage.
  nonisolated static let part = "defaults/"

  private let storage: SimulatedStorage

  init(_ storage: SimulatedStorage) { self.storage = storage }

  private func value(_ key: String) -> StoredValue? {
    storage.value(Self.part + key).map { StoredValue(encoded: $0) }
  }

  private func set(_ value: StoredValue, _ key: String, about transactionID: UInt64? = nil) {
    storage.set(value.encoded, Self.part + key, about: transactionID)
  }

  /// The data that was set; nil if there is none or it is something else.
  public func data(forKey key: String) -> Data? {
    if case .data(let data) = value(key) { data } else { nil }
  }
  /// The text that was set, or a number as text; nil if there is neither.
  public func string(forKey key: String) -> String? {
    switch value(key) {
    case .string(let string): string
    case .integer(let integer): "\(integer)"
    default: nil
    }
  }
  /// The keys of `dictionaryRepresentation()`, sorted.
  public var keys: [String] { storage.names(in: Self.part) }
  /// Whether what was set is true: a truth, a number other than 0, or a text such as `YES` or `true`.
  public func bool(forKey key: String) -> Bool {
    switch value(key) {
    case .bool(let bool): bool
    case .integer(let integer): integer != 0
    case .number(let number): number != 0
    case .string(let string): (string as NSString).boolValue
    default: false
    }
  }
  /// The number that was set, without its fraction; 0 if there is none or it is no number.
  public func integer(forKey key: String) -> Int {
    switch value(key) {
    case .integer(let integer): integer
    case .bool(let bool): bool ? 1 : 0
    case .number(let number): Int(exactly: number.rounded(.towardZero)) ?? 0
    case .string(let string): (string as NSString).integerValue
    default: 0
    }
  }
  /// The texts that were set; nil if there are none or it is something else.
  public func stringArray(forKey key: String) -> [String]? {
    guard case .array(let values) = value(key) else { return nil }
    let strings = values.compactMap { if case .string(let string) = $0 { string } else { nil } }
    return strings.count == values.count ? strings : nil
  }

  /// Sets a value; `about` names the transaction that it is kept for, so that invariants about
  /// local records can follow it.
  public func set(_ value: Data?, forKey key: String, about transactionID: UInt64? = nil) {
    guard let value else { return removeObject(forKey: key) }
    set(.data(value), key, about: transactionID)
  }
  /// Sets a text; `about` as for data.
  public func set(_ value: String, forKey key: String, about transactionID: UInt64? = nil) {
    set(.string(value), key, about: transactionID)
  }
  /// Sets a truth.
  public func set(_ value: Bool, forKey key: String) { set(.bool(value), key) }
  /// Sets a number.
  public func set(_ value: Int, forKey key: String) { set(.integer(value), key) }
  /// Sets texts.
  public func set(_ value: [String], forKey key: String) {
    set(.array(value.map { .string($0) }), key)
  }
  /// Removes a value; on the disk it is gone a little later.
  public func removeObject(forKey key: String) { storage.set(nil, Self.part + key, about: nil) }

  /// Waits until everything is on the disk, as UserDefaults.synchronize once did.
  public func synchronize() { storage.flush() }
}

/// Shaped like a folder of files.
///
/// On Linux it is the documents folder of a hosted app: a file that the app writes there by any function is found
/// here under its path in that folder, and what is written here the app finds there.
@MainActor
public final class SimulatedFiles {
  private let storage: SimulatedStorage

  init(_ storage: SimulatedStorage) { self.storage = storage }

  /// What a file holds; nil if there is none.
  public func contents(_ name: String) -> Data? { storage.value(StoredFile.key(named: name)) }

  /// Writes a file; it is on the disk a little later, or at once where `isSynchronous`.
  public func write(
    _ data: Data, to name: String, about transactionID: UInt64? = nil, isSynchronous: Bool = false
  ) {
    storage.set(data, StoredFile.key(named: name), about: transactionID)
    storage.changedFile(name)
    if isSynchronous { storage.flush() }
  }

  /// Removes a file; on the disk it is gone a little later.
  public func remove(_ name: String) {
    storage.set(nil, StoredFile.key(named: name), about: nil)
    storage.changedFile(name)
  }
}
