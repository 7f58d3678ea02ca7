/// The functions of the program that runs, those that it does not export included.
enum ProgramFunctions {
  #if os(Linux)
    /// Where the program lies, and where in it each function begins, with the address of its symbol; read once.
    private static let all: (base: UInt, begins: [(offset: UInt, symbol: UInt)])? = {
      guard let file = ProgramFile(), let image = ImportTables.loadedImages().first else {
        return nil
      }
      var begins: [(offset: UInt, symbol: UInt)] = []
      file.visitSymbols { symbol in
        guard symbol.isFunction else { return }
        begins.append((UInt(truncatingIfNeeded: symbol.offset), UInt(bitPattern: symbol.name)))
      }
      return (image.base, begins.sorted { $0.offset < $1.offset })
    }()

    /// The symbol of the function at this offset, if that is in the program itself.
    static func symbol(at offset: UInt, in base: UInt) -> String? {
      guard let all, all.base == base else { return nil }
      var (low, high) = (0, all.begins.count)
      while low < high {
        let middle = (low + high) / 2
        if all.begins[middle].offset <= offset { low = middle + 1 } else { high = middle }
      }
      guard low > 0, let name = UnsafePointer<CChar>(bitPattern: all.begins[low - 1].symbol) else {
        return nil
      }
      return String(cString: name)
    }
  #else
    static func symbol(at offset: UInt, in base: UInt) -> String? { nil }
  #endif
}
