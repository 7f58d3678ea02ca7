#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Sees what there is once for the whole program being changed by code on a simulated thread: other
  /// simulations, and processes that begin later, would find it changed.
  enum ProgramState {
    private typealias Pointer = UnsafeMutableRawPointer
    private typealias Path = UnsafePointer<CChar>
    private typealias ChangeFolder = @convention(c) (Path?) -> CInt
    private typealias ChangeToFile = @convention(c) (CInt) -> CInt
    private typealias SetVariable = @convention(c) (Path?, Path?, CInt) -> CInt
    private typealias RemoveVariable = @convention(c) (Path?) -> CInt
    private typealias PutVariable = @convention(c) (UnsafeMutablePointer<CChar>?) -> CInt
    private typealias SetLocale = @convention(c) (CInt, Path?) -> UnsafeMutablePointer<CChar>?
    private typealias SetMask = @convention(c) (UInt32) -> UInt32
    private typealias HandleSignal = @convention(c) (CInt, Pointer?) -> Pointer?
    private typealias SetAction = @convention(c) (CInt, Pointer?, Pointer?) -> CInt
    private typealias SetZone = @convention(c) (Pointer?) -> Void

    nonisolated(unsafe) private static var originalChangeFolder: ChangeFolder?
    nonisolated(unsafe) private static var originalChangeToFile: ChangeToFile?
    nonisolated(unsafe) private static var originalSetVariable: SetVariable?
    nonisolated(unsafe) private static var originalRemoveVariable: RemoveVariable?
    nonisolated(unsafe) private static var originalPutVariable: PutVariable?
    nonisolated(unsafe) private static var originalSetLocale: SetLocale?
    nonisolated(unsafe) private static var originalSetMask: SetMask?
    nonisolated(unsafe) private static var originalHandleSignal: HandleSignal?
    nonisolated(unsafe) private static var originalSetAction: SetAction?
    nonisolated(unsafe) private static var originalSetZone: SetZone?

    static func addReplacements(to list: inout ReplacementList) {
      list.add("chdir", &originalChangeFolder, changeFolder)
      list.add("fchdir", &originalChangeToFile, changeToFile)
      list.add("setenv", &originalSetVariable, setVariable)
      list.add("unsetenv", &originalRemoveVariable, removeVariable)
      list.add("putenv", &originalPutVariable, putVariable)
      list.add("setlocale", &originalSetLocale, setLocale)
      list.add("umask", &originalSetMask, setMask)
      list.add("signal", &originalHandleSignal, handleSignal)
      list.add("sigaction", &originalSetAction, setAction)
      list.add("CFTimeZoneSetDefault", &originalSetZone, setZone)
    }

    private static func text(_ path: Path?) -> String { path.map { String(cString: $0) } ?? "?" }

    private static let changeFolder: ChangeFolder = { path in
      Host.note(.programState, "changing the working directory to \(text(path))")
      return originalChangeFolder?(path) ?? -1
    }

    private static let changeToFile: ChangeToFile = { file in
      Host.note(.programState, "changing the working directory")
      return originalChangeToFile?(file) ?? -1
    }

    private static let setVariable: SetVariable = { name, value, overwrites in
      Host.note(.programState, "setting the environment variable \(text(name))")
      return originalSetVariable?(name, value, overwrites) ?? -1
    }

    private static let removeVariable: RemoveVariable = { name in
      Host.note(.programState, "removing the environment variable \(text(name))")
      return originalRemoveVariable?(name) ?? -1
    }

    private static let putVariable: PutVariable = { pair in
      Host.note(.programState, "setting the environment variable \(text(pair))")
      return originalPutVariable?(pair) ?? -1
    }

    private static let setLocale: SetLocale = { category, name in
      // Without a name it only asks.
      if name != nil { Host.note(.programState, "setting the locale \(text(name))") }
      return originalSetLocale?(category, name)
    }

    private static let setMask: SetMask = { mask in
      Host.note(.programState, "setting the file mode mask")
      return originalSetMask?(mask) ?? 0
    }

    private static let handleSignal: HandleSignal = { number, handler in
      Host.note(.programState, "handling the signal \(number)")
      return originalHandleSignal?(number, handler)
    }

    private static let setAction: SetAction = { number, action, old in
      // libcurl ignores SIGPIPE while it works, and then puts back what was there.
      if action != nil, number != SIGPIPE {
        Host.note(.programState, "handling the signal \(number)")
      }
      return originalSetAction?(number, action, old) ?? -1
    }

    private static let setZone: SetZone = { zone in
      Host.note(.programState, "setting the default time zone")
      originalSetZone?(zone)
    }
  }
#endif
