#if os(Linux)
  import Foundation

  /// What code on a simulated thread prints: it goes to its process and not to the terminal, where it
  /// would stand in the middle of a report.
  ///
  /// The standard library prints by `fwrite`; what the runtime says of a trap goes by other ways, which
  /// are left alone, as the whole program ends with it. Its warnings are output as well; it would keep all of them,
  /// each time in a new copy, for whoever looks at a crash.
  enum OutputShadow {
    private typealias Stream = UnsafeMutableRawPointer
    private typealias WriteItems = @convention(c) (UnsafeRawPointer?, Int, Int, Stream?) -> Int
    private typealias PutText = @convention(c) (UnsafePointer<CChar>?, Stream?) -> CInt
    private typealias PutByte = @convention(c) (CInt, Stream?) -> CInt
    private typealias PutLine = @convention(c) (UnsafePointer<CChar>?) -> CInt
    private typealias PutToOutput = @convention(c) (CInt) -> CInt
    private typealias Report = @convention(c) (UInt32, UnsafePointer<CChar>?) -> Void
    private typealias Log = @convention(thin) (String, [any CVarArg]) -> Void
    private typealias Write = @convention(c) (CInt, UnsafeRawPointer?, Int) -> Int

    nonisolated(unsafe) private static var originalWriteItems: WriteItems?
    nonisolated(unsafe) private static var originalPutText: PutText?
    nonisolated(unsafe) private static var originalPutByte: PutByte?
    nonisolated(unsafe) private static var originalPutLine: PutLine?
    nonisolated(unsafe) private static var originalPutToOutput: PutToOutput?
    nonisolated(unsafe) private static var originalWrite: Write?
    nonisolated(unsafe) private static var originalReport: Report?
    nonisolated(unsafe) private static var originalLog: Log?
    nonisolated(unsafe) private static var output: Stream?
    nonisolated(unsafe) private static var error: Stream?

    /// The runtime, which says what a program ends with.
    private static let runtime = ["libswiftCore."]

    static func addReplacements(to list: inout ReplacementList) {
      output = Symbols.address(of: "stdout")?.load(as: Stream?.self)
      error = Symbols.address(of: "stderr")?.load(as: Stream?.self)
      list.add("fwrite", &originalWriteItems, writeItems)
      list.add("fputs", &originalPutText, putText, exempt: runtime)
      list.add("fputc", &originalPutByte, putByte, exempt: runtime)
      list.add("putc", &originalPutByte, putByte, exempt: runtime)
      list.add("puts", &originalPutLine, putLine, exempt: runtime)
      list.add("putchar", &originalPutToOutput, putToOutput, exempt: runtime)
      list.add("swift_reportError", &originalReport, report)
      list.add("$s10Foundation5NSLogyySS_s7CVarArg_pdtF", &originalLog, log)
      list.add("write", &originalWrite, write, exempt: runtime)
    }

    /// Hands it to the process whose code runs; false where that is none of a host's.
    private static func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
      guard let process = CurrentHost.get()?.running else { return false }
      process.output?(bytes)
      return true
    }

    private static func take(_ text: UnsafePointer<CChar>) -> Bool {
      take(UnsafeRawBufferPointer(start: text, count: strlen(text)))
    }

    private static func take(_ byte: CInt) -> Bool {
      withUnsafeBytes(of: UInt8(truncatingIfNeeded: byte), take)
    }

    private static func isTerminal(_ stream: Stream?) -> Bool {
      stream != nil && (stream == output || stream == error)
    }

    private static let writeItems: WriteItems = { bytes, size, count, stream in
      if isTerminal(stream), take(UnsafeRawBufferPointer(start: bytes, count: size * count)) {
        return count
      }
      return originalWriteItems?(bytes, size, count, stream) ?? 0
    }

    private static let putText: PutText = { text, stream in
      if let text, isTerminal(stream), take(text) { return 1 }
      return originalPutText?(text, stream) ?? -1
    }

    private static let putByte: PutByte = { byte, stream in
      if isTerminal(stream), take(byte) { return byte }
      return originalPutByte?(byte, stream) ?? -1
    }

    private static let putLine: PutLine = { text in
      if let text, take(text), take(CInt(10)) { return 1 }
      return originalPutLine?(text) ?? -1
    }

    private static let putToOutput: PutToOutput = { byte in
      take(byte) ? byte : originalPutToOutput?(byte) ?? -1
    }

    /// Whether the runtime ends the program with what it says.
    private static let isFatal: UInt32 = 1

    private static let report: Report = { flags, text in
      if flags & isFatal == 0, let text, take(text) { return }
      originalReport?(flags, text)
    }

    private static let log: Log = { format, arguments in
      var line = String(format: format, arguments: arguments) + "\n"
      if !line.withUTF8({ take(UnsafeRawBufferPointer($0)) }) { originalLog?(format, arguments) }
    }

    private static let write: Write = { file, bytes, count in
      if file == 1 || file == 2, take(UnsafeRawBufferPointer(start: bytes, count: count)) {
        return count
      }
      return originalWrite?(file, bytes, count) ?? -1
    }
  }
#endif
