// A copy of scenarios.json; `RECORD=1 swift test --filter BuiltInScenario` makes it.
// swift-format-ignore-file

/// What `scenarios.json` said when this was built, for where there is no such file.
enum BuiltInScenarios {
  static let json = #"""
{
  "version": 1,
  "worlds": {
    "one-purchase": {
      "patience": "30s",
      "products": [{"name": "coins"}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}],
      "heal": "60s",
      "horizon": "270s",
      "reopenEvery": "60s"
    },
    "stays-open": {
      "extends": "one-purchase",
      "reopenEvery": "never",
      "within": "120s",
      "horizon": "400s"
    },
    "opened-often": {
      "patience": "30s",
      "products": [{"name": "coins"}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}],
      "heal": "200s", "horizon": "300s", "sittings": {"every": "40s", "for": "20s"}
    },
    "two-users": {
      "extends": "one-purchase",
      "accounts": 2
    },
    "two-installers": {
      "extends": "two-users",
      "storeAccounts": 2,
      "devices": [{"storeAccount": "apple1", "account": "user1"}, {"storeAccount": "apple2", "account": "user2"}],
      "steps": [{"at": "1s", "device": "phone2", "buy": "coins"}, {"at": "2s", "device": "phone1", "buy": "coins"}]
    },
    "cheap-and-dear": {
      "extends": "one-purchase",
      "products": [{"name": "coins"}, {"name": "diamonds"}]
    },
    "three-products": {
      "extends": "one-purchase",
      "products": [{"name": "coins"}, {"name": "gems"}, {"name": "keys"}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}, {"at": "2500ms", "device": "phone1", "buy": "gems"}, {"at": "4s", "device": "phone1", "buy": "keys"}]
    },
    "bought-again": {
      "extends": "one-purchase",
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}, {"at": "20s", "device": "phone1", "buy": "coins"}, {"at": "90s", "device": "phone1", "buy": "coins"}]
    },
    "left-open": {
      "extends": "one-purchase",
      "reopenEvery": "never",
      "horizon": "400s"
    },
    "left-open-twice": {
      "extends": "left-open",
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}, {"at": "20s", "device": "phone1", "buy": "coins"}]
    },
    "left-open-thrice": {
      "extends": "left-open",
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}, {"at": "20s", "device": "phone1", "buy": "coins"}, {"at": "90s", "device": "phone1", "buy": "coins"}]
    },
    "short-stays": {
      "extends": "one-purchase",
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}, {"at": "14s", "device": "phone1", "buy": "coins"}],
      "reopenEvery": "3s"
    },
    "sandbox-phone": {
      "extends": "one-purchase",
      "devices": [{"environment": "sandbox"}]
    },
    "shared-phone": {
      "extends": "one-purchase",
      "accounts": 2,
      "products": [{"name": "coins"}, {"name": "map", "kind": "non-consumable"}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins", "account": "user1"}, {"at": "3s", "device": "phone1", "buy": "coins", "account": "user2"}, {"at": "6s", "device": "phone1", "buy": "map", "account": "user1"}, {"at": "9s", "device": "phone1", "buy": "map", "account": "user2"}, {"at": "12s", "device": "phone1", "buyOutside": "coins", "account": "user1"}]
    },
    "shared-account": {
      "extends": "one-purchase",
      "accounts": 2,
      "devices": [{"storeAccount": "apple1", "account": "user1"}, {"storeAccount": "apple1", "account": "user2"}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}, {"at": "2s", "device": "phone2", "buy": "coins"}, {"at": "12s", "device": "phone1", "buy": "coins"}]
    },
    "bought-outside": {
      "extends": "one-purchase",
      "steps": [{"at": "1s", "device": "phone1", "buyOutside": "coins"}, {"at": "2s", "device": "phone1", "buy": "coins"}]
    },
    "promoted": {
      "extends": "one-purchase",
      "steps": [{"at": "1s", "device": "phone1", "buyPromoted": "coins"}]
    },
    "bought-often": {
      "extends": "one-purchase",
      "devices": [{"storeAccount": "apple1"}, {"storeAccount": "apple1"}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}, {"at": "15s", "device": "phone1", "buy": "coins"}, {"at": "16s", "device": "phone2", "buy": "coins"}, {"at": "25s", "device": "phone1", "buyOutside": "coins"}, {"at": "40s", "device": "phone2", "buy": "coins"}]
    },
    "bought-often-left-open": {
      "extends": "bought-often",
      "reopenEvery": "never",
      "horizon": "400s"
    },
    "two-phones": {
      "extends": "one-purchase",
      "devices": [{"storeAccount": "apple1"}, {"storeAccount": "apple1"}],
      "products": [{"name": "coins"}, {"name": "map", "kind": "non-consumable"}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "map"}, {"at": "1200ms", "device": "phone2", "buy": "map"}, {"at": "9s", "device": "phone1", "buy": "coins"}, {"at": "9s", "device": "phone2", "buy": "coins"}]
    },
    "months": {
      "patience": "30s",
      "products": [{"name": "coins"}, {"name": "map", "kind": "non-consumable"}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}, {"at": "4s", "device": "phone1", "buy": "map"}, {"at": "20s", "device": "phone1", "buyOutside": "coins"}],
      "heal": "30d",
      "horizon": "60d",
      "sittings": {"every": "3d", "for": "5m"}
    },
    "subscriber": {
      "patience": "30s",
      "products": [{"name": "pro", "kind": "auto-renewable", "period": "P1M", "graceDays": 16}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "pro"}],
      "heal": "200d",
      "horizon": "366d",
      "sittings": {"every": "7d", "for": "5m"}
    },
    "plans": {
      "patience": "30s",
      "products": [{"name": "basic", "kind": "auto-renewable", "period": "P1M", "group": "tv", "level": 2, "graceDays": 16}, {"name": "pro", "kind": "auto-renewable", "period": "P1M", "group": "tv", "level": 1, "graceDays": 16}, {"name": "year", "kind": "auto-renewable", "period": "P1Y", "group": "tv", "level": 1, "graceDays": 3}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "basic"}, {"at": "12d", "device": "phone1", "buy": "pro"}, {"at": "40d", "device": "phone1", "buyOutside": "basic"}, {"at": "75d", "device": "phone1", "buy": "year"}],
      "heal": "100d",
      "horizon": "150d",
      "sittings": {"every": "7d", "for": "5m"}
    },
    "offers": {
      "patience": "30s",
      "products": [{"name": "basic", "kind": "auto-renewable", "period": "P1M", "group": "tv", "level": 2, "graceDays": 16, "offers": [{"kind": "introductory", "payment": "free-trial", "period": "P1W"}, {"name": "back", "kind": "win-back", "payment": "pay-up-front", "period": "P2M"}]}, {"name": "pro", "kind": "auto-renewable", "period": "P1M", "group": "tv", "level": 1, "offers": [{"name": "friend", "kind": "promotional", "payment": "pay-as-you-go", "period": "P1M", "periods": 2}, {"name": "spring", "kind": "code", "payment": "free-trial", "period": "P3D"}]}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "basic"}, {"at": "30d", "device": "phone1", "buy": "basic", "offer": "back"}, {"at": "50d", "device": "phone1", "buy": "pro", "offer": "friend"}, {"at": "90d", "device": "phone1", "buyOutside": "pro", "offer": "spring"}],
      "heal": "110d",
      "horizon": "160d",
      "sittings": {"every": "5d", "for": "5m"}
    },
    "family": {
      "patience": "30s",
      "accounts": 2, "storeAccounts": 2, "devices": 2, "families": [["apple1", "apple2"]],
      "products": [{"name": "map", "kind": "non-consumable", "familyShareable": true}, {"name": "pro", "kind": "auto-renewable", "period": "P1M", "graceDays": 16, "familyShareable": true}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "map"}, {"at": "1d", "device": "phone1", "buy": "pro"}],
      "heal": "60d",
      "horizon": "90d",
      "sittings": {"every": "5d", "for": "5m"}
    },
    "season": {
      "patience": "30s",
      "products": [{"name": "season", "kind": "non-renewing"}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "season"}, {"at": "20d", "device": "phone1", "buy": "season"}, {"at": "21d", "device": "phone1", "buyOutside": "season"}],
      "heal": "30d",
      "horizon": "60d",
      "sittings": {"every": "5d", "for": "5m"}
    },
    "months-inside": {
      "extends": "months",
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}, {"at": "4s", "device": "phone1", "buy": "map"}]
    },
    "yearly": {
      "patience": "30s",
      "products": [{"name": "pro", "kind": "auto-renewable", "period": "P1Y", "graceDays": 16}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "pro"}],
      "heal": "15d",
      "horizon": "60d",
      "sittings": {"every": "7d", "for": "5m"}
    },
    "weekly": {
      "patience": "30s",
      "products": [{"name": "pro", "kind": "auto-renewable", "period": "P1W"}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "pro"}],
      "heal": "8d",
      "horizon": "40d",
      "sittings": {"every": "2d", "for": "5m"}
    },
    "handed-over": {
      "extends": "yearly",
      "accounts": 2,
      "steps": [{"at": "1s", "device": "phone1", "buy": "pro", "account": "user1"}, {"at": "10d", "device": "phone1", "logIn": "user2"}]
    },
    "mixed": {
      "patience": "30s",
      "accounts": 2,
      "storeAccounts": 2,
      "devices": [{"storeAccount": "apple1", "account": "user1"}, {"storeAccount": "apple1", "account": "user2"}],
      "products": [{"name": "coins"}, {"name": "gems"}, {"name": "map", "kind": "non-consumable"}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}, {"at": "4s", "device": "phone2", "buy": "gems", "quantity": 2}, {"at": "12s", "device": "phone1", "buy": "map"}],
      "heal": "60s",
      "horizon": "270s",
      "reopenEvery": "60s"
    },
    "restored": {
      "extends": "one-purchase",
      "accounts": 2,
      "products": [{"name": "coins"}, {"name": "map", "kind": "non-consumable"}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}, {"at": "4s", "device": "phone1", "buy": "map"}, {"at": "20s", "device": "phone1", "logIn": "user2"}, {"at": "24s", "device": "phone1", "do": "restore"}, {"at": "34s", "device": "phone1", "logIn": "user1"}, {"at": "38s", "device": "phone1", "do": "restore"}]
    },
    "owned": {
      "patience": "30s",
      "accounts": 2,
      "products": [{"name": "coins"}, {"name": "map", "kind": "non-consumable"}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "map"}, {"at": "15s", "device": "phone1", "logIn": "user2"}, {"at": "45s", "device": "phone1", "buy": "coins", "account": "user2"}],
      "heal": "200s", "horizon": "300s", "sittings": {"every": "40s", "for": "20s"}
    }
  },
  "topics": {
    "crash-before-finish": {
      "code": "F01d", "world": "one-purchase",
      "about": "The answer is ok, and the app dies before it finishes.",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on reply"]}}
    },
    "crash-after-finish": {
      "code": "F01e", "world": "one-purchase",
      "about": "The app dies right after it has called finish.",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}}
    },
    "request-lost": {
      "code": "F40", "world": "one-purchase",
      "about": "The report to the backend never arrives.",
      "sometimes": ["credited + request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}}
    },
    "response-lost": {
      "code": "F41", "world": "one-purchase",
      "about": "The backend has credited, and its answer is lost.",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}}
    },
    "verifier-status": {
      "code": "F60", "world": "one-purchase",
      "about": "Apple answers to a receipt that it cannot say now.",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 2, "at": ["fail verifier.status"]}}
    },
    "account-switch": {
      "code": "F07", "world": "two-users",
      "about": "Somebody else logs in between the charge and the report.",
      "sometimes": ["credited + account-switch"],
      "faults": {"account-switch": "1/2"}
    },
    "replay-finished": {
      "code": "F11", "world": "one-purchase",
      "about": "A finished transaction comes back at a launch.",
      "sometimes": ["credited + replay-finished", "credited + app-crash"],
      "faults": {"replay-finished": "1/2", "app-crash": {"chance": "1/4", "most": 2}}
    },
    "missing-redelivery": {
      "code": "F12", "world": "one-purchase",
      "about": "An unfinished transaction is not called back after a relaunch.",
      "sometimes": ["missing-redelivery", "credited + app-crash"],
      "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}}
    },
    "failed-then-purchased": {
      "code": "F14", "world": "stays-open",
      "about": "The app is told that the payment failed, and it is charged.",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": {"chance": "1/2", "most": 1, "at": ["interrupt store.payment"]}}
    },
    "server-crash": {
      "code": "F50", "world": "one-purchase",
      "about": "A process of the backend dies between two steps.",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/6", "most": 1}}
    },
    "commit-unknown": {
      "code": "F56", "world": "one-purchase",
      "about": "The connection to the database ends during a commit, and nobody knows whether it went through.",
      "sometimes": ["credited + commit-unknown"],
      "faults": {"commit-unknown": {"chance": "1/3", "most": 1}}
    },
    "job-repeated": {
      "code": "F54", "world": "one-purchase",
      "about": "A job queue hands out a job a second time.",
      "sometimes": ["credited + job-repeated"],
      "faults": {"job-repeated": "1/2"}
    },
    "stale-read": {
      "code": "F55", "world": "one-purchase",
      "about": "A replica of the database does not have the last commit yet.",
      "sometimes": ["credited + stale-read"],
      "faults": {"stale-read": {"chance": "1/2", "most": 2}}
    },
    "concurrent-duplicate": {
      "code": "F51", "world": "one-purchase",
      "about": "The same report arrives at two replicas of the backend at once.",
      "sometimes": ["credited + concurrent-duplicate"],
      "faults": {"concurrent-duplicate": "1/2"}
    },
    "sandbox-evidence": {
      "code": "F93", "world": "one-purchase",
      "about": "A purchase of the sandbox is shown to the production backend.",
      "sometimes": ["credited + sandbox-evidence"],
      "faults": {"sandbox-evidence": "1/2"}
    },
    "failure-first": {
      "code": "F03", "world": "three-products",
      "about": "One payment is declined, the observer goes, and the other purchase is not seen.",
      "sometimes": ["credited + failure-first"],
      "faults": {"failure-first": {"chance": "1/2", "most": 1}},
      "horizon": "400s", "reopenEvery": "never", "within": "120s",
      "expect": ["no-charge-without-delivery"]
    },
    "failed-upload": {
      "code": "F46", "world": "stays-open",
      "about": "An upload fails, the observer stays, and nothing tries again while the app runs.",
      "sometimes": ["server-error"],
      "faults": {"server-error": {"chance": "1/2", "most": 1, "at": ["fail server.request"]}},
      "retaps": 0, "expect": ["no-charge-without-delivery", "honest-answers"],
      "allow": ["queue-drains", "conservation"]
    },
    "newest-entry": {
      "code": "F10", "world": "three-products",
      "about": "Several unfinished purchases share a receipt of which only the newest entry is credited.",
      "sometimes": ["credited + delayed-delivery"],
      "faults": {"delayed-delivery": "1/2"},
      "expect": ["no-charge-without-delivery"]
    },
    "whole-receipt": {
      "code": "F10", "world": "three-products",
      "about": "Each report credits every entry of the receipt.",
      "sometimes": ["credited + duplicate-callback"],
      "faults": {"duplicate-callback": "1/2"}
    },
    "stale-receipt": {
      "code": "F31", "world": "bought-again",
      "about": "A stale receipt proves the old purchase once more, and the new one is finished for it.",
      "sometimes": ["credited + receipt-stale"],
      "faults": {"receipt-stale": "1/2"},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"]
    },
    "missing-receipt": {
      "code": "F30", "world": "stays-open",
      "about": "There is no receipt file when the transaction is called back again.",
      "sometimes": ["credited + app-crash", "receipt-missing"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "receipt-missing": "1/2"},
      "expect": ["no-charge-without-delivery"]
    },
    "poison": {
      "code": "F60", "world": "bought-again",
      "about": "Apple says that a purchase was never made; it stays unfinished and stands in the way.",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 1, "at": ["void store.charge"]}},
      "expect": ["queue-drains", "poison-isolation"]
    },
    "double-tap": {
      "code": "F08", "world": "three-products",
      "about": "A second tap overwrites what was tapped first.",
      "sometimes": ["credited + double-tap"],
      "faults": {"double-tap": "1/2"},
      "horizon": "400s", "reopenEvery": "never", "expect": ["no-endless-wait"]
    },
    "same-product-twice": {
      "code": "F08", "world": "one-purchase",
      "about": "Two taps at once become two charges.",
      "sometimes": ["credited + double-tap"],
      "faults": {"double-tap": {"chance": "1/2", "at": ["repeat person.tap"]}},
      "expect": ["one-tap-one-charge"]
    },
    "order-map": {
      "code": "F01", "world": "one-purchase",
      "about": "The order number is only in memory when the app dies.",
      "sometimes": ["app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "retaps": 0, "expect": ["no-charge-without-delivery"],
      "allow": ["queue-drains", "conservation", "honest-answers", "no-endless-wait", "transient-is-not-permanent"]
    },
    "cached": {
      "code": "F53", "world": "one-purchase",
      "about": "The cache that keeps repeats away forgets.",
      "sometimes": ["credited + dedupe-pruned", "credited + duplicate-callback"],
      "faults": {"dedupe-pruned": "1/2", "duplicate-callback": "1/2"},
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    "shared-closures": {
      "code": "F08", "world": "three-products",
      "about": "Two purchases share one pair of closures.",
      "sometimes": ["credited + double-tap"],
      "faults": {"double-tap": "1/2"},
      "expect": ["honest-answers", "no-endless-wait"]
    },
    "finish-first": {
      "code": "F01", "world": "one-purchase",
      "about": "Finish at the top, and a store of one's own for retries.",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"]
    },
    "finish-before-answer": {
      "code": "F40", "world": "one-purchase",
      "about": "Finish when the report is sent, and the report is lost.",
      "sometimes": ["request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation"]
    },
    "late-observer": {
      "code": "F02", "world": "stays-open",
      "about": "The observer waits for a page that nobody opens.",
      "sometimes": ["credited + app-crash", "credited + late-observer"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "late-observer": "1/2"},
      "expect": ["no-charge-without-delivery"],
      "allow": ["queue-drains", "conservation", "traceability"]
    },
    "lost-record": {
      "code": "F09", "world": "one-purchase",
      "about": "The record of the purchase never reaches the disk.",
      "sometimes": ["credited + record-lost", "credited + request-lost", "credited + app-crash"],
      "faults": {"record-lost": "1/2", "request-lost": {"chance": "1/2", "most": 1}, "app-crash": {"chance": "1/4", "most": 2, "at": ["crash app after finish", "crash app on reply"]}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "local-record-discipline"]
    },
    "finish-then-save": {
      "code": "F01", "world": "one-purchase",
      "about": "The app dies between finish and save.",
      "sometimes": ["app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish", "crash app before save"]}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation", "traceability"]
    },
    "reinstall": {
      "code": "F06", "world": "one-purchase",
      "about": "The app is deleted before the record has done its work.",
      "sometimes": ["credited + reinstall", "credited + request-lost", "credited + app-crash"],
      "faults": {"reinstall": "1/2", "request-lost": {"chance": "1/2", "most": 1}, "app-crash": {"chance": "1/4", "most": 1, "at": ["crash app after callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "local-record-discipline"]
    },
    "old-backup": {
      "code": "F06b", "world": "one-purchase",
      "about": "A backup brings back a record that was dealt with.",
      "sometimes": ["credited + backup-restored", "credited + app-crash"],
      "faults": {"backup-restored": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after tell"]}},
      "delays": {"delay storage.flush": "0..0"}
    },
    "order-forgotten": {
      "code": "F01", "world": "one-purchase",
      "about": "The order was only in memory: what is called back again has none.",
      "sometimes": ["app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "transient-is-not-permanent", "local-record-discipline"]
    },
    "order-dedupe": {
      "code": "F14", "world": "one-purchase",
      "about": "One order, and what is paid twice is delivered once.",
      "sometimes": ["credited + double-tap"],
      "faults": {"double-tap": {"chance": "1/2", "at": ["repeat person.tap"]}},
      "expect": ["no-charge-without-delivery", "one-tap-one-charge"],
      "allow": ["finish-only-after-credit", "conservation", "honest-answers", "no-endless-wait"]
    },
    "receipt-dedupe": {
      "code": "F34", "world": "three-products",
      "about": "The receipt's bytes change, and what was credited is credited again.",
      "sometimes": ["credited + finish-lost"],
      "faults": {"finish-lost": "1/2"}
    },
    "one-key": {
      "code": "F09", "world": "three-products",
      "about": "Two purchases share one key of the store.",
      "sometimes": ["credited + request-lost"],
      "faults": {"request-lost": "1/2"},
      "expect": ["no-charge-without-delivery", "local-record-discipline"],
      "allow": ["finish-only-after-credit", "conservation"]
    },
    "resend-at-launch": {
      "code": "F40", "world": "stays-open",
      "about": "What failed is sent again at the next launch only.",
      "sometimes": ["request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "honest-answers", "no-endless-wait", "local-record-discipline"]
    },
    "resend-as-another": {
      "code": "F07", "world": "two-users",
      "about": "Somebody else is logged in when the record is sent again.",
      "sometimes": ["credited + account-switch", "credited + request-lost"],
      "faults": {"account-switch": "1/2", "request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["right-account"], "allow": ["finish-only-after-credit"]
    },
    "local-verifier": {
      "code": "F94", "world": "one-purchase",
      "about": "The verification on the device is intercepted.",
      "sometimes": ["credited + local-verification-spoofed"],
      "faults": {"local-verification-spoofed": "1/2"}
    },
    "substituted-product": {
      "code": "F95", "world": "cheap-and-dear",
      "about": "A cheap purchase is reported as a dear one.",
      "sometimes": ["credited + product-substituted", "credited + request-lost"],
      "faults": {"product-substituted": "1/2", "request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["fidelity"]
    },
    "updates-offline": {
      "code": "F45", "world": "one-purchase",
      "about": "What comes through updates while the device is offline is finished and lost.",
      "sometimes": ["credited + delayed-delivery", "partition"],
      "faults": {"delayed-delivery": "1/2", "partition": "1/2"},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation"]
    },
    "server-error": {
      "code": "F46", "world": "one-purchase",
      "about": "The backend answers 5xx to the report of what is finished already.",
      "sometimes": ["credited + server-error"],
      "faults": {"server-error": {"chance": "1/2", "most": 1}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"]
    },
    "twice-in-a-session": {
      "code": "F10", "world": "one-purchase",
      "about": "purchase() and updates bring the same transaction.",
      "sometimes": ["credited + duplicate-callback"],
      "faults": {"duplicate-callback": "1/2"}
    },
    "listen-on-page": {
      "code": "F02", "world": "stays-open",
      "about": "Nobody listens until a page is opened.",
      "sometimes": ["credited + late-observer", "credited + delayed-delivery", "credited + app-crash"],
      "faults": {"late-observer": "1/2", "delayed-delivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app before finish", "crash app on callback"]}},
      "expect": ["no-charge-without-delivery"]
    },
    "username-gone": {
      "code": "F19", "world": "one-purchase",
      "about": "After a relaunch the transaction no longer says whose it is.",
      "sometimes": ["credited + app-crash", "token-hidden"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "token-hidden": "1/2"},
      "expect": ["no-charge-without-delivery", "queue-drains"], "allow": ["conservation"]
    },
    "uuid-gone": {
      "code": "F19", "world": "one-purchase",
      "about": "A UUID as the name does not help: the device does not show it either.",
      "sometimes": ["credited + app-crash", "token-hidden"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "token-hidden": "1/2"},
      "expect": ["no-charge-without-delivery", "queue-drains"], "allow": ["conservation"]
    },
    "black-first": {
      "code": "F50", "world": "one-purchase",
      "about": "Delivered is written first, and the process dies before the credit.",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/4", "most": 1}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "honest-answers", "no-endless-wait"]
    },
    "probe-as-another": {
      "code": "F33", "world": "two-users",
      "about": "The probe's receipt is entered under whoever is logged in.",
      "sometimes": ["credited + account-switch", "credited + delayed-delivery", "missing-redelivery", "credited + app-crash"],
      "faults": {"account-switch": "1/2", "delayed-delivery": "1/2", "missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-cross-user-leak"], "allow": ["no-charge-without-delivery", "conservation"]
    },
    "black-refuses": {
      "code": "F41", "world": "one-purchase",
      "about": "The answer is lost, and the repeat is refused because it was delivered.",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}},
      "expect": ["idempotent-acknowledgement", "queue-drains"]
    },
    "buys-listed": {
      "code": "F08", "world": "three-products",
      "about": "A payment is added for every product in the response.",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/20"}},
      "expect": ["one-tap-one-charge"]
    },
    "foreign-receipt": {
      "code": "F33", "world": "two-installers",
      "about": "The receipt is of the Apple ID that installed the app.",
      "sometimes": ["credited + foreign-receipt", "credited + app-crash"],
      "faults": {"foreign-receipt": "1/2", "app-crash": {"chance": "1/2", "most": 2, "at": ["crash app on callback"]}}
    },
    "attackers": {
      "code": "F92", "world": "two-users",
      "about": "Forged, stolen and borrowed receipts are posted.",
      "sometimes": ["credited + forged-receipt", "credited + stolen-evidence", "credited + foreign-app-evidence"],
      "faults": {"forged-receipt": "1/2", "stolen-evidence": "1/2", "foreign-app-evidence": "1/2"}
    },
    "transaction-unknown": {
      "code": "F62", "world": "one-purchase",
      "about": "Apple does not know a transaction that is seconds old.",
      "sometimes": ["charged + transaction-unknown"],
      "faults": {"transaction-unknown": {"chance": "1/2", "most": 2}}
    },
    "sandbox-phone": {
      "code": "F62", "world": "sandbox-phone",
      "about": "The production address does not know a purchase of the sandbox, or answers 401.",
      "sometimes": ["credited + transaction-unknown"],
      "faults": {"transaction-unknown": {"chance": "1/2", "most": 2, "at": ["refuse verifier.transaction"]}}
    },
    "verifier-busy": {
      "code": "F63", "world": "one-purchase",
      "about": "Apple's server has no time for a look-up, or is not ready.",
      "sometimes": ["credited + verifier-busy"],
      "faults": {"verifier-busy": {"chance": "1/2", "most": 2}}
    },
    "signature-unchecked": {
      "code": "F65", "world": "one-purchase",
      "about": "Whether the certificates of a signed transaction still hold cannot be found out now.",
      "sometimes": ["credited + signature-unchecked"],
      "faults": {"signature-unchecked": {"chance": "1/2", "most": 2}}
    },
    "left-open": {
      "code": "mixed", "world": "left-open",
      "about": "One purchase in an app that nobody closes, every fault.",
      "sometimes": ["finished", "failed-then-purchased + credited", "finish-lost + finished"],
      "faults": {"mix": "all"}
    },
    "left-open-twice": {
      "code": "mixed", "world": "left-open-twice",
      "about": "A product bought twice in an app that nobody closes, every fault.",
      "sometimes": ["finished", "failed-then-purchased + credited", "finish-lost + finished"],
      "faults": {"mix": "all"}
    },
    "left-open-thrice": {
      "code": "mixed", "world": "left-open-thrice",
      "about": "A product bought three times in an app that nobody closes, every fault.",
      "sometimes": ["finished", "failed-then-purchased + credited", "finish-lost + finished"],
      "faults": {"mix": "all"}
    },
    "short-stays": {
      "code": "mixed", "world": "short-stays",
      "about": "A product bought twice in an app that is closed every three seconds, every fault.",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "missing-redelivery"],
      "faults": {"mix": "all"}
    },
    "two-phones": {
      "code": "mixed", "world": "two-phones",
      "about": "Two phones of one Apple account buy the same at the same time, every fault.",
      "sometimes": ["finished", "returned", "failed-then-purchased + credited"],
      "faults": {"mix": "all"}
    },
    "shared-phone": {
      "code": "mixed", "world": "shared-phone",
      "about": "Two users of one phone buy the same things, and one buys outside the app, every fault.",
      "sometimes": ["finished", "returned", "account-switch + credited", "stolen-evidence + credited"],
      "faults": {"mix": "all"}
    },
    "shared-account": {
      "code": "mixed", "world": "shared-account",
      "about": "Two users buy the same on two phones of one Apple account, every fault.",
      "sometimes": ["finished", "returned", "failed-then-purchased + credited"],
      "faults": {"mix": "all"}
    },
    "promoted": {
      "code": "mixed", "world": "promoted",
      "about": "Somebody buys on the app's page in the App Store, which opens the app; every fault.",
      "sometimes": ["credited", "app-crash + credited"],
      "faults": {"mix": "all"}
    },
    "bought-outside": {
      "code": "mixed", "world": "bought-outside",
      "about": "A purchase in the App Store itself, and one of the same product in the app, every fault.",
      "sometimes": ["finished", "stolen-evidence + credited", "failed-then-purchased + credited"],
      "faults": {"mix": "all"}
    },
    "bought-often": {
      "code": "mixed", "world": "bought-often",
      "about": "A product bought five times, on two phones and outside the app, every fault.",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "missing-redelivery"],
      "faults": {"mix": "all"}
    },
    "bought-often-left-open": {
      "code": "mixed", "world": "bought-often-left-open",
      "about": "The same in apps that nobody closes.",
      "sometimes": ["credited", "finished", "failed-then-purchased + credited"],
      "faults": {"mix": "all"}
    },
    "command-lost": {
      "code": "F66", "world": "months",
      "about": "The backend has Apple finish what it has credited, and Apple does not hear of it.",
      "sometimes": ["credited + command-lost"],
      "faults": {"command-lost": "1/2"}
    },
    "restore": {
      "code": "restore", "world": "restored",
      "about": "Two users of one phone restore: what was credited before is credited to nobody again.",
      "sometimes": ["restored + credited", "response-lost"],
      "faults": {"finish-lost": "1/2", "response-lost": "1/3"}
    },
    "handler-twice": {
      "code": "F04", "world": "one-purchase",
      "about": "The listener is attached twice, and each transaction is handled twice at once.",
      "sometimes": ["credited + handler-twice"],
      "faults": {"handler-twice": "1/2"}
    },
    "identity-drift": {
      "code": "F17", "world": "owned",
      "about": "What is owned comes at a launch with another id, and somebody else is logged in.",
      "sometimes": ["restored + identity-drift"],
      "faults": {"identity-drift": "1/2"}
    },
    "finished-elsewhere": {
      "code": "F18", "world": "one-purchase",
      "about": "Another part of the app finishes the transaction before the app is called back.",
      "sometimes": ["charged + finished-elsewhere"],
      "faults": {"finished-elsewhere": "1/2"}
    },
    "storefront-changed": {
      "code": "F25", "world": "three-products",
      "about": "The storefront changes before a payment, which is refused, or charged in the other one.",
      "sometimes": ["credited + storefront-changed"],
      "faults": {"storefront-changed": {"chance": "1/2", "most": 1}},
      "horizon": "400s", "reopenEvery": "never", "within": "120s"
    },
    "clock-wrong": {
      "code": "F26", "world": "subscriber",
      "about": "The phone's clock is hours or weeks wrong while somebody subscribes.",
      "sometimes": ["credited + clock-wrong"],
      "faults": {"clock-wrong": "1/2"}
    },
    "notification-lost": {
      "code": "F70", "world": "subscriber",
      "about": "A year of a subscription; notifications of Apple do not arrive.",
      "sometimes": ["credited + notification-lost"],
      "faults": {"notification-lost": "1/2"}
    },
    "notification-twice": {
      "code": "F71", "world": "subscriber",
      "about": "A year of a subscription; notifications arrive twice.",
      "sometimes": ["credited + notification-twice"],
      "faults": {"notification-twice": "1/2"}
    },
    "notification-repeated": {
      "code": "F72", "world": "subscriber",
      "about": "A year of a subscription; Apple tells the same in two notifications.",
      "sometimes": ["credited + notification-repeated"],
      "faults": {"notification-repeated": "1/2"}
    },
    "notification-overtaken": {
      "code": "F73", "world": "subscriber",
      "about": "A year of a subscription; a notification is overtaken by a later one.",
      "sometimes": ["credited + notification-overtaken"],
      "faults": {"notification-overtaken": "1/2"}
    },
    "notification-delayed": {
      "code": "F74", "world": "subscriber",
      "about": "A year of a subscription; notifications are on their way for an hour.",
      "sometimes": ["credited + notification-delayed"],
      "faults": {"notification-delayed": "1/2"}
    },
    "refund": {
      "code": "F80", "world": "subscriber",
      "about": "Apple gives the money of a period back.",
      "sometimes": ["credited + refund"],
      "faults": {"refund": "1/8"}
    },
    "billing-problem": {
      "code": "F85", "world": "subscriber",
      "about": "A renewal cannot be charged: grace, retries, and the end of it.",
      "sometimes": ["credited + billing-problem"],
      "faults": {"billing-problem": "1/4"}
    },
    "renewal-off": {
      "code": "F86", "world": "subscriber",
      "about": "The person turns the renewal off.",
      "sometimes": ["credited + renewal-off"],
      "faults": {"renewal-off": "1/8"}
    },
    "year": {
      "code": "mixed", "world": "subscriber",
      "about": "A year of a subscription, every fault.",
      "sometimes": ["credited", "billing-problem + notification-lost", "refund + credited", "app-crash + response-lost + credited"],
      "faults": {"mix": "all"}
    },
    "plans": {
      "code": "mixed", "world": "plans",
      "about": "A subscriber who changes plans: up at once, down and across with the next period; every fault.",
      "sometimes": ["credited", "billing-problem + notification-lost", "refund + credited", "app-crash + credited"],
      "faults": {"mix": "whole-store"}
    },
    "plans-drift": {
      "code": "mixed", "world": "plans", "eventLimit": 10000000,
      "about": "A subscriber who changes plans, and what is paid for comes with other ids at launches; every fault.",
      "sometimes": ["restored + identity-drift", "billing-problem + notification-lost", "refund + credited", "app-crash + credited"],
      "faults": {"mix": "whole-store", "identity-drift": "1/8"}
    },
    "offers": {
      "code": "mixed", "world": "offers",
      "about": "A free week, an offer to come back, one of the app's and a code; every fault.",
      "sometimes": ["credited", "billing-problem + notification-lost", "refund + credited", "renewal-off + credited"],
      "faults": {"mix": "whole-store"}
    },
    "family-shared": {
      "code": "F82", "world": "family",
      "about": "What one of a family buys the other has without a tap and without a token, until somebody leaves.",
      "sometimes": ["family-left"],
      "faults": {"family-left": "1/2"}
    },
    "family-left": {
      "code": "mixed", "world": "family",
      "about": "A map and a subscription that two of a family share, until one of them leaves it; every fault.",
      "sometimes": ["credited", "family-left + credited", "refund + credited"],
      "faults": {"mix": "whole-store", "family-left": "1/4"}
    },
    "price-raised": {
      "code": "F88", "world": "subscriber",
      "about": "A subscription is to cost more, and who pays agrees or does not; every fault.",
      "sometimes": ["credited", "price-raised + credited", "price-raised + notification-lost"],
      "faults": {"mix": "whole-store", "price-raised": "1/2"}
    },
    "season": {
      "code": "mixed", "world": "season",
      "about": "A subscription that is not renewed is bought three times; every fault.",
      "sometimes": ["credited", "refund + credited", "refund-prorated"],
      "faults": {"mix": "whole-store"}
    },
    "notification-early": {
      "code": "F75", "world": "months",
      "about": "Apple tells the backend before the app has heard of the purchase.",
      "sometimes": ["credited + notification-early"],
      "faults": {"notification-early": "1/2"}
    },
    "notification-forged": {
      "code": "F76", "world": "months",
      "about": "Somebody posts forged notifications of refunds.",
      "sometimes": ["credited + notification-forged"],
      "faults": {"notification-forged": "1/2"}
    },
    "coins-refunded": {
      "code": "F80", "world": "months",
      "about": "Apple gives money back within two weeks: before or after the goods were credited.",
      "sometimes": ["refund + credited"],
      "faults": {"refund": "1/2"}
    },
    "refund-reversed": {
      "code": "F81", "world": "months",
      "about": "Apple gives money back, and takes it again.",
      "sometimes": ["refund-reversed + credited"],
      "faults": {"refund": "1/2", "refund-reversed": "1/2"}
    },
    "refund-prorated": {
      "code": "F83", "world": "months",
      "about": "Apple gives a part of the money back.",
      "sometimes": ["refund-prorated + credited"],
      "faults": {"refund": "1/2", "refund-prorated": "1/2"}
    },
    "refund-asked": {
      "code": "F87", "world": "months",
      "about": "Somebody asks for their money back, and Apple asks the backend before it decides.",
      "sometimes": ["refund-asked + credited", "refunded"],
      "faults": {"refund-asked": "1/2", "notification-twice": "1/4", "notification-lost": "1/4"}
    },
    "history-shortened": {
      "code": "F64", "world": "months",
      "about": "The history of an older kind lacks consumables that were finished.",
      "faults": {"history-shortened": "1/2", "notification-lost": "1/2"}
    },
    "refund-unannounced": {
      "code": "F84", "world": "months",
      "about": "Apple gives money back, and no app is told.",
      "sometimes": ["refund-unannounced + credited"],
      "faults": {"refund": "1/2", "refund-unannounced": "1/2"}
    },
    "report-late": {
      "code": "F44", "world": "one-purchase",
      "about": "The app dies, its report is late, and the order number in Apple's mail is quicker.",
      "sometimes": ["credited + slow-server + app-crash"],
      "faults": {"slow-server": {"chance": "1/2", "most": 1}, "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after send"]}}
    },
    "subscriber-unreported": {
      "code": "F40", "world": "yearly",
      "about": "Somebody subscribes for a year, and the app's report never arrives.",
      "sometimes": ["charged + request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}}
    },
    "subscriber-dies": {
      "code": "F01", "world": "yearly",
      "about": "Somebody subscribes for a year, and the app dies right after it has called finish.",
      "sometimes": ["charged + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}}
    },
    "subscriber-reinstalls": {
      "code": "F06", "world": "yearly",
      "about": "A subscriber deletes the app and installs it again.",
      "sometimes": ["credited + reinstall"],
      "faults": {"reinstall": {"chance": "1/4", "most": 1}}
    },
    "subscriber-refunded": {
      "code": "F80", "world": "yearly",
      "about": "Apple gives the money of a year's subscription back.",
      "sometimes": ["credited + refund"],
      "faults": {"refund": "1/2"}
    },
    "old-period-refunded": {
      "code": "F80", "world": "weekly",
      "about": "Apple gives the money of a week back when the next one is paid for already.",
      "sometimes": ["credited + refund"],
      "faults": {"refund": "1/2"}
    },
    "refund-before-renewal": {
      "code": "F70", "world": "weekly",
      "about": "Apple tells of a refund before it can tell of the renewal that was refunded.",
      "sometimes": ["refund + notification-lost"],
      "delays": {"delay store.refund": "60s..30m"},
      "faults": {"refund": "1/2", "notification-lost": "1/2"}
    },
    "coins-refunded-inside": {
      "code": "F80", "world": "months-inside",
      "about": "Apple gives money back for what was bought in the app.",
      "sometimes": ["credited + refund"],
      "faults": {"refund": "1/2"}
    },
    "refund-told-twice": {
      "code": "F71", "world": "months-inside",
      "about": "Apple gives money back, and its notification comes twice.",
      "sometimes": ["credited + refund + notification-twice"],
      "faults": {"refund": "1/2", "notification-twice": "1/2"}
    },
    "refund-untold": {
      "code": "F70", "world": "months-inside",
      "about": "Apple gives money back, and no notification of it arrives for as long as Apple tries.",
      "sometimes": ["givenUp + refund + credited"],
      "faults": {"refund": "1/2", "notification-lost": "1"}
    },
    "refund-taken-again": {
      "code": "F81", "world": "months-inside",
      "about": "Apple gives money back for what was bought in the app, and takes it again.",
      "sometimes": ["credited + refund-reversed"],
      "faults": {"refund": "1/2", "refund-reversed": "1/2"}
    },
    "handed-over": {
      "code": "F07", "world": "handed-over",
      "about": "A subscriber logs out, and somebody else logs in, whose phone's receipt lists the subscription.",
      "faults": {}
    },
    "months": {
      "code": "mixed", "world": "months",
      "about": "Two months of purchases and refunds, every fault.",
      "sometimes": ["credited", "refund + notification-lost", "refund-reversed + credited", "refund + response-lost"],
      "faults": {"mix": "whole-store"}
    },
    "mixed": {
      "world": "mixed",
      "about": "Three purchases, two users, two devices, every fault.",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "replay-finished + credited", "account-switch + credited", "server-crash + credited", "concurrent-duplicate + verifier-status"],
      "faults": {"mix": "all"}
    },
    "checkout-benchmark": {
      "code": "benchmark",
      "about": "The work that the speed is measured on.",
      "sometimes": ["credited + request-lost", "credited + response-lost", "credited + concurrent-duplicate", "credited + server-error", "credited + replay-finished", "credited + app-crash"],
      "faults": {"request-lost": "1/10", "response-lost": "1/10", "concurrent-duplicate": "1/20", "server-error": {"chance": "1/20", "at": ["fail server.commit"]}, "replay-finished": "1/20", "app-crash": {"chance": "1/20", "at": ["crash app after callback", "crash app after reply", "crash app after alarm"]}},
      "products": [{"name": "coins"}, {"name": "gems"}, {"name": "keys"}],
      "steps": [{"at": 0, "device": "phone1", "buyOutside": "coins"}, {"at": 1000, "device": "phone1", "buyOutside": "gems"}, {"at": 2000, "device": "phone1", "buyOutside": "keys"}],
      "heal": "60s", "horizon": "600s", "reopenEvery": "never",
      "invariants": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "queue-drains"],
      "seeds": 20000
    }
  },
  "scenarios": [
    {
      "name": "observer-on-demand/naive/crash-before-finish", "topic": "crash-before-finish",
      "system": "observer-on-demand", "backend": "naive",
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "observer-on-demand/idempotent/crash-before-finish", "topic": "crash-before-finish",
      "system": "observer-on-demand", "backend": "idempotent"
    },
    {
      "name": "observe-at-launch/naive/crash-before-finish", "topic": "crash-before-finish",
      "system": "observe-at-launch", "backend": "naive",
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "observe-at-launch/idempotent/crash-before-finish", "topic": "crash-before-finish",
      "system": "observe-at-launch", "backend": "idempotent"
    },
    {
      "name": "receipt-store/naive/crash-before-finish", "topic": "crash-before-finish",
      "system": "receipt-store", "backend": "naive",
      "expect": ["no-double-credit"], "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "receipt-store/idempotent/crash-before-finish", "topic": "crash-before-finish",
      "system": "receipt-store", "backend": "idempotent",
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/crash-before-finish", "topic": "crash-before-finish",
      "system": "storekit2-order-token", "backend": "naive",
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/crash-before-finish", "topic": "crash-before-finish",
      "system": "storekit2-order-token", "backend": "idempotent",
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "white-black-tables/naive/crash-before-finish", "topic": "crash-before-finish",
      "system": "white-black-tables", "backend": "naive"
    },
    {
      "name": "white-black-tables/idempotent/crash-before-finish", "topic": "crash-before-finish",
      "system": "white-black-tables", "backend": "idempotent"
    },
    {
      "name": "exactly-once/storekit2/crash-before-finish", "topic": "crash-before-finish",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/crash-before-finish", "topic": "crash-before-finish",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "observer-on-demand/naive/crash-after-finish", "topic": "crash-after-finish",
      "system": "observer-on-demand", "backend": "naive"
    },
    {
      "name": "observer-on-demand/idempotent/crash-after-finish", "topic": "crash-after-finish",
      "system": "observer-on-demand", "backend": "idempotent"
    },
    {
      "name": "observe-at-launch/naive/crash-after-finish", "topic": "crash-after-finish",
      "system": "observe-at-launch", "backend": "naive"
    },
    {
      "name": "observe-at-launch/idempotent/crash-after-finish", "topic": "crash-after-finish",
      "system": "observe-at-launch", "backend": "idempotent"
    },
    {
      "name": "receipt-store/naive/crash-after-finish", "topic": "crash-after-finish",
      "system": "receipt-store", "backend": "naive",
      "expect": ["finish-only-after-credit"], "allow": ["local-record-discipline"]
    },
    {
      "name": "receipt-store/idempotent/crash-after-finish", "topic": "crash-after-finish",
      "system": "receipt-store", "backend": "idempotent",
      "expect": ["finish-only-after-credit"], "allow": ["local-record-discipline"]
    },
    {
      "name": "storekit2-order-token/naive/crash-after-finish", "topic": "crash-after-finish",
      "system": "storekit2-order-token", "backend": "naive",
      "sometimes": ["app-crash"],
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/crash-after-finish", "topic": "crash-after-finish",
      "system": "storekit2-order-token", "backend": "idempotent",
      "sometimes": ["app-crash"],
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/naive/crash-after-finish", "topic": "crash-after-finish",
      "system": "white-black-tables", "backend": "naive"
    },
    {
      "name": "white-black-tables/idempotent/crash-after-finish", "topic": "crash-after-finish",
      "system": "white-black-tables", "backend": "idempotent"
    },
    {
      "name": "exactly-once/storekit2/crash-after-finish", "topic": "crash-after-finish",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/crash-after-finish", "topic": "crash-after-finish",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "observer-on-demand/naive/request-lost", "topic": "request-lost",
      "system": "observer-on-demand", "backend": "naive",
      "expect": ["honest-answers"]
    },
    {
      "name": "observer-on-demand/idempotent/request-lost", "topic": "request-lost",
      "system": "observer-on-demand", "backend": "idempotent",
      "expect": ["honest-answers"]
    },
    {
      "name": "observe-at-launch/naive/request-lost", "topic": "request-lost",
      "system": "observe-at-launch", "backend": "naive", "expect": ["no-endless-wait"]
    },
    {
      "name": "observe-at-launch/idempotent/request-lost", "topic": "request-lost",
      "system": "observe-at-launch", "backend": "idempotent", "expect": ["no-endless-wait"]
    },
    {
      "name": "receipt-store/naive/request-lost", "topic": "request-lost",
      "system": "receipt-store", "backend": "naive",
      "allow": ["finish-only-after-credit"], "expect": ["no-endless-wait"]
    },
    {
      "name": "receipt-store/idempotent/request-lost", "topic": "request-lost",
      "system": "receipt-store", "backend": "idempotent",
      "allow": ["finish-only-after-credit"], "expect": ["no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/naive/request-lost", "topic": "request-lost",
      "system": "storekit2-order-token", "backend": "naive",
      "sometimes": ["request-lost"],
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "no-endless-wait"],
      "allow": ["conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/request-lost", "topic": "request-lost",
      "system": "storekit2-order-token", "backend": "idempotent",
      "sometimes": ["request-lost"],
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "no-endless-wait"],
      "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/naive/request-lost", "topic": "request-lost",
      "system": "white-black-tables", "backend": "naive", "expect": ["no-endless-wait"]
    },
    {
      "name": "white-black-tables/idempotent/request-lost", "topic": "request-lost",
      "system": "white-black-tables", "backend": "idempotent", "expect": ["no-endless-wait"]
    },
    {
      "name": "exactly-once/storekit2/request-lost", "topic": "request-lost",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/request-lost", "topic": "request-lost",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "observer-on-demand/naive/response-lost", "topic": "response-lost",
      "system": "observer-on-demand", "backend": "naive",
      "expect": ["no-double-credit", "honest-answers"], "allow": ["conservation"]
    },
    {
      "name": "observer-on-demand/idempotent/response-lost", "topic": "response-lost",
      "system": "observer-on-demand", "backend": "idempotent",
      "expect": ["honest-answers"]
    },
    {
      "name": "observe-at-launch/naive/response-lost", "topic": "response-lost",
      "system": "observe-at-launch", "backend": "naive",
      "expect": ["no-double-credit", "no-endless-wait"], "allow": ["conservation"]
    },
    {
      "name": "observe-at-launch/idempotent/response-lost", "topic": "response-lost",
      "system": "observe-at-launch", "backend": "idempotent", "expect": ["no-endless-wait"]
    },
    {
      "name": "receipt-store/naive/response-lost", "topic": "response-lost",
      "system": "receipt-store", "backend": "naive",
      "expect": ["no-double-credit", "no-endless-wait"], "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "receipt-store/idempotent/response-lost", "topic": "response-lost",
      "system": "receipt-store", "backend": "idempotent",
      "allow": ["finish-only-after-credit"], "expect": ["no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/naive/response-lost", "topic": "response-lost",
      "system": "storekit2-order-token", "backend": "naive",
      "allow": ["finish-only-after-credit"], "expect": ["no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/idempotent/response-lost", "topic": "response-lost",
      "system": "storekit2-order-token", "backend": "idempotent",
      "allow": ["finish-only-after-credit"], "expect": ["no-endless-wait"]
    },
    {
      "name": "white-black-tables/naive/response-lost", "topic": "response-lost",
      "system": "white-black-tables", "backend": "naive", "expect": ["no-endless-wait"]
    },
    {
      "name": "white-black-tables/idempotent/response-lost", "topic": "response-lost",
      "system": "white-black-tables", "backend": "idempotent", "expect": ["no-endless-wait"]
    },
    {
      "name": "exactly-once/storekit2/response-lost", "topic": "response-lost",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/response-lost", "topic": "response-lost",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "observer-on-demand/naive/verifier-status", "topic": "verifier-status",
      "system": "observer-on-demand", "backend": "naive",
      "allow": ["honest-answers", "no-endless-wait"]
    },
    {
      "name": "observer-on-demand/idempotent/verifier-status", "topic": "verifier-status",
      "system": "observer-on-demand", "backend": "idempotent",
      "allow": ["honest-answers", "no-endless-wait"]
    },
    {
      "name": "observe-at-launch/naive/verifier-status", "topic": "verifier-status",
      "system": "observe-at-launch", "backend": "naive",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "no-finish-on-doubt"],
      "allow": ["conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "observe-at-launch/idempotent/verifier-status", "topic": "verifier-status",
      "system": "observe-at-launch", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "no-finish-on-doubt"],
      "allow": ["conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "receipt-store/naive/verifier-status", "topic": "verifier-status",
      "system": "receipt-store", "backend": "naive",
      "allow": ["finish-only-after-credit"], "expect": ["no-endless-wait"]
    },
    {
      "name": "receipt-store/idempotent/verifier-status", "topic": "verifier-status",
      "system": "receipt-store", "backend": "idempotent",
      "allow": ["finish-only-after-credit"], "expect": ["no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/naive/verifier-busy", "topic": "verifier-busy",
      "system": "storekit2-order-token", "backend": "naive",
      "allow": ["finish-only-after-credit"],
      "expect": ["no-charge-without-delivery", "conservation", "one-tap-one-charge", "honest-answers"]
    },
    {
      "name": "storekit2-order-token/idempotent/verifier-busy", "topic": "verifier-busy",
      "system": "storekit2-order-token", "backend": "idempotent",
      "allow": ["finish-only-after-credit"],
      "expect": ["no-charge-without-delivery", "conservation", "one-tap-one-charge", "honest-answers"]
    },
    {
      "name": "white-black-tables/naive/verifier-status", "topic": "verifier-status",
      "system": "white-black-tables", "backend": "naive", "expect": ["no-endless-wait"]
    },
    {
      "name": "white-black-tables/idempotent/verifier-status", "topic": "verifier-status",
      "system": "white-black-tables", "backend": "idempotent", "expect": ["no-endless-wait"]
    },
    {
      "name": "exactly-once/storekit1/verifier-status", "topic": "verifier-status",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "observer-on-demand/naive/account-switch", "topic": "account-switch",
      "system": "observer-on-demand", "backend": "naive",
      "expect": ["right-account", "honest-answers"]
    },
    {
      "name": "observer-on-demand/idempotent/account-switch", "topic": "account-switch",
      "system": "observer-on-demand", "backend": "idempotent",
      "expect": ["right-account", "honest-answers"]
    },
    {
      "name": "observe-at-launch/naive/account-switch", "topic": "account-switch",
      "system": "observe-at-launch", "backend": "naive",
      "expect": ["right-account", "honest-answers"]
    },
    {
      "name": "observe-at-launch/idempotent/account-switch", "topic": "account-switch",
      "system": "observe-at-launch", "backend": "idempotent",
      "expect": ["right-account", "honest-answers"]
    },
    {
      "name": "receipt-store/naive/account-switch", "topic": "account-switch",
      "system": "receipt-store", "backend": "naive",
      "expect": ["right-account", "honest-answers"], "allow": ["finish-only-after-credit"]
    },
    {
      "name": "receipt-store/idempotent/account-switch", "topic": "account-switch",
      "system": "receipt-store", "backend": "idempotent",
      "expect": ["right-account", "honest-answers"], "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/account-switch", "topic": "account-switch",
      "system": "storekit2-order-token", "backend": "naive",
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/account-switch", "topic": "account-switch",
      "system": "storekit2-order-token", "backend": "idempotent",
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "white-black-tables/naive/account-switch", "topic": "account-switch",
      "system": "white-black-tables", "backend": "naive"
    },
    {
      "name": "white-black-tables/idempotent/account-switch", "topic": "account-switch",
      "system": "white-black-tables", "backend": "idempotent"
    },
    {
      "name": "exactly-once/storekit2/account-switch", "topic": "account-switch",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/account-switch", "topic": "account-switch",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "observer-on-demand/naive/replay-finished", "topic": "replay-finished",
      "system": "observer-on-demand", "backend": "naive",
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "observer-on-demand/idempotent/replay-finished", "topic": "replay-finished",
      "system": "observer-on-demand", "backend": "idempotent"
    },
    {
      "name": "observe-at-launch/naive/replay-finished", "topic": "replay-finished",
      "system": "observe-at-launch", "backend": "naive",
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "observe-at-launch/idempotent/replay-finished", "topic": "replay-finished",
      "system": "observe-at-launch", "backend": "idempotent"
    },
    {
      "name": "receipt-store/naive/replay-finished", "topic": "replay-finished",
      "system": "receipt-store", "backend": "naive",
      "expect": ["no-double-credit"],
      "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation", "transient-is-not-permanent", "local-record-discipline", "idempotent-acknowledgement"]
    },
    {
      "name": "receipt-store/idempotent/replay-finished", "topic": "replay-finished",
      "system": "receipt-store", "backend": "idempotent",
      "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation", "transient-is-not-permanent", "local-record-discipline", "idempotent-acknowledgement"]
    },
    {
      "name": "storekit2-order-token/naive/replay-finished", "topic": "replay-finished",
      "system": "storekit2-order-token", "backend": "naive",
      "expect": ["no-double-credit"],
      "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/replay-finished", "topic": "replay-finished",
      "system": "storekit2-order-token", "backend": "idempotent",
      "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "white-black-tables/naive/replay-finished", "topic": "replay-finished",
      "system": "white-black-tables", "backend": "naive"
    },
    {
      "name": "white-black-tables/idempotent/replay-finished", "topic": "replay-finished",
      "system": "white-black-tables", "backend": "idempotent"
    },
    {
      "name": "exactly-once/storekit2/replay-finished", "topic": "replay-finished",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/replay-finished", "topic": "replay-finished",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "sometimes": ["credited + app-crash"]
    },
    {
      "name": "observer-on-demand/naive/missing-redelivery", "topic": "missing-redelivery",
      "system": "observer-on-demand", "backend": "naive",
      "expect": ["no-charge-without-delivery"], "allow": ["conservation", "traceability"]
    },
    {
      "name": "observer-on-demand/idempotent/missing-redelivery", "topic": "missing-redelivery",
      "system": "observer-on-demand", "backend": "idempotent",
      "expect": ["no-charge-without-delivery"], "allow": ["conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/naive/missing-redelivery", "topic": "missing-redelivery",
      "system": "observe-at-launch", "backend": "naive",
      "expect": ["no-charge-without-delivery"], "allow": ["conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/idempotent/missing-redelivery", "topic": "missing-redelivery",
      "system": "observe-at-launch", "backend": "idempotent",
      "expect": ["no-charge-without-delivery"], "allow": ["conservation", "traceability"]
    },
    {
      "name": "receipt-store/naive/missing-redelivery", "topic": "missing-redelivery",
      "system": "receipt-store", "backend": "naive",
      "sometimes": ["missing-redelivery", "app-crash"], "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "transient-is-not-permanent", "local-record-discipline", "traceability"]
    },
    {
      "name": "receipt-store/idempotent/missing-redelivery", "topic": "missing-redelivery",
      "system": "receipt-store", "backend": "idempotent",
      "sometimes": ["missing-redelivery", "app-crash"], "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "transient-is-not-permanent", "local-record-discipline", "traceability"]
    },
    {
      "name": "storekit2-order-token/naive/missing-redelivery", "topic": "missing-redelivery",
      "system": "storekit2-order-token", "backend": "naive",
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/missing-redelivery", "topic": "missing-redelivery",
      "system": "storekit2-order-token", "backend": "idempotent",
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "white-black-tables/naive/missing-redelivery", "topic": "missing-redelivery",
      "system": "white-black-tables", "backend": "naive",
      "expect": ["no-charge-without-delivery"], "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/idempotent/missing-redelivery", "topic": "missing-redelivery",
      "system": "white-black-tables", "backend": "idempotent",
      "expect": ["no-charge-without-delivery"], "allow": ["conservation"]
    },
    {
      "name": "exactly-once/storekit2/missing-redelivery", "topic": "missing-redelivery",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "sometimes": ["credited + missing-redelivery", "credited + app-crash"]
    },
    {
      "name": "exactly-once/storekit1/missing-redelivery", "topic": "missing-redelivery",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "sometimes": ["credited + missing-redelivery", "credited + app-crash"]
    },
    {
      "name": "observer-on-demand/naive/failed-then-purchased", "topic": "failed-then-purchased",
      "system": "observer-on-demand", "backend": "naive",
      "retaps": 0, "expect": ["no-charge-without-delivery", "honest-answers"],
      "allow": ["conservation", "traceability"]
    },
    {
      "name": "observer-on-demand/idempotent/failed-then-purchased", "topic": "failed-then-purchased",
      "system": "observer-on-demand", "backend": "idempotent",
      "retaps": 0, "expect": ["no-charge-without-delivery", "honest-answers"],
      "allow": ["conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/naive/failed-then-purchased", "topic": "failed-then-purchased",
      "system": "observe-at-launch", "backend": "naive",
      "allow": ["no-double-credit", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "observe-at-launch/idempotent/failed-then-purchased", "topic": "failed-then-purchased",
      "system": "observe-at-launch", "backend": "idempotent",
      "allow": ["one-tap-one-charge", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "receipt-store/naive/failed-then-purchased", "topic": "failed-then-purchased",
      "system": "receipt-store", "backend": "naive",
      "allow": ["no-double-credit", "finish-only-after-credit", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "receipt-store/idempotent/failed-then-purchased", "topic": "failed-then-purchased",
      "system": "receipt-store", "backend": "idempotent",
      "allow": ["finish-only-after-credit", "one-tap-one-charge", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/naive/failed-then-purchased", "topic": "failed-then-purchased",
      "system": "storekit2-order-token", "backend": "naive",
      "expect": ["one-tap-one-charge", "honest-answers"],
      "allow": ["no-double-credit", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/failed-then-purchased", "topic": "failed-then-purchased",
      "system": "storekit2-order-token", "backend": "idempotent",
      "expect": ["one-tap-one-charge", "honest-answers"], "allow": ["finish-only-after-credit"]
    },
    {
      "name": "white-black-tables/naive/failed-then-purchased", "topic": "failed-then-purchased",
      "system": "white-black-tables", "backend": "naive",
      "allow": ["no-double-credit", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "idempotent-acknowledgement"]
    },
    {
      "name": "white-black-tables/idempotent/failed-then-purchased", "topic": "failed-then-purchased",
      "system": "white-black-tables", "backend": "idempotent",
      "allow": ["one-tap-one-charge", "honest-answers", "no-endless-wait", "idempotent-acknowledgement"]
    },
    {
      "name": "exactly-once/storekit2/failed-then-purchased", "topic": "failed-then-purchased",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/failed-then-purchased", "topic": "failed-then-purchased",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "observer-on-demand/naive/server-crash", "topic": "server-crash",
      "system": "observer-on-demand", "backend": "naive",
      "allow": ["no-double-credit", "conservation", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "observer-on-demand/idempotent/server-crash", "topic": "server-crash",
      "system": "observer-on-demand", "backend": "idempotent",
      "allow": ["honest-answers", "no-endless-wait"]
    },
    {
      "name": "observe-at-launch/naive/server-crash", "topic": "server-crash",
      "system": "observe-at-launch", "backend": "naive",
      "allow": ["no-double-credit", "conservation"], "expect": ["no-endless-wait"]
    },
    {
      "name": "observe-at-launch/idempotent/server-crash", "topic": "server-crash",
      "system": "observe-at-launch", "backend": "idempotent", "expect": ["no-endless-wait"]
    },
    {
      "name": "receipt-store/naive/server-crash", "topic": "server-crash",
      "system": "receipt-store", "backend": "naive",
      "allow": ["no-double-credit", "finish-only-after-credit", "conservation"], "expect": ["no-endless-wait"]
    },
    {
      "name": "receipt-store/idempotent/server-crash", "topic": "server-crash",
      "system": "receipt-store", "backend": "idempotent",
      "allow": ["finish-only-after-credit"], "expect": ["no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/naive/server-crash", "topic": "server-crash",
      "system": "storekit2-order-token", "backend": "naive",
      "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation"], "expect": ["no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/idempotent/server-crash", "topic": "server-crash",
      "system": "storekit2-order-token", "backend": "idempotent",
      "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation"], "expect": ["no-endless-wait"]
    },
    {
      "name": "white-black-tables/naive/server-crash", "topic": "server-crash",
      "system": "white-black-tables", "backend": "naive",
      "expect": ["no-double-credit", "no-endless-wait"], "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/idempotent/server-crash", "topic": "server-crash",
      "system": "white-black-tables", "backend": "idempotent", "expect": ["no-endless-wait"]
    },
    {
      "name": "exactly-once/storekit2/server-crash", "topic": "server-crash",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/server-crash", "topic": "server-crash",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "observer-on-demand/naive/commit-unknown", "topic": "commit-unknown",
      "system": "observer-on-demand", "backend": "naive",
      "expect": ["no-double-credit", "honest-answers"], "allow": ["conservation"]
    },
    {
      "name": "observer-on-demand/idempotent/commit-unknown", "topic": "commit-unknown",
      "system": "observer-on-demand", "backend": "idempotent",
      "expect": ["honest-answers"]
    },
    {
      "name": "observe-at-launch/naive/commit-unknown", "topic": "commit-unknown",
      "system": "observe-at-launch", "backend": "naive",
      "expect": ["no-double-credit", "no-endless-wait"], "allow": ["conservation"]
    },
    {
      "name": "observe-at-launch/idempotent/commit-unknown", "topic": "commit-unknown",
      "system": "observe-at-launch", "backend": "idempotent",
      "expect": ["no-endless-wait"]
    },
    {
      "name": "receipt-store/naive/commit-unknown", "topic": "commit-unknown",
      "system": "receipt-store", "backend": "naive",
      "expect": ["no-double-credit", "no-endless-wait"], "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "receipt-store/idempotent/commit-unknown", "topic": "commit-unknown",
      "system": "receipt-store", "backend": "idempotent",
      "expect": ["no-endless-wait"], "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/commit-unknown", "topic": "commit-unknown",
      "system": "storekit2-order-token", "backend": "naive",
      "expect": ["no-charge-without-delivery", "one-tap-one-charge", "honest-answers"], "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/commit-unknown", "topic": "commit-unknown",
      "system": "storekit2-order-token", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "one-tap-one-charge", "honest-answers"], "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "white-black-tables/naive/commit-unknown", "topic": "commit-unknown",
      "system": "white-black-tables", "backend": "naive",
      "expect": ["no-double-credit", "no-endless-wait"], "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/idempotent/commit-unknown", "topic": "commit-unknown",
      "system": "white-black-tables", "backend": "idempotent",
      "expect": ["no-endless-wait"]
    },
    {
      "name": "exactly-once/storekit2/commit-unknown", "topic": "commit-unknown",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/commit-unknown", "topic": "commit-unknown",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "observer-on-demand/naive/concurrent-duplicate", "topic": "concurrent-duplicate",
      "system": "observer-on-demand", "backend": "naive",
      "allow": ["no-double-credit", "conservation"]
    },
    {
      "name": "observer-on-demand/idempotent/concurrent-duplicate", "topic": "concurrent-duplicate",
      "system": "observer-on-demand", "backend": "idempotent"
    },
    {
      "name": "observe-at-launch/naive/concurrent-duplicate", "topic": "concurrent-duplicate",
      "system": "observe-at-launch", "backend": "naive",
      "allow": ["no-double-credit", "conservation"]
    },
    {
      "name": "observe-at-launch/idempotent/concurrent-duplicate", "topic": "concurrent-duplicate",
      "system": "observe-at-launch", "backend": "idempotent"
    },
    {
      "name": "receipt-store/naive/concurrent-duplicate", "topic": "concurrent-duplicate",
      "system": "receipt-store", "backend": "naive",
      "allow": ["no-double-credit", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "receipt-store/idempotent/concurrent-duplicate", "topic": "concurrent-duplicate",
      "system": "receipt-store", "backend": "idempotent",
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/concurrent-duplicate", "topic": "concurrent-duplicate",
      "system": "storekit2-order-token", "backend": "naive",
      "allow": ["no-double-credit", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/concurrent-duplicate", "topic": "concurrent-duplicate",
      "system": "storekit2-order-token", "backend": "idempotent",
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "white-black-tables/naive/concurrent-duplicate", "topic": "concurrent-duplicate",
      "system": "white-black-tables", "backend": "naive",
      "expect": ["no-double-credit"], "allow": ["conservation", "idempotent-acknowledgement"]
    },
    {
      "name": "white-black-tables/idempotent/concurrent-duplicate", "topic": "concurrent-duplicate",
      "system": "white-black-tables", "backend": "idempotent",
      "allow": ["idempotent-acknowledgement"]
    },
    {
      "name": "exactly-once/storekit2/concurrent-duplicate", "topic": "concurrent-duplicate",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/concurrent-duplicate", "topic": "concurrent-duplicate",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "observer-on-demand/naive/sandbox-evidence", "topic": "sandbox-evidence",
      "system": "observer-on-demand", "backend": "naive"
    },
    {
      "name": "observer-on-demand/idempotent/sandbox-evidence", "topic": "sandbox-evidence",
      "system": "observer-on-demand", "backend": "idempotent"
    },
    {
      "name": "observe-at-launch/naive/sandbox-evidence", "topic": "sandbox-evidence",
      "system": "observe-at-launch", "backend": "naive"
    },
    {
      "name": "observe-at-launch/idempotent/sandbox-evidence", "topic": "sandbox-evidence",
      "system": "observe-at-launch", "backend": "idempotent"
    },
    {
      "name": "receipt-store/naive/sandbox-evidence", "topic": "sandbox-evidence",
      "system": "receipt-store", "backend": "naive",
      "expect": ["environment-isolation"], "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "receipt-store/idempotent/sandbox-evidence", "topic": "sandbox-evidence",
      "system": "receipt-store", "backend": "idempotent",
      "expect": ["environment-isolation"], "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/naive/sandbox-evidence", "topic": "sandbox-evidence",
      "system": "storekit2-order-token", "backend": "naive",
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/sandbox-evidence", "topic": "sandbox-evidence",
      "system": "storekit2-order-token", "backend": "idempotent",
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "white-black-tables/naive/sandbox-evidence", "topic": "sandbox-evidence",
      "system": "white-black-tables", "backend": "naive",
      "expect": ["environment-isolation"], "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/idempotent/sandbox-evidence", "topic": "sandbox-evidence",
      "system": "white-black-tables", "backend": "idempotent",
      "expect": ["environment-isolation"], "allow": ["conservation"]
    },
    {
      "name": "exactly-once/storekit2/sandbox-evidence", "topic": "sandbox-evidence",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/sandbox-evidence", "topic": "sandbox-evidence",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "observer-on-demand/naive/failure-first", "topic": "failure-first",
      "system": "observer-on-demand", "backend": "naive",
      "allow": ["no-double-credit", "conservation", "honest-answers", "no-endless-wait", "traceability"]
    },
    {
      "name": "observer-on-demand/idempotent/failure-first", "topic": "failure-first",
      "system": "observer-on-demand", "backend": "idempotent",
      "allow": ["conservation", "honest-answers", "no-endless-wait", "traceability"]
    },
    {
      "name": "observer-on-demand/naive/failed-upload", "topic": "failed-upload",
      "system": "observer-on-demand", "backend": "naive"
    },
    {
      "name": "observer-on-demand/idempotent/failed-upload", "topic": "failed-upload",
      "system": "observer-on-demand", "backend": "idempotent"
    },
    {
      "name": "observer-on-demand/naive/newest-entry", "topic": "newest-entry",
      "system": "observer-on-demand", "backend": "naive", "variant": "newest-entry",
      "allow": ["no-double-credit", "finish-only-after-credit", "conservation", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "observer-on-demand/idempotent/newest-entry", "topic": "newest-entry",
      "system": "observer-on-demand", "backend": "idempotent", "variant": "newest-entry",
      "allow": ["finish-only-after-credit", "conservation", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "observer-on-demand/naive/whole-receipt", "topic": "whole-receipt",
      "system": "observer-on-demand", "backend": "naive",
      "expect": ["no-double-credit"], "allow": ["conservation", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "observer-on-demand/idempotent/whole-receipt", "topic": "whole-receipt",
      "system": "observer-on-demand", "backend": "idempotent", "allow": ["honest-answers", "no-endless-wait"]
    },
    {
      "name": "observer-on-demand/naive/stale-receipt", "topic": "stale-receipt",
      "system": "observer-on-demand", "backend": "naive",
      "reopenEvery": "never", "within": "120s", "horizon": "400s", "retaps": 0,
      "allow": ["no-double-credit", "queue-drains", "conservation", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "observer-on-demand/idempotent/stale-receipt", "topic": "stale-receipt",
      "system": "observer-on-demand", "backend": "idempotent",
      "reopenEvery": "never", "within": "120s", "horizon": "400s", "retaps": 0,
      "allow": ["queue-drains", "conservation", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "observer-on-demand/naive/missing-receipt", "topic": "missing-receipt",
      "system": "observer-on-demand", "backend": "naive",
      "allow": ["queue-drains", "conservation", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "observer-on-demand/idempotent/missing-receipt", "topic": "missing-receipt",
      "system": "observer-on-demand", "backend": "idempotent",
      "allow": ["queue-drains", "conservation", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "observer-on-demand/naive/poison", "topic": "poison",
      "system": "observer-on-demand", "backend": "naive", "expect": ["queue-drains", "poison-isolation", "no-endless-wait"]
    },
    {
      "name": "observer-on-demand/idempotent/poison", "topic": "poison",
      "system": "observer-on-demand", "backend": "idempotent", "expect": ["queue-drains", "poison-isolation", "no-endless-wait"]
    },
    {
      "name": "observer-on-demand/naive/double-tap", "topic": "double-tap",
      "system": "observer-on-demand", "backend": "naive",
      "allow": ["no-charge-without-delivery", "no-double-credit", "conservation", "one-tap-one-charge", "traceability"]
    },
    {
      "name": "observer-on-demand/idempotent/double-tap", "topic": "double-tap",
      "system": "observer-on-demand", "backend": "idempotent",
      "allow": ["no-charge-without-delivery", "conservation", "one-tap-one-charge", "traceability"]
    },
    {
      "name": "observer-on-demand/naive/same-product-twice", "topic": "same-product-twice",
      "system": "observer-on-demand", "backend": "naive",
      "allow": ["no-double-credit", "conservation"]
    },
    {
      "name": "observer-on-demand/idempotent/same-product-twice", "topic": "same-product-twice",
      "system": "observer-on-demand", "backend": "idempotent"
    },
    {
      "name": "observer-on-demand/naive/order-map", "topic": "order-map",
      "system": "observer-on-demand", "backend": "naive", "variant": "order-map"
    },
    {
      "name": "observer-on-demand/idempotent/order-map", "topic": "order-map",
      "system": "observer-on-demand", "backend": "idempotent", "variant": "order-map"
    },
    {
      "name": "observer-on-demand/naive/cached", "topic": "cached",
      "system": "observer-on-demand", "backend": "naive", "variant": "cached"
    },
    {
      "name": "observe-at-launch/naive/stale-receipt", "topic": "stale-receipt",
      "system": "observe-at-launch", "backend": "naive",
      "about": "The receipt lacks the purchase, verification fails, and the transaction is finished.",
      "allow": ["conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt", "transient-is-not-permanent"]
    },
    {
      "name": "observe-at-launch/idempotent/stale-receipt", "topic": "stale-receipt",
      "system": "observe-at-launch", "backend": "idempotent",
      "about": "The receipt lacks the purchase, verification fails, and the transaction is finished.",
      "allow": ["conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt", "transient-is-not-permanent"]
    },
    {
      "name": "observe-at-launch/naive/missing-receipt", "topic": "missing-receipt",
      "system": "observe-at-launch", "backend": "naive",
      "about": "The receipt is missing; after the refresh nobody looks at the purchase again.",
      "sometimes": ["credited + app-crash", "receipt-missing", "refresh-fails"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "receipt-missing": "1/2", "refresh-fails": "1/2"},
      "allow": ["queue-drains", "conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/idempotent/missing-receipt", "topic": "missing-receipt",
      "system": "observe-at-launch", "backend": "idempotent",
      "about": "The receipt is missing; after the refresh nobody looks at the purchase again.",
      "sometimes": ["credited + app-crash", "receipt-missing", "refresh-fails"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "receipt-missing": "1/2", "refresh-fails": "1/2"},
      "allow": ["queue-drains", "conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/naive/shared-closures", "topic": "shared-closures",
      "system": "observe-at-launch", "backend": "naive",
      "allow": ["no-double-credit", "conservation", "one-tap-one-charge"]
    },
    {
      "name": "observe-at-launch/idempotent/shared-closures", "topic": "shared-closures",
      "system": "observe-at-launch", "backend": "idempotent",
      "allow": ["one-tap-one-charge"]
    },
    {
      "name": "observe-at-launch/naive/finish-first", "topic": "finish-first",
      "system": "observe-at-launch", "backend": "naive", "variant": "finish-first",
      "allow": ["no-double-credit", "conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/idempotent/finish-first", "topic": "finish-first",
      "system": "observe-at-launch", "backend": "idempotent", "variant": "finish-first",
      "allow": ["conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/naive/finish-before-answer", "topic": "finish-before-answer",
      "system": "observe-at-launch", "backend": "naive", "variant": "finish-before-answer", "expect": ["no-charge-without-delivery", "finish-only-after-credit", "no-endless-wait", "traceability"]
    },
    {
      "name": "observe-at-launch/idempotent/finish-before-answer", "topic": "finish-before-answer",
      "system": "observe-at-launch", "backend": "idempotent", "variant": "finish-before-answer", "expect": ["no-charge-without-delivery", "finish-only-after-credit", "no-endless-wait", "traceability"]
    },
    {
      "name": "observe-at-launch/naive/late-observer", "topic": "late-observer",
      "system": "observe-at-launch", "backend": "naive", "variant": "late-observer"
    },
    {
      "name": "observe-at-launch/idempotent/late-observer", "topic": "late-observer",
      "system": "observe-at-launch", "backend": "idempotent", "variant": "late-observer"
    },
    {
      "name": "receipt-store/naive/lost-record", "topic": "lost-record",
      "system": "receipt-store", "backend": "naive",
      "allow": ["no-double-credit", "conservation"], "expect": ["no-charge-without-delivery", "finish-only-after-credit", "local-record-discipline", "no-endless-wait", "traceability"]
    },
    {
      "name": "receipt-store/idempotent/lost-record", "topic": "lost-record",
      "system": "receipt-store", "backend": "idempotent",
      "allow": ["conservation"], "expect": ["no-charge-without-delivery", "finish-only-after-credit", "local-record-discipline", "no-endless-wait", "traceability"]
    },
    {
      "name": "receipt-store/naive/finish-then-save", "topic": "finish-then-save",
      "system": "receipt-store", "backend": "naive", "variant": "finish-then-save"
    },
    {
      "name": "receipt-store/idempotent/finish-then-save", "topic": "finish-then-save",
      "system": "receipt-store", "backend": "idempotent", "variant": "finish-then-save"
    },
    {
      "name": "receipt-store/naive/reinstall", "topic": "reinstall",
      "system": "receipt-store", "backend": "naive", "expect": ["no-charge-without-delivery", "no-endless-wait", "traceability"]
    },
    {
      "name": "receipt-store/idempotent/reinstall", "topic": "reinstall",
      "system": "receipt-store", "backend": "idempotent", "expect": ["no-charge-without-delivery", "no-endless-wait", "traceability"]
    },
    {
      "name": "receipt-store/naive/old-backup", "topic": "old-backup",
      "system": "receipt-store", "backend": "naive",
      "expect": ["no-double-credit"],
      "allow": ["finish-only-after-credit", "conservation", "no-charge-without-delivery", "traceability"]
    },
    {
      "name": "receipt-store/idempotent/old-backup", "topic": "old-backup",
      "system": "receipt-store", "backend": "idempotent",
      "allow": ["finish-only-after-credit", "conservation", "no-charge-without-delivery", "traceability"]
    },
    {
      "name": "receipt-store/naive/order-forgotten", "topic": "order-forgotten",
      "system": "receipt-store", "backend": "naive"
    },
    {
      "name": "receipt-store/idempotent/order-forgotten", "topic": "order-forgotten",
      "system": "receipt-store", "backend": "idempotent"
    },
    {
      "name": "receipt-store/naive/order-dedupe", "topic": "order-dedupe",
      "system": "receipt-store", "backend": "naive", "variant": "order-dedupe"
    },
    {
      "name": "receipt-store/idempotent/order-dedupe", "topic": "order-dedupe",
      "system": "receipt-store", "backend": "idempotent", "variant": "order-dedupe"
    },
    {
      "name": "receipt-store/naive/receipt-dedupe", "topic": "receipt-dedupe",
      "system": "receipt-store", "backend": "naive", "variant": "receipt-dedupe",
      "expect": ["no-double-credit"],
      "allow": ["finish-only-after-credit", "conservation", "local-record-discipline", "idempotent-acknowledgement"]
    },
    {
      "name": "receipt-store/idempotent/receipt-dedupe", "topic": "receipt-dedupe",
      "system": "receipt-store", "backend": "idempotent", "variant": "receipt-dedupe",
      "allow": ["finish-only-after-credit", "local-record-discipline", "idempotent-acknowledgement"]
    },
    {
      "name": "receipt-store/naive/stale-receipt", "topic": "stale-receipt",
      "system": "receipt-store", "backend": "naive",
      "about": "The stored receipt never contains the purchase, and the transaction is finished.",
      "world": "one-purchase", "sometimes": ["receipt-stale"],
      "allow": ["conservation", "traceability"], "expect": ["no-charge-without-delivery", "finish-only-after-credit", "no-endless-wait"]
    },
    {
      "name": "receipt-store/idempotent/stale-receipt", "topic": "stale-receipt",
      "system": "receipt-store", "backend": "idempotent",
      "about": "The stored receipt never contains the purchase, and the transaction is finished.",
      "world": "one-purchase", "sometimes": ["receipt-stale"],
      "allow": ["conservation", "traceability"], "expect": ["no-charge-without-delivery", "finish-only-after-credit", "no-endless-wait"]
    },
    {
      "name": "receipt-store/naive/one-key", "topic": "one-key",
      "system": "receipt-store", "backend": "naive", "variant": "one-key", "expect": ["no-charge-without-delivery", "local-record-discipline", "no-endless-wait", "traceability"]
    },
    {
      "name": "receipt-store/idempotent/one-key", "topic": "one-key",
      "system": "receipt-store", "backend": "idempotent", "variant": "one-key", "expect": ["no-charge-without-delivery", "local-record-discipline", "no-endless-wait", "traceability"]
    },
    {
      "name": "receipt-store/naive/resend-at-launch", "topic": "resend-at-launch",
      "system": "receipt-store", "backend": "naive", "expect": ["no-charge-without-delivery", "traceability"]
    },
    {
      "name": "receipt-store/idempotent/resend-at-launch", "topic": "resend-at-launch",
      "system": "receipt-store", "backend": "idempotent", "expect": ["no-charge-without-delivery", "traceability"]
    },
    {
      "name": "receipt-store/naive/resend-as-another", "topic": "resend-as-another",
      "system": "receipt-store", "backend": "naive", "expect": ["right-account", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "receipt-store/idempotent/resend-as-another", "topic": "resend-as-another",
      "system": "receipt-store", "backend": "idempotent", "expect": ["right-account", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "receipt-store/naive/local-verifier", "topic": "local-verifier",
      "system": "receipt-store", "backend": "naive", "variant": "client-verifies",
      "expect": ["no-credit-without-charge"],
      "allow": ["no-charge-without-delivery", "finish-only-after-credit", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "receipt-store/idempotent/local-verifier", "topic": "local-verifier",
      "system": "receipt-store", "backend": "idempotent", "variant": "client-verifies",
      "sometimes": ["local-verification-spoofed"], "expect": ["no-charge-without-delivery", "no-endless-wait"],
      "allow": ["finish-only-after-credit", "conservation", "transient-is-not-permanent", "local-record-discipline"]
    },
    {
      "name": "receipt-store/naive/substituted-product", "topic": "substituted-product",
      "system": "receipt-store", "backend": "naive", "variant": "client-verifies",
      "allow": ["no-double-credit", "finish-only-after-credit", "conservation"], "expect": ["fidelity", "no-endless-wait"]
    },
    {
      "name": "receipt-store/idempotent/substituted-product", "topic": "substituted-product",
      "system": "receipt-store", "backend": "idempotent", "variant": "client-verifies",
      "allow": ["finish-only-after-credit"], "expect": ["fidelity", "no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/naive/updates-offline", "topic": "updates-offline",
      "system": "storekit2-order-token", "backend": "naive", "expect": ["no-charge-without-delivery", "finish-only-after-credit", "no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/idempotent/updates-offline", "topic": "updates-offline",
      "system": "storekit2-order-token", "backend": "idempotent", "expect": ["no-charge-without-delivery", "finish-only-after-credit", "no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/naive/server-error", "topic": "server-error",
      "system": "storekit2-order-token", "backend": "naive"
    },
    {
      "name": "storekit2-order-token/idempotent/server-error", "topic": "server-error",
      "system": "storekit2-order-token", "backend": "idempotent"
    },
    {
      "name": "storekit2-order-token/naive/twice-in-a-session", "topic": "twice-in-a-session",
      "system": "storekit2-order-token", "backend": "naive",
      "expect": ["no-double-credit"], "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/twice-in-a-session", "topic": "twice-in-a-session",
      "system": "storekit2-order-token", "backend": "idempotent",
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/order-dedupe", "topic": "order-dedupe",
      "system": "storekit2-order-token", "backend": "naive", "variant": "order-dedupe",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": "1/2"}
    },
    {
      "name": "storekit2-order-token/idempotent/order-dedupe", "topic": "order-dedupe",
      "system": "storekit2-order-token", "backend": "idempotent", "variant": "order-dedupe",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": "1/2"}
    },
    {
      "name": "storekit2-order-token/naive/listen-on-page", "topic": "listen-on-page",
      "system": "storekit2-order-token", "backend": "naive", "variant": "listen-on-page",
      "allow": ["no-double-credit", "finish-only-after-credit", "queue-drains", "conservation", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/idempotent/listen-on-page", "topic": "listen-on-page",
      "system": "storekit2-order-token", "backend": "idempotent", "variant": "listen-on-page",
      "allow": ["finish-only-after-credit", "queue-drains", "conservation", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "white-black-tables/naive/username-gone", "topic": "username-gone",
      "system": "white-black-tables", "backend": "naive"
    },
    {
      "name": "white-black-tables/idempotent/username-gone", "topic": "username-gone",
      "system": "white-black-tables", "backend": "idempotent"
    },
    {
      "name": "white-black-tables/naive/uuid-gone", "topic": "uuid-gone",
      "system": "white-black-tables", "backend": "naive", "variant": "uuid-username"
    },
    {
      "name": "white-black-tables/idempotent/uuid-gone", "topic": "uuid-gone",
      "system": "white-black-tables", "backend": "idempotent", "variant": "uuid-username"
    },
    {
      "name": "white-black-tables/naive/black-first", "topic": "black-first",
      "system": "white-black-tables", "backend": "naive", "variant": "black-first"
    },
    {
      "name": "white-black-tables/naive/probe-as-another", "topic": "probe-as-another",
      "system": "white-black-tables", "backend": "naive", "expect": ["no-cross-user-leak", "no-endless-wait"]
    },
    {
      "name": "white-black-tables/idempotent/probe-as-another", "topic": "probe-as-another",
      "system": "white-black-tables", "backend": "idempotent", "expect": ["no-cross-user-leak", "no-endless-wait"]
    },
    {
      "name": "white-black-tables/naive/black-refuses", "topic": "black-refuses",
      "system": "white-black-tables", "backend": "naive", "variant": "black-refuses", "expect": ["idempotent-acknowledgement", "queue-drains", "no-endless-wait"]
    },
    {
      "name": "white-black-tables/naive/missing-receipt", "topic": "missing-receipt",
      "system": "white-black-tables", "backend": "naive",
      "about": "The receipt file is missing, and the callback ends silently.",
      "allow": ["queue-drains", "conservation", "traceability"]
    },
    {
      "name": "white-black-tables/idempotent/missing-receipt", "topic": "missing-receipt",
      "system": "white-black-tables", "backend": "idempotent",
      "about": "The receipt file is missing, and the callback ends silently.",
      "allow": ["queue-drains", "conservation", "traceability"]
    },
    {
      "name": "white-black-tables/naive/buys-listed", "topic": "buys-listed",
      "system": "white-black-tables", "backend": "naive", "variant": "buys-listed",
      "allow": ["no-double-credit", "conservation", "honest-answers", "no-endless-wait", "idempotent-acknowledgement"]
    },
    {
      "name": "white-black-tables/idempotent/buys-listed", "topic": "buys-listed",
      "system": "white-black-tables", "backend": "idempotent", "variant": "buys-listed", "allow": ["honest-answers", "no-endless-wait", "idempotent-acknowledgement"]
    },
    {
      "name": "observer-on-demand/naive/foreign-receipt", "topic": "foreign-receipt",
      "system": "observer-on-demand", "backend": "naive",
      "expect": ["right-account"],
      "allow": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "queue-drains", "conservation", "honest-answers", "no-endless-wait", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement"]
    },
    {
      "name": "observer-on-demand/idempotent/foreign-receipt", "topic": "foreign-receipt",
      "system": "observer-on-demand", "backend": "idempotent",
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "right-account", "queue-drains", "conservation", "honest-answers", "no-endless-wait", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement"]
    },
    {
      "name": "observer-on-demand/naive/attackers", "topic": "attackers",
      "system": "observer-on-demand", "backend": "naive",
      "expect": ["no-credit-without-charge", "no-double-credit"],
      "allow": ["right-account", "conservation", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "observer-on-demand/idempotent/attackers", "topic": "attackers",
      "system": "observer-on-demand", "backend": "idempotent",
      "allow": ["right-account", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "exactly-once/storekit2/attackers", "topic": "attackers",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "about": "Forged, stolen, borrowed and sandbox receipts are posted.",
      "world": "cheap-and-dear",
      "sometimes": ["credited + forged-receipt", "credited + stolen-evidence", "credited + foreign-app-evidence", "credited + sandbox-evidence", "credited + product-substituted"],
      "faults": {"forged-receipt": "1/2", "stolen-evidence": "1/2", "foreign-app-evidence": "1/2", "sandbox-evidence": "1/2", "product-substituted": "1/2"}
    },
    {
      "name": "exactly-once/storekit1/attackers", "topic": "attackers",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "about": "Forged, stolen, borrowed and sandbox receipts are posted.",
      "world": "cheap-and-dear",
      "sometimes": ["credited + forged-receipt", "credited + stolen-evidence", "credited + foreign-app-evidence", "credited + sandbox-evidence", "credited + product-substituted"],
      "faults": {"forged-receipt": "1/2", "stolen-evidence": "1/2", "foreign-app-evidence": "1/2", "sandbox-evidence": "1/2", "product-substituted": "1/2"}
    },
    {
      "name": "observer-on-demand/naive/mixed", "topic": "mixed",
      "system": "observer-on-demand", "backend": "naive",
      "expect": ["no-charge-without-delivery", "no-double-credit", "right-account", "honest-answers", "no-endless-wait"],
      "allow": ["finish-only-after-credit", "no-credit-without-charge", "queue-drains", "conservation", "one-tap-one-charge", "no-finish-on-doubt", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement"]
    },
    {
      "name": "observer-on-demand/idempotent/mixed", "topic": "mixed",
      "system": "observer-on-demand", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "right-account", "honest-answers", "no-endless-wait"],
      "allow": ["finish-only-after-credit", "queue-drains", "conservation", "one-tap-one-charge", "no-finish-on-doubt", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement"]
    },
    {
      "name": "observe-at-launch/naive/mixed", "topic": "mixed",
      "system": "observe-at-launch", "backend": "naive",
      "expect": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "right-account", "no-finish-on-doubt", "few-prompts"],
      "allow": ["no-credit-without-charge", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement", "restore-neutrality"]
    },
    {
      "name": "observe-at-launch/idempotent/mixed", "topic": "mixed",
      "system": "observe-at-launch", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "right-account", "no-finish-on-doubt", "few-prompts"],
      "allow": ["conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement"]
    },
    {
      "name": "receipt-store/naive/mixed", "topic": "mixed",
      "system": "receipt-store", "backend": "naive",
      "expect": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "right-account", "local-record-discipline"],
      "allow": ["no-credit-without-charge", "environment-isolation", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt", "transient-is-not-permanent", "idempotent-acknowledgement", "traceability", "poison-isolation", "restore-neutrality"]
    },
    {
      "name": "receipt-store/idempotent/mixed", "topic": "mixed",
      "system": "receipt-store", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "right-account", "local-record-discipline"],
      "allow": ["environment-isolation", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt", "transient-is-not-permanent", "idempotent-acknowledgement", "traceability", "poison-isolation"]
    },
    {
      "name": "storekit2-order-token/naive/transaction-unknown", "topic": "transaction-unknown",
      "system": "storekit2-order-token", "backend": "naive",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "transient-is-not-permanent"],
      "allow": ["conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/idempotent/transaction-unknown", "topic": "transaction-unknown",
      "system": "storekit2-order-token", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "transient-is-not-permanent"],
      "allow": ["conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/naive/mixed", "topic": "mixed",
      "system": "storekit2-order-token", "backend": "naive",
      "expect": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "one-tap-one-charge", "honest-answers", "no-endless-wait"],
      "allow": ["restore-neutrality", "no-credit-without-charge", "conservation", "no-finish-on-doubt", "transient-is-not-permanent", "idempotent-acknowledgement"]
    },
    {
      "name": "storekit2-order-token/idempotent/mixed", "topic": "mixed",
      "system": "storekit2-order-token", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "one-tap-one-charge", "honest-answers", "no-endless-wait"],
      "allow": ["no-credit-without-charge", "conservation", "no-finish-on-doubt", "transient-is-not-permanent", "idempotent-acknowledgement"]
    },
    {
      "name": "white-black-tables/naive/mixed", "topic": "mixed",
      "system": "white-black-tables", "backend": "naive",
      "expect": ["no-charge-without-delivery", "no-double-credit", "no-credit-without-charge", "environment-isolation", "no-cross-user-leak"],
      "allow": ["right-account", "queue-drains", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement", "traceability"]
    },
    {
      "name": "white-black-tables/idempotent/mixed", "topic": "mixed",
      "system": "white-black-tables", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "no-credit-without-charge", "environment-isolation", "no-cross-user-leak"],
      "allow": ["right-account", "queue-drains", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "transient-is-not-permanent", "poison-isolation", "traceability", "idempotent-acknowledgement"]
    },
    {
      "name": "exactly-once/storekit2/transaction-unknown", "topic": "transaction-unknown",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/transaction-unknown", "topic": "transaction-unknown",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "exactly-once/storekit2/sandbox-phone", "topic": "sandbox-phone",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/sandbox-phone", "topic": "sandbox-phone",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "exactly-once/storekit2/verifier-busy", "topic": "verifier-busy",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/verifier-busy", "topic": "verifier-busy",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "exactly-once/storekit2/signature-unchecked", "topic": "signature-unchecked",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/signature-unchecked", "topic": "signature-unchecked",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "exactly-once/storekit2/left-open", "topic": "left-open",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit1/left-open", "topic": "left-open",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit2/left-open-twice", "topic": "left-open-twice",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit1/left-open-twice", "topic": "left-open-twice",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit2/left-open-thrice", "topic": "left-open-thrice",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit1/left-open-thrice", "topic": "left-open-thrice",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit2/two-phones", "topic": "two-phones",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit1/two-phones", "topic": "two-phones",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit2/shared-phone", "topic": "shared-phone",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit1/shared-phone", "topic": "shared-phone",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit2/shared-account", "topic": "shared-account",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit1/shared-account", "topic": "shared-account",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 20000
    },
    {
      "name": "storekit2-order-token/promoted", "topic": "promoted",
      "system": "storekit2-order-token", "backend": "naive",
      "sometimes": ["app-crash"],
      "expect": ["no-endless-wait"]
    },
    {
      "name": "exactly-once/storekit2/promoted", "topic": "promoted",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/promoted", "topic": "promoted",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "exactly-once/storekit2/bought-outside", "topic": "bought-outside",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit1/bought-outside", "topic": "bought-outside",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 20000
    },
    {
      "name": "observer-on-demand/naive/bought-often", "topic": "bought-often",
      "system": "observer-on-demand", "backend": "naive",
      "expect": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "right-account", "no-credit-without-charge", "queue-drains", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "poison-isolation"],
      "allow": ["no-finish-on-doubt", "transient-is-not-permanent", "idempotent-acknowledgement"]
    },
    {
      "name": "observer-on-demand/idempotent/bought-often", "topic": "bought-often",
      "system": "observer-on-demand", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "right-account", "queue-drains", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "poison-isolation"],
      "allow": ["no-finish-on-doubt", "transient-is-not-permanent", "idempotent-acknowledgement"]
    },
    {
      "name": "observer-on-demand/idempotent/bought-often-left-open", "topic": "bought-often-left-open",
      "system": "observer-on-demand", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "right-account", "queue-drains", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "poison-isolation"],
      "allow": ["no-finish-on-doubt", "transient-is-not-permanent", "idempotent-acknowledgement", "traceability"]
    },
    {
      "name": "observe-at-launch/naive/bought-often", "topic": "bought-often",
      "system": "observe-at-launch", "backend": "naive",
      "expect": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "right-account", "no-credit-without-charge", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt", "transient-is-not-permanent", "idempotent-acknowledgement"],
      "allow": ["poison-isolation", "few-prompts"]
    },
    {
      "name": "observe-at-launch/idempotent/bought-often", "topic": "bought-often",
      "system": "observe-at-launch", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "right-account", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt", "transient-is-not-permanent", "idempotent-acknowledgement"],
      "allow": ["poison-isolation", "few-prompts"]
    },
    {
      "name": "observe-at-launch/idempotent/bought-often-left-open", "topic": "bought-often-left-open",
      "system": "observe-at-launch", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "right-account", "queue-drains", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt", "transient-is-not-permanent", "idempotent-acknowledgement", "traceability"],
      "allow": ["poison-isolation", "few-prompts"]
    },
    {
      "name": "receipt-store/naive/bought-often", "topic": "bought-often",
      "system": "receipt-store", "backend": "naive",
      "expect": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "right-account", "no-credit-without-charge", "environment-isolation", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt", "transient-is-not-permanent", "local-record-discipline", "idempotent-acknowledgement", "traceability"],
      "allow": ["poison-isolation"]
    },
    {
      "name": "receipt-store/idempotent/bought-often", "topic": "bought-often",
      "system": "receipt-store", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "right-account", "environment-isolation", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt", "transient-is-not-permanent", "local-record-discipline", "idempotent-acknowledgement", "traceability"],
      "allow": ["poison-isolation"]
    },
    {
      "name": "receipt-store/idempotent/bought-often-left-open", "topic": "bought-often-left-open",
      "system": "receipt-store", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "right-account", "environment-isolation", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt", "transient-is-not-permanent", "local-record-discipline", "idempotent-acknowledgement", "traceability"],
      "allow": ["poison-isolation"]
    },
    {
      "name": "storekit2-order-token/naive/bought-often", "topic": "bought-often",
      "system": "storekit2-order-token", "backend": "naive",
      "expect": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt", "transient-is-not-permanent", "traceability"],
      "allow": ["idempotent-acknowledgement"]
    },
    {
      "name": "storekit2-order-token/idempotent/bought-often", "topic": "bought-often",
      "system": "storekit2-order-token", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt", "transient-is-not-permanent", "traceability"],
      "allow": ["idempotent-acknowledgement"]
    },
    {
      "name": "storekit2-order-token/idempotent/bought-often-left-open", "topic": "bought-often-left-open",
      "system": "storekit2-order-token", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt", "transient-is-not-permanent", "traceability"],
      "allow": ["poison-isolation", "idempotent-acknowledgement"]
    },
    {
      "name": "white-black-tables/naive/bought-often", "topic": "bought-often",
      "system": "white-black-tables", "backend": "naive",
      "expect": ["no-charge-without-delivery", "no-double-credit", "right-account", "no-credit-without-charge", "queue-drains", "environment-isolation", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "transient-is-not-permanent", "idempotent-acknowledgement", "no-cross-user-leak", "traceability"],
      "allow": ["poison-isolation"]
    },
    {
      "name": "white-black-tables/idempotent/bought-often", "topic": "bought-often",
      "system": "white-black-tables", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "right-account", "no-credit-without-charge", "queue-drains", "environment-isolation", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "transient-is-not-permanent", "idempotent-acknowledgement", "no-cross-user-leak", "traceability"],
      "allow": ["poison-isolation"]
    },
    {
      "name": "white-black-tables/idempotent/bought-often-left-open", "topic": "bought-often-left-open",
      "system": "white-black-tables", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "right-account", "no-credit-without-charge", "queue-drains", "environment-isolation", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "transient-is-not-permanent", "no-cross-user-leak", "traceability"],
      "allow": ["poison-isolation", "idempotent-acknowledgement"]
    },
    {
      "name": "exactly-once/storekit2/bought-often", "topic": "bought-often",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit2/bought-often-left-open", "topic": "bought-often-left-open",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit1/bought-often", "topic": "bought-often",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit1/bought-often-left-open", "topic": "bought-often-left-open",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit2/short-stays", "topic": "short-stays",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit1/short-stays", "topic": "short-stays",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 20000
    },
    {
      "name": "exactly-once/storekit2/mixed", "topic": "mixed",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 100000
    },
    {
      "name": "exactly-once/storekit1/mixed", "topic": "mixed",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 100000
    },
    {
      "name": "exactly-once/storekit2/notification-lost", "topic": "notification-lost",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/notification-twice", "topic": "notification-twice",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/notification-repeated", "topic": "notification-repeated",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/notification-overtaken", "topic": "notification-overtaken",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/notification-delayed", "topic": "notification-delayed",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/refund", "topic": "refund",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/billing-problem", "topic": "billing-problem",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/renewal-off", "topic": "renewal-off",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/year", "topic": "year",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 2000
    },
    {
      "name": "exactly-once/storekit2/plans", "topic": "plans",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/offers", "topic": "offers",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "storekit2-order-token/idempotent/family-shared", "topic": "family-shared",
      "system": "storekit2-order-token", "backend": "idempotent",
      "expect": [
        "no-charge-without-delivery", "finish-only-after-credit", "honest-answers",
        "transient-is-not-permanent"
      ],
      "allow": ["queue-drains", "access-follows-payment", "conservation", "refund-reverses-once"]
    },
    {
      "name": "observe-at-launch/idempotent/family-shared", "topic": "family-shared",
      "system": "observe-at-launch", "backend": "idempotent",
      "expect": ["refund-reverses-once", "access-follows-payment"],
      "allow": ["conservation"]
    },
    {
      "name": "exactly-once/storekit2/family-shared", "topic": "family-shared",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit2/family-left", "topic": "family-left",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/price-raised", "topic": "price-raised",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/season", "topic": "season",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit1/season", "topic": "season",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit1/family-left", "topic": "family-left",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit1/price-raised", "topic": "price-raised",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit1/plans", "topic": "plans",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit1/offers", "topic": "offers",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/plans-drift", "topic": "plans-drift",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit1/plans-drift", "topic": "plans-drift",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 1000
    },
    {
      "name": "exactly-once/server-finish/command-lost", "topic": "command-lost",
      "system": "exactly-once", "backend": "idempotent", "variant": "server-finish",
      "seeds": 1000
    },
    {
      "name": "exactly-once/server-finish/mixed", "topic": "mixed",
      "system": "exactly-once", "backend": "idempotent", "variant": "server-finish",
      "seeds": 20000
    },
    {
      "name": "exactly-once/server-finish/months", "topic": "months",
      "system": "exactly-once", "backend": "idempotent", "variant": "server-finish",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/notification-early", "topic": "notification-early",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/notification-forged", "topic": "notification-forged",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/coins-refunded", "topic": "coins-refunded",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit1/coins-refunded", "topic": "coins-refunded",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/refund-reversed", "topic": "refund-reversed",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/refund-prorated", "topic": "refund-prorated",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/history-shortened", "topic": "history-shortened",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit2/refund-asked", "topic": "refund-asked",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit1/refund-asked", "topic": "refund-asked",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/refund-unannounced", "topic": "refund-unannounced",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/months", "topic": "months",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 2000
    },
    {
      "name": "exactly-once/storekit1/months", "topic": "months",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 2000
    },
    {
      "name": "storekit2-order-token/naive/subscriber-unreported", "topic": "subscriber-unreported",
      "system": "storekit2-order-token", "backend": "naive",
      "seeds": 1000,
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "access-follows-payment"]
    },
    {
      "name": "storekit2-order-token/idempotent/subscriber-unreported", "topic": "subscriber-unreported",
      "system": "storekit2-order-token", "backend": "idempotent",
      "seeds": 1000,
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "access-follows-payment"]
    },
    {
      "name": "storekit2-order-token/naive/subscriber-refunded", "topic": "subscriber-refunded",
      "system": "storekit2-order-token", "backend": "naive",
      "seeds": 1000,
      "expect": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/subscriber-refunded", "topic": "subscriber-refunded",
      "system": "storekit2-order-token", "backend": "idempotent",
      "seeds": 1000,
      "expect": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/refund-before-renewal", "topic": "refund-before-renewal",
      "system": "storekit2-order-token", "backend": "naive",
      "seeds": 1000,
      "expect": ["finish-only-after-credit", "access-follows-payment", "news-in-order"]
    },
    {
      "name": "storekit2-order-token/idempotent/refund-before-renewal", "topic": "refund-before-renewal",
      "system": "storekit2-order-token", "backend": "idempotent",
      "seeds": 1000,
      "expect": ["finish-only-after-credit", "access-follows-payment", "honest-answers"]
    },
    {
      "name": "storekit2-order-token/naive/billing-problem", "topic": "billing-problem",
      "system": "storekit2-order-token", "backend": "naive",
      "seeds": 1000,
      "expect": ["finish-only-after-credit", "access-follows-payment"]
    },
    {
      "name": "storekit2-order-token/idempotent/billing-problem", "topic": "billing-problem",
      "system": "storekit2-order-token", "backend": "idempotent",
      "seeds": 1000,
      "expect": ["finish-only-after-credit", "access-follows-payment"]
    },
    {
      "name": "storekit2-order-token/naive/notification-lost", "topic": "notification-lost",
      "system": "storekit2-order-token", "backend": "naive",
      "seeds": 1000,
      "expect": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/notification-lost", "topic": "notification-lost",
      "system": "storekit2-order-token", "backend": "idempotent",
      "seeds": 1000,
      "expect": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/notification-twice", "topic": "notification-twice",
      "system": "storekit2-order-token", "backend": "naive",
      "seeds": 1000,
      "expect": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/notification-twice", "topic": "notification-twice",
      "system": "storekit2-order-token", "backend": "idempotent",
      "seeds": 1000,
      "expect": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/year", "topic": "year",
      "system": "storekit2-order-token", "backend": "naive",
      "seeds": 1000,
      "expect": ["finish-only-after-credit", "access-follows-payment", "news-in-order", "honest-answers", "no-finish-on-doubt"], "allow": ["no-charge-without-delivery", "transient-is-not-permanent", "idempotent-acknowledgement", "queue-drains"]
    },
    {
      "name": "storekit2-order-token/idempotent/year", "topic": "year",
      "system": "storekit2-order-token", "backend": "idempotent",
      "seeds": 1000,
      "expect": ["finish-only-after-credit", "news-in-order", "honest-answers", "no-finish-on-doubt"], "allow": ["no-charge-without-delivery", "access-follows-payment", "transient-is-not-permanent", "idempotent-acknowledgement", "queue-drains"]
    },
    {
      "name": "storekit2-order-token/naive/coins-refunded-inside", "topic": "coins-refunded-inside",
      "system": "storekit2-order-token", "backend": "naive",
      "seeds": 1000,
      "expect": ["finish-only-after-credit"], "allow": ["no-double-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/coins-refunded-inside", "topic": "coins-refunded-inside",
      "system": "storekit2-order-token", "backend": "idempotent",
      "seeds": 1000,
      "expect": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/refund-told-twice", "topic": "refund-told-twice",
      "system": "storekit2-order-token", "backend": "naive",
      "seeds": 1000,
      "expect": ["finish-only-after-credit", "refund-reverses-once", "conservation"], "allow": ["no-double-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/refund-told-twice", "topic": "refund-told-twice",
      "system": "storekit2-order-token", "backend": "idempotent",
      "seeds": 1000,
      "expect": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/refund-untold", "topic": "refund-untold",
      "system": "storekit2-order-token", "backend": "naive",
      "seeds": 1000,
      "expect": ["finish-only-after-credit", "refund-reverses-once", "no-lost-notification", "conservation"], "allow": ["no-double-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/refund-untold", "topic": "refund-untold",
      "system": "storekit2-order-token", "backend": "idempotent",
      "seeds": 1000,
      "expect": ["finish-only-after-credit", "refund-reverses-once", "no-lost-notification", "conservation"]
    },
    {
      "name": "storekit2-order-token/naive/refund-taken-again", "topic": "refund-taken-again",
      "system": "storekit2-order-token", "backend": "naive",
      "seeds": 1000,
      "expect": ["finish-only-after-credit", "refund-reverses-once", "conservation"], "allow": ["no-double-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/refund-taken-again", "topic": "refund-taken-again",
      "system": "storekit2-order-token", "backend": "idempotent",
      "seeds": 1000,
      "expect": ["finish-only-after-credit", "refund-reverses-once", "conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/old-period-refunded", "topic": "old-period-refunded",
      "system": "storekit2-order-token", "backend": "idempotent",
      "seeds": 1000,
      "expect": ["finish-only-after-credit", "honest-answers"]
    },
    {
      "name": "storekit2-order-token/idempotent/original-refund", "topic": "old-period-refunded",
      "about": "A refund of a week is found by the original id, by which the week that is paid for is taken back.",
      "system": "storekit2-order-token", "backend": "idempotent", "variant": "original-refund",
      "seeds": 1000,
      "expect": ["finish-only-after-credit", "access-follows-payment", "news-in-order", "honest-answers"]
    },
    {
      "name": "storekit2-order-token/idempotent/look-up", "topic": "crash-after-finish",
      "about": "The app dies right after it has called finish, and the order number in Apple's mail repairs it.",
      "system": "storekit2-order-token", "backend": "idempotent", "variant": "look-up",
      "sometimes": ["app-crash"],
      "expect": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/look-up-of-late", "topic": "report-late",
      "system": "storekit2-order-token", "backend": "naive", "variant": "look-up",
      "expect": ["no-double-credit", "finish-only-after-credit", "conservation"], "allow": ["honest-answers", "no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/idempotent/look-up-of-late", "topic": "report-late",
      "system": "storekit2-order-token", "backend": "idempotent", "variant": "look-up",
      "expect": ["finish-only-after-credit"], "allow": ["honest-answers", "no-endless-wait"]
    },
    {
      "name": "storekit2-order-token/idempotent/storekit1-username", "topic": "username-gone",
      "about": "The device does not show the order number any more, and Apple's servers do.",
      "system": "storekit2-order-token", "backend": "idempotent", "variant": "storekit1",
      "expect": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/storekit1-crash", "topic": "crash-after-finish",
      "about": "StoreKit 1, and the app dies right after it has called finish.",
      "system": "storekit2-order-token", "backend": "idempotent", "variant": "storekit1",
      "sometimes": ["app-crash"],
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/storekit1-promoted", "topic": "promoted",
      "about": "Somebody buys on the app's page in the App Store, and the app says no to it.",
      "system": "storekit2-order-token", "backend": "naive", "variant": "storekit1",
      "sometimes": ["app-crash"],
      "expect": ["no-endless-wait"]
    },
    {
      "name": "white-black-tables/naive/renewal-off", "topic": "renewal-off",
      "about": "A receipt lists renewals under the original id, where nobody looks for them.",
      "system": "white-black-tables", "backend": "naive",
      "seeds": 1000,
      "expect": ["access-follows-payment"]
    },
    {
      "name": "white-black-tables/naive/subscriber-refunded", "topic": "subscriber-refunded",
      "system": "white-black-tables", "backend": "naive",
      "seeds": 1000,
      "expect": ["access-follows-payment"]
    },
    {
      "name": "white-black-tables/naive/handed-over", "topic": "handed-over",
      "system": "white-black-tables", "backend": "naive",
      "seeds": 100
    },
    {
      "name": "white-black-tables/naive/auto-credit", "topic": "handed-over",
      "about": "What is left in the white table is credited to whoever is logged in.",
      "system": "white-black-tables", "backend": "naive", "variant": "auto-credit",
      "seeds": 100,
      "expect": ["no-cross-user-leak"]
    },
    {
      "name": "white-black-tables/naive/auto-credit-lost", "topic": "missing-redelivery",
      "about": "What is not called back is found in the receipt, and credited.",
      "system": "white-black-tables", "backend": "naive", "variant": "auto-credit",
      "expect": ["no-double-credit", "conservation"]
    },
    {
      "name": "white-black-tables/idempotent/renewal-off", "topic": "renewal-off",
      "about": "A receipt lists renewals under the original id, where nobody looks for them.",
      "system": "white-black-tables", "backend": "idempotent",
      "seeds": 1000,
      "expect": ["access-follows-payment"]
    },
    {
      "name": "white-black-tables/idempotent/subscriber-refunded", "topic": "subscriber-refunded",
      "system": "white-black-tables", "backend": "idempotent",
      "seeds": 1000,
      "expect": ["access-follows-payment"]
    },
    {
      "name": "white-black-tables/idempotent/handed-over", "topic": "handed-over",
      "system": "white-black-tables", "backend": "idempotent",
      "seeds": 100
    },
    {
      "name": "white-black-tables/idempotent/auto-credit", "topic": "handed-over",
      "about": "What is left in the white table is credited to whoever is logged in.",
      "system": "white-black-tables", "backend": "idempotent", "variant": "auto-credit",
      "seeds": 100
    },
    {
      "name": "white-black-tables/idempotent/auto-credit-lost", "topic": "missing-redelivery",
      "about": "What is not called back is found in the receipt, and credited.",
      "system": "white-black-tables", "backend": "idempotent", "variant": "auto-credit"
    },
    {
      "name": "stored-expiry/subscriber-dies", "topic": "subscriber-dies",
      "system": "stored-expiry", "backend": "naive",
      "seeds": 1000,
      "expect": ["no-charge-without-delivery", "access-follows-payment"]
    },
    {
      "name": "stored-expiry/subscriber-reinstalls", "topic": "subscriber-reinstalls",
      "system": "stored-expiry", "backend": "naive",
      "seeds": 1000,
      "expect": ["access-follows-payment", "news-in-order"]
    },
    {
      "name": "stored-expiry/subscriber-refunded", "topic": "subscriber-refunded",
      "system": "stored-expiry", "backend": "naive",
      "seeds": 1000,
      "expect": ["access-follows-payment"]
    },
    {
      "name": "stored-expiry/billing-problem", "topic": "billing-problem",
      "system": "stored-expiry", "backend": "naive",
      "seeds": 1000,
      "expect": ["access-follows-payment"]
    },
    {
      "name": "stored-expiry/renewal-off", "topic": "renewal-off",
      "system": "stored-expiry", "backend": "naive",
      "seeds": 1000
    },
    {
      "name": "stored-expiry/plans", "topic": "plans",
      "system": "stored-expiry", "backend": "naive",
      "seeds": 1000,
      "sometimes": ["credited", "refund + credited", "app-crash + credited"],
      "expect": ["no-charge-without-delivery", "access-follows-payment", "news-in-order", "honest-answers"], "allow": ["one-tap-one-charge"]
    },
    {
      "name": "stored-expiry/year", "topic": "year",
      "system": "stored-expiry", "backend": "naive",
      "seeds": 1000,
      "sometimes": ["credited", "refund + credited", "app-crash + credited"],
      "expect": ["access-follows-payment", "news-in-order", "honest-answers"], "allow": ["no-charge-without-delivery", "one-tap-one-charge"]
    },
    {
      "name": "stored-expiry/each-launch/subscriber-refunded", "topic": "subscriber-refunded",
      "system": "stored-expiry", "backend": "naive", "variant": "each-launch",
      "seeds": 1000
    },
    {
      "name": "stored-expiry/each-launch/billing-problem", "topic": "billing-problem",
      "system": "stored-expiry", "backend": "naive", "variant": "each-launch",
      "seeds": 1000,
      "expect": ["access-follows-payment"]
    },
    {
      "name": "stored-expiry/each-launch/subscriber-reinstalls", "topic": "subscriber-reinstalls",
      "system": "stored-expiry", "backend": "naive", "variant": "each-launch",
      "seeds": 1000,
      "expect": ["access-follows-payment", "news-in-order"]
    },
    {
      "name": "exactly-once/storekit2/subscriber-unreported", "topic": "subscriber-unreported",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/subscriber-dies", "topic": "subscriber-dies",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/subscriber-reinstalls", "topic": "subscriber-reinstalls",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/subscriber-refunded", "topic": "subscriber-refunded",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/old-period-refunded", "topic": "old-period-refunded",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/refund-before-renewal", "topic": "refund-before-renewal",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/coins-refunded-inside", "topic": "coins-refunded-inside",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/refund-told-twice", "topic": "refund-told-twice",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/refund-untold", "topic": "refund-untold",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/refund-taken-again", "topic": "refund-taken-again",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 1000
    },
    {
      "name": "exactly-once/storekit2/handed-over", "topic": "handed-over",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 100
    },
    {
      "name": "exactly-once/storekit2/report-late", "topic": "report-late",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "observe-at-launch/naive/restore", "topic": "restore",
      "system": "observe-at-launch", "backend": "naive",
      "expect": ["restore-neutrality", "right-account", "no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "observe-at-launch/idempotent/restore", "topic": "restore",
      "system": "observe-at-launch", "backend": "idempotent"
    },
    {
      "name": "receipt-store/naive/restore", "topic": "restore",
      "system": "receipt-store", "backend": "naive",
      "expect": ["restore-neutrality", "no-double-credit", "finish-only-after-credit"], "allow": ["right-account", "conservation", "honest-answers", "no-endless-wait", "local-record-discipline", "idempotent-acknowledgement"]
    },
    {
      "name": "white-black-tables/idempotent/restore", "topic": "restore",
      "system": "white-black-tables", "backend": "idempotent",
      "expect": ["queue-drains", "idempotent-acknowledgement"]
    },
    {
      "name": "exactly-once/storekit2/restore", "topic": "restore",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/restore", "topic": "restore",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "exactly-once/server-finish/restore", "topic": "restore",
      "system": "exactly-once", "backend": "idempotent", "variant": "server-finish"
    },
    {
      "name": "observer-on-demand/naive/handler-twice", "topic": "handler-twice",
      "system": "observer-on-demand", "backend": "naive",
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "observe-at-launch/naive/handler-twice", "topic": "handler-twice",
      "system": "observe-at-launch", "backend": "naive", "variant": "late-observer",
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "observe-at-launch/idempotent/handler-twice", "topic": "handler-twice",
      "system": "observe-at-launch", "backend": "idempotent", "variant": "late-observer"
    },
    {
      "name": "exactly-once/storekit2/handler-twice", "topic": "handler-twice",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/handler-twice", "topic": "handler-twice",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "observe-at-launch/naive/identity-drift", "topic": "identity-drift",
      "system": "observe-at-launch", "backend": "naive",
      "expect": ["right-account", "restore-neutrality"], "allow": ["no-double-credit", "conservation"]
    },
    {
      "name": "observe-at-launch/idempotent/identity-drift", "topic": "identity-drift",
      "system": "observe-at-launch", "backend": "idempotent"
    },
    {
      "name": "white-black-tables/idempotent/identity-drift", "topic": "identity-drift",
      "system": "white-black-tables", "backend": "idempotent",
      "expect": ["queue-drains", "idempotent-acknowledgement"], "allow": ["no-cross-user-leak"]
    },
    {
      "name": "exactly-once/storekit2/identity-drift", "topic": "identity-drift",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/identity-drift", "topic": "identity-drift",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "observe-at-launch/idempotent/finished-elsewhere", "topic": "finished-elsewhere",
      "system": "observe-at-launch", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "no-endless-wait"], "allow": ["conservation", "traceability"]
    },
    {
      "name": "white-black-tables/idempotent/finished-elsewhere", "topic": "finished-elsewhere",
      "system": "white-black-tables", "backend": "idempotent",
      "expect": ["no-charge-without-delivery", "no-endless-wait"], "allow": ["conservation"]
    },
    {
      "name": "exactly-once/storekit2/finished-elsewhere", "topic": "finished-elsewhere",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/finished-elsewhere", "topic": "finished-elsewhere",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "observer-on-demand/idempotent/storefront-changed", "topic": "storefront-changed",
      "system": "observer-on-demand", "backend": "idempotent",
      "expect": ["no-charge-without-delivery"], "allow": ["conservation", "honest-answers", "no-endless-wait", "traceability"]
    },
    {
      "name": "exactly-once-mutant/home-storefront-only/storefront-changed", "topic": "storefront-changed",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "home-storefront-only",
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"], "allow": ["conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "transient-is-not-permanent"]
    },
    {
      "name": "exactly-once/storekit2/storefront-changed", "topic": "storefront-changed",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2"
    },
    {
      "name": "exactly-once/storekit1/storefront-changed", "topic": "storefront-changed",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1"
    },
    {
      "name": "exactly-once-mutant/expired-by-clock/clock-wrong", "topic": "clock-wrong",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "expired-by-clock",
      "expect": ["finish-only-after-credit"], "allow": ["no-charge-without-delivery", "access-follows-payment", "honest-answers", "no-endless-wait"],
      "seeds": 300
    },
    {
      "name": "exactly-once/storekit2/clock-wrong", "topic": "clock-wrong",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "seeds": 300
    },
    {
      "name": "exactly-once/storekit1/clock-wrong", "topic": "clock-wrong",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "seeds": 300
    },
    {
      "name": "reports/swiftystorekit-50",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "finish-before-credit",
      "report": {"source": "bizz84/SwiftyStoreKit#50", "said": "Charged, and nothing delivered, where the app dies after the library has finished the transaction."},
      "world": "one-purchase", "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}},
      "sometimes": ["app-crash"],
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"], "allow": ["conservation"],
      "seeds": 500
    },
    {
      "name": "reports/swiftystorekit-50/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "bizz84/SwiftyStoreKit#50", "said": "Charged, and nothing delivered, where the app dies after the library has finished the transaction."},
      "world": "one-purchase", "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}},
      "sometimes": ["app-crash"],
      "seeds": 500
    },
    {
      "name": "reports/swiftystorekit-96",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "finish-before-credit",
      "report": {"source": "bizz84/SwiftyStoreKit#96", "said": "The path that leaves finishing to the app finishes inside the library all the same."},
      "world": "one-purchase", "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}},
      "sometimes": ["app-crash"],
      "expect": ["finish-only-after-credit"], "allow": ["no-charge-without-delivery", "conservation"],
      "seeds": 500
    },
    {
      "name": "reports/swiftystorekit-411",
      "system": "storekit2-order-token", "backend": "idempotent",
      "report": {"source": "bizz84/SwiftyStoreKit#411", "said": "The documented order is to finish and then to verify: where the network drops in between, nobody gets what they paid for."},
      "world": "one-purchase", "faults": {"request-lost": {"chance": "1/2", "most": 1}},
      "sometimes": ["request-lost"],
      "expect": ["finish-only-after-credit", "no-charge-without-delivery"], "allow": ["conservation", "honest-answers", "no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/swiftystorekit-411/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "bizz84/SwiftyStoreKit#411", "said": "The documented order is to finish and then to verify: where the network drops in between, nobody gets what they paid for."},
      "world": "one-purchase", "faults": {"request-lost": {"chance": "1/2", "most": 1}},
      "sometimes": ["request-lost"],
      "seeds": 500
    },
    {
      "name": "reports/swiftystorekit-191",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "second-callback-finishes",
      "report": {"source": "bizz84/SwiftyStoreKit#191", "said": "After the app was killed in the middle of a purchase, the next launch finishes it without telling the server."},
      "world": "one-purchase", "faults": {"delayed-delivery": "1/2", "app-crash": "1/2"},
      "sometimes": ["app-crash + delayed-delivery"],
      "expect": ["finish-only-after-credit"],
      "seeds": 500
    },
    {
      "name": "reports/swiftystorekit-191/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "bizz84/SwiftyStoreKit#191", "said": "After the app was killed in the middle of a purchase, the next launch finishes it without telling the server."},
      "world": "one-purchase", "faults": {"delayed-delivery": "1/2", "app-crash": "1/2"},
      "sometimes": ["app-crash + delayed-delivery"],
      "seeds": 500
    },
    {
      "name": "reports/rxstorekit-2",
      "system": "storekit2-order-token", "backend": "idempotent",
      "report": {"source": "glassonion1/RxStoreKit#2", "said": "The upload to one's own server fails, and the purchase is finished already."},
      "world": "one-purchase", "faults": {"server-error": {"chance": "1/2", "most": 1}},
      "sometimes": ["server-error"],
      "expect": ["finish-only-after-credit", "no-charge-without-delivery"], "allow": ["conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/expo-4416",
      "system": "storekit2-order-token", "backend": "idempotent",
      "report": {"source": "expo/expo#4416", "said": "The module finishes when it notifies; a server that is down then loses the purchase."},
      "world": "one-purchase", "faults": {"server-error": {"chance": "3/4"}},
      "sometimes": ["server-error"],
      "expect": ["finish-only-after-credit", "no-charge-without-delivery"], "allow": ["conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/expo-4416/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "expo/expo#4416", "said": "The module finishes when it notifies; a server that is down then loses the purchase."},
      "world": "one-purchase", "faults": {"server-error": {"chance": "3/4"}},
      "sometimes": ["server-error"],
      "seeds": 500
    },
    {
      "name": "reports/react-native-iap-545",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "finish-on-retry",
      "report": {"source": "hyochan/react-native-iap#545", "said": "The server that validates receipts is down: paid, and no access."},
      "world": "one-purchase", "faults": {"server-error": {"chance": "1/2", "most": 1}},
      "sometimes": ["server-error"],
      "expect": ["no-charge-without-delivery", "no-finish-on-doubt"], "allow": ["finish-only-after-credit", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/react-native-iap-1704",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "finish-on-retry",
      "report": {"source": "hyochan/react-native-iap#1704", "said": "Transactions are finished that could still succeed and were not consumed."},
      "world": "one-purchase", "faults": {"verifier-busy": "1/2"},
      "sometimes": ["verifier-busy"],
      "expect": ["no-finish-on-doubt"], "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/react-native-iap-1704/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "hyochan/react-native-iap#1704", "said": "Transactions are finished that could still succeed and were not consumed."},
      "world": "one-purchase", "faults": {"verifier-busy": "1/2"},
      "sometimes": ["verifier-busy"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-ios-2841",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "finish-after-three-answers",
      "report": {"source": "RevenueCat/purchases-ios#2841", "said": "Consumables are finished although the backend did not process them."},
      "world": "one-purchase", "faults": {"server-error": "3/4"},
      "sometimes": ["server-error"],
      "expect": ["finish-only-after-credit", "no-finish-on-doubt"], "allow": ["no-charge-without-delivery", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-ios-2841/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "RevenueCat/purchases-ios#2841", "said": "Consumables are finished although the backend did not process them."},
      "world": "one-purchase", "faults": {"server-error": "3/4"},
      "sometimes": ["server-error"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-ios-2243",
      "system": "storekit2-order-token", "backend": "idempotent",
      "report": {"source": "RevenueCat/purchases-ios#2243", "said": "The listener to updates finishes before the receipt is posted."},
      "world": "one-purchase", "faults": {"request-lost": {"chance": "1/2", "most": 1}, "server-error": {"chance": "1/2", "most": 1}, "delayed-delivery": "1/2"},
      "sometimes": ["request-lost + delayed-delivery", "server-error + delayed-delivery"],
      "expect": ["finish-only-after-credit"], "allow": ["no-charge-without-delivery", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-ios-2243/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "RevenueCat/purchases-ios#2243", "said": "The listener to updates finishes before the receipt is posted."},
      "world": "one-purchase", "faults": {"request-lost": {"chance": "1/2", "most": 1}, "server-error": {"chance": "1/2", "most": 1}, "delayed-delivery": "1/2"},
      "sometimes": ["request-lost + delayed-delivery", "server-error + delayed-delivery"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-ios-2148",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "dedupe-by-product",
      "report": {"source": "RevenueCat/purchases-ios#2148", "said": "Finishing takes its time, and a second purchase made meanwhile is answered with the first transaction."},
      "world": "one-purchase", "faults": {"buy-while-unfinished": "1/2", "finish-lost": "1/2"},
      "sometimes": ["buy-while-unfinished", "finish-lost"],
      "expect": ["no-charge-without-delivery"], "allow": ["finish-only-after-credit", "conservation"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-ios-2148/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "RevenueCat/purchases-ios#2148", "said": "Finishing takes its time, and a second purchase made meanwhile is answered with the first transaction."},
      "world": "one-purchase", "faults": {"buy-while-unfinished": "1/2", "finish-lost": "1/2"},
      "sometimes": ["buy-while-unfinished", "finish-lost"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-ios-2533",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "never-retries",
      "report": {"source": "RevenueCat/purchases-ios#2533", "said": "What was bought while the server was down is lost until StoreKit sends it again."},
      "world": "stays-open", "faults": {"server-error": {"chance": "1/2", "most": 1}},
      "sometimes": ["server-error"],
      "expect": ["no-charge-without-delivery"], "allow": ["queue-drains", "conservation"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-ios-2533/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "RevenueCat/purchases-ios#2533", "said": "What was bought while the server was down is lost until StoreKit sends it again."},
      "world": "stays-open", "faults": {"server-error": {"chance": "1/2", "most": 1}},
      "sometimes": ["server-error"],
      "seeds": 500
    },
    {
      "name": "reports/flutter-53534",
      "system": "observe-at-launch", "backend": "naive",
      "report": {"source": "flutter/flutter#53534", "said": "People are told to complete a purchase whatever its verification says."},
      "world": "one-purchase", "faults": {"server-error": "1/2", "verifier-outage": "1/2"},
      "sometimes": ["verifier-outage"],
      "expect": ["no-finish-on-doubt"], "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/flutter-53534/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "report": {"source": "flutter/flutter#53534", "said": "People are told to complete a purchase whatever its verification says."},
      "world": "one-purchase", "faults": {"server-error": "1/2", "verifier-outage": "1/2"},
      "sometimes": ["verifier-outage"],
      "seeds": 500
    },
    {
      "name": "reports/superwall-ios-changelog",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "finish-before-credit",
      "report": {"source": "superwall/Superwall-iOS, changelog", "said": "The verification happened after the finishing."},
      "world": "one-purchase", "faults": {"verifier-outage": "1/2"},
      "sometimes": ["verifier-outage"],
      "expect": ["finish-only-after-credit"],
      "seeds": 500
    },
    {
      "name": "reports/expo-13486",
      "system": "observe-at-launch", "backend": "idempotent",
      "report": {"source": "expo/expo#13486", "said": "The listener fires every few minutes, and for some users nothing can ever be finished."},
      "world": "stays-open",
      "faults": {"finish-lost": {"chance": "1/2", "at": ["drop store.finish"]}},
      "sometimes": ["finish-lost"],
      "expect": ["queue-drains"],
      "seeds": 500
    },
    {
      "name": "reports/expo-13486/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "report": {"source": "expo/expo#13486", "said": "The listener fires every few minutes, and for some users nothing can ever be finished."},
      "world": "stays-open",
      "faults": {"finish-lost": {"chance": "1/2", "at": ["drop store.finish"]}},
      "sometimes": ["finish-lost"],
      "seeds": 500
    },
    {
      "name": "reports/cordova-plugin-purchase-1298",
      "system": "observe-at-launch", "backend": "naive",
      "report": {"source": "j3k0/cordova-plugin-purchase#1298", "said": "The purchase is approved several times, and the customer credited as often."},
      "world": "one-purchase", "faults": {"duplicate-callback": "1/2"},
      "sometimes": ["duplicate-callback"],
      "expect": ["no-double-credit"], "allow": ["conservation"],
      "seeds": 500
    },
    {
      "name": "reports/cordova-plugin-purchase-1298/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "j3k0/cordova-plugin-purchase#1298", "said": "The purchase is approved several times, and the customer credited as often."},
      "world": "one-purchase", "faults": {"duplicate-callback": "1/2"},
      "sometimes": ["duplicate-callback"],
      "seeds": 500
    },
    {
      "name": "reports/cordova-plugin-purchase-1392",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "check-then-credit",
      "report": {"source": "j3k0/cordova-plugin-purchase#1392", "said": "Approved twice, and saved twice on the server."},
      "world": "one-purchase", "faults": {"concurrent-duplicate": "1/2"},
      "sometimes": ["concurrent-duplicate"],
      "expect": ["no-double-credit"], "allow": ["conservation"],
      "seeds": 500
    },
    {
      "name": "reports/cordova-plugin-purchase-1392/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "j3k0/cordova-plugin-purchase#1392", "said": "Approved twice, and saved twice on the server."},
      "world": "one-purchase", "faults": {"concurrent-duplicate": "1/2"},
      "sometimes": ["concurrent-duplicate"],
      "seeds": 500
    },
    {
      "name": "reports/react-native-iap-1104",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "no-key",
      "report": {"source": "hyochan/react-native-iap#1104", "said": "The listener is called more than twenty times with transactions that are finished."},
      "world": "opened-often", "faults": {"replay-finished": "1/2"},
      "sometimes": ["replay-finished"],
      "expect": ["no-double-credit"], "allow": ["conservation"],
      "seeds": 500
    },
    {
      "name": "reports/react-native-iap-1104/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "hyochan/react-native-iap#1104", "said": "The listener is called more than twenty times with transactions that are finished."},
      "world": "opened-often", "faults": {"replay-finished": "1/2"},
      "sometimes": ["replay-finished"],
      "seeds": 500
    },
    {
      "name": "reports/react-native-iap-1139",
      "system": "observe-at-launch", "backend": "naive",
      "report": {"source": "hyochan/react-native-iap#1139", "said": "All old purchases are replayed, and the backend mixes them up."},
      "world": "opened-often", "faults": {"replay-finished": "1/2"},
      "sometimes": ["replay-finished"],
      "expect": ["no-double-credit"], "allow": ["conservation"],
      "seeds": 500
    },
    {
      "name": "reports/react-native-iap-1139/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "report": {"source": "hyochan/react-native-iap#1139", "said": "All old purchases are replayed, and the backend mixes them up."},
      "world": "opened-often", "faults": {"replay-finished": "1/2"},
      "sometimes": ["replay-finished"],
      "seeds": 500
    },
    {
      "name": "reports/expo-iap-56",
      "system": "storekit2-order-token", "backend": "naive",
      "report": {"source": "hyochan/expo-iap#56", "said": "Each purchase comes twice although it is finished."},
      "world": "one-purchase", "faults": {"duplicate-callback": "1/2"},
      "sometimes": ["duplicate-callback"],
      "expect": ["no-double-credit"], "allow": ["finish-only-after-credit", "conservation"],
      "seeds": 500
    },
    {
      "name": "reports/expo-iap-56/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "hyochan/expo-iap#56", "said": "Each purchase comes twice although it is finished."},
      "world": "one-purchase", "faults": {"duplicate-callback": "1/2"},
      "sometimes": ["duplicate-callback"],
      "seeds": 500
    },
    {
      "name": "reports/openiap-152",
      "system": "storekit2-order-token", "backend": "naive",
      "report": {"source": "hyodotdev/openiap#152", "said": "A success for each of ten callbacks in parallel, and as many accounts."},
      "world": "one-purchase", "faults": {"replay-finished": "1/2", "concurrent-duplicate": "1/2"},
      "sometimes": ["replay-finished", "concurrent-duplicate"],
      "expect": ["no-double-credit"], "allow": ["finish-only-after-credit", "conservation"],
      "seeds": 500
    },
    {
      "name": "reports/apple-forum-816320",
      "system": "storekit2-order-token", "backend": "naive",
      "report": {"source": "Apple forum 816320", "said": "Transaction.updates brings transactions that are finished, in production too."},
      "world": "opened-often", "faults": {"replay-finished": "1/2"},
      "sometimes": ["replay-finished"],
      "expect": ["no-double-credit"], "allow": ["finish-only-after-credit", "conservation"],
      "seeds": 500
    },
    {
      "name": "reports/apple-forum-816320/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "Apple forum 816320", "said": "Transaction.updates brings transactions that are finished, in production too."},
      "world": "opened-often", "faults": {"replay-finished": "1/2"},
      "sometimes": ["replay-finished"],
      "seeds": 500
    },
    {
      "name": "reports/apple-forum-843363",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "replay-is-restore",
      "report": {"source": "Apple forum 843363", "said": "Finished transactions come again through Transaction.updates."},
      "world": "opened-often", "faults": {"replay-finished": "1/2"},
      "sometimes": ["replay-finished"],
      "expect": ["no-double-credit"], "allow": ["conservation"],
      "seeds": 500
    },
    {
      "name": "reports/apple-forum-843363/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "Apple forum 843363", "said": "Finished transactions come again through Transaction.updates."},
      "world": "opened-often", "faults": {"replay-finished": "1/2"},
      "sometimes": ["replay-finished"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-ios-5795",
      "system": "observer-on-demand", "backend": "naive",
      "report": {"source": "RevenueCat/purchases-ios#5795", "said": "The same receipt is posted twice."},
      "world": "one-purchase", "faults": {"duplicate-callback": "1/2", "late-response": "1/2"},
      "sometimes": ["duplicate-callback"],
      "expect": ["no-double-credit"], "allow": ["conservation"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-ios-2612",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "key-per-report",
      "report": {"source": "RevenueCat/purchases-ios#2612", "said": "The listeners of StoreKit 1 and of StoreKit 2 post the same purchase, each for itself."},
      "world": "one-purchase", "faults": {"duplicate-callback": "1/2"},
      "sometimes": ["duplicate-callback"],
      "expect": ["no-double-credit"], "allow": ["conservation"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-ios-2612/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "RevenueCat/purchases-ios#2612", "said": "The listeners of StoreKit 1 and of StoreKit 2 post the same purchase, each for itself."},
      "world": "one-purchase", "faults": {"duplicate-callback": "1/2"},
      "sometimes": ["duplicate-callback"],
      "seeds": 500
    },
    {
      "name": "reports/swiftystorekit-624",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "ignores-unfinished",
      "report": {"source": "bizz84/SwiftyStoreKit#624", "said": "What is unfinished is not delivered at launch."},
      "world": "one-purchase", "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "sometimes": ["missing-redelivery"],
      "expect": ["no-charge-without-delivery"], "allow": ["conservation"],
      "seeds": 500
    },
    {
      "name": "reports/swiftystorekit-624/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "bizz84/SwiftyStoreKit#624", "said": "What is unfinished is not delivered at launch."},
      "world": "one-purchase", "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "sometimes": ["missing-redelivery"],
      "seeds": 500
    },
    {
      "name": "reports/openradar-50132756",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "no-receipt-probe",
      "report": {"source": "openradar 50132756", "said": "On macOS, what is unfinished is not called back at a launch."},
      "world": "one-purchase", "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "sometimes": ["missing-redelivery"],
      "expect": ["no-charge-without-delivery"], "allow": ["conservation"],
      "seeds": 500
    },
    {
      "name": "reports/openradar-50132756/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "report": {"source": "openradar 50132756", "said": "On macOS, what is unfinished is not called back at a launch."},
      "world": "one-purchase", "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "sometimes": ["missing-redelivery"],
      "seeds": 500
    },
    {
      "name": "reports/swiftystorekit-358",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "error-is-silent",
      "report": {"source": "bizz84/SwiftyStoreKit#358", "said": "The completion is not called after an error."},
      "world": "one-purchase", "faults": {"failure-first": "1/2"},
      "sometimes": ["failure-first"],
      "expect": ["no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/swiftystorekit-358/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "bizz84/SwiftyStoreKit#358", "said": "The completion is not called after an error."},
      "world": "one-purchase", "faults": {"failure-first": "1/2"},
      "sometimes": ["failure-first"],
      "seeds": 500
    },
    {
      "name": "reports/openradar-48860805",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "failure-on-error",
      "report": {"source": "openradar 48860805", "said": "\"Cannot connect to iTunes Store\": told that it failed, and charged."},
      "world": "one-purchase", "faults": {"failed-then-purchased": "1/2"},
      "sometimes": ["failed-then-purchased"],
      "expect": ["honest-answers"],
      "seeds": 500
    },
    {
      "name": "reports/openradar-48860805/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "openradar 48860805", "said": "\"Cannot connect to iTunes Store\": told that it failed, and charged."},
      "world": "one-purchase", "faults": {"failed-then-purchased": "1/2"},
      "sometimes": ["failed-then-purchased"],
      "seeds": 500
    },
    {
      "name": "reports/apple-forum-126360",
      "system": "observe-at-launch", "backend": "idempotent",
      "report": {"source": "Apple forum 126360", "said": "Customers are charged where the app has been told that the payment failed or was cancelled."},
      "world": "stays-open",
      "faults": {"failed-then-purchased": {"chance": "1/2", "at": ["interrupt store.payment", "fail store.payment"]}},
      "sometimes": ["failed-then-purchased"],
      "expect": ["no-charge-without-delivery", "honest-answers"], "allow": ["conservation", "one-tap-one-charge", "traceability"],
      "seeds": 500
    },
    {
      "name": "reports/apple-forum-126360/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "report": {"source": "Apple forum 126360", "said": "Customers are charged where the app has been told that the payment failed or was cancelled."},
      "world": "stays-open",
      "faults": {"failed-then-purchased": {"chance": "1/2", "at": ["interrupt store.payment", "fail store.payment"]}},
      "sometimes": ["failed-then-purchased"],
      "seeds": 500
    },
    {
      "name": "reports/swiftystorekit-626",
      "system": "observer-on-demand", "backend": "naive",
      "report": {"source": "bizz84/SwiftyStoreKit#626", "said": "An unknown error, with the money taken."},
      "world": "stays-open", "faults": {"failed-then-purchased": {"chance": "1/2", "most": 1, "at": ["interrupt store.payment"]}},
      "sometimes": ["failed-then-purchased"],
      "expect": ["honest-answers"], "allow": ["no-double-credit", "conservation", "one-tap-one-charge"],
      "seeds": 500
    },
    {
      "name": "reports/flutter-129203",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "plain-user-name",
      "report": {"source": "flutter/flutter#129203", "said": "applicationUsername is nil after a restart, so nobody can say whose purchase it is."},
      "world": "one-purchase", "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after pay", "crash app on callback"]}}, "reopenEvery": "never", "relaunches": false,
      "sometimes": ["app-crash"],
      "expect": ["traceability"],
      "seeds": 500
    },
    {
      "name": "reports/rmstore-201",
      "system": "white-black-tables", "backend": "naive",
      "report": {"source": "robotmedia/RMStore#201", "said": "applicationUsername is gone where the app was restarted before the callback."},
      "world": "one-purchase", "faults": {"token-hidden": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "sometimes": ["token-hidden"],
      "expect": ["no-charge-without-delivery"], "allow": ["queue-drains", "conservation"],
      "seeds": 500
    },
    {
      "name": "reports/rmstore-201/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "report": {"source": "robotmedia/RMStore#201", "said": "applicationUsername is gone where the app was restarted before the callback."},
      "world": "one-purchase", "faults": {"token-hidden": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "sometimes": ["token-hidden"],
      "seeds": 500
    },
    {
      "name": "reports/react-native-iap-1419",
      "system": "observe-at-launch", "backend": "naive",
      "report": {"source": "hyochan/react-native-iap#1419", "said": "After a logout and a login the new user sees the purchases of the old one."},
      "world": "two-users", "faults": {"account-switch": "1/2"},
      "sometimes": ["account-switch"],
      "expect": ["right-account"], "allow": ["honest-answers", "no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/react-native-iap-1419/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "hyochan/react-native-iap#1419", "said": "After a logout and a login the new user sees the purchases of the old one."},
      "world": "two-users", "faults": {"account-switch": "1/2"},
      "sometimes": ["account-switch"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-flutter-332",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "credits-session",
      "report": {"source": "RevenueCat/purchases-flutter#332", "said": "User A is left with nothing, and user B has what both have bought."},
      "world": "two-users", "faults": {"account-switch": "1/2"},
      "sometimes": ["account-switch"],
      "expect": ["right-account"], "allow": ["honest-answers", "no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-flutter-332/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "RevenueCat/purchases-flutter#332", "said": "User A is left with nothing, and user B has what both have bought."},
      "world": "two-users", "faults": {"account-switch": "1/2"},
      "sometimes": ["account-switch"],
      "seeds": 500
    },
    {
      "name": "reports/cordova-plugin-purchase-764",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "receipt-owner-is-session",
      "report": {"source": "j3k0/cordova-plugin-purchase#764", "said": "A refresh moves what was bought to whoever opens the store page."},
      "world": "two-users", "faults": {"account-switch": "1/2"},
      "sometimes": ["account-switch"],
      "expect": ["right-account"], "allow": ["honest-answers", "no-endless-wait"],
      "seeds": 1000
    },
    {
      "name": "reports/cordova-plugin-purchase-764/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "j3k0/cordova-plugin-purchase#764", "said": "A refresh moves what was bought to whoever opens the store page."},
      "world": "two-users", "faults": {"account-switch": "1/2"},
      "sometimes": ["account-switch"],
      "seeds": 1000
    },
    {
      "name": "reports/swiftystorekit-362",
      "system": "observer-on-demand", "backend": "naive",
      "report": {"source": "bizz84/SwiftyStoreKit#362", "said": "The receipt is that of the Apple ID that installed the app, and not of who bought."},
      "world": "two-installers", "faults": {"foreign-receipt": "1/2", "app-crash": {"chance": "1/2", "most": 2, "at": ["crash app on callback"]}},
      "sometimes": ["foreign-receipt"],
      "expect": ["right-account"], "allow": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "queue-drains", "conservation", "honest-answers", "no-endless-wait", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement"],
      "seeds": 500
    },
    {
      "name": "reports/swiftystorekit-362/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "report": {"source": "bizz84/SwiftyStoreKit#362", "said": "The receipt is that of the Apple ID that installed the app, and not of who bought."},
      "world": "two-installers", "faults": {"foreign-receipt": "1/2", "app-crash": {"chance": "1/2", "most": 2, "at": ["crash app on callback"]}},
      "sometimes": ["foreign-receipt"],
      "seeds": 500
    },
    {
      "name": "reports/capacitor-native-purchases-152397c",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "session-is-written-down",
      "report": {"source": "Cap-go/capacitor-native-purchases 152397c", "said": "A loop over all transactions shows one user what another has bought."},
      "world": "two-users", "faults": {"account-switch": "1/2"},
      "sometimes": ["account-switch"],
      "expect": ["no-cross-user-leak"],
      "seeds": 500
    },
    {
      "name": "reports/capacitor-native-purchases-152397c/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "Cap-go/capacitor-native-purchases 152397c", "said": "A loop over all transactions shows one user what another has bought."},
      "world": "two-users", "faults": {"account-switch": "1/2"},
      "sometimes": ["account-switch"],
      "seeds": 500
    },
    {
      "name": "reports/react-native-in-app-utils-111",
      "system": "receipt-store", "backend": "naive",
      "report": {"source": "chirag04/react-native-in-app-utils#111", "said": "The receipt has no purchase in it: users pay and do not receive."},
      "world": "one-purchase", "faults": {"receipt-stale": "1/2"},
      "sometimes": ["receipt-stale"],
      "expect": ["no-charge-without-delivery"], "allow": ["finish-only-after-credit", "conservation", "honest-answers", "no-endless-wait", "traceability"],
      "seeds": 500
    },
    {
      "name": "reports/react-native-in-app-utils-111/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "report": {"source": "chirag04/react-native-in-app-utils#111", "said": "The receipt has no purchase in it: users pay and do not receive."},
      "world": "one-purchase", "faults": {"receipt-stale": "1/2"},
      "sometimes": ["receipt-stale"],
      "seeds": 500
    },
    {
      "name": "reports/in-app-purchase-231",
      "system": "observe-at-launch", "backend": "idempotent",
      "report": {"source": "voltrue2/in-app-purchase#231", "said": "in_app is empty for somebody who has paid."},
      "world": "bought-again", "faults": {"receipt-stale": "1/2"},
      "sometimes": ["receipt-stale"],
      "expect": ["no-charge-without-delivery", "transient-is-not-permanent"], "allow": ["finish-only-after-credit", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt"],
      "seeds": 500
    },
    {
      "name": "reports/in-app-purchase-231/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "report": {"source": "voltrue2/in-app-purchase#231", "said": "in_app is empty for somebody who has paid."},
      "world": "bought-again", "faults": {"receipt-stale": "1/2"},
      "sometimes": ["receipt-stale"],
      "seeds": 500
    },
    {
      "name": "reports/baker-113",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "other-app-accepted",
      "report": {"source": "bakerframework/baker#113", "said": "Most subscribers had posted one and the same receipt, of another app."},
      "world": "two-users", "faults": {"foreign-app-evidence": "1/2"},
      "sometimes": ["foreign-app-evidence"],
      "expect": ["no-credit-without-charge"], "allow": ["conservation"],
      "seeds": 500
    },
    {
      "name": "reports/baker-113/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "bakerframework/baker#113", "said": "Most subscribers had posted one and the same receipt, of another app."},
      "world": "two-users", "faults": {"foreign-app-evidence": "1/2"},
      "sometimes": ["foreign-app-evidence"],
      "seeds": 500
    },
    {
      "name": "reports/in-app-purchase-38",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "credit-before-verify",
      "report": {"source": "voltrue2/in-app-purchase#38", "said": "Forged receipts are accepted, hundreds in a few minutes."},
      "world": "two-users", "faults": {"forged-receipt": "1/2"},
      "sometimes": ["forged-receipt"],
      "expect": ["no-credit-without-charge"], "allow": ["conservation"],
      "seeds": 500
    },
    {
      "name": "reports/in-app-purchase-38/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "voltrue2/in-app-purchase#38", "said": "Forged receipts are accepted, hundreds in a few minutes."},
      "world": "two-users", "faults": {"forged-receipt": "1/2"},
      "sometimes": ["forged-receipt"],
      "seeds": 500
    },
    {
      "name": "reports/inappbillingplugin-28",
      "system": "receipt-store", "backend": "naive",
      "report": {"source": "jamesmontemagno/InAppBillingPlugin#28", "said": "Nothing checks that a receipt is used once, and by whoever bought."},
      "world": "two-users", "faults": {"stolen-evidence": "1/2"},
      "sometimes": ["stolen-evidence"],
      "expect": ["right-account"], "allow": ["no-double-credit", "finish-only-after-credit", "conservation", "honest-answers", "no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/inappbillingplugin-28/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "report": {"source": "jamesmontemagno/InAppBillingPlugin#28", "said": "Nothing checks that a receipt is used once, and by whoever bought."},
      "world": "two-users", "faults": {"stolen-evidence": "1/2"},
      "sometimes": ["stolen-evidence"],
      "seeds": 500
    },
    {
      "name": "reports/in-app-purchase-185",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "sandbox-accepted",
      "report": {"source": "voltrue2/in-app-purchase#185", "said": "After the fallback nobody can tell a sandbox purchase from one that was paid."},
      "world": "one-purchase", "faults": {"sandbox-evidence": "1/2"},
      "sometimes": ["sandbox-evidence"],
      "expect": ["environment-isolation"], "allow": ["conservation"],
      "seeds": 500
    },
    {
      "name": "reports/in-app-purchase-185/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "voltrue2/in-app-purchase#185", "said": "After the fallback nobody can tell a sandbox purchase from one that was paid."},
      "world": "one-purchase", "faults": {"sandbox-evidence": "1/2"},
      "sometimes": ["sandbox-evidence"],
      "seeds": 500
    },
    {
      "name": "reports/app-store-server-library-node-31",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "unknown-is-refused",
      "report": {"source": "apple/app-store-server-library-node#31", "said": "4040010 for users who have really paid."},
      "world": "one-purchase", "faults": {"transaction-unknown": {"chance": "1/2", "most": 2}},
      "sometimes": ["transaction-unknown"],
      "expect": ["transient-is-not-permanent"], "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait", "no-finish-on-doubt"],
      "seeds": 500
    },
    {
      "name": "reports/app-store-server-library-node-31/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "apple/app-store-server-library-node#31", "said": "4040010 for users who have really paid."},
      "world": "one-purchase", "faults": {"transaction-unknown": {"chance": "1/2", "most": 2}},
      "sometimes": ["transaction-unknown"],
      "seeds": 500
    },
    {
      "name": "reports/app-store-server-library-java-47",
      "system": "storekit2-order-token", "backend": "idempotent",
      "report": {"source": "apple/app-store-server-library-java#47", "said": "Production answers 4040010 about transactions of real customers."},
      "world": "one-purchase", "faults": {"transaction-unknown": {"chance": "1/2", "most": 2}},
      "sometimes": ["transaction-unknown"],
      "expect": ["transient-is-not-permanent"], "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation", "one-tap-one-charge", "honest-answers", "no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/app-store-server-library-java-47/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "apple/app-store-server-library-java#47", "said": "Production answers 4040010 about transactions of real customers."},
      "world": "one-purchase", "faults": {"transaction-unknown": {"chance": "1/2", "most": 2}},
      "sometimes": ["transaction-unknown"],
      "seeds": 500
    },
    {
      "name": "reports/mkstorekit-132",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "pays-for-every-tap",
      "report": {"source": "MKSG-MugunthKumar/MKStoreKit#132", "said": "A double tap doubles everything, the purchase included."},
      "world": "one-purchase", "faults": {"double-tap": "1/2"},
      "sometimes": ["double-tap"],
      "expect": ["one-tap-one-charge"], "allow": ["honest-answers", "no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/mkstorekit-132/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "MKSG-MugunthKumar/MKStoreKit#132", "said": "A double tap doubles everything, the purchase included."},
      "world": "one-purchase", "faults": {"double-tap": "1/2"},
      "sometimes": ["double-tap"],
      "seeds": 500
    },
    {
      "name": "reports/mullvadvpn-app-1a6193d",
      "system": "storekit2-order-token", "backend": "idempotent",
      "report": {"source": "mullvad/mullvadvpn-app 1a6193d", "said": "People could go on buying while the service's own API was down."},
      "world": "one-purchase", "faults": {"server-error": "1/2"},
      "sometimes": ["server-error"],
      "expect": ["one-tap-one-charge"], "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation", "honest-answers", "no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/mullvadvpn-app-1a6193d/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "mullvad/mullvadvpn-app 1a6193d", "said": "People could go on buying while the service's own API was down."},
      "world": "one-purchase", "faults": {"server-error": "1/2"},
      "sometimes": ["server-error"],
      "seeds": 500
    },
    {
      "name": "reports/mullvadvpn-app-f2d8a54",
      "system": "receipt-store", "backend": "idempotent",
      "report": {"source": "mullvad/mullvadvpn-app f2d8a54", "said": "The log of transactions that were processed had to be kept out of backups of the device."},
      "world": "bought-again", "faults": {"backup-restored": "1/2", "app-crash": "1/2"},
      "sometimes": ["backup-restored"],
      "expect": ["local-record-discipline"], "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation", "transient-is-not-permanent", "idempotent-acknowledgement", "traceability"],
      "seeds": 1000
    },
    {
      "name": "reports/mullvadvpn-app-f2d8a54/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "report": {"source": "mullvad/mullvadvpn-app f2d8a54", "said": "The log of transactions that were processed had to be kept out of backups of the device."},
      "world": "bought-again", "faults": {"backup-restored": "1/2", "app-crash": "1/2"},
      "sometimes": ["backup-restored"],
      "seeds": 1000
    },
    {
      "name": "reports/adaptysdk-ios-9dbea767",
      "system": "exactly-once-mutant", "backend": "idempotent", "variant": "backup-is-resent",
      "report": {"source": "adaptyteam/AdaptySDK-iOS 9dbea767", "said": "What is restored from a backup of the device is sent once more."},
      "world": "bought-again", "faults": {"backup-restored": "1/2", "app-crash": {"chance": "1/2", "at": ["crash app after finish"]}},
      "sometimes": ["backup-restored"],
      "expect": ["local-record-discipline"],
      "seeds": 1000
    },
    {
      "name": "reports/adaptysdk-ios-9dbea767/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "adaptyteam/AdaptySDK-iOS 9dbea767", "said": "What is restored from a backup of the device is sent once more."},
      "world": "bought-again", "faults": {"backup-restored": "1/2", "app-crash": {"chance": "1/2", "at": ["crash app after finish"]}},
      "sometimes": ["backup-restored"],
      "seeds": 1000
    },
    {
      "name": "reports/purchases-ios-1962",
      "system": "storekit2-order-token", "backend": "naive",
      "report": {"source": "RevenueCat/purchases-ios#1962", "said": "Purchases that begin in the App Store come to nothing where StoreKit 2 alone is used."},
      "world": "promoted",
      "sometimes": [],
      "expect": ["no-endless-wait"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-ios-1962/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "RevenueCat/purchases-ios#1962", "said": "Purchases that begin in the App Store come to nothing where StoreKit 2 alone is used."},
      "world": "promoted",
      "sometimes": ["credited"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-flutter-323",
      "system": "observe-at-launch", "backend": "naive",
      "report": {"source": "RevenueCat/purchases-flutter#323", "said": "A refund does not take away what was bought."},
      "world": "months", "faults": {"refund": "1/2"},
      "sometimes": ["refund"],
      "expect": ["refund-reverses-once"], "allow": ["conservation"],
      "seeds": 500
    },
    {
      "name": "reports/purchases-flutter-323/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2",
      "report": {"source": "RevenueCat/purchases-flutter#323", "said": "A refund does not take away what was bought."},
      "world": "months", "faults": {"refund": "1/2"},
      "sometimes": ["refund"],
      "seeds": 500
    },
    {
      "name": "reports/in-app-purchase-47",
      "system": "receipt-store", "backend": "idempotent",
      "report": {"source": "voltrue2/in-app-purchase#47", "said": "Nobody can see from what is checked that a purchase was refunded, and what was bought stays."},
      "world": "months", "faults": {"refund": "1/2"},
      "sometimes": ["refund"],
      "expect": ["refund-reverses-once"], "allow": ["finish-only-after-credit", "conservation"],
      "seeds": 500
    },
    {
      "name": "reports/in-app-purchase-47/exactly-once",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1",
      "report": {"source": "voltrue2/in-app-purchase#47", "said": "Nobody can see from what is checked that a purchase was refunded, and what was bought stays."},
      "world": "months", "faults": {"refund": "1/2"},
      "sometimes": ["refund"],
      "seeds": 500
    },
    {
      "name": "job-queue/naive/job-repeated", "topic": "job-repeated",
      "system": "job-queue", "backend": "naive", "expect": ["no-double-credit"],
      "allow": ["conservation"]
    },
    {
      "name": "job-queue/idempotent/job-repeated", "topic": "job-repeated",
      "system": "job-queue", "backend": "idempotent"
    },
    {
      "name": "job-queue/naive/stale-read", "topic": "stale-read",
      "system": "job-queue", "backend": "naive", "expect": ["no-double-credit"],
      "allow": ["conservation"]
    },
    {
      "name": "job-queue/idempotent/stale-read", "topic": "stale-read",
      "system": "job-queue", "backend": "idempotent"
    },
    {
      "name": "checkout-benchmark", "topic": "checkout-benchmark",
      "system": "checkout-benchmark", "backend": "idempotent"
    }
  ]
}

"""#
}
