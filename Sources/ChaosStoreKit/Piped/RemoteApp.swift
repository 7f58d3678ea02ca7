import ChaosHost
import ChaosStore
import Invariants

/// Passes on to an app in another operating system process what happens to its simulated one.
struct RemoteApp {
  /// Which program is started for the app, and what the app is called in it.
  struct Place: Sendable {
    var program: HostedProgram
    var app: HostedName
    /// Whether one process serves one launch after the other, with the program's variables put back in between.
    var isReused = false
    /// Who looks at what the app keeps, where it is only tried out; then what goes wrong is nobody's business.
    var trial: Trial?
  }

  private let run: HostedRun
  private let place: Place
  private var child: ChildProcess?
  /// The phone of the process, from its launch to its end.
  private var service: PhoneService?

  private var name: String { place.app.system }

  init(_ run: HostedRun, _ place: Place) {
    self.run = run
    self.place = place
  }

  /// Starts the program, which builds the app. Stops the whole program with exit code 2 if it cannot be started.
  mutating func launched(_ phone: Phone) {
    let service = run.service(of: phone)
    run.beginPiped(service)
    self.service = service
    guard run.launchDeaths.mayStart(service.identity.number) else { return }
    do throws(PipeFailure) {
      child = try run.takeProcess(for: place)
    } catch {
      report(error, "\(name), at launch")
      return
    }
    let processor = processor
    #if os(Linux)
      // The app and the simulator take turns, and run on one processor until the launch is over: to wake one up on another
      // takes longer than all that it does.
      LinuxCalls.stay(on: processor)
    #endif
    var message = PipeMessage(.launch)
    message.put(processor)
    message.put(place.app.type)
    message.put(service.identity)
    begin(&message, service)
    deliver(message, isLaunch: true, "launched")
  }

  private var processor: Int32 {
    #if os(Linux)
      LinuxCalls.processor
    #else
      -1
    #endif
  }

  /// The app's process is killed, or has to forget what it was.
  mutating func stopped() {
    guard service != nil else { return }
    service = nil
    if let child {
      place.trial?.look(at: child)
      if place.isReused { run.giveBack(child) } else { child.kill() }
    }
    child = nil
    run.endPiped()
  }

  func handle(_ event: AppEvent) {
    guard let service else { return }
    var message = PipeMessage(.event)
    begin(&message, service)
    message.put(event)
    deliver(message, isLaunch: false, event.name)
  }

  /// What every event begins with.
  private func begin(_ message: inout PipeMessage, _ service: PhoneService) {
    message.put(service.now)
    message.put(service.account)
    message.put(service.payloads.last)
  }

  /// Has the app handle an event, and answers what it asks until it is done or dead.
  private func deliver(
    _ message: PipeMessage, isLaunch: Bool, _ told: @autoclosure () -> String
  ) {
    guard let child, child.isRunning, let service, service.isAlive else { return }
    do throws(PipeFailure) {
      if try !serve(child, message, service) {
        if place.isReused { child.endLaunch() } else { child.kill() }
      }
      // What the simulation ends is no death of its own.
      if isLaunch { run.launchDeaths.survived(service.identity.number) }
    } catch {
      let how = child.killAndTell()
      guard error == .closed, place.trial == nil else {
        report(error, "\(name), when it was told \(told())")
        return
      }
      OwnDeaths.note("\(name) ended by itself (\(how)) when it was told \(told())")
      if isLaunch { diedAtLaunch(how, service) }
      service.phone.crash()
    }
  }

  /// Answers until the app is done with the event; false if it died in one of its calls, after which it
  /// hears nothing any more.
  private func serve(_ child: ChildProcess, _ message: PipeMessage, _ service: PhoneService)
    throws(PipeFailure) -> Bool
  {
    try child.pipe.send(message)
    while true {
      var question = try child.pipe.receive()
      let kind = try question.takeKind()
      if kind == .idle { return true }
      guard kind == .call else { throw .garbage("\(kind), which is no question") }
      var answer = PipeMessage(.answer)
      let isAwaited = try service.perform(&question, into: &answer)
      guard service.isAlive else { return false }
      if isAwaited { try child.pipe.send(answer) }
    }
  }

  private func report(_ error: PipeFailure, _ when: String) {
    guard let trial = place.trial else { PipeError.report(error, when, place.program) }
    if error == .closed { trial.hasDied = true }
  }

  private func diedAtLaunch(_ how: String, _ service: PhoneService) {
    let phone = service.identity
    guard !run.launchDeaths.died(phone.number) else { return }
    service.phone.note(
      problem: "\(name) ended by itself at \(LaunchDeaths.most) launches of "
        + "phone\(phone.number + 1) in a row, the last of them its launch \(phone.launches) "
        + "(\(how)), and is not started on it again in this run")
  }
}
