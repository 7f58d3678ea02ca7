extension ScenarioRefusalTests {
  static let scenarioCases: [Case] = [
    Case(
      #""name": """#,
      "scenarios[0].name: found '', expected a name without spaces and the signs * ? [ ] that select several"
    ),
    Case(
      #""name": "a b""#,
      "scenarios[0].name: found 'a b', expected a name without spaces and the signs * ? [ ] that select several"
    ),
    Case(#""about": 5"#, "scenarios[0].about: found 5, expected a text"),
    Case(
      #""system": "two-variant""#,
      "scenarios[0].system: found 'two-variant', expected one of checkout-benchmark, two-variants; did you mean 'two-variants'?"
    ),
    Case(
      #""system": null"#,
      "scenarios[0].system: found null, expected one of checkout-benchmark, two-variants"),
    Case(
      #""system": "checkout-benchmark""#,
      "scenarios[0].backend: found nothing, which means 'naive', expected idempotent"),
    Case(
      #""system": "checkout-benchmark", "backend": "naive""#,
      "scenarios[0].backend: found 'naive', expected idempotent"),
    Case(
      #""backend": "idempotnet""#,
      "scenarios[0].backend: found 'idempotnet', expected one of naive, idempotent; did you mean 'idempotent'?"
    ),
    Case(
      #""variant": "repared""#,
      "scenarios[0].variant: found 'repared', expected one of published, repaired; did you mean 'repaired'?"
    ),
    Case(
      #""seeds": 0"#, "scenarios[0].seeds: found 0, expected a whole number from 1 to 1000000000000"
    ),
    Case(
      #""seeds": 1.5"#,
      "scenarios[0].seeds: found 1.5, expected a whole number from 1 to 1000000000000"),
    Case(
      #""seeds": true"#,
      "scenarios[0].seeds: found true, expected a whole number from 1 to 1000000000000"),
    Case(
      #""retap": 3"#,
      "scenarios[0].retap: found an unknown key, expected one of about, accounts, allow, arrivals, backend, begins, delays, devices, eventLimit, expect, families, faults, heal, horizon, invariants, name, patience, policy, products, relaunches, reopenEvery, report, retaps, seeds, sittings, sometimes, steps, storeAccounts, storekit, system, topic, variant, within, world; did you mean 'retaps'?"
    ),
    Case(
      #""a b.c": 3"#,
      #"scenarios[0]["a b.c"]: found an unknown key, expected one of about, accounts, allow, arrivals, backend, begins, delays, devices, eventLimit, expect, families, faults, heal, horizon, invariants, name, patience, policy, products, relaunches, reopenEvery, report, retaps, seeds, sittings, sometimes, steps, storeAccounts, storekit, system, topic, variant, within, world"#
    ),
    Case(
      #""invariants": "no-double-credit""#,
      "scenarios[0].invariants: found 'no-double-credit', expected a list of invariants"),
    Case(
      #""invariants": []"#,
      "scenarios[0].invariants: found an empty list, expected at least one invariant"),
    Case(
      #""expect": ["no-double-credits"]"#,
      "scenarios[0].expect[0]: found 'no-double-credits', expected one of no-charge-without-delivery, no-double-credit, finish-only-after-credit, right-account, no-credit-without-charge, queue-drains, refund-reverses-once, environment-isolation, access-follows-payment, no-lost-notification, conservation, news-in-order, one-tap-one-charge, honest-answers, no-finish-on-doubt, transient-is-not-permanent, poison-isolation, local-record-discipline, fidelity, idempotent-acknowledgement, restore-neutrality, pending-is-not-paid, no-cross-user-leak, traceability, few-prompts, no-endless-wait; did you mean 'no-double-credit'?"
    ),
    Case(
      #""invariants": ["I02", "I06"], "expect": ["I01"]"#,
      "scenarios[0].expect[0]: found 'I01', expected an invariant that is judged here: no-double-credit, queue-drains"
    ),
    Case(
      #""expect": ["I02", "no-double-credit"]"#,
      "scenarios[0].expect[1]: found 'no-double-credit', expected each invariant once"),
    Case(
      #""expect": ["I02"], "allow": ["I01", "no-double-credit"]"#,
      "scenarios[0].allow[1]: found 'no-double-credit', expected an invariant that is not expected to break"
    ),
    Case(
      #""allow": "all""#, "scenarios[0].allow: found 'all', expected a list of invariants, or '*'"),
  ]

  static let faultCases: [Case] = [
    Case(
      #""faults": {"response-lost": "3/2"}"#,
      "scenarios[0].faults.response-lost: found '3/2', expected a ratio from 0 to 1 such as 1/20"),
    Case(
      #""faults": {"response-lost": 0.05}"#,
      "scenarios[0].faults.response-lost: found 0.05, expected a ratio from 0 to 1 such as 1/20"),
    Case(
      #""faults": {"response-lost": -1}"#,
      "scenarios[0].faults.response-lost: found -1, expected a ratio from 0 to 1 such as 1/20"),
    Case(
      #""faults": {"response-lost": {"chance": "1/0"}}"#,
      "scenarios[0].faults.response-lost.chance: found '1/0', expected a ratio from 0 to 1 such as 1/20"
    ),
    Case(
      #""faults": {"respons-lost": "1/2"}"#,
      "scenarios[0].faults.respons-lost: found an unknown key, expected one of the 82 faults that 'chaos-runner list faults' shows; did you mean 'response-lost'?"
    ),
    Case(
      #""faults": {"response-lost": "1/2", "F41": "1/3"}"#,
      "scenarios[0].faults.F41: found response-lost a second time, expected each fault once, by name or code"
    ),
    Case(
      #""faults": {"mix": "usual"}"#,
      "scenarios[0].faults.mix: found 'usual', expected one of all, default, whole-store"),
    Case(
      #""faults": ["response-lost"]"#,
      "scenarios[0].faults: found a list, expected an object of faults and their chances"),
    Case(
      #""faults": {"response-lost": {"most": 0}}"#,
      "scenarios[0].faults.response-lost.most: found 0, expected a whole number from 1 to 4294967295"
    ),
    Case(
      #""faults": {"response-lost": {"chance": "0", "most": 2}}"#,
      "scenarios[0].faults.response-lost.chance: found '0', expected a chance above 0 where 'most' is given"
    ),
    Case(
      #""faults": {"response-lost": {"chance": 0, "at": ["drop verify.reply"]}}"#,
      "scenarios[0].faults.response-lost.chance: found 0, expected a chance above 0 where 'at' is given"
    ),
    Case(
      #""faults": {"response-lost": {"mots": 2}}"#,
      "scenarios[0].faults.response-lost.mots: found an unknown key, expected one of at, chance, most; did you mean 'most'?"
    ),
    Case(
      #""faults": {"F46": {"at": ["drop verify.reply"]}}"#,
      "scenarios[0].faults.F46.at[0]: found 'drop verify.reply', expected one of fail server.request, fail server.commit"
    ),
    Case(
      #""faults": {"F46": {"at": ["fail server.comit"]}}"#,
      "scenarios[0].faults.F46.at[0]: found 'fail server.comit', expected one of fail server.request, fail server.commit; did you mean 'fail server.commit'?"
    ),
    Case(
      #""faults": {"F46": {"at": []}}"#,
      "scenarios[0].faults.F46.at: found an empty list, expected a list of questions of server-error"
    ),
    Case(
      #""faults": {"F46": {"at": ["fail server.commit", "fail server.commit"]}}"#,
      "scenarios[0].faults.F46.at[1]: found 'fail server.commit', expected each question once"),
  ]

  static let worldCases: [Case] = [
    Case(
      #""world": "base""#, "scenarios[0].world: found 'base', expected no world: the file has none"),
    Case(
      #""world": "bsae""#, worlds: #""base": {}, "wide": {}"#,
      "scenarios[0].world: found 'bsae', expected one of base, wide; did you mean 'base'?"),
    Case(
      "", worlds: #""base": {"account": 2}"#,
      "worlds.base.account: found an unknown key, expected one of accounts, arrivals, begins, delays, devices, eventLimit, extends, families, heal, horizon, patience, policy, products, relaunches, reopenEvery, retaps, sittings, steps, storeAccounts, storekit, within; did you mean 'accounts'?"
    ),
    Case(
      "", worlds: #""base": {"extends": "bass"}, "wide": {}"#,
      "worlds.base.extends: found 'bass', expected one of base, wide; did you mean 'base'?"),
    Case(
      "", worlds: #""a": {"extends": "b"}, "b": {"extends": "a"}"#,
      "worlds.b.extends: found 'a', expected a world that does not extend 'b' itself"),
    Case(
      "", worlds: #""unused": {"retaps": -1}"#,
      "worlds.unused.retaps: found -1, expected a whole number from 0 to 100"),
    Case(
      #""world": "base", "products": [{"name": "gems"}]"#,
      worlds:
        #""base": {"devices": 2, "accounts": 2, "delays": {}, "steps": [{"at": 0, "device": "phone2", "buy": "coins"}]}"#,
      "scenarios[0].steps[0].buy: found 'coins', expected gems"),
    Case(
      #""accounts": 0"#, "scenarios[0].accounts: found 0, expected a whole number from 1 to 1000000"
    ),
    Case(
      #""devices": []"#, "scenarios[0].devices: found an empty list, expected at least one device"),
    Case(
      #""devices": [{"storeAccount": "apple2"}]"#,
      "scenarios[0].devices[0].storeAccount: found 'apple2', expected apple1"),
    Case(
      #""accounts": 3, "devices": [{"account": "user04"}]"#,
      "scenarios[0].devices[0].account: found 'user04', expected one of user1 to user3"),
    Case(
      #""devices": [{"environment": "xcode"}]"#,
      "scenarios[0].devices[0].environment: found 'xcode', expected one of production, sandbox"),
    Case(
      #""products": []"#,
      "scenarios[0].products: found an empty list, expected at least one product"),
    Case(
      #""products": [{"kind": "consumable"}]"#,
      "scenarios[0].products[0].name: found nothing, expected the name of a product"),
    Case(
      #""products": [{"name": "coins"}, {"name": "coins"}]"#,
      "scenarios[0].products[1].name: found 'coins', expected a name that no other product has"),
    Case(
      #""products": [{"name": "coins", "kind": "nonconsumable"}]"#,
      "scenarios[0].products[0].kind: found 'nonconsumable', expected one of consumable, non-consumable, auto-renewable, non-renewing; did you mean 'non-consumable'?"
    ),
    Case(
      #""products": [{"name": "coins", "kind": "auto-renewable"}]"#,
      "scenarios[0].products[0].period: found nothing, expected how long a payment lasts, such as P1M: a number of D, W, M or Y after P"
    ),
    Case(
      #""products": [{"name": "coins", "kind": "auto-renewable", "period": "1 month"}]"#,
      "scenarios[0].products[0].period: found '1 month', expected how long a payment lasts, such as P1M: a number of D, W, M or Y after P"
    ),
    Case(
      #""products": [{"name": "coins", "period": "P1M"}]"#,
      "scenarios[0].products[0].period: found 'P1M', expected it only where the kind is auto-renewable"
    ),
    Case(
      #""products": [{"name": "coins", "kind": "auto-renewable", "period": "P1M", "graceDays": 61}]"#,
      "scenarios[0].products[0].graceDays: found 61, expected a whole number from 0 to 60"),
    Case(
      #""products": [{"name": "coins", "kind": "auto-renewable", "period": "P1M", "level": 0}]"#,
      "scenarios[0].products[0].level: found 0, expected a whole number from 1 to 100"),
    Case(
      #""products": [{"name": "coins", "kind": "auto-renewable", "period": "P1M", "group": ""}]"#,
      "scenarios[0].products[0].group: found '', expected the name of a group"),
    Case(
      #""products": [{"name": "coins", "group": "tv"}]"#,
      "scenarios[0].products[0].group: found 'tv', expected it only where the kind is auto-renewable"
    ),
    Case(
      #""storeAccounts": 2, "families": [["apple1", "apple2"], ["apple2", "apple1"]]"#,
      "scenarios[0].families[1][0]: found 'apple2', expected an account that is in no other family"),
    Case(
      #""families": [["apple1"]]"#,
      "scenarios[0].families[0]: found 1 account, expected 2 to 6 of them"),
    Case(
      #""storeAccounts": 2, "families": [["apple1", "apple2"]], "devices": [{"storeAccount": "apple1"}, {"storeAccount": "apple2", "environment": "sandbox"}]"#,
      "scenarios[0].families[0]: found sandbox and production accounts, expected one environment for each family"
    ),
    Case(
      #""products": [{"name": "coins", "familyShareable": true}]"#,
      "scenarios[0].products[0].familyShareable: found true, expected it only where the kind is non-consumable or auto-renewable"
    ),
    Case(
      #""sittings": {"every": "1d", "for": "1d"}"#,
      "scenarios[0].sittings.for: found '1d', expected less than the 86400000ms from one opening to the next"
    ),
    Case(
      #""sittings": {"every": "1d", "for": "1m"}, "reopenEvery": "60s""#,
      "scenarios[0].reopenEvery: found '60s', expected it only where there are no sittings"),
    Case(
      #""heal": "1 minute""#,
      "scenarios[0].heal: found '1 minute', expected milliseconds, or a time such as 250ms, 10s, 5m or 24h"
    ),
    Case(
      #""heal": 0.5"#,
      "scenarios[0].heal: found 0.5, expected milliseconds, or a time such as 250ms, 10s, 5m or 24h"
    ),
    Case(#""heal": -5"#, "scenarios[0].heal: found -5, expected a time from 0ms to 137438953471ms"),
    Case(
      #""heal": "99999999999999999999h""#,
      "scenarios[0].heal: found '99999999999999999999h', expected milliseconds, or a time such as 250ms, 10s, 5m or 24h"
    ),
    Case(
      #""horizon": "99999h""#,
      "scenarios[0].horizon: found '99999h', expected a time from 1ms to 137438953471ms"),
    Case(
      #""heal": "10s", "horizon": "5s""#,
      "scenarios[0].heal: found '10s', expected a time not after the horizon (5000ms)"),
    Case(
      #""horizon": "5s""#,
      "scenarios[0].horizon: found '5s', expected a time not before the heal (60000ms)"),
    Case(
      #""heal": "10s", "horizon": "20s", "within": "11s""#,
      "scenarios[0].within: found '11s', expected at most the 10000ms from heal to horizon, or it could never be judged"
    ),
    Case(
      #""begins": "2026-02-29""#,
      "scenarios[0].begins: found '2026-02-29', expected a date from 1970 to 2099 such as 2026-11-22, or 2026-11-22T10:15:00Z"
    ),
    Case(
      #""begins": "2100-01-01""#,
      "scenarios[0].begins: found '2100-01-01', expected a date from 1970 to 2099 such as 2026-11-22, or 2026-11-22T10:15:00Z"
    ),
    Case(
      #""begins": "2026-11-22 10:15:00""#,
      "scenarios[0].begins: found '2026-11-22 10:15:00', expected a date from 1970 to 2099 such as 2026-11-22, or 2026-11-22T10:15:00Z"
    ),
    Case(
      #""begins": "2026-11-22T24:00:00Z""#,
      "scenarios[0].begins: found '2026-11-22T24:00:00Z', expected a date from 1970 to 2099 such as 2026-11-22, or 2026-11-22T10:15:00Z"
    ),
    Case(
      #""begins": "2026-1-1""#,
      "scenarios[0].begins: found '2026-1-1', expected a date from 1970 to 2099 such as 2026-11-22, or 2026-11-22T10:15:00Z"
    ),
    Case(
      #""begins": 1700000000"#,
      "scenarios[0].begins: found 1700000000, expected a date from 1970 to 2099 such as 2026-11-22, or 2026-11-22T10:15:00Z"
    ),
    Case(
      #""reopenEvery": 0"#,
      "scenarios[0].reopenEvery: found 0, expected a time from 1ms to 137438953471ms, or never"),
    Case(
      #""reopenEvery": "nevr""#,
      "scenarios[0].reopenEvery: found 'nevr', expected milliseconds, or a time such as 250ms, 10s, 5m or 24h, or never"
    ),
    Case(#""relaunches": 1"#, "scenarios[0].relaunches: found 1, expected true or false"),
    Case(
      #""policy": "buyers""#,
      "scenarios[0].policy: found 'buyers', expected one of buyer, transfer-on-restore; did you mean 'buyer'?"
    ),
    Case(
      #""eventLimit": 0"#,
      "scenarios[0].eventLimit: found 0, expected a whole number from 1 to 67108864"),
    Case(
      #""delays": {"delay store.finsh": "0..5"}"#,
      #"scenarios[0].delays["delay store.finsh"]: found an unknown key, expected one of the 34 delays; did you mean 'delay store.finish'?"#
    ),
    Case(
      #""delays": {"delay store.finish": "9..5"}"#,
      #"scenarios[0].delays["delay store.finish"]: found '9..5', expected a range of milliseconds such as 0..200, up to 24h"#
    ),
    Case(
      #""devices": [{}, {"environment": "sandbox"}]"#,
      #"scenarios[0].devices[1]: found another environment for apple1, expected one environment for each store account: sandbox accounts are their own"#
    ),
    Case(
      #""delays": {"delay verify.reply": "10..9000"}"#,
      #"scenarios[0].delays["delay verify.reply"]: found '10..9000', expected a range below 1500 ms, where the delay is a fault"#
    ),
  ]

  static let stepCases: [Case] = [
    Case(steps: nil, "scenarios[0].steps: found nothing, expected at least one step, or arrivals"),
    Case(steps: "{}", "scenarios[0].steps: found an object, expected a list of steps"),
    Case(
      steps: #"[{"buy": "coins"}]"#,
      "scenarios[0].steps[0].at: found nothing, expected the time of the step"),
    Case(
      steps: #"[{"at": "601s", "buy": "coins"}]"#,
      "scenarios[0].steps[0].at: found '601s', expected a time not after the horizon (600000ms)"),
    Case(
      steps: #"[{"at": 5, "buy": "coins"}, {"at": 4, "buy": "coins"}]"#,
      "scenarios[0].steps[1].at: found 4, expected a time not before that of the step above (5ms)"),
    Case(
      steps: #"[{"at": 0}]"#,
      "scenarios[0].steps[0]: found no action, expected one of buy, buyOutside, buyPromoted, logIn, do"
    ),
    Case(
      steps: #"[{"at": 0, "buy": "coins", "do": "quit"}]"#,
      "scenarios[0].steps[0]: found buy and do, expected one of buy, buyOutside, buyPromoted, logIn, do"
    ),
    Case(
      steps: #"[{"at": 0, "do": "restart"}]"#,
      "scenarios[0].steps[0].do: found 'restart', expected one of restore, reinstall, restore-backup, quit, open; did you mean 'restore'?"
    ),
    Case(
      steps: #"[{"at": 0, "buy": "coin"}]"#,
      "scenarios[0].steps[0].buy: found 'coin', expected coins; did you mean 'coins'?"),
    Case(
      steps: #"[{"at": 0, "buy": "coins", "account": "user2"}]"#,
      "scenarios[0].steps[0].account: found 'user2', expected user1"),
    Case(
      steps: #"[{"at": 0, "buy": "coins", "quantity": 11}]"#,
      "scenarios[0].steps[0].quantity: found 11, expected a whole number from 1 to 10"),
    Case(
      steps: #"[{"at": 0, "logIn": "user1", "quantity": 1}]"#,
      "scenarios[0].steps[0].quantity: found 1, expected it only where the step buys something"),
    Case(
      steps: #"[{"at": 0, "buy": "coins"}]"#, #""devices": 2"#,
      "scenarios[0].steps[0].device: found nothing, expected one of phone1 to phone2"),
    Case(
      steps: #"[{"at": 0, "device": "phone3", "buy": "coins"}]"#, #""devices": 2"#,
      "scenarios[0].steps[0].device: found 'phone3', expected one of phone1 to phone2"),
    Case(
      steps: #"[{"at": 0, "bye": "coins"}]"#,
      "scenarios[0].steps[0].bye: found an unknown key, expected one of account, at, buy, buyOutside, buyPromoted, device, do, logIn, offer, quantity; did you mean 'buy'?"
    ),
    Case(
      steps: ScenarioText.buyCoins, #""arrivals": {"count": 5, "over": "1m"}"#,
      "scenarios[0].arrivals: found 5 of them, expected no arrivals beside steps that buy, as both are numbered from tx1"
    ),
    Case(
      steps: nil, #""arrivals": {"count": 5}"#,
      "scenarios[0].arrivals.over: found nothing, expected the time over which they arrive"),
    Case(
      steps: nil, #""arrivals": {"count": 5, "over": "1h"}"#,
      "scenarios[0].arrivals.over: found '1h', expected a time not after the horizon (600000ms)"),
    Case(
      steps: nil, #""arrivals": {"count": 200000, "over": "1m"}"#,
      "scenarios[0].arrivals.count: found 200000, expected at most as many as the eventLimit (100000), or a higher limit"
    ),
    Case(
      steps: manyTaps, #""faults": {"double-tap": "1/5"}"#,
      "scenarios[0].steps: found 65 steps, expected at most 64 where 'hurry person.tap' of double-tap may strike"
    ),
  ]

  static let manyTaps =
    "[" + (0..<65).map { #"{"at": \#($0), "buy": "coins"}"# }.joined(separator: ", ") + "]"
}
