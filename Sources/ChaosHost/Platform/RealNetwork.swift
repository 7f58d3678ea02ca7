#if os(Linux)
  import Foundation

  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Sees connections being made by code on a simulated thread, and refuses the transfers of `URLSession`.
  ///
  /// `URLSession` asks libcurl on Dispatch queues, which are the host's, and waits for it with Dispatch
  /// sources, which are not: two threads at once would ruin it. So a task that is resumed or cancelled
  /// does nothing, and no answer comes.
  enum RealNetwork {
    private typealias Pointer = UnsafeMutableRawPointer
    private typealias MakeSocket = @convention(c) (CInt, CInt, CInt) -> CInt
    private typealias FindHost =
      @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?, Pointer?, Pointer?) -> CInt
    private typealias Transfer = @convention(c) (Pointer?, Pointer?) -> CInt

    nonisolated(unsafe) private static var originalMakeSocket: MakeSocket?
    nonisolated(unsafe) private static var originalFindHost: FindHost?
    nonisolated(unsafe) private static var originalTransfer: Transfer?

    nonisolated(unsafe) private static var originalResume: Pointer?
    nonisolated(unsafe) private static var originalCancel: Pointer?

    static func addReplacements(to list: inout ReplacementList) {
      replaceMethods()
      list.add("socket", &originalMakeSocket, makeSocket)
      list.add("getaddrinfo", &originalFindHost, findHost)
      list.add("curl_multi_add_handle", &originalTransfer, transfer)
    }

    private static let makeSocket: MakeSocket = { family, type, number in
      if family == AF_INET || family == AF_INET6 { Host.note(.network, "a network connection") }
      return originalMakeSocket?(family, type, number) ?? -1
    }

    private static let findHost: FindHost = { name, service, hints, result in
      Host.note(
        .network, "looking up the address of \(name.map { String(cString: $0) } ?? "a host")")
      return originalFindHost?(name, service, hints, result) ?? -1
    }

    private static let transfer: Transfer = { transfers, transfer in
      guard CurrentHost.get()?.running == nil else {
        noteTransfer()
        return 0
      }
      return originalTransfer?(transfers, transfer) ?? 0
    }

    private static func noteTransfer() {
      Host.note(.network, "a URLSession transfer, which is not begun and")
    }

    // MARK: - The methods of URLSessionTask

    /// A method as a closure: code, and an object that is passed where a method gets `self`.
    private struct Method {
      let function: () -> Void

      static func call(_ code: Pointer?, on object: AnyObject) {
        if let code { MethodCode.closure(code, of: object, as: Method.self).function() }
      }
    }

    @inline(never)
    private static func resume(_ task: AnyObject) -> Method {
      Method {
        if CurrentHost.get()?.running == nil { return Method.call(originalResume, on: task) }
        noteTransfer()
      }
    }

    @inline(never)
    private static func cancel(_ task: AnyObject) -> Method {
      Method {
        if CurrentHost.get()?.running == nil { Method.call(originalCancel, on: task) }
      }
    }

    /// In a program that has Foundation's networking.
    private static func replaceMethods() {
      let module = "$s20FoundationNetworking"
      let task = "14URLSessionTask"
      guard let resumes = Symbols.address(of: "\(module)\(task)C6resumeyyF"),
        let cancels = Symbols.address(of: "\(module)\(task)C6cancelyyF"),
        let resume = MethodCode.ofMade(resume), let cancel = MethodCode.ofMade(cancel)
      else { return }
      (originalResume, originalCancel) = (resumes, cancels)
      for name in [
        task, "18URLSessionDataTask", "20URLSessionUploadTask", "22URLSessionDownloadTask",
        "20URLSessionStreamTask", "23URLSessionWebSocketTask",
      ] {
        guard let metadata = Symbols.address(of: "\(module)\(name)CN") else { continue }
        let table = ClassTable(metadata)
        table.replace(resumes, with: resume)
        table.replace(cancels, with: cancel)
      }
    }
  }
#endif
