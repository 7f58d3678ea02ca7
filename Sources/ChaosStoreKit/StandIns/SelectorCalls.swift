#if !canImport(ObjectiveC)
  import ChaosHost
  import Foundation

  extension Timer {
    /// A timer that is fired after the interval for the first time, and that belongs to no run loop yet.
    ///
    /// On Apple's platforms `Timer(timeInterval:repeats:block:)` is such a one; Foundation's on Linux is due at once.
    /// Files of an app say `timeInterval`, which leads here.
    public convenience init(
      firstAfter interval: TimeInterval, repeats: Bool, block: @escaping @Sendable (Timer) -> Void
    ) {
      self.init(
        fire: Date(timeIntervalSinceNow: interval), interval: interval, repeats: repeats,
        block: block)
    }

    /// A timer that calls a method of an object, which it keeps until it ends, and that belongs to no run loop yet.
    public convenience init(
      timeInterval interval: TimeInterval, target: Any, selector: Selector, userInfo: Any?,
      repeats: Bool
    ) {
      self.init(
        fireAt: Date(timeIntervalSinceNow: interval), interval: interval, target: target,
        selector: selector, userInfo: userInfo, repeats: repeats)
    }

    /// The same, fired at a date for the first time.
    public convenience init(
      fireAt date: Date, interval: TimeInterval, target: Any, selector: Selector, userInfo: Any?,
      repeats: Bool
    ) {
      let call = DelayedCalls.Call(target: target as AnyObject, selector: selector)
      self.init(fire: date, interval: interval, repeats: repeats) { call.run(with: $0) }
      guard let userInfo, let process = Host.current?.process else { return }
      process.timerInfos.append((self, userInfo))
    }

    /// A timer of the run loop of the thread, which has to be the main one, as nobody runs another.
    @discardableResult
    public class func scheduledTimer(
      timeInterval interval: TimeInterval, target: Any, selector: Selector, userInfo: Any?,
      repeats: Bool
    ) -> Timer {
      let timer = Timer(
        timeInterval: interval, target: target, selector: selector, userInfo: userInfo,
        repeats: repeats)
      RunLoop.current.add(timer, forMode: .default)
      return timer
    }
  }

  extension NSObject {
    /// Calls the method at once. What it returns is not to be had without Objective-C.
    public func perform(_ selector: Selector, with object: Any? = nil) {
      selector.perform(self, object)
    }

    /// Has the method called by the run loop of the thread, which has to be the main one, as nobody runs another.
    public func perform(_ selector: Selector, with object: Any?, afterDelay delay: TimeInterval) {
      DelayedCalls.current?.add(self, selector, object, after: delay)
    }

    /// The same; run loops have one mode here.
    public func perform(
      _ selector: Selector, with object: Any?, afterDelay delay: TimeInterval,
      inModes modes: [RunLoop.Mode]
    ) {
      perform(selector, with: object, afterDelay: delay)
    }

    /// Has the method called on the main thread.
    public func performSelector(
      onMainThread selector: Selector, with object: Any?, waitUntilDone: Bool
    ) {
      let call = DelayedCalls.Call(target: self, selector: selector, object: object)
      if !waitUntilDone {
        DispatchQueue.main.async { call.run() }
      } else if Thread.isMainThread {
        call.run()
      } else {
        DispatchQueue.main.sync { call.run() }
      }
    }

    /// Has the method called off the main thread.
    public func performSelector(inBackground selector: Selector, with object: Any?) {
      let call = DelayedCalls.Call(target: self, selector: selector, object: object)
      DispatchQueue.global().async { call.run() }
    }

    /// Takes back what `perform(_:with:afterDelay:)` has begun for an object.
    public class func cancelPreviousPerformRequests(withTarget target: Any) {
      DelayedCalls.current?.cancel(of: target as AnyObject) { _ in true }
    }

    /// The same for one method, called with one object, or with nothing.
    public class func cancelPreviousPerformRequests(
      withTarget target: Any, selector: Selector, object: Any?
    ) {
      DelayedCalls.current?.cancel(of: target as AnyObject) { call in
        guard call.selector == selector else { return false }
        guard let given = call.object, let object else {
          return call.object == nil && object == nil
        }
        if let given = given as? AnyHashable { return given == object as? AnyHashable }
        return given as AnyObject === object as AnyObject
      }
    }
  }

  /// The methods that `perform(_:with:afterDelay:)` is to call in one process.
  final class DelayedCalls {
    /// A method of an object, and with what it is called. No other thread has it.
    struct Call: @unchecked Sendable {
      let target: AnyObject
      let selector: Selector
      var object: Any?

      func run() { selector.perform(target, object) }

      func run(with timer: Timer) { selector.perform(target, timer) }
    }

    private var waiting: [(timer: Timer, call: Call)] = []

    /// Those of the process whose code is running; nil where none runs.
    static var current: DelayedCalls? { StoreSession.current.objectiveC?.delayedCalls }

    func add(_ target: AnyObject, _ selector: Selector, _ object: Any?, after delay: TimeInterval) {
      let call = Call(target: target, selector: selector, object: object)
      remove { !$0.timer.isValid }
      let timer = Timer(firstAfter: delay, repeats: false) { _ in call.run() }
      waiting.append((timer, call))
      RunLoop.current.add(timer, forMode: .default)
    }

    func cancel(of target: AnyObject, where isMeant: (Call) -> Bool) {
      remove { entry in
        guard entry.call.target === target, isMeant(entry.call) else { return false }
        entry.timer.invalidate()
        return true
      }
    }

    /// Frees the targets only afterwards: the `deinit` of one may come back here.
    private func remove(where isMeant: ((timer: Timer, call: Call)) -> Bool) {
      let old = waiting
      let kept = old.filter { !isMeant($0) }
      withExtendedLifetime(old) { waiting = kept }
    }
  }
#endif
