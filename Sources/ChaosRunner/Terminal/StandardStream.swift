import Foundation

/// Standard output or standard error of this process.
///
/// They can be closed, full, or a pipe that nobody reads any more. Where standard output fails the
/// program ends: quietly after a pipe, as other programs do, else with a line that says why. What is
/// written to standard error is worth nobody's run, so that it fails is overlooked.
enum StandardStream: Int32 {
  case output = 1
  case error = 2

  /// To be called before any file is opened.
  ///
  /// Where a stream is closed, the next file that is opened would take its place, and what is printed
  /// would end up in there. A closed pipe becomes an error instead of a signal, so that what is to be
  /// saved can be saved.
  static func prepare() {
    for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
      // Opened the wrong way round, so that using it fails as before.
      _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
    }
    signal(SIGPIPE, SIG_IGN)
  }

  /// Writes all of a text, or ends the process where that is not possible on standard output.
  func write(_ text: String, for program: String) {
    let error = send(text)
    guard error != 0, self == .output else { return }
    if error == EPIPE { Self.endByPipe() }
    let reason = String(cString: strerror(error))
    StandardStream.error.write("\(program): standard output: \(reason)\n", for: program)
    exit(ExitCode.output.rawValue)
  }

  /// Writes all of a text and returns the error number, or 0.
  private func send(_ text: String) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      var done = 0
      while done < bytes.count {
        let count = Foundation.write(rawValue, bytes.baseAddress! + done, bytes.count - done)
        if count >= 0 {
          done += count
        } else if errno == EAGAIN {
          var wait = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
          poll(&wait, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
  }

  /// As a program ends that knows nothing of closed pipes.
  private static func endByPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    // Where the signal is blocked: what a shell says of one that was ended by it.
    exit(128 + SIGPIPE)
  }
}
