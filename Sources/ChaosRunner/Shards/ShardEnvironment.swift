/// A batch system that starts the same command many times, and says in variables which time it is.
struct ShardEnvironment {
  /// What `--shard` calls it.
  let name: String
  /// The variable that is there in each of its jobs.
  let index: String
  /// How many jobs there are, as it says itself; nil where it does not.
  let count: String?
  /// What it counts its jobs from.
  let first: Int

  /// Says how many shards there are where a batch system does not.
  static let countVariable = "CHAOS_SHARDS"

  /// Kubernetes: Jobs with `completionMode: Indexed`. GNU parallel: `PARALLEL_SEQ`. Slurm: job arrays. AWS: array
  /// jobs. Bazel: the test sharding protocol.
  static let all = [
    ShardEnvironment(
      name: "bazel", index: "TEST_SHARD_INDEX", count: "TEST_TOTAL_SHARDS", first: 0),
    ShardEnvironment(
      name: "aws-batch", index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE",
      first: 0),
    ShardEnvironment(name: "kubernetes", index: "JOB_COMPLETION_INDEX", count: nil, first: 0),
    ShardEnvironment(
      name: "slurm", index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT", first: 0),
    ShardEnvironment(name: "parallel", index: "PARALLEL_SEQ", count: nil, first: 1),
  ]

  /// The shard that the variables say; `name` is `auto` or that of one environment.
  static func shard(_ name: String, _ variables: [String: String]) throws(Failure) -> Shard {
    let present = all.filter { !(variables[$0.index] ?? "").isEmpty }
    if let named = all.first(where: { $0.name == name }) {
      guard present.contains(where: { $0.name == name }) else {
        throw .usage("--shard \(name): found no \(named.index), expected it in the environment")
      }
      return try named.shard(variables)
    }
    guard let only = present.first, present.count == 1 else {
      let found = present.map { "\($0.index) (\($0.name))" }.joined(separator: " and ")
      let expected =
        present.isEmpty
        ? "expected one of " + all.map { "\($0.index) (\($0.name))" }.joined(separator: ", ")
        : "expected one; --shard \(present[0].name) says which"
      throw .usage("--shard auto: found \(present.isEmpty ? "none" : found), \(expected)")
    }
    return try only.shard(variables)
  }

  private func shard(_ variables: [String: String]) throws(Failure) -> Shard {
    let place = "--shard \(name)"
    let index = try number(self.index, variables, place)
    if let text = variables[Self.countVariable], !text.isEmpty {
      let count = try number(Self.countVariable, variables, place)
      return try Shard(
        index - first + 1, of: count, "\(place), \(self.index) of \(Self.countVariable)")
    }
    guard let count, variables[count] != nil else {
      let more = count.map { "\($0) or " } ?? ""
      throw .usage(
        "\(place): found no number of shards, expected \(more)\(Self.countVariable) in the environment"
      )
    }
    let all = try number(count, variables, place)
    let (begin, step) = try range(of: all, variables, place)
    guard index >= begin, (index - begin) % step == 0 else {
      throw .usage(
        "\(place): found \(self.index)=\(index), expected \(begin), and from there each \(step)")
    }
    return try Shard((index - begin) / step + 1, of: all, "\(place), \(self.index) of \(count)")
  }

  /// From which number on the jobs are counted, and how far one is from the next: Slurm lets people choose.
  private func range(of count: Int, _ variables: [String: String], _ place: String) throws(Failure)
    -> (begin: Int, step: Int)
  {
    let names = ["SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP"]
    guard name == "slurm", variables[names[0]] != nil, variables[names[1]] != nil else {
      return (first, 1)
    }
    let least = try number(names[0], variables, place)
    let most = try number(names[1], variables, place)
    let step = variables[names[2]] == nil ? 1 : try number(names[2], variables, place)
    guard step > 0, most >= least, (most - least) / step + 1 == count else {
      throw .usage(
        "\(place): found \(count) tasks between \(least) and \(most) by \(step), expected each of them: with "
          + "\(Self.countVariable) tasks are counted from 0, and some can be run again by themselves"
      )
    }
    return (least, step)
  }

  private func number(_ variable: String, _ variables: [String: String], _ place: String)
    throws(Failure) -> Int
  {
    let text = variables[variable] ?? ""
    guard let number = Shard.number(text), number <= 1 << 32, !text.isEmpty else {
      throw .usage("\(place): found \(variable)='\(text)', expected a number")
    }
    return number
  }
}
