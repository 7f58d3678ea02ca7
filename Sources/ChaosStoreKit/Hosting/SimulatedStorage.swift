import ChaosStore
import Foundation
import Invariants

/// What an app keeps on its device: written at once in memory, on the disk a little later.
///
/// When the app dies, what had not reached the disk is gone; a reinstall loses all, and a restored
/// backup brings back what was there once.
@MainActor
final class SimulatedStorage {
  private let port: HostedPhone
  /// What the process sees; made from the disk when it starts.
  private var values: [UInt64: Data] = [:]

  init(_ port: HostedPhone) {
    self.port = port
    for (key, record) in port.phone.storedRecords where values[key] == nil {
      values[key] = port.run.payload(record.payload)
    }
  }

  /// The names under which something is kept in a part of the storage, sorted.
  func names(in part: String) -> [String] {
    values.keys.compactMap { port.run.storedName($0) }.filter { $0.hasPrefix(part) }
      .map { String($0.dropFirst(part.count)) }.sorted()
  }

  func value(_ name: String) -> Data? { values[Self.key(name)] }

  func set(_ data: Data?, _ name: String, about transactionID: UInt64?) {
    let key = Self.key(name)
    guard port.isAlive else { return }
    values[key] = data
    port.run.keep(storedName: name, key)
    guard let data else { return port.phone.erase(key: key) }
    port.phone.save(
      StoredRecord(
        transaction: transactionID.map(SimulatedJWS.transaction) ?? .none,
        payload: port.run.keep(data)),
      key: key)
  }

  func flush() { if port.isAlive { port.phone.flush() } }

  /// FNV-1a: the simulator knows records by number.
  private static func key(_ name: String) -> UInt64 {
    name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }
}

/// Shaped like UserDefaults, for the keys and values that purchase code keeps there.
@MainActor
public final class SimulatedDefaults {
  private let storage: SimulatedStorage

  init(_ storage: SimulatedStorage) { self.storage = storage }

  /// What was set; nil if nothing was, or it is gone.
  public func data(forKey key: String) -> Data? { storage.value("defaults/" + key) }
  /// The value as text; nil if there is none.
  public func string(forKey key: String) -> String? {
    data(forKey: key).map { String(decoding: $0, as: UTF8.self) }
  }
  /// The keys of `dictionaryRepresentation()`, sorted.
  public var keys: [String] { storage.names(in: "defaults/") }
  /// Whether `true` was set. A number is false here; UserDefaults takes any but 0 as true.
  public func bool(forKey key: String) -> Bool { string(forKey: key) == "true" }
  /// The number that was set; as with UserDefaults 0 if there is none or it is no number.
  public func integer(forKey key: String) -> Int { string(forKey: key).flatMap { Int($0) } ?? 0 }
  /// The value as texts; nil if there is none or it is something else.
  public func stringArray(forKey key: String) -> [String]? {
    data(forKey: key).flatMap { try? JSONDecoder().decode([String].self, from: $0) }
  }

  /// Sets a value; `about` names the transaction that it is kept for, so that invariants about
  /// local records can follow it.
  public func set(_ value: Data?, forKey key: String, about transactionID: UInt64? = nil) {
    storage.set(value, "defaults/" + key, about: transactionID)
  }
  /// Sets a text; `about` as for data.
  public func set(_ value: String, forKey key: String, about transactionID: UInt64? = nil) {
    set(Data(value.utf8), forKey: key, about: transactionID)
  }
  /// Sets a truth.
  public func set(_ value: Bool, forKey key: String) { set(value ? "true" : "false", forKey: key) }
  /// Sets a number.
  public func set(_ value: Int, forKey key: String) { set("\(value)", forKey: key) }
  /// Sets texts.
  public func set(_ value: [String], forKey key: String) {
    set(try? JSONEncoder().encode(value), forKey: key)
  }
  /// Removes a value; on the disk it is gone a little later.
  public func removeObject(forKey key: String) { set(nil as Data?, forKey: key) }

  /// Waits until everything is on the disk, as UserDefaults.synchronize once did.
  public func synchronize() { storage.flush() }
}

/// Shaped like a folder of files.
@MainActor
public final class SimulatedFiles {
  private let storage: SimulatedStorage

  init(_ storage: SimulatedStorage) { self.storage = storage }

  /// What a file holds; nil if there is none.
  public func contents(_ name: String) -> Data? { storage.value("files/" + name) }

  /// Writes a file; it is on the disk a little later, or at once where `isSynchronous`.
  public func write(
    _ data: Data, to name: String, about transactionID: UInt64? = nil, isSynchronous: Bool = false
  ) {
    storage.set(data, "files/" + name, about: transactionID)
    if isSynchronous { storage.flush() }
  }

  /// Removes a file; on the disk it is gone a little later.
  public func remove(_ name: String) { storage.set(nil, "files/" + name, about: nil) }
}
