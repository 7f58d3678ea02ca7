#if os(Linux)
  import Foundation
  import Testing

  @testable import ChaosHost

  @Suite("Clocks and random numbers as hosted code finds them", .ifSimulated)
  struct PlatformTests {
    private func shown(_ clock: clockid_t) -> String {
      var time = timespec()
      clock_gettime(clock, &time)
      return "\(time.tv_sec).\(time.tv_nsec)"
    }

    @Test("Each of C's clocks shows virtual time: since 1970, or since the device was started")
    func clocks() {
      let run = Run()
      run.host.advance(to: 2_500_004_321)
      run.enter { log in
        log.add("\(shown(CLOCK_REALTIME)) \(shown(CLOCK_REALTIME_COARSE))")
        log.add("\(shown(CLOCK_MONOTONIC)) \(shown(CLOCK_MONOTONIC_RAW)) \(shown(CLOCK_BOOTTIME))")
        var day = timeval()
        gettimeofday(&day, nil)
        log.add("\(day.tv_sec).\(day.tv_usec)")
        var stored: time_t = 0
        let returned = time(&stored)
        log.add("\(returned) \(stored)")
      }
      #expect(
        run.log.lines == [
          "1700000002.500004321 1700000002.500004321",
          "1002.500004321 1002.500004321 1002.500004321", "1700000002.500004",
          "1700000002 1700000002",
        ])
    }

    @Test("How long the processor worked is no virtual time")
    func processorTime() {
      let run = Run()
      run.host.advance(to: 1 << 60)
      var worked: [Int] = []
      run.enter { _ in
        for clock in [CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID] {
          var time = timespec()
          clock_gettime(clock, &time)
          worked.append(time.tv_sec)
        }
      }
      #expect(worked.allSatisfy { $0 < 1_000_000 })
    }

    @Test("Every way to put the thread to sleep lets as much virtual time pass as it says")
    func naps() {
      let run = Run()
      var passed: [UInt64] = []
      func measure(_ nap: @MainActor () -> Void) {
        let before = run.host.now
        run.enter { _ in nap() }
        passed.append(run.host.now - before)
      }
      measure { #expect(sleep(3) == 0) }
      measure { #expect(usleep(250) == 0) }
      measure {
        var time = timespec(tv_sec: 2, tv_nsec: 7)
        #expect(nanosleep(&time, nil) == 0)
      }
      #expect(passed == [3_000_000_000, 250_000, 2_000_000_007])
    }

    @Test("Virtual time ends after 146 years, however long the thread would sleep")
    func endOfTime() {
      let run = Run()
      run.enter { _ in
        sleep(.max)
        sleep(.max)
        sleep(.max)
      }
      #expect(run.host.now == 1 << 62)
    }

    // What Vigna's SplitMix64 gives for this seed.
    private static let seed: UInt64 = 1_234_567
    private static let numbers: [UInt64] = [
      6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
    ]

    @Test("The random numbers of a run are SplitMix64's, by whatever generator they are drawn")
    func generators() {
      let expected = [Self.numbers.map { "\($0)" }.joined(separator: " ")]
      let byHost = said(seed: Self.seed) { log in
        var generator = HostRandomNumberGenerator()
        log.add((0..<3).map { _ in "\(generator.next())" }.joined(separator: " "))
      }
      #expect(byHost == expected)
      let bySystem = said(seed: Self.seed) { log in
        var generator = SystemRandomNumberGenerator()
        log.add((0..<3).map { _ in "\(generator.next())" }.joined(separator: " "))
      }
      #expect(bySystem == expected)
    }

    @Test("Random bytes are those of the numbers, the lowest first, as many as are asked for")
    func bytes() {
      let all = Self.numbers.flatMap { number in (0..<8).map { UInt8(number >> (8 * $0) & 0xFF) } }
      for count in [1, 7, 8, 12, 24] {
        var found = [UInt8](repeating: 0, count: 24)
        let run = Run(seed: Self.seed)
        run.enter { _ in #expect(getentropy(&found, count) == 0) }
        let expected = Array(all.prefix(count)) + [UInt8](repeating: 0, count: 24 - count)
        #expect(found == expected, "\(count) bytes")
      }
    }

    @Test("A UUID is a random one of version 4")
    func identifiers() {
      let run = Run()
      var found: [UUID] = []
      run.enter { _ in found = (0..<100).map { _ in UUID() } }
      #expect(Set(found).count == 100)
      #expect(Set(found.map { $0.uuid.6 >> 4 }) == [4])
      #expect(Set(found.map { $0.uuid.8 >> 6 }) == [2])
      #expect(Set(found.map { $0.uuid.6 & 0xF }).count > 8)
      #expect(Set(found.map { $0.uuid.8 & 0x3F }).count > 32)
    }

    @Test("C's own random numbers fill the range that they have")
    func ranges() {
      let run = Run()
      run.enter { _ in
        let rands = (0..<200).map { _ in Int(rand()) }
        let randoms = (0..<200).map { _ in Int(random()) }
        for numbers in [rands, randoms] {
          #expect(numbers.allSatisfy { 0..<1 << 31 ~= $0 })
          #expect(numbers.contains { $0 >= 1 << 30 } && numbers.contains { $0 < 1 << 30 })
        }
        let fractions = (0..<200).map { _ in drand48() }
        #expect(fractions.allSatisfy { 0..<1 ~= $0 })
        #expect(fractions.contains { $0 > 0.9 } && fractions.contains { $0 < 0.1 })
      }
    }
  }

  @Suite("What a host keeps its books with")
  struct BookkeepingTests {
    @Test("A duration in nanoseconds is rounded up, and kept within its range")
    func durations() {
      #expect(nanoseconds(.zero) == 0)
      #expect(nanoseconds(.nanoseconds(1)) == 1)
      #expect(nanoseconds(.seconds(2) + .nanoseconds(3)) == 2_000_000_003)
      #expect(nanoseconds(Duration(secondsComponent: 0, attosecondsComponent: 1)) == 1)
      #expect(nanoseconds(Duration(secondsComponent: 0, attosecondsComponent: 1_000_000_000)) == 1)
      #expect(nanoseconds(Duration(secondsComponent: 0, attosecondsComponent: 1_000_000_001)) == 2)
      #expect(nanoseconds(.nanoseconds(-1)) == 0)
      #expect(nanoseconds(.seconds(-1)) == 0)
      #expect(nanoseconds(.seconds(18_446_744_073)) == 18_446_744_073_000_000_000)
      #expect(nanoseconds(.seconds(18_446_744_074)) == .max)
      #expect(nanoseconds(.seconds(Int64.max)) == .max)
    }

    @Test("Moments of HostClock are compared and counted by how far they are from the beginning")
    func moments() {
      let start = HostClock.Instant(offset: .zero)
      let later = start.advanced(by: .seconds(5))
      #expect(start < later && !(later < start) && !(start < start))
      #expect(start.duration(to: later) == .seconds(5))
      #expect(later.duration(to: start) == .seconds(-5))
      #expect(HostClock().minimumResolution == .nanoseconds(1))
    }

    @Test("A task carries the number of its host and process, and of its place among the tasks")
    func marks() {
      let stamp = UInt64(0xABCD) << 32 | 7
      let mark = TaskMark(stamp: stamp, slot: 3)
      #expect(mark.stamp == stamp && mark.host == 0xABCD && mark.slot == 3 && !mark.isNone)
      #expect(TaskMark(stamp: stamp, slot: 0).slot == 0)
      let child = TaskMark(stamp: stamp, slot: nil)
      #expect(child.stamp == stamp && child.slot == nil && !child.isNone)
      #expect(TaskMark(raw: 0).isNone && TaskMark(raw: 0).slot == nil)
      let (one, two) = (TaskMark.makeStamp(host: 9), TaskMark.makeStamp(host: 9))
      #expect(one != two && TaskMark(stamp: one, slot: nil).host == 9)
    }

    private final class Something {}

    @Test(
      "A place among the tasks keeps its task in memory until it is given back, and is used again")
    func slots() {
      var slots = TaskSlots()
      weak var last: Something?
      do {
        let something = Something()
        last = something
        let job = RuntimeJob(address: Unmanaged.passUnretained(something).toOpaque())
        #expect(slots.insert(job, for: 0) == 0)
        #expect(slots.insert(job, for: 0) == 1)
      }
      #expect(last != nil)
      #expect(slots.count == 2)
      slots.remove(0)
      slots.remove(0)
      #expect(last != nil)
      #expect(slots.count == 1)
      if let last {
        let job = RuntimeJob(address: Unmanaged.passUnretained(last).toOpaque())
        #expect(slots.insert(job, for: 0) == 0)
        #expect(slots.insert(job, for: 0) == 2)
      }
      for slot in 0...2 { slots.remove(slot) }
      #expect(last == nil)
      #expect(slots.count == 0)
    }

    @Test("There are as many places among the tasks as a mark can number, and no more")
    func fullSlots() {
      var slots = TaskSlots()
      let something = Something()
      let job = RuntimeJob(address: Unmanaged.passUnretained(something).toOpaque())
      let given = (0...TaskMark.slots).map { _ in slots.insert(job, for: 0) }
      #expect(given.last == .some(nil))
      #expect(given.dropLast().last == TaskMark.slots - 1)
      for slot in 0..<TaskMark.slots { slots.remove(slot) }
    }

    @Test("A leak of no known process says so, and each kind has words of its own")
    func words() {
      let leak = HostLeak(kind: .afterTheEnd, process: nil, name: "it", time: 0, instead: nil)
      #expect(leak.description == "unknown process: it resumed after its process had ended")
      let other = HostLeak(kind: .blocks, process: 3, name: "it", time: 0, instead: "that")
      #expect(other.description == "process 3: it would block the thread: use that")
    }

    @Test("What to use instead is said of what every host has")
    func advice() {
      let said = PlatformUse.allCases.map { $0.instead ?? "-" }
      #expect(
        said == [
          "-", "-", "-", "tasks", "tasks and Task.sleep", "-", "SystemRandomNumberGenerator", "-",
        ])
    }
  }
#endif
