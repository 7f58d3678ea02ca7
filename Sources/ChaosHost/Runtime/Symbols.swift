import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the dynamic loader knows about the program.
enum Symbols {
  private typealias Locate =
    @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> CInt
  private typealias Demangle =
    @convention(c) (
      UnsafePointer<CChar>, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?

  /// `Dl_info`, which the C library's headers keep from Swift on Linux.
  private struct Location {
    var file: UnsafePointer<CChar>?
    var base: UInt = 0
    var symbol: UnsafePointer<CChar>?
    var address: UInt = 0
  }

  nonisolated(unsafe) private static let program = dlopen(nil, RTLD_NOW)

  /// Where an exported symbol of the program or its libraries lies.
  static func address(of name: String) -> UnsafeMutableRawPointer? { dlsym(program, name) }

  /// An exported C function, as what it is.
  static func function<Function>(_ name: String, as _: Function.Type) -> Function? {
    address(of: name).map { unsafeBitCast($0, to: Function.self) }
  }

  /// A function as a person calls it.
  struct FunctionName: Sendable {
    /// Such as `closure #1 in CoinShop.CoinStore.refresh (CoinStore.swift:20)`, the file and the line as far as there is
    /// debug information, or its place in the program if nobody knows its name.
    var text: String
    /// Whether it belongs to the harness, or to a library that the program does not bring with it.
    var isForeign: Bool
  }

  private static let names = Mutex<[UInt: FunctionName]>([:])

  /// The name of the function at an address. Each is looked up once.
  static func name(at address: UInt) -> FunctionName {
    names.withLock { names in
      if let known = names[address] { return known }
      let name = lookUp(address)
      names[address] = name
      return name
    }
  }

  private static func lookUp(_ address: UInt) -> FunctionName {
    var location = Location()
    guard let locate = function("dladdr", as: Locate.self),
      let pointer = UnsafeRawPointer(bitPattern: address), locate(pointer, &location) != 0
    else { return FunctionName(text: "an unknown function", isForeign: true) }
    let offset = address - location.base
    let path = location.file.map { String(cString: $0) } ?? ""
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let isOfPlatform = platform.contains(where: file.hasPrefix)
    let source = isOfPlatform ? nil : Host.beside { ProgramSource(at: address) }
    let symbol = location.symbol.map { String(cString: $0) } ?? source?.symbol
    guard let symbol else {
      return FunctionName(
        text: "\(file)+0x\(String(offset, radix: 16))", isForeign: isOfPlatform)
    }
    return FunctionName(
      text: shortened(demangled(symbol)) + (source?.place.map { " (\($0))" } ?? ""),
      isForeign: isOfPlatform || isOwn(symbol) || isSwift(symbol))
  }

  /// Whether it is one of Swift's own functions, which the program has for itself where it is generic.
  private static func isSwift(_ mangled: String) -> Bool {
    mangled.hasPrefix("$ss") || mangled.hasPrefix("$sSc")
  }

  private static let platform = [
    "libswift", "libFoundation", "lib_Foundation", "libdispatch", "libc.",
  ]

  /// Without what only a compiler wants to know of it.
  private static func shortened(_ name: String) -> String {
    var name = name.replacing(#/^\(\d+\) (?:suspend|await) resume partial function for /#, with: "")
    // What the optimiser has made of it.
    name = name.replacing(#/^.*specialization <.*> of /#, with: "")
    name = name.replacing(#/closure #(\d+) .*? in (?!_)/#, with: { "closure #\($0.1) in " })
    name = name.replacing(#/\((\w+) in _[0-9A-F]+\)/#, with: { "\($0.1)" })
    guard let end = name.firstIndex(of: "(") else { return name }
    return String(name[..<end])
  }

  private static let own = mangled(
    "Invariants", "ChaosStore", "ChaosRunner", "ChaosStoreKit", "ChaosHost", "ChaosCombine",
    "ChaosLog")

  /// How what belongs to these modules begins.
  private static func mangled(_ modules: String...) -> [String] {
    modules.map { "$s\($0.utf8.count)\($0)" }
  }

  /// Whether a symbol is the harness's own.
  static func isOwn(_ mangled: String) -> Bool { own.contains(where: mangled.hasPrefix) }

  /// What is part of the program where that is linked with the toolchain's libraries.
  private static let ofToolchain = mangled(
    "Foundation", "FoundationEssentials", "FoundationInternationalization",
    "FoundationNetworking", "Dispatch", "Synchronization", "Testing", "XCTest")

  /// Whether a symbol is neither the harness's own nor the toolchain's.
  static func isOfOthers(_ mangled: String) -> Bool {
    !isOwn(mangled) && !isSwift(mangled) && !ofToolchain.contains(where: mangled.hasPrefix)
  }

  static func demangled(_ name: String) -> String {
    guard let demangle = function("swift_demangle", as: Demangle.self),
      let text = demangle(name, name.utf8.count, nil, nil, 0)
    else { return name }
    defer { free(text) }
    return String(cString: text)
  }
}
