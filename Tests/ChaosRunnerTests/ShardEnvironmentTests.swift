import Testing

@testable import ChaosRunner

@Suite("Which shard a job is, as its batch system says")
struct ShardEnvironmentTests {
  private static let slurm = [
    "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "9",
    "SLURM_ARRAY_TASK_STEP": "2", "SLURM_ARRAY_TASK_COUNT": "5",
  ]

  @Test(
    "Each of them is understood",
    arguments: [
      (["TEST_SHARD_INDEX": "0", "TEST_TOTAL_SHARDS": "8"], 1, 8),
      (["AWS_BATCH_JOB_ARRAY_INDEX": "9", "AWS_BATCH_JOB_ARRAY_SIZE": "10"], 10, 10),
      (["AWS_BATCH_JOB_ARRAY_INDEX": "9", "CHAOS_SHARDS": "12"], 10, 12),
      (["JOB_COMPLETION_INDEX": "3", "CHAOS_SHARDS": "64"], 4, 64),
      (slurm, 4, 5),
      (["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "4"], 4, 4),
      // One task of an array that is run again by itself.
      (
        [
          "SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_MAX": "3",
          "SLURM_ARRAY_TASK_COUNT": "1", "CHAOS_SHARDS": "64",
        ], 4, 64
      ),
      (["PARALLEL_SEQ": "64", "CHAOS_SHARDS": "64"], 64, 64),
    ])
  func understood(variables: [String: String], number: Int, count: Int) throws {
    let shard = try ShardEnvironment.shard("auto", variables)
    #expect(shard == (try Shard(number, of: count, "")))
  }

  @Test(
    "What says nothing, too much or nonsense is refused",
    arguments: [
      ([:], "--shard auto: found none, expected one of TEST_SHARD_INDEX (bazel)"),
      (
        ["PARALLEL_SEQ": "1", "JOB_COMPLETION_INDEX": "1", "CHAOS_SHARDS": "3"],
        "found JOB_COMPLETION_INDEX (kubernetes) and PARALLEL_SEQ (parallel), expected one"
      ),
      (
        ["PARALLEL_SEQ": "1"], "found no number of shards, expected CHAOS_SHARDS in the environment"
      ),
      (
        ["AWS_BATCH_JOB_ARRAY_INDEX": "1"],
        "expected AWS_BATCH_JOB_ARRAY_SIZE or CHAOS_SHARDS in the environment"
      ),
      (["PARALLEL_SEQ": "0", "CHAOS_SHARDS": "3"], "found shard 0 of 3, expected 1 to 3"),
      (["PARALLEL_SEQ": "4", "CHAOS_SHARDS": "3"], "found shard 4 of 3, expected 1 to 3"),
      (["PARALLEL_SEQ": "x", "CHAOS_SHARDS": "3"], "found PARALLEL_SEQ='x', expected a number"),
      (
        ["PARALLEL_SEQ": "1", "CHAOS_SHARDS": "9999999999999999999999"],
        "found CHAOS_SHARDS='9999999999999999999999', expected a number"
      ),
      (
        ["JOB_COMPLETION_INDEX": "-1", "CHAOS_SHARDS": "3"],
        "found JOB_COMPLETION_INDEX='-1', expected a number"
      ),
      (slurm.merging(["SLURM_ARRAY_TASK_COUNT": "3"]) { $1 }, "found 3 tasks between 1 and 9 by 2"),
      (slurm.merging(["SLURM_ARRAY_TASK_ID": "4"]) { $1 }, "expected 1, and from there each 2"),
      (slurm.merging(["SLURM_ARRAY_TASK_STEP": "0"]) { $1 }, "between 1 and 9 by 0"),
    ])
  func refused(variables: [String: String], message: String) {
    do {
      let shard = try ShardEnvironment.shard("auto", variables)
      Issue.record("found \(shard), expected a refusal")
    } catch {
      #expect(error.code == .usage)
      #expect(error.message.contains(message), "\(error.message)")
    }
  }

  @Test("One of two is chosen by its name, and one that is not there is refused")
  func named() throws {
    let variables = ["PARALLEL_SEQ": "1", "JOB_COMPLETION_INDEX": "1", "CHAOS_SHARDS": "3"]
    #expect(try ShardEnvironment.shard("parallel", variables).number == 1)
    #expect(try ShardEnvironment.shard("kubernetes", variables).number == 2)
    #expect(throws: Failure.self) { try ShardEnvironment.shard("slurm", variables) }
  }

  @Test("Bazel's status file is touched, and the part has a name of its own")
  func bazel() {
    var bench = Bench()
    bench.variables = [
      "TEST_SHARD_INDEX": "1", "TEST_TOTAL_SHARDS": "2", "TEST_SHARD_STATUS_FILE": "status",
    ]
    let output = bench.run("--shard", "auto", "--shard-results", "out/", "--seeds", "9")
    #expect(output.code == 0)
    #expect(output.files["status"] == "")
    #expect(output.files["out/shard-2-of-2.json"] != nil)
  }
}
