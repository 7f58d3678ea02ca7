import ChaosStore
import Foundation

/// Whether only a part of a campaign is run, and where what was run is kept.
struct ShardOptions {
  static let options = [
    Option(
      "shard", "I/N",
      "run the I-th of N parts, and report nothing; 'auto' takes both from the environment of Kubernetes, Slurm, "
        + "AWS Batch, GNU parallel or Bazel"),
    Option(
      "shard-results", "FILE",
      "where a part writes what 'merge' puts together, as it goes; behind a / it is given a name. What is there "
        + "already is gone on with"),
    Option(
      "checkpoint", "FILE",
      "write what was searched so far into this file, and go on from it where the search was ended before"
    ),
    Option(
      "checkpoint-every", "TIME", "how often --checkpoint and --shard-results are written (30s)"),
  ]
  static let contradictions: [Contradiction] =
    [
      ("seed", "one run is not divided"), ("plan", "one run is not divided"),
      ("budget", "what time allows differs from machine to machine"),
      ("format", "a part reports nothing; 'merge' does"),
      ("report", "a part reports nothing; 'merge' does"),
      ("details", "a part reports nothing; 'merge' does"),
      ("coverage", "a part reports nothing; 'merge' does"),
      ("prove", "a part makes nothing small; 'merge' does"),
      ("save", "a part makes nothing small; 'merge' does"),
      ("without-times", "a part reports nothing; 'merge' does"),
      ("checkpoint", "--shard-results is one already"),
    ].map { Contradiction("shard", $0.0, $0.1) } + [
      Contradiction("checkpoint", "seed", "one run takes as long as it takes"),
      Contradiction("checkpoint", "plan", "one run takes as long as it takes"),
      Contradiction("checkpoint", "budget", "what time allows differs each time"),
    ]

  private static let usualInterval = 30.0

  /// The part that was asked for; the whole where only a checkpoint was.
  let shard: Shard
  /// Whether it is for `merge` instead of a report.
  let isPart: Bool
  /// Where it is kept.
  let path: String
  /// Seconds between two times of writing it.
  let interval: Double
  /// A file that a batch system wants to see touched.
  private let statusFile: String?

  /// Nil where nothing of that was asked for.
  init?(_ words: Words, in environment: RunnerEnvironment) throws(Failure) {
    let seconds = try words.value(of: "checkpoint-every", TimeText.duration)?.inSeconds
    interval = seconds ?? Self.usualInterval
    guard let text = words.first("shard") else {
      if words.has("shard-results") {
        throw .usage("--shard-results is what a --shard writes; a whole campaign has --checkpoint")
      }
      guard let path = words.first("checkpoint") else {
        guard seconds == nil else {
          throw .usage("--checkpoint-every needs a --checkpoint, or a --shard")
        }
        return nil
      }
      guard !path.isEmpty else { throw .usage("--checkpoint: '' is no file") }
      (shard, isPart, self.path, statusFile) = (.whole, false, path, nil)
      return
    }
    guard let results = words.first("shard-results"), !results.isEmpty else {
      throw .usage("--shard needs --shard-results FILE, which 'merge' reads")
    }
    let isNamed = text == "auto" || ShardEnvironment.all.contains { $0.name == text }
    shard =
      isNamed
      ? try ShardEnvironment.shard(text, environment.variables)
      : try Shard(parsing: text, "--shard")
    isPart = true
    path = results.hasSuffix("/") ? results + shard.fileName : results
    statusFile = isNamed ? environment.variables["TEST_SHARD_STATUS_FILE"] : nil
  }

  /// Tells Bazel that the tests are divided indeed.
  func touchStatusFile(on console: Console) throws(Failure) {
    guard let statusFile, !statusFile.isEmpty else { return }
    do { try console.write("", statusFile) } catch {
      throw .noVerdict(
        "TEST_SHARD_STATUS_FILE: '\(statusFile)' cannot be written: \(error.localizedDescription)")
    }
  }
}
