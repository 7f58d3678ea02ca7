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
///
/// It is copied all the time and counts no references: its process is in its host's hands for as long as
/// it has work there, the runtime keeps a job until it has run, and so does the item with a block.
struct WorkItem {
  private enum Body {
    case job(RuntimeJob)
    case block(Unmanaged<HostBlock>)
  }

  let lane: Lane
  private let owner: Unmanaged<HostProcess>
  private let body: Body

  init(job: RuntimeJob, lane: Lane, process: Unmanaged<HostProcess>) {
    body = .job(job)
    self.lane = lane
    owner = process
  }

  init(block: HostBlock, lane: Lane, process: HostProcess) {
    block.take(cause: process.host.cause)
    body = .block(.passRetained(block))
    self.lane = lane
    owner = .passUnretained(process)
  }

  var process: HostProcess { owner.takeUnretainedValue() }

  func isOf(_ process: HostProcess) -> Bool {
    isOf(Unmanaged.passUnretained(process).toOpaque())
  }

  func isOf(_ process: UnsafeMutableRawPointer?) -> Bool { owner.toOpaque() == process }

  var name: String {
    switch body {
    case .job(let job): job.name
    case .block(let block): block.takeUnretainedValue().name
    }
  }

  /// The place of its task in its process; nil for a child task and for what is no task.
  var slot: Int? {
    if case .job(let job) = body { job.slot } else { nil }
  }

  /// Runs it, once, on this thread until it ends or suspends.
  func run(in host: Host) {
    owner._withUnsafeGuaranteedRef { process in
      host.perform(in: process, onMain: lane == .main) {
        switch body {
        case .job(let job):
          let slot = job.slot
          if process.isAlive {
            lane == .main ? job.runOnMain(of: host) : job.runInPool(of: host)
          } else {
            lane == .main ? job.runOnMainOfEnded() : job.runInPoolOfEnded()
          }
          if let slot, job.isComplete { process.release(job, slot: slot) }
        case .block(let block):
          block.takeRetainedValue().run(in: host)
        }
      }
    }
  }

  /// Forgets it instead of running it.
  func discard() {
    if case .block(let block) = body { block.release() }
  }
}
