#if os(Linux)
  import Foundation

  /// `UserDefaults`, as code on a simulated thread uses it: every object of the class, also one that was
  /// made before the run or is kept in a global, asks the process that is running.
  ///
  /// Foundation's Swift keeps what it is given by way of four functions of its C part, which it calls
  /// through the import table. Where a process has no stand-ins its code reads what the platform has,
  /// and to set something is a leak.
  enum DefaultsShadow {
    private typealias Object = UnsafeRawPointer
    private typealias Copy = @convention(c) (Object, Object) -> Object?
    private typealias Set = @convention(c) (Object, Object?, Object) -> Void
    private typealias CopyAll = @convention(c) (Object?, Object, Object, Object) -> Object?
    private typealias Synchronize = @convention(c) (Object) -> UInt8

    nonisolated(unsafe) private static var originalCopy: Copy?
    nonisolated(unsafe) private static var originalSet: Set?
    nonisolated(unsafe) private static var originalCopyAll: CopyAll?
    nonisolated(unsafe) private static var originalSynchronize: Synchronize?
    nonisolated(unsafe) private static var originalRegister: Object?
    /// What stands for the program itself where others have a suite's name.
    nonisolated(unsafe) private static var program: Object?

    static func addReplacements(to list: inout ReplacementList) {
      program = Symbols.address(of: "kCFPreferencesCurrentApplication")?.load(as: Object?.self)
      list.add("CFPreferencesCopyAppValue", &originalCopy, copy)
      list.add("CFPreferencesSetAppValue", &originalSet, set)
      list.add("CFPreferencesCopyMultiple", &originalCopyAll, copyAll)
      list.add("CFPreferencesAppSynchronize", &originalSynchronize, synchronize)
      guard let register = MethodCode.ofMade(register) else { return }
      // Subclasses have the method's address by way of their import table, the class itself has it not.
      list.add(
        "$s10Foundation12UserDefaultsC8register8defaultsySDySSypG_tF", &originalRegister, register)
      if let originalRegister {
        ClassTable(UserDefaults.self).replace(originalRegister, with: register)
      }
    }

    private static func text(_ object: Object) -> String? {
      Unmanaged<AnyObject>.fromOpaque(object).takeUnretainedValue() as? String
    }

    private static func suite(_ application: Object) -> String? {
      application == program ? nil : text(application)
    }

    private static func retained(_ object: AnyObject) -> Object {
      Object(Unmanaged.passRetained(object).toOpaque())
    }

    private static let copy: Copy = { key, application in
      guard let standIns = Host.standIns, let name = text(key) else {
        return originalCopy?(key, application)
      }
      return standIns.defaultsValue(forKey: name, suite: suite(application)).map(retained)
    }

    private static let set: Set = { key, value, application in
      guard let standIns = Host.standIns, let name = text(key) else {
        Host.note(.userDefaults, "UserDefaults, setting \(text(key) ?? "a key"),")
        originalSet?(key, value, application)
        return
      }
      standIns.setDefaultsValue(
        value.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }, forKey: name,
        suite: suite(application))
    }

    private static let copyAll: CopyAll = { keys, application, user, machine in
      guard let standIns = Host.standIns, keys == nil else {
        return originalCopyAll?(keys, application, user, machine)
      }
      let suite = suite(application)
      let all = NSMutableDictionary()
      for key in standIns.defaultsKeys(suite: suite) {
        if let value = standIns.defaultsValue(forKey: key, suite: suite) {
          all.setObject(value, forKey: key as NSString)
        }
      }
      return retained(all)
    }

    private static let synchronize: Synchronize = { application in
      guard let standIns = Host.standIns else {
        Host.note(.userDefaults, "UserDefaults.synchronize")
        return originalSynchronize?(application) ?? 0
      }
      standIns.synchronizeDefaults()
      return 1
    }

    // MARK: - Registering

    /// A method as a closure: code, and an object that is passed where a method gets `self`.
    private struct Register {
      let function: ([String: Any]) -> Void
    }

    @inline(never)
    private static func register(on object: AnyObject) -> Register {
      Register { values in
        if let standIns = Host.standIns {
          standIns.registerDefaults(values)
        } else if let originalRegister {
          MethodCode.closure(originalRegister, of: object, as: Register.self).function(values)
        }
      }
    }
  }
#endif
