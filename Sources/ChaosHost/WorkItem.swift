/// In which order work may run: freely, or after what came before it in the same lane.
struct Lane: Hashable {
  private let address: UInt

  /// Work of the pool, in any order.
  static let pool = Self(address: 0)
  /// The main actor and the main queue.
  static let main = Self(address: 1)
  /// A Dispatch queue.
  init(queue: UnsafeMutableRawPointer) { address = UInt(bitPattern: queue) }

  private init(address: UInt) { self.address = address }
}

/// A job of the runtime or a block for a queue, ready or waiting for its time.
struct WorkItem {
  private enum Body {
    case job(RuntimeJob)
    case block(HostBlock)
  }

  let lane: Lane
  /// Not counted: a process is in its host's hands for as long as it has work there.
  unowned(unsafe) let process: HostProcess
  private let body: Body

  init(job: RuntimeJob, lane: Lane, process: HostProcess) {
    body = .job(job)
    self.lane = lane
    self.process = process
  }

  init(block: HostBlock, lane: Lane, process: HostProcess) {
    body = .block(block)
    self.lane = lane
    self.process = process
  }

  var name: String {
    switch body {
    case .job(let job): job.name
    case .block(let block): block.name
    }
  }

  /// Runs it on this thread until it ends or suspends.
  func run(in host: Host) {
    switch body {
    case .job(let job):
      let slot = RuntimeJob.isLayoutKnown && job.isTask ? job.mark.slot : nil
      if lane == .main { job.runOnMain() } else { job.runInPool() }
      if let slot, job.isComplete { process.release(job, slot: slot) }
    case .block(let block):
      block.run(in: host)
    }
  }
}
