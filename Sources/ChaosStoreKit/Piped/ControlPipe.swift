#if os(Linux)
  import ChaosHost
  import Foundation

  /// The pipe between the simulator and an ``AppTemplate``: who is to be started, with which descriptor, and
  /// who is to be ended.
  struct ControlPipe {
    enum Wish: Int32 {
      /// Start a process, which gets the descriptor that comes along.
      case start = 1
      /// End a process.
      case end
      /// End a process, and say how it ended.
      case ask
    }

    /// What the simulator says; what it hears is one number.
    private struct Request {
      var wish: Int32
      /// The process; or, where one is to be started, the processor on which the simulator runs.
      var number: Int32
    }

    let descriptor: Int32

    func close() { _ = Glibc.close(descriptor) }

    /// The process that was started; nil where the template is gone.
    func start(with end: Int32) -> pid_t? {
      send(Request(wish: Wish.start.rawValue, number: LinuxCalls.processor), passing: end)
        ? answer() : nil
    }

    /// Ends a process, whenever there is time.
    func end(_ process: pid_t) { _ = send(Request(wish: Wish.end.rawValue, number: process)) }

    /// Ends a process and says how it ended, as `waitpid` says it; nil where the template is gone.
    func ask(about process: pid_t) -> Int32? {
      send(Request(wish: Wish.ask.rawValue, number: process)) ? answer() : nil
    }

    private func answer() -> Int32? {
      var number: Int32 = 0
      while true {
        let count = recv(descriptor, &number, MemoryLayout<Int32>.size, Int32(MSG_WAITALL))
        if count == MemoryLayout<Int32>.size { return number }
        guard count < 0, errno == EINTR else { return nil }
      }
    }

    func reply(_ number: Int32) {
      var number = number
      _ = Glibc.send(descriptor, &number, MemoryLayout<Int32>.size, Int32(MSG_NOSIGNAL))
    }

    /// A header of 16 bytes, and one descriptor: what `CMSG_SPACE` makes room for.
    private struct Ancillary {
      var length = 20
      var level = Int32(SOL_SOCKET)
      var type = Int32(SCM_RIGHTS)
      var descriptor: Int32
      var padding: Int32 = 0
    }

    private func send(_ request: Request, passing passed: Int32? = nil) -> Bool {
      var request = request
      var ancillary = Ancillary(descriptor: passed ?? -1)
      return withMessage(&request, &ancillary) { message in
        if passed == nil { message.pointee.msg_controllen = 0 }
        return sendmsg(descriptor, message, Int32(MSG_NOSIGNAL))
          == MemoryLayout<Request>.size
      }
    }

    /// What the simulator wants next, with a processor or a process, and a descriptor; nil where it is gone.
    func receive() -> (wish: Wish, number: Int32, descriptor: Int32)? {
      var request = Request(wish: 0, number: 0)
      var ancillary = Ancillary(descriptor: -1)
      while true {
        let count = withMessage(&request, &ancillary) { recvmsg(descriptor, $0, 0) }
        if count < 0, errno == EINTR { continue }
        guard count == MemoryLayout<Request>.size, let wish = Wish(rawValue: request.wish) else {
          return nil
        }
        return (wish, request.number, ancillary.descriptor)
      }
    }

    private func withMessage<Result>(
      _ request: inout Request, _ ancillary: inout Ancillary,
      _ body: (UnsafeMutablePointer<msghdr>) -> Result
    ) -> Result {
      withUnsafeMutableBytes(of: &request) { request in
        withUnsafeMutableBytes(of: &ancillary) { ancillary in
          var part = iovec(iov_base: request.baseAddress, iov_len: request.count)
          return withUnsafeMutablePointer(to: &part) { part in
            var message = msghdr()
            message.msg_iov = part
            message.msg_iovlen = 1
            message.msg_control = ancillary.baseAddress
            message.msg_controllen = ancillary.count
            return body(&message)
          }
        }
      }
    }
  }
#endif
