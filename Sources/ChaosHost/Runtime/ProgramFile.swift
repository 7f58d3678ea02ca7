#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The file of the program that runs, as far as its symbols go (ELF, 64 bits).
  ///
  /// Of a library that is loaded, and of a program without symbols, nothing is known here.
  struct ProgramFile {
    /// A name with a place, from the place to which the program was loaded, and a length in bytes.
    struct Symbol {
      let name: UnsafePointer<CChar>
      let isFunction: Bool
      let offset: Int64
      let size: Int64
    }

    private struct Section {
      var type: UInt32
      var offset: Int
      var size: Int
      var link: Int

      /// One of the section headers.
      init?(_ file: UnsafeRawBufferPointer, _ index: Int) {
        let table = Int(truncatingIfNeeded: file.loadUnaligned(fromByteOffset: 40, as: UInt64.self))
        let start = table + index * 64
        guard table > 0, start + 64 <= file.count else { return nil }
        type = file.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
        offset = Int(file.loadUnaligned(fromByteOffset: start + 24, as: Int64.self))
        size = Int(file.loadUnaligned(fromByteOffset: start + 32, as: Int64.self))
        link = Int(file.loadUnaligned(fromByteOffset: start + 40, as: UInt32.self))
        guard type == 8 || offset >= 0 && size >= 0 && offset + size <= file.count else {
          return nil
        }
      }
    }

    private let file: UnsafeRawBufferPointer
    private let symbols: Section
    private let names: Section

    /// Maps the file, which stays mapped.
    init?() {
      let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { return nil }
      defer { close(file) }
      let length = Int(lseek(file, 0, SEEK_END))
      guard length > 64, let bytes = mmap(nil, length, PROT_READ, MAP_PRIVATE, file, 0),
        bytes != MAP_FAILED
      else { return nil }
      self.file = UnsafeRawBufferPointer(start: bytes, count: length)
      guard self.file.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2]) else { return nil }
      let count = Int(self.file.loadUnaligned(fromByteOffset: 60, as: UInt16.self))
      for index in 0..<count {
        guard let section = Section(self.file, index), section.type == 2,
          let names = Section(self.file, section.link)
        else { continue }
        (symbols, self.names) = (section, names)
        return
      }
      return nil
    }

    /// Each function and variable that lies in some section.
    func visitSymbols(_ body: (Symbol) -> Void) {
      for start in stride(from: symbols.offset, to: symbols.offset + symbols.size, by: 24) {
        let kind = file[start + 4] & 0xf
        guard kind == 1 || kind == 2,
          file.loadUnaligned(fromByteOffset: start + 6, as: UInt16.self) != 0
        else { continue }
        let place = Int(file.loadUnaligned(fromByteOffset: start, as: UInt32.self))
        guard place < names.size, let base = file.baseAddress else { continue }
        let name = (base + names.offset + place).assumingMemoryBound(to: CChar.self)
        body(
          Symbol(
            name: name, isFunction: kind == 2,
            offset: file.loadUnaligned(fromByteOffset: start + 8, as: Int64.self),
            size: file.loadUnaligned(fromByteOffset: start + 16, as: Int64.self)))
      }
    }
  }
#endif
