import ChaosStore

/// Why a campaign may have shown nothing, or why a run never ended, as far as the app says.
struct RemarksText {
  let lines: [String]

  init(_ result: ScenarioResult, width: Int) {
    let remarks = result.remarks
    guard !remarks.isEmpty else {
      lines = []
      return
    }
    lines =
      [result.cutOff == nil ? "  In the run without faults:" : "  In the run that was cut off:"]
      + remarks.flatMap { String.hanging("    ", $0, width: width) }
  }
}
