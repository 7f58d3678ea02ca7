#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// What is called instead of imported functions.
  struct ReplacementList {
    struct Replacement {
      var function: UnsafeRawPointer
      /// Libraries whose calls shall stay as they are.
      var exempt: [String]
      /// Libraries whose calls are led to another function.
      var special: [(library: String, function: UnsafeRawPointer)] = []

      func function(in file: String) -> UnsafeRawPointer {
        special.first { file.hasPrefix($0.library) }?.function ?? function
      }
    }

    private(set) var byName: [String: Replacement] = [:]

    /// Adds a function, and says where the original is; leaves out what the program does not have.
    mutating func add<Function>(
      _ name: String, _ original: inout Function?, _ function: Function, exempt: [String] = []
    ) {
      guard let address = Symbols.function(name, as: Function.self) else { return }
      original = address
      byName[name] = Replacement(
        function: unsafeBitCast(function, to: UnsafeRawPointer.self), exempt: exempt)
    }

    /// Leads the calls of one library to a function of their own.
    mutating func lead<Function>(_ name: String, of library: String, to function: Function) {
      byName[name]?.special.append((library, unsafeBitCast(function, to: UnsafeRawPointer.self)))
    }
  }

  /// The import tables of the program and of the libraries it was started with (ELF, 64 bits).
  ///
  /// A call from one library into another goes through a table of addresses in the caller. Replacing an
  /// entry leads the calls of that library elsewhere, and only these; in a program that is linked
  /// statically there is no such entry. Libraries loaded later are not looked at.
  enum ImportTables {
    /// Libraries that stand below everything here, or observe it from outside.
    private static let untouched = [
      "ld-linux", "ld-musl", "libc.", "libm.", "libstdc++.", "libgcc_s.", "libpthread.", "librt.",
      "linux-vdso", "libTesting.", "libXCTest.", "lib_TestingInterop.", "lib_Testing_Foundation.",
    ]

    private typealias ForEachImage =
      @convention(c) (
        @convention(c) (UnsafeRawPointer, Int, UnsafeMutableRawPointer) -> CInt,
        UnsafeMutableRawPointer
      ) -> CInt

    /// Leads the named imports elsewhere; returns the names of those that were found anywhere.
    static func replace(_ list: ReplacementList) -> Set<String> {
      var found: Set<String> = []
      let wanted = SymbolNames(list.byName.keys)
      for info in loadedImages() where !untouched.contains(where: info.file.hasPrefix) {
        let image = Image(info)
        for (name, slot) in image.imports(of: wanted) {
          guard let replacement = list.byName[name],
            !replacement.exempt.contains(where: info.file.hasPrefix)
          else { continue }
          image.write(replacement.function(in: info.file), to: slot)
          found.insert(name)
        }
      }
      return found
    }

    static func loadedImages() -> [ImageInfo] {
      guard let forEachImage = Symbols.function("dl_iterate_phdr", as: ForEachImage.self) else {
        return []
      }
      var images: [ImageInfo] = []
      withUnsafeMutablePointer(to: &images) { images in
        _ = forEachImage(
          { info, _, images in
            images.assumingMemoryBound(to: [ImageInfo].self).pointee.append(
              info.load(as: ImageInfo.self))
            return 0
          }, images)
      }
      return images
    }
  }

  /// Names by the hash of their bytes: tens of thousands are looked at as a program starts, and few are in
  /// here.
  private struct SymbolNames {
    private var byHash: [UInt64: String] = [:]

    init(_ names: some Sequence<String>) {
      for name in names { byHash[name.withCString(Self.hash)] = name }
    }

    /// The name, if it is one of these.
    func find(_ name: UnsafePointer<CChar>) -> String? {
      guard let found = byHash[Self.hash(name)], found == String(cString: name) else { return nil }
      return found
    }

    /// FNV-1a.
    private static func hash(_ name: UnsafePointer<CChar>) -> UInt64 {
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325
      var byte = name
      while byte.pointee != 0 {
        hash = (hash ^ UInt64(UInt8(bitPattern: byte.pointee))) &* 0x0100_0000_01B3
        byte += 1
      }
      return hash
    }
  }

  /// `dl_phdr_info`, which the C library's headers keep from Swift.
  struct ImageInfo {
    struct Header {
      var type: UInt32
      var flags: UInt32
      var offset: UInt
      var address: UInt
      var physicalAddress: UInt
      var fileSize: UInt
      var size: UInt
      var alignment: UInt
    }

    var base: UInt
    var name: UnsafePointer<CChar>?
    var headers: UnsafePointer<Header>?
    var headerCount: UInt16

    /// The file's name without its folder; the program itself has none.
    var file: String {
      let path = name.map { String(cString: $0) } ?? ""
      return path.split(separator: "/").last.map(String.init) ?? ""
    }
  }

  /// One loaded program or library.
  private struct Image {
    private let base: UInt
    private var dynamic: UInt = 0
    /// Pages that the loader has made read-only after it had filled them in.
    private var readOnly: Range<UInt> = 0..<0

    init(_ info: ImageInfo) {
      base = info.base
      let page = UInt(getpagesize())
      for header in UnsafeBufferPointer(start: info.headers, count: Int(info.headerCount)) {
        let start = base + header.address
        switch header.type {
        case 2: dynamic = start  // PT_DYNAMIC
        case 0x6474_e552:  // PT_GNU_RELRO
          let end = (start + header.size) & ~(page - 1)
          readOnly = (start & ~(page - 1))..<max(end, start & ~(page - 1))
        default: break
        }
      }
    }

    private struct Relocation {
      var offset: UInt
      var info: UInt
      var addend: Int

      /// Whether it fills a slot with the address of a symbol.
      var isImport: Bool {
        #if arch(x86_64)
          let (symbol, table, slot) = (1, 6, 7)  // R_X86_64_64, _GLOB_DAT, _JUMP_SLOT
        #elseif arch(arm64)
          let (symbol, table, slot) = (257, 1025, 1026)  // R_AARCH64_ABS64, _GLOB_DAT, _JUMP_SLOT
        #else
          let (symbol, table, slot) = (-1, -1, -1)
        #endif
        let type = Int(info & 0xFFFF_FFFF)
        return (type == symbol || type == table || type == slot) && addend == 0
      }
    }

    private struct Symbol {
      var name: UInt32
      var info: UInt8
      var other: UInt8
      var section: UInt16
      var value: UInt
      var size: UInt
    }

    /// The entries of the dynamic section that tables are found by.
    private enum Tag {
      static let (strings, symbols) = (5, 6)
      static let (all, allSize) = (7, 8)
      static let (calls, callsSize) = (23, 2)
    }

    /// The name and the place of every address of these that the loader has looked up, elsewhere or in
    /// the image.
    func imports(of wanted: SymbolNames) -> [(name: String, slot: UInt)] {
      guard dynamic != 0 else { return [] }
      var values = [UInt](repeating: 0, count: 24)
      var entry = UnsafePointer<(tag: Int, value: UInt)>(bitPattern: dynamic)
      while let pair = entry?.pointee, pair.tag != 0 {
        if values.indices.contains(pair.tag) { values[pair.tag] = pair.value }
        entry = entry?.advanced(by: 1)
      }
      // Most loaders have turned offsets into addresses.
      let addresses = values.map { $0 != 0 && $0 < base ? $0 + base : $0 }
      guard let names = UnsafePointer<CChar>(bitPattern: addresses[Tag.strings]),
        let symbols = UnsafePointer<Symbol>(bitPattern: addresses[Tag.symbols])
      else { return [] }
      var imports: [(name: String, slot: UInt)] = []
      for (table, size) in [(Tag.calls, Tag.callsSize), (Tag.all, Tag.allSize)] {
        let relocations = UnsafeBufferPointer(
          start: UnsafePointer<Relocation>(bitPattern: addresses[table]),
          count: addresses[table] == 0 ? 0 : Int(values[size]) / MemoryLayout<Relocation>.stride)
        for relocation in relocations where relocation.isImport {
          let symbol = symbols[Int(relocation.info >> 32)]
          guard symbol.name != 0, let name = wanted.find(names + Int(symbol.name)) else { continue }
          imports.append((name, base + relocation.offset))
        }
      }
      return imports
    }

    /// Overwrites an address; a page that was read-only is read-only again afterwards.
    func write(_ function: UnsafeRawPointer, to slot: UInt) {
      guard let place = UnsafeMutablePointer<UnsafeRawPointer>(bitPattern: slot) else { return }
      let size = UInt(getpagesize())
      guard readOnly.contains(slot) else {
        place.pointee = function
        return
      }
      let page = UnsafeMutableRawPointer(bitPattern: slot & ~(size - 1))
      guard mprotect(page, Int(size), PROT_READ | PROT_WRITE) == 0 else { return }
      place.pointee = function
      mprotect(page, Int(size), PROT_READ)
    }
  }
#endif
