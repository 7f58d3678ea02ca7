#if os(Linux) && canImport(Runtime)
  import Foundation
  import Runtime
#endif

/// What the symbols and the debug information of the program say of an address.
struct ProgramSource {
  /// The symbol of the function, also of one that the program does not export.
  var symbol: String
  /// The file and the line; nil without debug information.
  var place: String?

  #if os(Linux) && canImport(Runtime)
    private static let images = ImageMap.capture()

    /// nil where nothing is known. It takes a tenth of a second in a large program.
    init?(at address: UInt) {
      guard let first = Self.symbol(at: address) else { return nil }
      symbol = first.rawName
      place = Self.place(of: first)
      // The first instructions of a function may come from no line.
      for step in [8, 24, 48] as [UInt] where place == nil {
        guard let next = Self.symbol(at: address &+ step), next.rawName == symbol else { return }
        place = Self.place(of: next)
      }
    }

    private static func place(of symbol: SymbolicatedBacktrace.Symbol) -> String? {
      guard let found = symbol.sourceLocation, found.line > 0 else { return nil }
      return "\(URL(fileURLWithPath: found.path).lastPathComponent):\(found.line)"
    }

    private static func symbol(at address: UInt) -> SymbolicatedBacktrace.Symbol? {
      backtrace(of: address)?.symbolicated(
        with: images, options: [.showSourceLocations, .useSymbolCache])?.frames.first?.symbol
    }

    /// A backtrace of this address, read from its compact form, as there is no other way to make one: a byte for
    /// words of 64 bits, one for "program counter, absolute, eight bytes", these, and 0.
    private static func backtrace(of address: UInt) -> Backtrace? {
      let bytes = withUnsafeBytes(of: address.bigEndian) { [0x02, 0x1F] + $0 + [0x00] }
      #if arch(arm64)
        let architecture = "arm64"
      #else
        let architecture = "x86_64"
      #endif
      let form = ["architecture": architecture, "backtrace": Data(bytes).base64EncodedString()]
      return try? JSONDecoder().decode(Backtrace.self, from: JSONEncoder().encode(form))
    }
  #else
    init?(at address: UInt) { nil }
  #endif
}
