extension Fault {
  /// What is known about those of what a backend keeps and reads beside its ledger.
  var describedOfDatabase: Entry {
    switch self {
    case .jobRepeated:
      Entry(
        code: "F54", name: "job-repeated", short: "a job is run a second time",
        about: """
          What a backend has handed to a job queue is run, and half a minute later once more, by its other \
          process: queues deliver at least once. It strikes only backends that use one.
          """,
        evidence: [
          "Amazon SQS: at-least-once delivery of standard queues",
          "Sidekiq, best practices: make your job idempotent",
        ],
        oneIn: 8)
    case .staleRead:
      Entry(
        code: "F55", name: "stale-read", short: "a replica has not the last commit yet",
        about: """
          What is read from a replica of the database is as it was before the last commit, if that was less than \
          a minute ago. It strikes only backends that read from one.
          """,
        evidence: [
          "PostgreSQL, high availability: a standby is eventually consistent with the primary",
          "Amazon RDS: replica lag",
        ],
        oneIn: 8)
    case .commitUnknown:
      Entry(
        code: "F56", name: "commit-unknown", short: "nobody knows whether a commit went through",
        about: """
          The connection to the database ends during a commit: before it arrives, so that nothing \
          is entered, or after it, so that all of it is. The backend is told the same both times.
          """,
        evidence: [
          "PostgreSQL, error codes: 08007 transaction_resolution_unknown",
          "CockroachDB, transaction retry errors: result is ambiguous",
        ],
        oneIn: 20)
    case .historyShortened:
      Entry(
        code: "F64", name: "history-shortened",
        short: "Apple's history has no finished consumables",
        about: """
          A page of the transaction history is as the first version of that endpoint has it: consumables that \
          were finished are missing, unless their money was given back. It strikes only backends that ask for one.
          """,
        evidence: [
          "Apple: Get Transaction History V1", "Apple forum 691286", "Apple forum 734644",
        ],
        oneIn: 8)
    default: fatalError("bug: \(self) is of no database")
    }
  }
}
