import ChaosStore

/// What hosted code prints, which is no part of any report.
enum AppOutput {
  static let option = Option(
    "app-output",
    "print what hosted code printed in that run as well, to standard error; with --seed or --plan")

  /// Runs it once more and prints what it printed, by device and launch.
  static func write(_ scenario: Scenario, _ origin: Origin, to console: Console) {
    let lines = Simulation(scenario).record(origin).printed
    console.err(
      lines.isEmpty
        ? "\nthe code of \(scenario.system.entry.name) printed nothing\n"
        : "\nprinted by the code of \(scenario.system.entry.name), by seconds of the run\n")
    var place = ""
    for line in lines {
      if line.place != place {
        place = line.place
        console.err("  \(place)\n")
      }
      console.err("    \(line.at.seconds)  \(line.text)\n")
    }
  }
}
