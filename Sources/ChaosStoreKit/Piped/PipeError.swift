import Foundation
import Synchronization

/// What makes a verdict impossible: an app process that cannot be driven.
enum PipeError {
  /// Says what, where and what was expected, and ends the program: nothing that it could still say
  /// about the app would be true.
  static func report(_ failure: PipeFailure, _ place: String, _ program: HostedProgram) -> Never {
    FileHandle.standardError.write(Data("error: \(place): \(text(failure, program))\n".utf8))
    exit(2)
  }

  static func text(_ failure: PipeFailure, _ program: HostedProgram) -> String {
    switch failure {
    case .cannotStart(let path, let reason): "\(path) cannot be started: \(reason)"
    case .otherBuild:
      "\(program.path) was built with another version of ChaosStore: build it again"
    case .closed: "\(program.path) closed the pipe"
    case .silent(let seconds):
      "\(program.path) did not answer within \(seconds) s of real time: expected every event to be"
        + " handled in HostedProgram.patience, and no code that waits for a thread or a lock"
    case .garbage(let what):
      "\(program.path) sent \(what); expected nobody but ChaosStoreKit to write to descriptor"
        + " \(ChildProcess.descriptor)"
    }
  }
}

/// How apps ended by themselves, each way once.
enum OwnDeaths {
  private static let noted = Mutex<[String]>([])

  static var all: [String] { noted.withLock { $0 } }

  static func note(_ death: String) {
    let isNew = noted.withLock { noted in
      guard !noted.contains(death) else { return false }
      noted.append(death)
      return true
    }
    if isNew { FileHandle.standardError.write(Data("\(death); taken as a crash\n".utf8)) }
  }
}
