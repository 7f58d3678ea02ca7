#if os(Linux)
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// Sees connections being made by code on a simulated thread, and refuses the transfers of `URLSession`.
  ///
  /// `URLSession` asks libcurl on Dispatch queues, which are the host's, and waits for it with Dispatch
  /// sources, which are not: two threads at once would ruin it. So nothing is begun, and no answer comes.
  enum RealNetwork {
    private typealias Pointer = UnsafeMutableRawPointer
    private typealias MakeSocket = @convention(c) (CInt, CInt, CInt) -> CInt
    private typealias FindHost =
      @convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?, Pointer?, Pointer?) -> CInt
    private typealias Transfer = @convention(c) (Pointer?, Pointer?) -> CInt

    nonisolated(unsafe) private static var originalMakeSocket: MakeSocket?
    nonisolated(unsafe) private static var originalFindHost: FindHost?
    nonisolated(unsafe) private static var originalTransfer: Transfer?

    static func addReplacements(to list: inout ReplacementList) {
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
        Host.note(.network, "a URLSession transfer, which is not begun and")
        return 0
      }
      return originalTransfer?(transfers, transfer) ?? 0
    }
  }
#endif
