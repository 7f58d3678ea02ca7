// A copy of scenarios.json; `RECORD=1 swift test --filter ScenarioBuiltIn` makes it.
// swift-format-ignore-file

extension ScenarioFile {
  /// What `scenarios.json` said when this was built, for where there is no such file.
  public static let builtIn = #"""
{
  "version": 1,
  "scenarios": [
    {
      "name": "checkout-benchmark",
      "about": "Three purchases under lost and doubled messages, refusals, replays and crashes: the work the speed is measured on.",
      "topic": "benchmark",
      "system": "checkout-benchmark",
      "backend": "idempotent",
      "products": [{"name": "a"}, {"name": "b"}, {"name": "c"}],
      "steps": [
        {"at": 0, "buyOutside": "a"},
        {"at": 1000, "buyOutside": "b"},
        {"at": 2000, "buyOutside": "c"}
      ],
      "reopenEvery": "never",
      "heal": "60s",
      "horizon": "600s",
      "faults": {
        "request-lost": "1/10",
        "response-lost": "1/10",
        "concurrent-duplicate": "1/20",
        "server-error": {"chance": "1/20", "at": ["fail server.commit"]},
        "replay-finished": "1/20",
        "app-crash": {
          "chance": "1/20",
          "at": ["crash app after callback", "crash app after reply", "crash app after alarm"]
        }
      },
      "invariants": [
        "no-charge-without-delivery", "no-double-credit", "finish-only-after-credit",
        "queue-drains"
      ],
      "seeds": 20000
    }
  ]
}

"""#
}
