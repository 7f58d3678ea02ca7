// A copy of scenarios.json; `RECORD=1 swift test --filter ScenarioBuiltIn` makes it.
// swift-format-ignore-file

extension ScenarioFile {
  /// What `scenarios.json` said when this was built, for where there is no such file.
  package static let builtIn = #"""
{
  "version": 1,
  "worlds": {
    "one-purchase": {
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
    "mixed": {
      "accounts": 2,
      "storeAccounts": 2,
      "devices": [{"storeAccount": "apple1", "account": "user1"}, {"storeAccount": "apple1", "account": "user2"}],
      "products": [{"name": "coins"}, {"name": "gems"}, {"name": "map", "kind": "non-consumable"}],
      "steps": [{"at": "1s", "device": "phone1", "buy": "coins"}, {"at": "4s", "device": "phone2", "buy": "gems", "quantity": 2}, {"at": "12s", "device": "phone1", "buy": "map"}],
      "heal": "60s",
      "horizon": "270s",
      "reopenEvery": "60s"
    }
  },
  "scenarios": [
    {
      "name": "observer-on-demand/naive/crash-before-finish", "topic": "F01d",
      "about": "The answer is ok, and the app dies before it finishes.",
      "system": "observer-on-demand", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on reply"]}},
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "observer-on-demand/idempotent/crash-before-finish", "topic": "F01d",
      "about": "The answer is ok, and the app dies before it finishes.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on reply"]}}
    },
    {
      "name": "observe-at-launch/naive/crash-before-finish", "topic": "F01d",
      "about": "The answer is ok, and the app dies before it finishes.",
      "system": "observe-at-launch", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on reply"]}},
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "observe-at-launch/idempotent/crash-before-finish", "topic": "F01d",
      "about": "The answer is ok, and the app dies before it finishes.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on reply"]}}
    },
    {
      "name": "receipt-store/naive/crash-before-finish", "topic": "F01d",
      "about": "The answer is ok, and the app dies before it finishes.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on reply"]}},
      "expect": ["no-double-credit"], "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "receipt-store/idempotent/crash-before-finish", "topic": "F01d",
      "about": "The answer is ok, and the app dies before it finishes.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on reply"]}},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/crash-before-finish", "topic": "F01d",
      "about": "The answer is ok, and the app dies before it finishes.",
      "system": "storekit2-order-token", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on reply"]}},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/crash-before-finish", "topic": "F01d",
      "about": "The answer is ok, and the app dies before it finishes.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on reply"]}},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "white-black-tables/naive/crash-before-finish", "topic": "F01d",
      "about": "The answer is ok, and the app dies before it finishes.",
      "system": "white-black-tables", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on reply"]}}
    },
    {
      "name": "white-black-tables/idempotent/crash-before-finish", "topic": "F01d",
      "about": "The answer is ok, and the app dies before it finishes.",
      "system": "white-black-tables", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on reply"]}}
    },
    {
      "name": "exactly-once/storekit2/crash-before-finish", "topic": "F01d",
      "about": "The answer is ok, and the app dies before it finishes.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on reply"]}}
    },
    {
      "name": "exactly-once/storekit1/crash-before-finish", "topic": "F01d",
      "about": "The answer is ok, and the app dies before it finishes.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on reply"]}}
    },
    {
      "name": "observer-on-demand/naive/crash-after-finish", "topic": "F01e",
      "about": "The app dies right after it has called finish.",
      "system": "observer-on-demand", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}}
    },
    {
      "name": "observer-on-demand/idempotent/crash-after-finish", "topic": "F01e",
      "about": "The app dies right after it has called finish.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}}
    },
    {
      "name": "observe-at-launch/naive/crash-after-finish", "topic": "F01e",
      "about": "The app dies right after it has called finish.",
      "system": "observe-at-launch", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}}
    },
    {
      "name": "observe-at-launch/idempotent/crash-after-finish", "topic": "F01e",
      "about": "The app dies right after it has called finish.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}}
    },
    {
      "name": "receipt-store/naive/crash-after-finish", "topic": "F01e",
      "about": "The app dies right after it has called finish.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}},
      "expect": ["finish-only-after-credit"], "allow": ["local-record-discipline"]
    },
    {
      "name": "receipt-store/idempotent/crash-after-finish", "topic": "F01e",
      "about": "The app dies right after it has called finish.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}},
      "expect": ["finish-only-after-credit"], "allow": ["local-record-discipline"]
    },
    {
      "name": "storekit2-order-token/naive/crash-after-finish", "topic": "F01e",
      "about": "The app dies right after it has called finish.",
      "system": "storekit2-order-token", "backend": "naive", "world": "one-purchase",
      "sometimes": ["app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/crash-after-finish", "topic": "F01e",
      "about": "The app dies right after it has called finish.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/naive/crash-after-finish", "topic": "F01e",
      "about": "The app dies right after it has called finish.",
      "system": "white-black-tables", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}}
    },
    {
      "name": "white-black-tables/idempotent/crash-after-finish", "topic": "F01e",
      "about": "The app dies right after it has called finish.",
      "system": "white-black-tables", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}}
    },
    {
      "name": "exactly-once/storekit2/crash-after-finish", "topic": "F01e",
      "about": "The app dies right after it has called finish.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}}
    },
    {
      "name": "exactly-once/storekit1/crash-after-finish", "topic": "F01e",
      "about": "The app dies right after it has called finish.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}}
    },
    {
      "name": "observer-on-demand/naive/request-lost", "topic": "F40",
      "about": "The report to the backend never arrives.",
      "system": "observer-on-demand", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["honest-answers"]
    },
    {
      "name": "observer-on-demand/idempotent/request-lost", "topic": "F40",
      "about": "The report to the backend never arrives.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["honest-answers"]
    },
    {
      "name": "observe-at-launch/naive/request-lost", "topic": "F40",
      "about": "The report to the backend never arrives.",
      "system": "observe-at-launch", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}}
    },
    {
      "name": "observe-at-launch/idempotent/request-lost", "topic": "F40",
      "about": "The report to the backend never arrives.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}}
    },
    {
      "name": "receipt-store/naive/request-lost", "topic": "F40",
      "about": "The report to the backend never arrives.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "receipt-store/idempotent/request-lost", "topic": "F40",
      "about": "The report to the backend never arrives.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/request-lost", "topic": "F40",
      "about": "The report to the backend never arrives.",
      "system": "storekit2-order-token", "backend": "naive", "world": "one-purchase",
      "sometimes": ["request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/request-lost", "topic": "F40",
      "about": "The report to the backend never arrives.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/naive/request-lost", "topic": "F40",
      "about": "The report to the backend never arrives.",
      "system": "white-black-tables", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}}
    },
    {
      "name": "white-black-tables/idempotent/request-lost", "topic": "F40",
      "about": "The report to the backend never arrives.",
      "system": "white-black-tables", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}}
    },
    {
      "name": "exactly-once/storekit2/request-lost", "topic": "F40",
      "about": "The report to the backend never arrives.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2", "world": "one-purchase",
      "sometimes": ["credited + request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}}
    },
    {
      "name": "exactly-once/storekit1/request-lost", "topic": "F40",
      "about": "The report to the backend never arrives.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1", "world": "one-purchase",
      "sometimes": ["credited + request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}}
    },
    {
      "name": "observer-on-demand/naive/response-lost", "topic": "F41",
      "about": "The backend has credited, and its answer is lost.",
      "system": "observer-on-demand", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}},
      "expect": ["no-double-credit", "honest-answers"], "allow": ["conservation"]
    },
    {
      "name": "observer-on-demand/idempotent/response-lost", "topic": "F41",
      "about": "The backend has credited, and its answer is lost.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}},
      "expect": ["honest-answers"]
    },
    {
      "name": "observe-at-launch/naive/response-lost", "topic": "F41",
      "about": "The backend has credited, and its answer is lost.",
      "system": "observe-at-launch", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}},
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "observe-at-launch/idempotent/response-lost", "topic": "F41",
      "about": "The backend has credited, and its answer is lost.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}}
    },
    {
      "name": "receipt-store/naive/response-lost", "topic": "F41",
      "about": "The backend has credited, and its answer is lost.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}},
      "expect": ["no-double-credit"], "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "receipt-store/idempotent/response-lost", "topic": "F41",
      "about": "The backend has credited, and its answer is lost.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/response-lost", "topic": "F41",
      "about": "The backend has credited, and its answer is lost.",
      "system": "storekit2-order-token", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/response-lost", "topic": "F41",
      "about": "The backend has credited, and its answer is lost.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "white-black-tables/naive/response-lost", "topic": "F41",
      "about": "The backend has credited, and its answer is lost.",
      "system": "white-black-tables", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}}
    },
    {
      "name": "white-black-tables/idempotent/response-lost", "topic": "F41",
      "about": "The backend has credited, and its answer is lost.",
      "system": "white-black-tables", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}}
    },
    {
      "name": "exactly-once/storekit2/response-lost", "topic": "F41",
      "about": "The backend has credited, and its answer is lost.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2", "world": "one-purchase",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}}
    },
    {
      "name": "exactly-once/storekit1/response-lost", "topic": "F41",
      "about": "The backend has credited, and its answer is lost.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1", "world": "one-purchase",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}}
    },
    {
      "name": "observer-on-demand/naive/verifier-status", "topic": "F60",
      "about": "Apple answers that it cannot say now.",
      "system": "observer-on-demand", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 2, "at": ["fail verifier.status"]}},
      "allow": ["honest-answers"]
    },
    {
      "name": "observer-on-demand/idempotent/verifier-status", "topic": "F60",
      "about": "Apple answers that it cannot say now.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 2, "at": ["fail verifier.status"]}},
      "allow": ["honest-answers"]
    },
    {
      "name": "observe-at-launch/naive/verifier-status", "topic": "F60",
      "about": "Apple answers that it cannot say now.",
      "system": "observe-at-launch", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 2, "at": ["fail verifier.status"]}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "no-finish-on-doubt"],
      "allow": ["conservation", "one-tap-one-charge", "honest-answers"]
    },
    {
      "name": "observe-at-launch/idempotent/verifier-status", "topic": "F60",
      "about": "Apple answers that it cannot say now.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 2, "at": ["fail verifier.status"]}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "no-finish-on-doubt"],
      "allow": ["conservation", "one-tap-one-charge", "honest-answers"]
    },
    {
      "name": "receipt-store/naive/verifier-status", "topic": "F60",
      "about": "Apple answers that it cannot say now.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 2, "at": ["fail verifier.status"]}},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "receipt-store/idempotent/verifier-status", "topic": "F60",
      "about": "Apple answers that it cannot say now.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 2, "at": ["fail verifier.status"]}},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/verifier-status", "topic": "F60",
      "about": "Apple answers that it cannot say now.",
      "system": "storekit2-order-token", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 2, "at": ["fail verifier.status"]}},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/verifier-status", "topic": "F60",
      "about": "Apple answers that it cannot say now.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 2, "at": ["fail verifier.status"]}},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "white-black-tables/naive/verifier-status", "topic": "F60",
      "about": "Apple answers that it cannot say now.",
      "system": "white-black-tables", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 2, "at": ["fail verifier.status"]}}
    },
    {
      "name": "white-black-tables/idempotent/verifier-status", "topic": "F60",
      "about": "Apple answers that it cannot say now.",
      "system": "white-black-tables", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 2, "at": ["fail verifier.status"]}}
    },
    {
      "name": "exactly-once/storekit2/verifier-status", "topic": "F60",
      "about": "Apple answers that it cannot say now.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2", "world": "one-purchase",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 2, "at": ["fail verifier.status"]}}
    },
    {
      "name": "exactly-once/storekit1/verifier-status", "topic": "F60",
      "about": "Apple answers that it cannot say now.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1", "world": "one-purchase",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 2, "at": ["fail verifier.status"]}}
    },
    {
      "name": "observer-on-demand/naive/account-switch", "topic": "F07",
      "about": "Somebody else logs in between the charge and the report.",
      "system": "observer-on-demand", "backend": "naive", "world": "two-users",
      "sometimes": ["credited + account-switch"],
      "faults": {"account-switch": "1/2"},
      "expect": ["right-account"]
    },
    {
      "name": "observer-on-demand/idempotent/account-switch", "topic": "F07",
      "about": "Somebody else logs in between the charge and the report.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "two-users",
      "sometimes": ["credited + account-switch"],
      "faults": {"account-switch": "1/2"},
      "expect": ["right-account"]
    },
    {
      "name": "observe-at-launch/naive/account-switch", "topic": "F07",
      "about": "Somebody else logs in between the charge and the report.",
      "system": "observe-at-launch", "backend": "naive", "world": "two-users",
      "sometimes": ["credited + account-switch"],
      "faults": {"account-switch": "1/2"},
      "expect": ["right-account"]
    },
    {
      "name": "observe-at-launch/idempotent/account-switch", "topic": "F07",
      "about": "Somebody else logs in between the charge and the report.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "two-users",
      "sometimes": ["credited + account-switch"],
      "faults": {"account-switch": "1/2"},
      "expect": ["right-account"]
    },
    {
      "name": "receipt-store/naive/account-switch", "topic": "F07",
      "about": "Somebody else logs in between the charge and the report.",
      "system": "receipt-store", "backend": "naive", "world": "two-users",
      "sometimes": ["credited + account-switch"],
      "faults": {"account-switch": "1/2"},
      "expect": ["right-account"], "allow": ["finish-only-after-credit"]
    },
    {
      "name": "receipt-store/idempotent/account-switch", "topic": "F07",
      "about": "Somebody else logs in between the charge and the report.",
      "system": "receipt-store", "backend": "idempotent", "world": "two-users",
      "sometimes": ["credited + account-switch"],
      "faults": {"account-switch": "1/2"},
      "expect": ["right-account"], "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/account-switch", "topic": "F07",
      "about": "Somebody else logs in between the charge and the report.",
      "system": "storekit2-order-token", "backend": "naive", "world": "two-users",
      "sometimes": ["credited + account-switch"],
      "faults": {"account-switch": "1/2"},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/account-switch", "topic": "F07",
      "about": "Somebody else logs in between the charge and the report.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "two-users",
      "sometimes": ["credited + account-switch"],
      "faults": {"account-switch": "1/2"},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "white-black-tables/naive/account-switch", "topic": "F07",
      "about": "Somebody else logs in between the charge and the report.",
      "system": "white-black-tables", "backend": "naive", "world": "two-users",
      "sometimes": ["credited + account-switch"],
      "faults": {"account-switch": "1/2"}
    },
    {
      "name": "white-black-tables/idempotent/account-switch", "topic": "F07",
      "about": "Somebody else logs in between the charge and the report.",
      "system": "white-black-tables", "backend": "idempotent", "world": "two-users",
      "sometimes": ["credited + account-switch"],
      "faults": {"account-switch": "1/2"}
    },
    {
      "name": "exactly-once/storekit2/account-switch", "topic": "F07",
      "about": "Somebody else logs in between the charge and the report.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2", "world": "two-users",
      "sometimes": ["credited + account-switch"],
      "faults": {"account-switch": "1/2"}
    },
    {
      "name": "exactly-once/storekit1/account-switch", "topic": "F07",
      "about": "Somebody else logs in between the charge and the report.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1", "world": "two-users",
      "sometimes": ["credited + account-switch"],
      "faults": {"account-switch": "1/2"}
    },
    {
      "name": "observer-on-demand/naive/replay-finished", "topic": "F11",
      "about": "A finished transaction comes back at a launch.",
      "system": "observer-on-demand", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + replay-finished", "credited + app-crash"],
      "faults": {"replay-finished": "1/2", "app-crash": {"chance": "1/4", "most": 2}},
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "observer-on-demand/idempotent/replay-finished", "topic": "F11",
      "about": "A finished transaction comes back at a launch.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + replay-finished", "credited + app-crash"],
      "faults": {"replay-finished": "1/2", "app-crash": {"chance": "1/4", "most": 2}}
    },
    {
      "name": "observe-at-launch/naive/replay-finished", "topic": "F11",
      "about": "A finished transaction comes back at a launch.",
      "system": "observe-at-launch", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + replay-finished", "credited + app-crash"],
      "faults": {"replay-finished": "1/2", "app-crash": {"chance": "1/4", "most": 2}},
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "observe-at-launch/idempotent/replay-finished", "topic": "F11",
      "about": "A finished transaction comes back at a launch.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + replay-finished", "credited + app-crash"],
      "faults": {"replay-finished": "1/2", "app-crash": {"chance": "1/4", "most": 2}}
    },
    {
      "name": "receipt-store/naive/replay-finished", "topic": "F11",
      "about": "A finished transaction comes back at a launch.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + replay-finished", "credited + app-crash"],
      "faults": {"replay-finished": "1/2", "app-crash": {"chance": "1/4", "most": 2}},
      "expect": ["no-double-credit"],
      "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation", "transient-is-not-permanent", "local-record-discipline", "idempotent-acknowledgement"]
    },
    {
      "name": "receipt-store/idempotent/replay-finished", "topic": "F11",
      "about": "A finished transaction comes back at a launch.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + replay-finished", "credited + app-crash"],
      "faults": {"replay-finished": "1/2", "app-crash": {"chance": "1/4", "most": 2}},
      "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation", "transient-is-not-permanent", "local-record-discipline", "idempotent-acknowledgement"]
    },
    {
      "name": "storekit2-order-token/naive/replay-finished", "topic": "F11",
      "about": "A finished transaction comes back at a launch.",
      "system": "storekit2-order-token", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + replay-finished", "credited + app-crash"],
      "faults": {"replay-finished": "1/2", "app-crash": {"chance": "1/4", "most": 2}},
      "expect": ["no-double-credit"],
      "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/replay-finished", "topic": "F11",
      "about": "A finished transaction comes back at a launch.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + replay-finished", "credited + app-crash"],
      "faults": {"replay-finished": "1/2", "app-crash": {"chance": "1/4", "most": 2}},
      "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "white-black-tables/naive/replay-finished", "topic": "F11",
      "about": "A finished transaction comes back at a launch.",
      "system": "white-black-tables", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + replay-finished", "credited + app-crash"],
      "faults": {"replay-finished": "1/2", "app-crash": {"chance": "1/4", "most": 2}}
    },
    {
      "name": "white-black-tables/idempotent/replay-finished", "topic": "F11",
      "about": "A finished transaction comes back at a launch.",
      "system": "white-black-tables", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + replay-finished", "credited + app-crash"],
      "faults": {"replay-finished": "1/2", "app-crash": {"chance": "1/4", "most": 2}}
    },
    {
      "name": "exactly-once/storekit2/replay-finished", "topic": "F11",
      "about": "A finished transaction comes back at a launch.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2", "world": "one-purchase",
      "sometimes": ["credited + replay-finished", "credited + app-crash"],
      "faults": {"replay-finished": "1/2", "app-crash": {"chance": "1/4", "most": 2}}
    },
    {
      "name": "exactly-once/storekit1/replay-finished", "topic": "F11",
      "about": "A finished transaction comes back at a launch.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"replay-finished": "1/2", "app-crash": {"chance": "1/4", "most": 2}}
    },
    {
      "name": "observer-on-demand/naive/missing-redelivery", "topic": "F12",
      "about": "An unfinished transaction is not called back after a relaunch.",
      "system": "observer-on-demand", "backend": "naive", "world": "one-purchase",
      "sometimes": ["missing-redelivery", "credited + app-crash"],
      "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"], "allow": ["conservation", "traceability"]
    },
    {
      "name": "observer-on-demand/idempotent/missing-redelivery", "topic": "F12",
      "about": "An unfinished transaction is not called back after a relaunch.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["missing-redelivery", "credited + app-crash"],
      "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"], "allow": ["conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/naive/missing-redelivery", "topic": "F12",
      "about": "An unfinished transaction is not called back after a relaunch.",
      "system": "observe-at-launch", "backend": "naive", "world": "one-purchase",
      "sometimes": ["missing-redelivery", "credited + app-crash"],
      "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"], "allow": ["conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/idempotent/missing-redelivery", "topic": "F12",
      "about": "An unfinished transaction is not called back after a relaunch.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["missing-redelivery", "credited + app-crash"],
      "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"], "allow": ["conservation", "traceability"]
    },
    {
      "name": "receipt-store/naive/missing-redelivery", "topic": "F12",
      "about": "An unfinished transaction is not called back after a relaunch.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["missing-redelivery", "app-crash"],
      "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "transient-is-not-permanent", "local-record-discipline", "traceability"]
    },
    {
      "name": "receipt-store/idempotent/missing-redelivery", "topic": "F12",
      "about": "An unfinished transaction is not called back after a relaunch.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["missing-redelivery", "app-crash"],
      "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "transient-is-not-permanent", "local-record-discipline", "traceability"]
    },
    {
      "name": "storekit2-order-token/naive/missing-redelivery", "topic": "F12",
      "about": "An unfinished transaction is not called back after a relaunch.",
      "system": "storekit2-order-token", "backend": "naive", "world": "one-purchase",
      "sometimes": ["missing-redelivery", "credited + app-crash"],
      "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/missing-redelivery", "topic": "F12",
      "about": "An unfinished transaction is not called back after a relaunch.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["missing-redelivery", "credited + app-crash"],
      "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "white-black-tables/naive/missing-redelivery", "topic": "F12",
      "about": "An unfinished transaction is not called back after a relaunch.",
      "system": "white-black-tables", "backend": "naive", "world": "one-purchase",
      "sometimes": ["missing-redelivery", "credited + app-crash"],
      "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"], "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/idempotent/missing-redelivery", "topic": "F12",
      "about": "An unfinished transaction is not called back after a relaunch.",
      "system": "white-black-tables", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["missing-redelivery", "credited + app-crash"],
      "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"], "allow": ["conservation"]
    },
    {
      "name": "exactly-once/storekit2/missing-redelivery", "topic": "F12",
      "about": "An unfinished transaction is not called back after a relaunch.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2", "world": "one-purchase",
      "sometimes": ["credited + missing-redelivery", "credited + app-crash"],
      "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}}
    },
    {
      "name": "exactly-once/storekit1/missing-redelivery", "topic": "F12",
      "about": "An unfinished transaction is not called back after a relaunch.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1", "world": "one-purchase",
      "sometimes": ["credited + missing-redelivery", "credited + app-crash"],
      "faults": {"missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}}
    },
    {
      "name": "observer-on-demand/naive/failed-then-purchased", "topic": "F14",
      "about": "The app is told that the payment failed, and it is charged.",
      "system": "observer-on-demand", "backend": "naive", "world": "stays-open",
      "sometimes": ["credited + failed-then-purchased"],
      "retaps": 0,
      "faults": {"failed-then-purchased": {"chance": "1/2", "most": 1, "at": ["interrupt store.payment"]}},
      "expect": ["no-charge-without-delivery", "honest-answers"],
      "allow": ["conservation", "traceability"]
    },
    {
      "name": "observer-on-demand/idempotent/failed-then-purchased", "topic": "F14",
      "about": "The app is told that the payment failed, and it is charged.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "stays-open",
      "sometimes": ["credited + failed-then-purchased"],
      "retaps": 0,
      "faults": {"failed-then-purchased": {"chance": "1/2", "most": 1, "at": ["interrupt store.payment"]}},
      "expect": ["no-charge-without-delivery", "honest-answers"],
      "allow": ["conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/naive/failed-then-purchased", "topic": "F14",
      "about": "The app is told that the payment failed, and it is charged.",
      "system": "observe-at-launch", "backend": "naive", "world": "stays-open",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": {"chance": "1/2", "most": 1, "at": ["interrupt store.payment"]}},
      "allow": ["no-double-credit", "conservation", "honest-answers"]
    },
    {
      "name": "observe-at-launch/idempotent/failed-then-purchased", "topic": "F14",
      "about": "The app is told that the payment failed, and it is charged.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "stays-open",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": {"chance": "1/2", "most": 1, "at": ["interrupt store.payment"]}},
      "allow": ["honest-answers"]
    },
    {
      "name": "receipt-store/naive/failed-then-purchased", "topic": "F14",
      "about": "The app is told that the payment failed, and it is charged.",
      "system": "receipt-store", "backend": "naive", "world": "stays-open",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": {"chance": "1/2", "most": 1, "at": ["interrupt store.payment"]}},
      "allow": ["no-double-credit", "finish-only-after-credit", "conservation", "one-tap-one-charge", "honest-answers"]
    },
    {
      "name": "receipt-store/idempotent/failed-then-purchased", "topic": "F14",
      "about": "The app is told that the payment failed, and it is charged.",
      "system": "receipt-store", "backend": "idempotent", "world": "stays-open",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": {"chance": "1/2", "most": 1, "at": ["interrupt store.payment"]}},
      "allow": ["finish-only-after-credit", "one-tap-one-charge", "honest-answers"]
    },
    {
      "name": "storekit2-order-token/naive/failed-then-purchased", "topic": "F14",
      "about": "The app is told that the payment failed, and it is charged.",
      "system": "storekit2-order-token", "backend": "naive", "world": "stays-open",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": {"chance": "1/2", "most": 1, "at": ["interrupt store.payment"]}},
      "expect": ["one-tap-one-charge", "honest-answers"],
      "allow": ["no-double-credit", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/failed-then-purchased", "topic": "F14",
      "about": "The app is told that the payment failed, and it is charged.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "stays-open",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": {"chance": "1/2", "most": 1, "at": ["interrupt store.payment"]}},
      "expect": ["one-tap-one-charge", "honest-answers"], "allow": ["finish-only-after-credit"]
    },
    {
      "name": "white-black-tables/naive/failed-then-purchased", "topic": "F14",
      "about": "The app is told that the payment failed, and it is charged.",
      "system": "white-black-tables", "backend": "naive", "world": "stays-open",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": {"chance": "1/2", "most": 1, "at": ["interrupt store.payment"]}},
      "allow": ["no-double-credit", "conservation", "one-tap-one-charge", "honest-answers"]
    },
    {
      "name": "white-black-tables/idempotent/failed-then-purchased", "topic": "F14",
      "about": "The app is told that the payment failed, and it is charged.",
      "system": "white-black-tables", "backend": "idempotent", "world": "stays-open",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": {"chance": "1/2", "most": 1, "at": ["interrupt store.payment"]}},
      "allow": ["one-tap-one-charge", "honest-answers"]
    },
    {
      "name": "exactly-once/storekit2/failed-then-purchased", "topic": "F14",
      "about": "The app is told that the payment failed, and it is charged.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2", "world": "stays-open",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": {"chance": "1/2", "most": 1, "at": ["interrupt store.payment"]}}
    },
    {
      "name": "exactly-once/storekit1/failed-then-purchased", "topic": "F14",
      "about": "The app is told that the payment failed, and it is charged.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1", "world": "stays-open",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": {"chance": "1/2", "most": 1, "at": ["interrupt store.payment"]}}
    },
    {
      "name": "observer-on-demand/naive/server-crash", "topic": "F50",
      "about": "A process of the backend dies between two steps.",
      "system": "observer-on-demand", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/6", "most": 1}},
      "allow": ["no-double-credit", "conservation", "honest-answers"]
    },
    {
      "name": "observer-on-demand/idempotent/server-crash", "topic": "F50",
      "about": "A process of the backend dies between two steps.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/6", "most": 1}},
      "allow": ["honest-answers"]
    },
    {
      "name": "observe-at-launch/naive/server-crash", "topic": "F50",
      "about": "A process of the backend dies between two steps.",
      "system": "observe-at-launch", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/6", "most": 1}},
      "allow": ["no-double-credit", "conservation"]
    },
    {
      "name": "observe-at-launch/idempotent/server-crash", "topic": "F50",
      "about": "A process of the backend dies between two steps.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/6", "most": 1}}
    },
    {
      "name": "receipt-store/naive/server-crash", "topic": "F50",
      "about": "A process of the backend dies between two steps.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/6", "most": 1}},
      "allow": ["no-double-credit", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "receipt-store/idempotent/server-crash", "topic": "F50",
      "about": "A process of the backend dies between two steps.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/6", "most": 1}},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/server-crash", "topic": "F50",
      "about": "A process of the backend dies between two steps.",
      "system": "storekit2-order-token", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/6", "most": 1}},
      "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/server-crash", "topic": "F50",
      "about": "A process of the backend dies between two steps.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/6", "most": 1}},
      "allow": ["no-charge-without-delivery", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "white-black-tables/naive/server-crash", "topic": "F50",
      "about": "A process of the backend dies between two steps.",
      "system": "white-black-tables", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/6", "most": 1}},
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/idempotent/server-crash", "topic": "F50",
      "about": "A process of the backend dies between two steps.",
      "system": "white-black-tables", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/6", "most": 1}}
    },
    {
      "name": "exactly-once/storekit2/server-crash", "topic": "F50",
      "about": "A process of the backend dies between two steps.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2", "world": "one-purchase",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/6", "most": 1}}
    },
    {
      "name": "exactly-once/storekit1/server-crash", "topic": "F50",
      "about": "A process of the backend dies between two steps.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1", "world": "one-purchase",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/6", "most": 1}}
    },
    {
      "name": "observer-on-demand/naive/concurrent-duplicate", "topic": "F51",
      "about": "The same report arrives at two replicas of the backend at once.",
      "system": "observer-on-demand", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + concurrent-duplicate"],
      "faults": {"concurrent-duplicate": "1/2"},
      "allow": ["no-double-credit", "conservation"]
    },
    {
      "name": "observer-on-demand/idempotent/concurrent-duplicate", "topic": "F51",
      "about": "The same report arrives at two replicas of the backend at once.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + concurrent-duplicate"],
      "faults": {"concurrent-duplicate": "1/2"}
    },
    {
      "name": "observe-at-launch/naive/concurrent-duplicate", "topic": "F51",
      "about": "The same report arrives at two replicas of the backend at once.",
      "system": "observe-at-launch", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + concurrent-duplicate"],
      "faults": {"concurrent-duplicate": "1/2"},
      "allow": ["no-double-credit", "conservation"]
    },
    {
      "name": "observe-at-launch/idempotent/concurrent-duplicate", "topic": "F51",
      "about": "The same report arrives at two replicas of the backend at once.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + concurrent-duplicate"],
      "faults": {"concurrent-duplicate": "1/2"}
    },
    {
      "name": "receipt-store/naive/concurrent-duplicate", "topic": "F51",
      "about": "The same report arrives at two replicas of the backend at once.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + concurrent-duplicate"],
      "faults": {"concurrent-duplicate": "1/2"},
      "allow": ["no-double-credit", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "receipt-store/idempotent/concurrent-duplicate", "topic": "F51",
      "about": "The same report arrives at two replicas of the backend at once.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + concurrent-duplicate"],
      "faults": {"concurrent-duplicate": "1/2"},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/concurrent-duplicate", "topic": "F51",
      "about": "The same report arrives at two replicas of the backend at once.",
      "system": "storekit2-order-token", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + concurrent-duplicate"],
      "faults": {"concurrent-duplicate": "1/2"},
      "allow": ["no-double-credit", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/concurrent-duplicate", "topic": "F51",
      "about": "The same report arrives at two replicas of the backend at once.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + concurrent-duplicate"],
      "faults": {"concurrent-duplicate": "1/2"},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "white-black-tables/naive/concurrent-duplicate", "topic": "F51",
      "about": "The same report arrives at two replicas of the backend at once.",
      "system": "white-black-tables", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + concurrent-duplicate"],
      "faults": {"concurrent-duplicate": "1/2"},
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/idempotent/concurrent-duplicate", "topic": "F51",
      "about": "The same report arrives at two replicas of the backend at once.",
      "system": "white-black-tables", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + concurrent-duplicate"],
      "faults": {"concurrent-duplicate": "1/2"}
    },
    {
      "name": "exactly-once/storekit2/concurrent-duplicate", "topic": "F51",
      "about": "The same report arrives at two replicas of the backend at once.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2", "world": "one-purchase",
      "sometimes": ["credited + concurrent-duplicate"],
      "faults": {"concurrent-duplicate": "1/2"}
    },
    {
      "name": "exactly-once/storekit1/concurrent-duplicate", "topic": "F51",
      "about": "The same report arrives at two replicas of the backend at once.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1", "world": "one-purchase",
      "sometimes": ["credited + concurrent-duplicate"],
      "faults": {"concurrent-duplicate": "1/2"}
    },
    {
      "name": "observer-on-demand/naive/sandbox-evidence", "topic": "F93",
      "about": "A purchase of the sandbox is shown to the production backend.",
      "system": "observer-on-demand", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + sandbox-evidence"],
      "faults": {"sandbox-evidence": "1/2"}
    },
    {
      "name": "observer-on-demand/idempotent/sandbox-evidence", "topic": "F93",
      "about": "A purchase of the sandbox is shown to the production backend.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + sandbox-evidence"],
      "faults": {"sandbox-evidence": "1/2"}
    },
    {
      "name": "observe-at-launch/naive/sandbox-evidence", "topic": "F93",
      "about": "A purchase of the sandbox is shown to the production backend.",
      "system": "observe-at-launch", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + sandbox-evidence"],
      "faults": {"sandbox-evidence": "1/2"}
    },
    {
      "name": "observe-at-launch/idempotent/sandbox-evidence", "topic": "F93",
      "about": "A purchase of the sandbox is shown to the production backend.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + sandbox-evidence"],
      "faults": {"sandbox-evidence": "1/2"}
    },
    {
      "name": "receipt-store/naive/sandbox-evidence", "topic": "F93",
      "about": "A purchase of the sandbox is shown to the production backend.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + sandbox-evidence"],
      "faults": {"sandbox-evidence": "1/2"},
      "expect": ["environment-isolation"], "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "receipt-store/idempotent/sandbox-evidence", "topic": "F93",
      "about": "A purchase of the sandbox is shown to the production backend.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + sandbox-evidence"],
      "faults": {"sandbox-evidence": "1/2"},
      "expect": ["environment-isolation"], "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/naive/sandbox-evidence", "topic": "F93",
      "about": "A purchase of the sandbox is shown to the production backend.",
      "system": "storekit2-order-token", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + sandbox-evidence"],
      "faults": {"sandbox-evidence": "1/2"},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/idempotent/sandbox-evidence", "topic": "F93",
      "about": "A purchase of the sandbox is shown to the production backend.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + sandbox-evidence"],
      "faults": {"sandbox-evidence": "1/2"},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "white-black-tables/naive/sandbox-evidence", "topic": "F93",
      "about": "A purchase of the sandbox is shown to the production backend.",
      "system": "white-black-tables", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + sandbox-evidence"],
      "faults": {"sandbox-evidence": "1/2"},
      "expect": ["environment-isolation"], "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/idempotent/sandbox-evidence", "topic": "F93",
      "about": "A purchase of the sandbox is shown to the production backend.",
      "system": "white-black-tables", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + sandbox-evidence"],
      "faults": {"sandbox-evidence": "1/2"},
      "expect": ["environment-isolation"], "allow": ["conservation"]
    },
    {
      "name": "exactly-once/storekit2/sandbox-evidence", "topic": "F93",
      "about": "A purchase of the sandbox is shown to the production backend.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2", "world": "one-purchase",
      "sometimes": ["credited + sandbox-evidence"],
      "faults": {"sandbox-evidence": "1/2"}
    },
    {
      "name": "exactly-once/storekit1/sandbox-evidence", "topic": "F93",
      "about": "A purchase of the sandbox is shown to the production backend.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1", "world": "one-purchase",
      "sometimes": ["credited + sandbox-evidence"],
      "faults": {"sandbox-evidence": "1/2"}
    },
    {
      "name": "observer-on-demand/naive/failure-first", "topic": "F03",
      "about": "One payment is declined, the observer goes, and the other purchase is not seen.",
      "system": "observer-on-demand", "backend": "naive", "world": "three-products",
      "sometimes": ["credited + failure-first"],
      "reopenEvery": "never",
      "within": "120s",
      "horizon": "400s",
      "faults": {"failure-first": {"chance": "1/2", "most": 1}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["no-double-credit", "conservation", "honest-answers", "traceability"]
    },
    {
      "name": "observer-on-demand/idempotent/failure-first", "topic": "F03",
      "about": "One payment is declined, the observer goes, and the other purchase is not seen.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "three-products",
      "sometimes": ["credited + failure-first"],
      "reopenEvery": "never",
      "within": "120s",
      "horizon": "400s",
      "faults": {"failure-first": {"chance": "1/2", "most": 1}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["conservation", "honest-answers", "traceability"]
    },
    {
      "name": "observer-on-demand/naive/failed-upload", "topic": "F46",
      "about": "An upload fails, the observer stays, and nothing tries again while the app runs.",
      "system": "observer-on-demand", "backend": "naive", "world": "stays-open",
      "sometimes": ["server-error"],
      "retaps": 0,
      "faults": {"server-error": {"chance": "1/2", "most": 1, "at": ["fail server.request"]}},
      "expect": ["no-charge-without-delivery", "honest-answers"],
      "allow": ["queue-drains", "conservation"]
    },
    {
      "name": "observer-on-demand/idempotent/failed-upload", "topic": "F46",
      "about": "An upload fails, the observer stays, and nothing tries again while the app runs.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "stays-open",
      "sometimes": ["server-error"],
      "retaps": 0,
      "faults": {"server-error": {"chance": "1/2", "most": 1, "at": ["fail server.request"]}},
      "expect": ["no-charge-without-delivery", "honest-answers"],
      "allow": ["queue-drains", "conservation"]
    },
    {
      "name": "observer-on-demand/naive/newest-entry", "topic": "F10",
      "about": "Several unfinished purchases share a receipt of which only the newest entry is credited.",
      "system": "observer-on-demand", "backend": "naive", "variant": "newest-entry", "world": "three-products",
      "sometimes": ["credited + delayed-delivery"],
      "faults": {"delayed-delivery": "1/2"},
      "expect": ["no-charge-without-delivery"],
      "allow": ["no-double-credit", "finish-only-after-credit", "conservation", "honest-answers"]
    },
    {
      "name": "observer-on-demand/idempotent/newest-entry", "topic": "F10",
      "about": "Several unfinished purchases share a receipt of which only the newest entry is credited.",
      "system": "observer-on-demand", "backend": "idempotent", "variant": "newest-entry", "world": "three-products",
      "sometimes": ["credited + delayed-delivery"],
      "faults": {"delayed-delivery": "1/2"},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "honest-answers"]
    },
    {
      "name": "observer-on-demand/naive/whole-receipt", "topic": "F10",
      "about": "Each report credits every entry of the receipt.",
      "system": "observer-on-demand", "backend": "naive", "world": "three-products",
      "sometimes": ["credited + duplicate-callback"],
      "faults": {"duplicate-callback": "1/2"},
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "observer-on-demand/idempotent/whole-receipt", "topic": "F10",
      "about": "Each report credits every entry of the receipt.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "three-products",
      "sometimes": ["credited + duplicate-callback"],
      "faults": {"duplicate-callback": "1/2"}
    },
    {
      "name": "observer-on-demand/naive/stale-receipt", "topic": "F31",
      "about": "A stale receipt proves the old purchase once more, and the new one is finished for it.",
      "system": "observer-on-demand", "backend": "naive", "world": "bought-again",
      "sometimes": ["credited + receipt-stale"],
      "reopenEvery": "never",
      "within": "120s",
      "horizon": "400s",
      "retaps": 0,
      "faults": {"receipt-stale": "1/2"},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["no-double-credit", "queue-drains", "conservation", "honest-answers"]
    },
    {
      "name": "observer-on-demand/idempotent/stale-receipt", "topic": "F31",
      "about": "A stale receipt proves the old purchase once more, and the new one is finished for it.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "bought-again",
      "sometimes": ["credited + receipt-stale"],
      "reopenEvery": "never",
      "within": "120s",
      "horizon": "400s",
      "retaps": 0,
      "faults": {"receipt-stale": "1/2"},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["queue-drains", "conservation", "honest-answers"]
    },
    {
      "name": "observer-on-demand/naive/missing-receipt", "topic": "F30",
      "about": "There is no receipt file when the transaction is called back again.",
      "system": "observer-on-demand", "backend": "naive", "world": "stays-open",
      "sometimes": ["credited + app-crash", "receipt-missing"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "receipt-missing": "1/2"},
      "expect": ["no-charge-without-delivery"],
      "allow": ["queue-drains", "conservation", "honest-answers"]
    },
    {
      "name": "observer-on-demand/idempotent/missing-receipt", "topic": "F30",
      "about": "There is no receipt file when the transaction is called back again.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "stays-open",
      "sometimes": ["credited + app-crash", "receipt-missing"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "receipt-missing": "1/2"},
      "expect": ["no-charge-without-delivery"],
      "allow": ["queue-drains", "conservation", "honest-answers"]
    },
    {
      "name": "observer-on-demand/naive/poison", "topic": "F60",
      "about": "Apple says that a purchase was never made; it stays unfinished and stands in the way.",
      "system": "observer-on-demand", "backend": "naive", "world": "bought-again",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 1, "at": ["void store.charge"]}},
      "expect": ["queue-drains", "poison-isolation"]
    },
    {
      "name": "observer-on-demand/idempotent/poison", "topic": "F60",
      "about": "Apple says that a purchase was never made; it stays unfinished and stands in the way.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "bought-again",
      "sometimes": ["credited + verifier-status"],
      "faults": {"verifier-status": {"chance": "1/2", "most": 1, "at": ["void store.charge"]}},
      "expect": ["queue-drains", "poison-isolation"]
    },
    {
      "name": "observer-on-demand/naive/double-tap", "topic": "F08",
      "about": "A second tap overwrites what was tapped first.",
      "system": "observer-on-demand", "backend": "naive", "world": "three-products",
      "sometimes": ["credited + double-tap"],
      "reopenEvery": "never",
      "horizon": "400s",
      "faults": {"double-tap": "1/2"},
      "expect": ["honest-answers"],
      "allow": ["no-charge-without-delivery", "no-double-credit", "conservation", "one-tap-one-charge", "traceability"]
    },
    {
      "name": "observer-on-demand/idempotent/double-tap", "topic": "F08",
      "about": "A second tap overwrites what was tapped first.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "three-products",
      "sometimes": ["credited + double-tap"],
      "reopenEvery": "never",
      "horizon": "400s",
      "faults": {"double-tap": "1/2"},
      "expect": ["honest-answers"],
      "allow": ["no-charge-without-delivery", "conservation", "one-tap-one-charge", "traceability"]
    },
    {
      "name": "observer-on-demand/naive/same-product-twice", "topic": "F08",
      "about": "Two taps at once become two charges.",
      "system": "observer-on-demand", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + double-tap"],
      "faults": {"double-tap": {"chance": "1/2", "at": ["repeat person.tap"]}},
      "expect": ["one-tap-one-charge"], "allow": ["no-double-credit", "conservation"]
    },
    {
      "name": "observer-on-demand/idempotent/same-product-twice", "topic": "F08",
      "about": "Two taps at once become two charges.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + double-tap"],
      "faults": {"double-tap": {"chance": "1/2", "at": ["repeat person.tap"]}},
      "expect": ["one-tap-one-charge"]
    },
    {
      "name": "observer-on-demand/naive/order-map", "topic": "F01",
      "about": "The order number is only in memory when the app dies.",
      "system": "observer-on-demand", "backend": "naive", "variant": "order-map", "world": "one-purchase",
      "sometimes": ["app-crash"],
      "retaps": 0,
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["queue-drains", "conservation", "honest-answers", "transient-is-not-permanent"]
    },
    {
      "name": "observer-on-demand/idempotent/order-map", "topic": "F01",
      "about": "The order number is only in memory when the app dies.",
      "system": "observer-on-demand", "backend": "idempotent", "variant": "order-map", "world": "one-purchase",
      "sometimes": ["app-crash"],
      "retaps": 0,
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["queue-drains", "conservation", "honest-answers", "transient-is-not-permanent"]
    },
    {
      "name": "observer-on-demand/naive/cached", "topic": "F53",
      "about": "The cache that keeps repeats away forgets.",
      "system": "observer-on-demand", "backend": "naive", "variant": "cached", "world": "one-purchase",
      "sometimes": ["credited + dedupe-pruned", "credited + duplicate-callback"],
      "faults": {"dedupe-pruned": "1/2", "duplicate-callback": "1/2"},
      "expect": ["no-double-credit"], "allow": ["conservation"]
    },
    {
      "name": "observe-at-launch/naive/stale-receipt", "topic": "F31",
      "about": "The receipt lacks the purchase, verification fails, and the transaction is finished.",
      "system": "observe-at-launch", "backend": "naive", "world": "bought-again",
      "sometimes": ["credited + receipt-stale"],
      "faults": {"receipt-stale": "1/2"},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation", "one-tap-one-charge", "honest-answers", "no-finish-on-doubt", "transient-is-not-permanent"]
    },
    {
      "name": "observe-at-launch/idempotent/stale-receipt", "topic": "F31",
      "about": "The receipt lacks the purchase, verification fails, and the transaction is finished.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "bought-again",
      "sometimes": ["credited + receipt-stale"],
      "faults": {"receipt-stale": "1/2"},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation", "one-tap-one-charge", "honest-answers", "no-finish-on-doubt", "transient-is-not-permanent"]
    },
    {
      "name": "observe-at-launch/naive/missing-receipt", "topic": "F30",
      "about": "The receipt is missing; after the refresh nobody looks at the purchase again.",
      "system": "observe-at-launch", "backend": "naive", "world": "stays-open",
      "sometimes": ["credited + app-crash", "receipt-missing", "refresh-fails"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "receipt-missing": "1/2", "refresh-fails": "1/2"},
      "expect": ["no-charge-without-delivery"],
      "allow": ["queue-drains", "conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/idempotent/missing-receipt", "topic": "F30",
      "about": "The receipt is missing; after the refresh nobody looks at the purchase again.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "stays-open",
      "sometimes": ["credited + app-crash", "receipt-missing", "refresh-fails"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "receipt-missing": "1/2", "refresh-fails": "1/2"},
      "expect": ["no-charge-without-delivery"],
      "allow": ["queue-drains", "conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/naive/shared-closures", "topic": "F08",
      "about": "Two purchases share one pair of closures.",
      "system": "observe-at-launch", "backend": "naive", "world": "three-products",
      "sometimes": ["credited + double-tap"],
      "faults": {"double-tap": "1/2"},
      "expect": ["honest-answers"],
      "allow": ["no-double-credit", "conservation", "one-tap-one-charge"]
    },
    {
      "name": "observe-at-launch/idempotent/shared-closures", "topic": "F08",
      "about": "Two purchases share one pair of closures.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "three-products",
      "sometimes": ["credited + double-tap"],
      "faults": {"double-tap": "1/2"},
      "expect": ["honest-answers"], "allow": ["one-tap-one-charge"]
    },
    {
      "name": "observe-at-launch/naive/finish-first", "topic": "F01",
      "about": "Finish at the top, and a store of one's own for retries.",
      "system": "observe-at-launch", "backend": "naive", "variant": "finish-first", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["no-double-credit", "conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/idempotent/finish-first", "topic": "F01",
      "about": "Finish at the top, and a store of one's own for retries.",
      "system": "observe-at-launch", "backend": "idempotent", "variant": "finish-first", "world": "one-purchase",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish"]}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/naive/finish-before-answer", "topic": "F40",
      "about": "Finish when the report is sent, and the report is lost.",
      "system": "observe-at-launch", "backend": "naive", "variant": "finish-before-answer", "world": "one-purchase",
      "sometimes": ["request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation"]
    },
    {
      "name": "observe-at-launch/idempotent/finish-before-answer", "topic": "F40",
      "about": "Finish when the report is sent, and the report is lost.",
      "system": "observe-at-launch", "backend": "idempotent", "variant": "finish-before-answer", "world": "one-purchase",
      "sometimes": ["request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation"]
    },
    {
      "name": "observe-at-launch/naive/late-observer", "topic": "F02",
      "about": "The observer waits for a page that nobody opens.",
      "system": "observe-at-launch", "backend": "naive", "variant": "late-observer", "world": "stays-open",
      "sometimes": ["credited + app-crash", "credited + late-observer"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "late-observer": "1/2"},
      "expect": ["no-charge-without-delivery"],
      "allow": ["queue-drains", "conservation", "traceability"]
    },
    {
      "name": "observe-at-launch/idempotent/late-observer", "topic": "F02",
      "about": "The observer waits for a page that nobody opens.",
      "system": "observe-at-launch", "backend": "idempotent", "variant": "late-observer", "world": "stays-open",
      "sometimes": ["credited + app-crash", "credited + late-observer"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "late-observer": "1/2"},
      "expect": ["no-charge-without-delivery"],
      "allow": ["queue-drains", "conservation", "traceability"]
    },
    {
      "name": "receipt-store/naive/lost-record", "topic": "F09",
      "about": "The record of the purchase never reaches the disk.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + record-lost", "credited + request-lost", "credited + app-crash"],
      "faults": {"record-lost": "1/2", "request-lost": {"chance": "1/2", "most": 1}, "app-crash": {"chance": "1/4", "most": 2, "at": ["crash app after finish", "crash app on reply"]}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "local-record-discipline"],
      "allow": ["no-double-credit", "conservation"]
    },
    {
      "name": "receipt-store/idempotent/lost-record", "topic": "F09",
      "about": "The record of the purchase never reaches the disk.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + record-lost", "credited + request-lost", "credited + app-crash"],
      "faults": {"record-lost": "1/2", "request-lost": {"chance": "1/2", "most": 1}, "app-crash": {"chance": "1/4", "most": 2, "at": ["crash app after finish", "crash app on reply"]}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "local-record-discipline"],
      "allow": ["conservation"]
    },
    {
      "name": "receipt-store/naive/finish-then-save", "topic": "F01",
      "about": "The app dies between finish and save.",
      "system": "receipt-store", "backend": "naive", "variant": "finish-then-save", "world": "one-purchase",
      "sometimes": ["app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish", "crash app before save"]}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation", "traceability"]
    },
    {
      "name": "receipt-store/idempotent/finish-then-save", "topic": "F01",
      "about": "The app dies between finish and save.",
      "system": "receipt-store", "backend": "idempotent", "variant": "finish-then-save", "world": "one-purchase",
      "sometimes": ["app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after finish", "crash app before save"]}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation", "traceability"]
    },
    {
      "name": "receipt-store/naive/reinstall", "topic": "F06",
      "about": "The app is deleted before the record has done its work.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + reinstall", "credited + request-lost", "credited + app-crash"],
      "faults": {"reinstall": "1/2", "request-lost": {"chance": "1/2", "most": 1}, "app-crash": {"chance": "1/4", "most": 1, "at": ["crash app after callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "local-record-discipline"]
    },
    {
      "name": "receipt-store/idempotent/reinstall", "topic": "F06",
      "about": "The app is deleted before the record has done its work.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + reinstall", "credited + request-lost", "credited + app-crash"],
      "faults": {"reinstall": "1/2", "request-lost": {"chance": "1/2", "most": 1}, "app-crash": {"chance": "1/4", "most": 1, "at": ["crash app after callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "local-record-discipline"]
    },
    {
      "name": "receipt-store/naive/old-backup", "topic": "F06b",
      "about": "A backup brings back a record that was dealt with.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + backup-restored", "credited + app-crash"],
      "delays": {"delay storage.flush": "0..0"},
      "faults": {"backup-restored": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after tell"]}},
      "expect": ["no-double-credit"], "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "receipt-store/idempotent/old-backup", "topic": "F06b",
      "about": "A backup brings back a record that was dealt with.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + backup-restored", "credited + app-crash"],
      "delays": {"delay storage.flush": "0..0"},
      "faults": {"backup-restored": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app after tell"]}},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "receipt-store/naive/order-forgotten", "topic": "F01",
      "about": "The order was only in memory: what is called back again has none.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "transient-is-not-permanent", "local-record-discipline"]
    },
    {
      "name": "receipt-store/idempotent/order-forgotten", "topic": "F01",
      "about": "The order was only in memory: what is called back again has none.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["app-crash"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "transient-is-not-permanent", "local-record-discipline"]
    },
    {
      "name": "receipt-store/naive/order-dedupe", "topic": "F14",
      "about": "One order, and what is paid twice is delivered once.",
      "system": "receipt-store", "backend": "naive", "variant": "order-dedupe", "world": "one-purchase",
      "sometimes": ["credited + double-tap"],
      "faults": {"double-tap": {"chance": "1/2", "at": ["repeat person.tap"]}},
      "expect": ["no-charge-without-delivery", "one-tap-one-charge"],
      "allow": ["finish-only-after-credit", "conservation", "honest-answers"]
    },
    {
      "name": "receipt-store/idempotent/order-dedupe", "topic": "F14",
      "about": "One order, and what is paid twice is delivered once.",
      "system": "receipt-store", "backend": "idempotent", "variant": "order-dedupe", "world": "one-purchase",
      "sometimes": ["credited + double-tap"],
      "faults": {"double-tap": {"chance": "1/2", "at": ["repeat person.tap"]}},
      "expect": ["no-charge-without-delivery", "one-tap-one-charge"],
      "allow": ["finish-only-after-credit", "conservation", "honest-answers"]
    },
    {
      "name": "receipt-store/naive/receipt-dedupe", "topic": "F34",
      "about": "The receipt's bytes change, and what was credited is credited again.",
      "system": "receipt-store", "backend": "naive", "variant": "receipt-dedupe", "world": "three-products",
      "sometimes": ["credited + finish-lost"],
      "faults": {"finish-lost": "1/2"},
      "expect": ["no-double-credit"],
      "allow": ["finish-only-after-credit", "conservation", "local-record-discipline", "idempotent-acknowledgement"]
    },
    {
      "name": "receipt-store/idempotent/receipt-dedupe", "topic": "F34",
      "about": "The receipt's bytes change, and what was credited is credited again.",
      "system": "receipt-store", "backend": "idempotent", "variant": "receipt-dedupe", "world": "three-products",
      "sometimes": ["credited + finish-lost"],
      "faults": {"finish-lost": "1/2"},
      "allow": ["finish-only-after-credit", "local-record-discipline", "idempotent-acknowledgement"]
    },
    {
      "name": "receipt-store/naive/stale-receipt", "topic": "F31",
      "about": "The stored receipt never contains the purchase, and the transaction is finished.",
      "system": "receipt-store", "backend": "naive", "world": "one-purchase",
      "sometimes": ["receipt-stale"],
      "faults": {"receipt-stale": "1/2"},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation", "traceability"]
    },
    {
      "name": "receipt-store/idempotent/stale-receipt", "topic": "F31",
      "about": "The stored receipt never contains the purchase, and the transaction is finished.",
      "system": "receipt-store", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["receipt-stale"],
      "faults": {"receipt-stale": "1/2"},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation", "traceability"]
    },
    {
      "name": "receipt-store/naive/one-key", "topic": "F09",
      "about": "Two purchases share one key of the store.",
      "system": "receipt-store", "backend": "naive", "variant": "one-key", "world": "three-products",
      "sometimes": ["credited + request-lost"],
      "faults": {"request-lost": "1/2"},
      "expect": ["no-charge-without-delivery", "local-record-discipline"],
      "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "receipt-store/idempotent/one-key", "topic": "F09",
      "about": "Two purchases share one key of the store.",
      "system": "receipt-store", "backend": "idempotent", "variant": "one-key", "world": "three-products",
      "sometimes": ["credited + request-lost"],
      "faults": {"request-lost": "1/2"},
      "expect": ["no-charge-without-delivery", "local-record-discipline"],
      "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "receipt-store/naive/resend-at-launch", "topic": "F40",
      "about": "What failed is sent again at the next launch only.",
      "system": "receipt-store", "backend": "naive", "world": "stays-open",
      "sometimes": ["request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "honest-answers", "local-record-discipline"]
    },
    {
      "name": "receipt-store/idempotent/resend-at-launch", "topic": "F40",
      "about": "What failed is sent again at the next launch only.",
      "system": "receipt-store", "backend": "idempotent", "world": "stays-open",
      "sometimes": ["request-lost"],
      "faults": {"request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "honest-answers", "local-record-discipline"]
    },
    {
      "name": "receipt-store/naive/resend-as-another", "topic": "F07",
      "about": "Somebody else is logged in when the record is sent again.",
      "system": "receipt-store", "backend": "naive", "world": "two-users",
      "sometimes": ["credited + account-switch", "credited + request-lost"],
      "faults": {"account-switch": "1/2", "request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["right-account"], "allow": ["finish-only-after-credit"]
    },
    {
      "name": "receipt-store/idempotent/resend-as-another", "topic": "F07",
      "about": "Somebody else is logged in when the record is sent again.",
      "system": "receipt-store", "backend": "idempotent", "world": "two-users",
      "sometimes": ["credited + account-switch", "credited + request-lost"],
      "faults": {"account-switch": "1/2", "request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["right-account"], "allow": ["finish-only-after-credit"]
    },
    {
      "name": "receipt-store/naive/local-verifier", "topic": "F94",
      "about": "The verification on the device is intercepted.",
      "system": "receipt-store", "backend": "naive", "variant": "client-verifies", "world": "one-purchase",
      "sometimes": ["credited + local-verification-spoofed"],
      "faults": {"local-verification-spoofed": "1/2"},
      "expect": ["no-credit-without-charge"],
      "allow": ["no-charge-without-delivery", "finish-only-after-credit", "honest-answers"]
    },
    {
      "name": "receipt-store/idempotent/local-verifier", "topic": "F94",
      "about": "The verification on the device is intercepted.",
      "system": "receipt-store", "backend": "idempotent", "variant": "client-verifies", "world": "one-purchase",
      "sometimes": ["local-verification-spoofed"],
      "faults": {"local-verification-spoofed": "1/2"},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "transient-is-not-permanent", "local-record-discipline"]
    },
    {
      "name": "receipt-store/naive/substituted-product", "topic": "F95",
      "about": "A cheap purchase is reported as a dear one.",
      "system": "receipt-store", "backend": "naive", "variant": "client-verifies", "world": "cheap-and-dear",
      "sometimes": ["credited + product-substituted", "credited + request-lost"],
      "faults": {"product-substituted": "1/2", "request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["fidelity"],
      "allow": ["no-double-credit", "finish-only-after-credit", "conservation"]
    },
    {
      "name": "receipt-store/idempotent/substituted-product", "topic": "F95",
      "about": "A cheap purchase is reported as a dear one.",
      "system": "receipt-store", "backend": "idempotent", "variant": "client-verifies", "world": "cheap-and-dear",
      "sometimes": ["credited + product-substituted", "credited + request-lost"],
      "faults": {"product-substituted": "1/2", "request-lost": {"chance": "1/2", "most": 1}},
      "expect": ["fidelity"], "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/updates-offline", "topic": "F45",
      "about": "What comes through updates while the device is offline is finished and lost.",
      "system": "storekit2-order-token", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + delayed-delivery", "partition"],
      "faults": {"delayed-delivery": "1/2", "partition": "1/2"},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/updates-offline", "topic": "F45",
      "about": "What comes through updates while the device is offline is finished and lost.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + delayed-delivery", "partition"],
      "faults": {"delayed-delivery": "1/2", "partition": "1/2"},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation"]
    },
    {
      "name": "storekit2-order-token/naive/server-error", "topic": "F46",
      "about": "The backend answers 5xx to the report of what is finished already.",
      "system": "storekit2-order-token", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + server-error"],
      "faults": {"server-error": {"chance": "1/2", "most": 1}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation", "one-tap-one-charge", "honest-answers"]
    },
    {
      "name": "storekit2-order-token/idempotent/server-error", "topic": "F46",
      "about": "The backend answers 5xx to the report of what is finished already.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + server-error"],
      "faults": {"server-error": {"chance": "1/2", "most": 1}},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit"],
      "allow": ["conservation", "one-tap-one-charge", "honest-answers"]
    },
    {
      "name": "storekit2-order-token/naive/twice-in-a-session", "topic": "F10",
      "about": "purchase() and updates bring the same transaction.",
      "system": "storekit2-order-token", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + duplicate-callback"],
      "faults": {"duplicate-callback": "1/2"},
      "expect": ["no-double-credit"], "allow": ["finish-only-after-credit", "conservation"]
    },
    {
      "name": "storekit2-order-token/idempotent/twice-in-a-session", "topic": "F10",
      "about": "purchase() and updates bring the same transaction.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + duplicate-callback"],
      "faults": {"duplicate-callback": "1/2"},
      "allow": ["finish-only-after-credit"]
    },
    {
      "name": "storekit2-order-token/naive/order-dedupe", "topic": "F14",
      "about": "One order, and what is paid twice is delivered once.",
      "system": "storekit2-order-token", "backend": "naive", "variant": "order-dedupe", "world": "one-purchase",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": "1/2"},
      "expect": ["no-charge-without-delivery", "one-tap-one-charge"],
      "allow": ["finish-only-after-credit", "conservation", "honest-answers"]
    },
    {
      "name": "storekit2-order-token/idempotent/order-dedupe", "topic": "F14",
      "about": "One order, and what is paid twice is delivered once.",
      "system": "storekit2-order-token", "backend": "idempotent", "variant": "order-dedupe", "world": "one-purchase",
      "sometimes": ["credited + failed-then-purchased"],
      "faults": {"failed-then-purchased": "1/2"},
      "expect": ["no-charge-without-delivery", "one-tap-one-charge"],
      "allow": ["finish-only-after-credit", "conservation", "honest-answers"]
    },
    {
      "name": "storekit2-order-token/naive/listen-on-page", "topic": "F02",
      "about": "Nobody listens until a page is opened.",
      "system": "storekit2-order-token", "backend": "naive", "variant": "listen-on-page", "world": "stays-open",
      "sometimes": ["credited + late-observer", "credited + delayed-delivery", "credited + app-crash"],
      "faults": {"late-observer": "1/2", "delayed-delivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app before finish", "crash app on callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["no-double-credit", "finish-only-after-credit", "queue-drains", "conservation", "honest-answers"]
    },
    {
      "name": "storekit2-order-token/idempotent/listen-on-page", "topic": "F02",
      "about": "Nobody listens until a page is opened.",
      "system": "storekit2-order-token", "backend": "idempotent", "variant": "listen-on-page", "world": "stays-open",
      "sometimes": ["credited + late-observer", "credited + delayed-delivery", "credited + app-crash"],
      "faults": {"late-observer": "1/2", "delayed-delivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app before finish", "crash app on callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "queue-drains", "conservation", "honest-answers"]
    },
    {
      "name": "white-black-tables/naive/username-gone", "topic": "F19",
      "about": "After a relaunch the transaction no longer says whose it is.",
      "system": "white-black-tables", "backend": "naive", "world": "one-purchase",
      "sometimes": ["credited + app-crash", "token-hidden"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "token-hidden": "1/2"},
      "expect": ["no-charge-without-delivery", "queue-drains"], "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/idempotent/username-gone", "topic": "F19",
      "about": "After a relaunch the transaction no longer says whose it is.",
      "system": "white-black-tables", "backend": "idempotent", "world": "one-purchase",
      "sometimes": ["credited + app-crash", "token-hidden"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "token-hidden": "1/2"},
      "expect": ["no-charge-without-delivery", "queue-drains"], "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/naive/uuid-gone", "topic": "F19",
      "about": "A UUID as the name does not help: the device does not show it either.",
      "system": "white-black-tables", "backend": "naive", "variant": "uuid-username", "world": "one-purchase",
      "sometimes": ["credited + app-crash", "token-hidden"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "token-hidden": "1/2"},
      "expect": ["no-charge-without-delivery", "queue-drains"], "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/idempotent/uuid-gone", "topic": "F19",
      "about": "A UUID as the name does not help: the device does not show it either.",
      "system": "white-black-tables", "backend": "idempotent", "variant": "uuid-username", "world": "one-purchase",
      "sometimes": ["credited + app-crash", "token-hidden"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "token-hidden": "1/2"},
      "expect": ["no-charge-without-delivery", "queue-drains"], "allow": ["conservation"]
    },
    {
      "name": "white-black-tables/naive/black-first", "topic": "F50",
      "about": "Delivered is written first, and the process dies before the credit.",
      "system": "white-black-tables", "backend": "naive", "variant": "black-first", "world": "one-purchase",
      "sometimes": ["credited + server-crash"],
      "faults": {"server-crash": {"chance": "1/4", "most": 1}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "conservation", "honest-answers"]
    },
    {
      "name": "white-black-tables/naive/probe-as-another", "topic": "F33",
      "about": "The probe's receipt is entered under whoever is logged in.",
      "system": "white-black-tables", "backend": "naive", "world": "two-users",
      "sometimes": ["credited + account-switch", "credited + delayed-delivery", "missing-redelivery", "credited + app-crash"],
      "faults": {"account-switch": "1/2", "delayed-delivery": "1/2", "missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-cross-user-leak"], "allow": ["no-charge-without-delivery", "conservation"]
    },
    {
      "name": "white-black-tables/idempotent/probe-as-another", "topic": "F33",
      "about": "The probe's receipt is entered under whoever is logged in.",
      "system": "white-black-tables", "backend": "idempotent", "world": "two-users",
      "sometimes": ["credited + account-switch", "credited + delayed-delivery", "missing-redelivery", "credited + app-crash"],
      "faults": {"account-switch": "1/2", "delayed-delivery": "1/2", "missing-redelivery": "1/2", "app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}},
      "expect": ["no-cross-user-leak"], "allow": ["no-charge-without-delivery", "conservation"]
    },
    {
      "name": "white-black-tables/naive/black-refuses", "topic": "F41",
      "about": "The answer is lost, and the repeat is refused because it was delivered.",
      "system": "white-black-tables", "backend": "naive", "variant": "black-refuses", "world": "one-purchase",
      "sometimes": ["credited + response-lost"],
      "faults": {"response-lost": {"chance": "1/2", "most": 1}},
      "expect": ["idempotent-acknowledgement", "queue-drains"]
    },
    {
      "name": "white-black-tables/naive/missing-receipt", "topic": "F30",
      "about": "The receipt file is missing, and the callback ends silently.",
      "system": "white-black-tables", "backend": "naive", "world": "stays-open",
      "sometimes": ["credited + app-crash", "receipt-missing"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "receipt-missing": "1/2"},
      "expect": ["no-charge-without-delivery"],
      "allow": ["queue-drains", "conservation", "traceability"]
    },
    {
      "name": "white-black-tables/idempotent/missing-receipt", "topic": "F30",
      "about": "The receipt file is missing, and the callback ends silently.",
      "system": "white-black-tables", "backend": "idempotent", "world": "stays-open",
      "sometimes": ["credited + app-crash", "receipt-missing"],
      "faults": {"app-crash": {"chance": "1/2", "most": 1, "at": ["crash app on callback"]}, "receipt-missing": "1/2"},
      "expect": ["no-charge-without-delivery"],
      "allow": ["queue-drains", "conservation", "traceability"]
    },
    {
      "name": "white-black-tables/naive/buys-listed", "topic": "F08",
      "about": "A payment is added for every product in the response.",
      "system": "white-black-tables", "backend": "naive", "variant": "buys-listed", "world": "three-products",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/20"}},
      "expect": ["one-tap-one-charge"], "allow": ["no-double-credit", "conservation"]
    },
    {
      "name": "white-black-tables/idempotent/buys-listed", "topic": "F08",
      "about": "A payment is added for every product in the response.",
      "system": "white-black-tables", "backend": "idempotent", "variant": "buys-listed", "world": "three-products",
      "sometimes": ["credited + app-crash"],
      "faults": {"app-crash": {"chance": "1/20"}},
      "expect": ["one-tap-one-charge"]
    },
    {
      "name": "observer-on-demand/naive/foreign-receipt", "topic": "F33",
      "about": "The receipt is of the Apple ID that installed the app.",
      "system": "observer-on-demand", "backend": "naive", "world": "two-installers",
      "sometimes": ["credited + foreign-receipt", "credited + app-crash"],
      "faults": {"foreign-receipt": "1/2", "app-crash": {"chance": "1/2", "most": 2, "at": ["crash app on callback"]}},
      "expect": ["right-account"],
      "allow": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "queue-drains", "conservation", "honest-answers", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement"]
    },
    {
      "name": "observer-on-demand/idempotent/foreign-receipt", "topic": "F33",
      "about": "The receipt is of the Apple ID that installed the app.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "two-installers",
      "sometimes": ["credited + foreign-receipt", "credited + app-crash"],
      "faults": {"foreign-receipt": "1/2", "app-crash": {"chance": "1/2", "most": 2, "at": ["crash app on callback"]}},
      "expect": ["no-charge-without-delivery"],
      "allow": ["finish-only-after-credit", "right-account", "queue-drains", "conservation", "honest-answers", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement"]
    },
    {
      "name": "observer-on-demand/naive/attackers", "topic": "F92",
      "about": "Forged, stolen and borrowed receipts are posted.",
      "system": "observer-on-demand", "backend": "naive", "world": "two-users",
      "sometimes": ["credited + forged-receipt", "credited + stolen-evidence", "credited + foreign-app-evidence"],
      "faults": {"forged-receipt": "1/2", "stolen-evidence": "1/2", "foreign-app-evidence": "1/2"},
      "expect": ["no-credit-without-charge", "no-double-credit"],
      "allow": ["right-account", "conservation"]
    },
    {
      "name": "observer-on-demand/idempotent/attackers", "topic": "F92",
      "about": "Forged, stolen and borrowed receipts are posted.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "two-users",
      "sometimes": ["credited + forged-receipt", "credited + stolen-evidence", "credited + foreign-app-evidence"],
      "faults": {"forged-receipt": "1/2", "stolen-evidence": "1/2", "foreign-app-evidence": "1/2"},
      "allow": ["right-account"]
    },
    {
      "name": "exactly-once/storekit2/attackers", "topic": "F92",
      "about": "Forged, stolen, borrowed and sandbox receipts are posted.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2", "world": "cheap-and-dear",
      "sometimes": ["credited + forged-receipt", "credited + stolen-evidence", "credited + foreign-app-evidence", "credited + sandbox-evidence", "credited + product-substituted"],
      "faults": {"forged-receipt": "1/2", "stolen-evidence": "1/2", "foreign-app-evidence": "1/2", "sandbox-evidence": "1/2", "product-substituted": "1/2"}
    },
    {
      "name": "exactly-once/storekit1/attackers", "topic": "F92",
      "about": "Forged, stolen, borrowed and sandbox receipts are posted.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1", "world": "cheap-and-dear",
      "sometimes": ["credited + forged-receipt", "credited + stolen-evidence", "credited + foreign-app-evidence", "credited + sandbox-evidence", "credited + product-substituted"],
      "faults": {"forged-receipt": "1/2", "stolen-evidence": "1/2", "foreign-app-evidence": "1/2", "sandbox-evidence": "1/2", "product-substituted": "1/2"}
    },
    {
      "name": "observer-on-demand/naive/mixed", "topic": "mixed",
      "about": "Three purchases, two users, two devices, every fault.",
      "system": "observer-on-demand", "backend": "naive", "world": "mixed",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "replay-finished + credited", "account-switch + credited", "server-crash + credited", "concurrent-duplicate + verifier-status"],
      "faults": {"mix": "all"},
      "expect": ["no-charge-without-delivery", "no-double-credit", "right-account", "honest-answers"],
      "allow": ["finish-only-after-credit", "no-credit-without-charge", "queue-drains", "conservation", "one-tap-one-charge", "no-finish-on-doubt", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement"]
    },
    {
      "name": "observer-on-demand/idempotent/mixed", "topic": "mixed",
      "about": "Three purchases, two users, two devices, every fault.",
      "system": "observer-on-demand", "backend": "idempotent", "world": "mixed",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "replay-finished + credited", "account-switch + credited", "server-crash + credited", "concurrent-duplicate + verifier-status"],
      "faults": {"mix": "all"},
      "expect": ["no-charge-without-delivery", "right-account", "honest-answers"],
      "allow": ["finish-only-after-credit", "queue-drains", "conservation", "one-tap-one-charge", "no-finish-on-doubt", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement"]
    },
    {
      "name": "observe-at-launch/naive/mixed", "topic": "mixed",
      "about": "Three purchases, two users, two devices, every fault.",
      "system": "observe-at-launch", "backend": "naive", "world": "mixed",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "replay-finished + credited", "account-switch + credited", "server-crash + credited", "concurrent-duplicate + verifier-status"],
      "faults": {"mix": "all"},
      "expect": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "right-account", "no-finish-on-doubt"],
      "allow": ["no-credit-without-charge", "conservation", "one-tap-one-charge", "honest-answers", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement"]
    },
    {
      "name": "observe-at-launch/idempotent/mixed", "topic": "mixed",
      "about": "Three purchases, two users, two devices, every fault.",
      "system": "observe-at-launch", "backend": "idempotent", "world": "mixed",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "replay-finished + credited", "account-switch + credited", "server-crash + credited", "concurrent-duplicate + verifier-status"],
      "faults": {"mix": "all"},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "right-account", "no-finish-on-doubt"],
      "allow": ["conservation", "one-tap-one-charge", "honest-answers", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement"]
    },
    {
      "name": "receipt-store/naive/mixed", "topic": "mixed",
      "about": "Three purchases, two users, two devices, every fault.",
      "system": "receipt-store", "backend": "naive", "world": "mixed",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "replay-finished + credited", "account-switch + credited", "server-crash + credited", "concurrent-duplicate + verifier-status"],
      "faults": {"mix": "all"},
      "expect": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "right-account", "local-record-discipline"],
      "allow": ["no-credit-without-charge", "environment-isolation", "conservation", "one-tap-one-charge", "honest-answers", "no-finish-on-doubt", "transient-is-not-permanent", "idempotent-acknowledgement", "traceability", "poison-isolation"]
    },
    {
      "name": "receipt-store/idempotent/mixed", "topic": "mixed",
      "about": "Three purchases, two users, two devices, every fault.",
      "system": "receipt-store", "backend": "idempotent", "world": "mixed",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "replay-finished + credited", "account-switch + credited", "server-crash + credited", "concurrent-duplicate + verifier-status"],
      "faults": {"mix": "all"},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "right-account", "local-record-discipline"],
      "allow": ["environment-isolation", "conservation", "one-tap-one-charge", "honest-answers", "no-finish-on-doubt", "transient-is-not-permanent", "idempotent-acknowledgement", "traceability", "poison-isolation"]
    },
    {
      "name": "storekit2-order-token/naive/mixed", "topic": "mixed",
      "about": "Three purchases, two users, two devices, every fault.",
      "system": "storekit2-order-token", "backend": "naive", "world": "mixed",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "replay-finished + credited", "account-switch + credited", "server-crash + credited", "concurrent-duplicate + verifier-status"],
      "faults": {"mix": "all"},
      "expect": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "one-tap-one-charge", "honest-answers"],
      "allow": ["no-credit-without-charge", "conservation", "no-finish-on-doubt"]
    },
    {
      "name": "storekit2-order-token/idempotent/mixed", "topic": "mixed",
      "about": "Three purchases, two users, two devices, every fault.",
      "system": "storekit2-order-token", "backend": "idempotent", "world": "mixed",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "replay-finished + credited", "account-switch + credited", "server-crash + credited", "concurrent-duplicate + verifier-status"],
      "faults": {"mix": "all"},
      "expect": ["no-charge-without-delivery", "finish-only-after-credit", "one-tap-one-charge", "honest-answers"],
      "allow": ["no-credit-without-charge", "conservation", "no-finish-on-doubt"]
    },
    {
      "name": "white-black-tables/naive/mixed", "topic": "mixed",
      "about": "Three purchases, two users, two devices, every fault.",
      "system": "white-black-tables", "backend": "naive", "world": "mixed",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "replay-finished + credited", "account-switch + credited", "server-crash + credited", "concurrent-duplicate + verifier-status"],
      "faults": {"mix": "all"},
      "expect": ["no-charge-without-delivery", "no-double-credit", "no-credit-without-charge", "environment-isolation", "no-cross-user-leak"],
      "allow": ["right-account", "queue-drains", "conservation", "one-tap-one-charge", "honest-answers", "transient-is-not-permanent", "poison-isolation", "idempotent-acknowledgement", "traceability"]
    },
    {
      "name": "white-black-tables/idempotent/mixed", "topic": "mixed",
      "about": "Three purchases, two users, two devices, every fault.",
      "system": "white-black-tables", "backend": "idempotent", "world": "mixed",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "replay-finished + credited", "account-switch + credited", "server-crash + credited", "concurrent-duplicate + verifier-status"],
      "faults": {"mix": "all"},
      "expect": ["no-charge-without-delivery", "no-credit-without-charge", "environment-isolation", "no-cross-user-leak"],
      "allow": ["right-account", "queue-drains", "conservation", "one-tap-one-charge", "honest-answers", "transient-is-not-permanent", "poison-isolation", "traceability"]
    },
    {
      "name": "exactly-once/storekit2/mixed", "topic": "mixed",
      "about": "Three purchases, two users, two devices, every fault.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit2", "world": "mixed",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "replay-finished + credited", "account-switch + credited", "server-crash + credited", "concurrent-duplicate + verifier-status"],
      "faults": {"mix": "all"},
      "seeds": 100000
    },
    {
      "name": "exactly-once/storekit1/mixed", "topic": "mixed",
      "about": "Three purchases, two users, two devices, every fault.",
      "system": "exactly-once", "backend": "idempotent", "variant": "storekit1", "world": "mixed",
      "sometimes": ["credited", "finished", "app-crash + response-lost + credited", "replay-finished + credited", "account-switch + credited", "server-crash + credited", "concurrent-duplicate + verifier-status"],
      "faults": {"mix": "all"},
      "seeds": 100000
    },
    {
      "name": "checkout-benchmark", "topic": "benchmark",
      "about": "The work that the speed is measured on.",
      "system": "checkout-benchmark", "backend": "idempotent",
      "sometimes": ["credited + request-lost", "credited + response-lost", "credited + concurrent-duplicate", "credited + server-error", "credited + replay-finished", "credited + app-crash"],
      "products": [{"name": "coins"}, {"name": "gems"}, {"name": "keys"}],
      "steps": [{"at": 0, "device": "phone1", "buyOutside": "coins"}, {"at": 1000, "device": "phone1", "buyOutside": "gems"}, {"at": 2000, "device": "phone1", "buyOutside": "keys"}],
      "heal": "60s",
      "horizon": "600s",
      "reopenEvery": "never",
      "faults": {"request-lost": "1/10", "response-lost": "1/10", "concurrent-duplicate": "1/20", "server-error": {"chance": "1/20", "at": ["fail server.commit"]}, "replay-finished": "1/20", "app-crash": {"chance": "1/20", "at": ["crash app after callback", "crash app after reply", "crash app after alarm"]}},
      "invariants": ["no-charge-without-delivery", "no-double-credit", "finish-only-after-credit", "queue-drains"],
      "seeds": 20000
    }
  ]
}

"""#
}
