import ChaosStore
import Invariants
import Foundation
var setup = Setup()
setup.products = [.init("a"), .init("b"), .init("c")]
setup.steps = (0..<3).map { .init(atMillis: Int64($0) * 1000, .buyOutside(product: $0, quantity: 1, account: 0)) }
setup.reopenEveryMillis = nil
setup.backend = .idempotent
func e(_ n: UInt64, _ d: UInt64, _ sites: [Question] = []) -> FaultMix.Entry { .init(chance: Ratio(n,d)!, sites: sites) }
setup.mix.entries = [.requestLost: e(1,10), .responseLost: e(1,10), .concurrentDuplicate: e(1,20), .serverError: e(1,20,[.failCommit]), .replayFinished: e(1,20), .appCrash: e(1,20,[.crashInCallback,.crashInReply,.crashInTimer])]
let names = ["no-charge-without-delivery","no-double-credit","finish-only-after-credit","queue-drains"]
let s = Scenario(name: "checkout-benchmark", system: BuiltIn.systems[0], setup: setup, invariants: names.map { Catalogue.invariant(named: $0)! })
let n = UInt64(CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "300000")!
let c0 = ContinuousClock.now
let r = Campaign(s, seeds: 0..<n).run()
let d = ContinuousClock.now - c0
let sec = Double(d.components.seconds) + Double(d.components.attoseconds)/1e18
print("runs=\(r.runs) events/run=\(Double(r.events)/Double(r.runs)) breaks=\(r.breaks) s=\(sec) ev/s=\(Int(Double(r.events)/sec)) end=\(Double(r.simulatedMillis)/Double(r.runs)) \(r.firstSeeds)")
if let bad = r.firstSeeds.min(), bad != .max {
  let rec = Simulation(s).record(seed: bad)
  for e in rec.timeline.entries { print(e.at.millis, e.part, e.text, e.note) }
  print(rec.violations, rec.faults, rec.ruleBreaks)
}
