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

  /// The name of the function at an address, as far as the program exports it, or else its place.
  static func name(at address: UnsafeRawPointer?) -> String {
    var location = Location()
    guard let address, let locate = function("dladdr", as: Locate.self),
      locate(address, &location) != 0
    else { return "an unknown function" }
    if let symbol = location.symbol { return demangled(String(cString: symbol)) }
    let path = location.file.map { String(cString: $0) } ?? ""
    let file = path.split(separator: "/").last.map(String.init) ?? path
    return "\(file)+0x\(String(UInt(bitPattern: address) - location.base, radix: 16))"
  }

  static func demangled(_ name: String) -> String {
    guard let demangle = function("swift_demangle", as: Demangle.self),
      let text = demangle(name, name.utf8.count, nil, nil, 0)
    else { return name }
    defer { free(text) }
    return String(cString: text)
  }
}
