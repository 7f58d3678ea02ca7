#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
#endif

/// A global or static variable of the program that runs.
///
/// What it holds outlives every simulated process.
package struct ProgramVariable: Sendable {
  /// What a person calls it, such as `CoinShop.CoinManager.shared`.
  package let name: String
  /// Where it lies, from the place to which the program was loaded, and how long it is, in bytes; 0 for an object
  /// that lies there itself.
  package let offset: Int64
  package let size: Int64
}

#if os(Linux)
  /// The variables of the program, as its symbol table has them (ELF, 64 bits).
  ///
  /// A library that is loaded has variables of its own, which are not looked at; nor are those of a program
  /// without symbols.
  package enum ProgramVariables {
    /// Those of modules that are not the harness's own, read once.
    package static let ofOthers: [ProgramVariable] = read()

    /// Of variables, given as place, size, place, size and so on, the places of those in which there is a reference
    /// to an object of a class that the program has itself.
    package static func thatHoldObjects(_ variables: [Int64]) -> [Int64] {
      guard let program = LoadedProgram() else { return [] }
      return stride(from: 0, to: variables.count - 1, by: 2).map { variables[$0] }
        .enumerated().filter { index, place in
          program.holdsObject(at: place, size: variables[index * 2 + 1])
        }.map(\.element)
    }

    private static func read() -> [ProgramVariable] {
      var found: [ProgramVariable] = []
      visitState { symbol, kind in
        switch kind {
        case .begun: return
        case .variable:
          let name = Symbols.demangled(
            String(String(cString: symbol.name).prefix { $0 != "." }))
          let end = name.firstRange(of: " : ")?.lowerBound ?? name.endIndex
          found.append(
            ProgramVariable(
              name: String(name[..<end]).trimmingPrefix("static ").description,
              offset: symbol.offset, size: symbol.size))
        case .object:
          found.append(
            ProgramVariable(
              name: nameOfObject(String(cString: symbol.name)), offset: symbol.offset, size: 0))
        }
      }
      return found
    }

    /// What a symbol of somebody else's names that outlives a simulated process.
    enum Kind {
      case variable
      /// An object that the optimiser has put in place of one.
      case object
      /// Whether a variable has been begun to be used.
      case begun
    }

    /// Everything by which the code of others can remember something.
    static func visitState(_ body: (ProgramFile.Symbol, Kind) -> Void) {
      ProgramFile()?.visitSymbols { symbol in
        guard !symbol.isFunction, let kind = kind(of: symbol.name) else { return }
        body(symbol, kind)
      }
    }

    static func kind(of text: UnsafePointer<CChar>) -> Kind? {
      // The optimiser numbers the parts into which it has split a variable: "…vpZ.0".
      let length = strcspn(text, ".")
      guard length > 4, text[0] == CChar(0x24), text[1] == CChar(0x73) else { return nil }
      func ends(_ end: StaticString) -> Bool {
        strncmp(text + length - end.utf8CodeUnitCount, end.utf8Start, end.utf8CodeUnitCount) == 0
      }
      let kind: Kind? =
        if ends("vp") || ends("vpZ") {
          .variable
        } else if ends("_Wz") {
          .begun
        } else if strstr(text, "_WZTv") != nil {
          .object
        } else {
          nil
        }
      return kind == nil || Symbols.isOfOthers(String(cString: text)) ? kind : nil
    }

    /// `CoinShop.CoinManager.shared` for `$s8CoinShop0A7ManagerC6shared_WZTv_`.
    private static func nameOfObject(_ mangled: String) -> String {
      let name = Symbols.demangled(mangled).split(separator: " ").last.map(String.init) ?? mangled
      guard let end = mangled.firstRange(of: "\(name.utf8.count)\(name)_WZ")?.lowerBound else {
        return name
      }
      // The descriptor of the type that the variable belongs to.
      let type = Symbols.demangled(mangled[..<end] + "Mn").split(separator: " ").last ?? ""
      return type.hasPrefix("$s") ? name : "\(type).\(name)"
    }
  }

  /// The program as it lies in memory.
  private struct LoadedProgram {
    private let base: UInt
    /// What is not code.
    private let data: [Range<UInt>]
    /// Whatever can be read.
    private let readable: [Range<UInt>]

    init?() {
      guard let info = ImportTables.loadedImages().first else { return nil }
      base = info.base
      data = UnsafeBufferPointer(start: info.headers, count: Int(info.headerCount))
        .filter { $0.type == 1 && $0.flags & 1 == 0 }
        .map { info.base + $0.address..<info.base + $0.address + $0.size }
      readable = Self.readableMemory()
    }

    /// From the lines of `/proc/self/maps`, such as `7f00-7f80 r--p …`.
    private static func readableMemory() -> [Range<UInt>] {
      guard let file = fopen("/proc/self/maps", "r") else { return [] }
      defer { fclose(file) }
      var ranges: [Range<UInt>] = []
      var line: UnsafeMutablePointer<CChar>?
      var capacity = 0
      defer { free(line) }
      while getline(&line, &capacity, file) > 0, let line {
        let words = String(cString: line).split(separator: " ", maxSplits: 2)
        let ends = (words.first ?? "").split(separator: "-").compactMap { UInt($0, radix: 16) }
        if words.count > 1, words[1].hasPrefix("r"), ends.count == 2, ends[0] < ends[1] {
          ranges.append(ends[0]..<ends[1])
        }
      }
      return ranges
    }

    /// Whether one of its words is a reference to an object whose class is the program's own.
    func holdsObject(at place: Int64, size: Int64) -> Bool {
      let start = base &+ UInt(truncatingIfNeeded: place)
      // Before a static object there is a word that says whether it was begun.
      if size == 0 { return isObject(start) || isObject(start + 8) }
      return stride(from: 0, to: UInt(max(0, size)) & ~7, by: 8).contains { offset in
        word(at: start + offset).map { $0 != 0 && isObject($0) } ?? false
      }
    }

    /// Whether an object of one of the program's own classes lies there.
    private func isObject(_ address: UInt) -> Bool {
      guard let type = word(at: address), data.contains(where: { $0.contains(type) }) else {
        return false
      }
      // The first word of a class says that it is one.
      return word(at: type) == 0
    }

    private func word(at address: UInt) -> UInt? {
      guard address & 7 == 0, readable.contains(where: { $0.contains(address) }) else { return nil }
      return UnsafePointer<UInt>(bitPattern: address)?.pointee
    }
  }
#else
  /// Nobody knows here which there are.
  package enum ProgramVariables {
    package static let ofOthers: [ProgramVariable] = []
    package static func thatHoldObjects(_ variables: [Int64]) -> [Int64] { [] }
  }
#endif
