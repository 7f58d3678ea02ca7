import ChaosStore

/// Why a campaign may have shown nothing, as far as the app says.
struct RemarksText {
  let lines: [String]

  init(_ result: ScenarioResult, width: Int) {
    guard !result.unreached.isEmpty else {
      lines = []
      return
    }
    let remarks = result.scenario.remarks
    lines =
      remarks.isEmpty
      ? []
      : ["  In the run without faults:"]
        + remarks.flatMap { String.hanging("    ", $0, width: width) }
  }
}
