"""Holds chaos-runner and its exhaustive search against the independent model in model.py.

For each backend of `observer-on-demand` this

1. runs every plan of up to two decisions in the model: all faults of the mix at all places, and all moves; and what strikes
   only at a launch with the app closed and opened again for it, which is no decision;
2. has chaos-runner run each of these plans, and compares what broke, and every fact with its millisecond;
3. takes from `explore exhaustive --list` which plans the search ran, runs those in the model that are not among these,
   and compares in how many of them each rule broke;
4. asks the model whether anything is lost by what is not run: the course of each of the model's plans must be that of one
   that is run; and to each plan of up to one decision each delay is added with every millisecond of its range, to see
   whether it leads to a course, or breaks rules, that no plan which is run does.

The course of a run is what happened in which order, whenever it was: all that the app did, and all that has to do with
the purchase. What the app does for nobody, such as opening its shop page, may come before or after what the store and the
backend do meanwhile.

    Tests/model/run                                      builds chaos-runner and compares: some three minutes
    CHAOS_RUNNER=path/to/chaos-runner Tests/model/run    compares one that is there

It takes Python 3.9 and its standard library. It ends with 1 where something differs.
"""
import collections
import json
import os
import re
import subprocess
import sys

from model import CLASSES, HEAL, RANGES, Row, Run

CODES = {
    "no-charge-without-delivery": "I01", "no-double-credit": "I02", "finish-only-after-credit": "I03",
    "queue-drains": "I06", "conservation": "I11", "one-tap-one-charge": "I13", "honest-answers": "I14",
    "no-finish-on-doubt": "I15", "transient-is-not-permanent": "I16", "poison-isolation": "I17",
    "idempotent-acknowledgement": "I20", "traceability": "I24", "no-endless-wait": "I27"}


# Every plan.


def site(key):
    return key[0].removeprefix("delay ")


def places(run, asking):
    """The least milliseconds for each order of events to which a longer delay leads.

    What follows from the message comes later by as much as the message does. So an order is another one where the
    message, or an event that follows from it, comes after an event that does not. In the run that this leads to
    there may be events that were not there before, so it is looked through in turn.
    """
    least, most = RANGES[site(asking)]
    found, waiting = set(), [(least, run)]
    while waiting:
        delay, run = waiting.pop()
        asking = next(other for other in run.asked if other[:3] == asking[:3])
        follows, longer = set(), set()
        for number, event in enumerate(run.handled, 1):
            if event.order == asking.scheduled or event.cause in follows:
                follows.add(number)
        for number in follows:
            for other in range(asking.event + 1, len(run.handled) + 1):
                if other not in follows:
                    late, passed = run.handled[number - 1], run.handled[other - 1]
                    longer.add(passed.ms - late.ms + delay + (late.order < passed.order))
        for ms in sorted(longer - found):
            if delay < ms <= most:
                found.add(ms)
                waiting.append((ms, Run(run.idempotent, {**run.plan, asking[:3]: ms})))
    return found


def decisions(run):
    """What one more decision can be: its place in the run, its question, its answer."""
    for place, asking in enumerate(run.asked):
        key = asking[:3]
        if key in run.plan:
            continue
        if asking.scheduled is None:
            yield place, key, True
        else:
            classes = list(CLASSES.get(site(key), ())) if asking.at < HEAL else []
            for answer in classes + sorted(places(run, asking)):
                yield place, key, answer


def every_plan(idempotent):
    """The plans of up to two decisions with the run of each, and those that have the app opened again beside them, once,
    for a fault that strikes at that launch. The next decision is asked after the last in a run without it; or it is a
    move that is asked earlier, to a place that is not there without the last."""
    quiet = Run(idempotent, {})
    plans, larger = {}, [({}, quiet, -1, {})]
    while larger:
        plan, run, at, still = larger.pop()
        items = frozenset(plan.items())
        if items in plans:
            # The app may be opened again before or after the rest is decided.
            if not any(map(is_reopening, plan)):
                raise SystemExit(f"bug: twice: {text(plan)}")
            continue
        plans[items] = run
        here = {asking[:3]: places(run, asking) for asking in run.asked if asking.scheduled is not None}
        for place, key, answer in decisions(run):
            if place < at and (type(answer) is not int or answer in still.get(key, ())):
                continue
            longer = {**plan, key: answer}
            if sum(not is_reopening(k) for k in longer) > 2 or sum(map(is_reopening, longer)) > 1:
                continue
            larger.append((longer, Run(idempotent, longer), max(at, place), here))
    return {items: run for items, run in plans.items() if not is_launched_for_nothing(run)}


def is_reopening(key):
    return key[0] == "reopen app"


def is_launched_for_nothing(run):
    """Whether the app is opened again in a plan without a fault that strikes at that launch."""
    keys = [asking[:3] for asking in run.asked if asking[:3] in run.plan]
    reopened = [place for place, key in enumerate(keys) if is_reopening(key)]
    return bool(reopened) and not any(key[0] == "swallow store.callback" for key in keys[reopened[0]:])


def text(plan):
    return ", ".join(f"{q} {s} #{n}" + ("" if a is True else f" = {a}") for (q, s, n), a in dict(plan).items())


def modelled(run):
    """The facts as chaos-runner prints them, as far as they are compared."""
    return [(now, kind, row.name if row else "", what if kind in ("told", "verified", "answered") else "")
            for now, kind, row, what in run.facts]


def course(run):
    """What the app does in its order, what has to do with the purchase in its own, and what came of each."""
    asked, told = collections.defaultdict(set), collections.defaultdict(list)
    for asking in run.asked:
        asked[asking.event].add(asking.subject)
    for event, fact in zip(run.fact_events, modelled(run)):
        told[event].append(fact[1:])
    strikes = {asking.event for asking in run.asked if type(run.plan.get(asking[:3], 0)) is not int}
    app, purchase = [], []
    for number, e in enumerate(run.handled, 1):
        if not asked[number] and not told[number]:  # it finds nobody any more
            continue
        what = e.kind, *(a.name if isinstance(a, Row) else a for a in e.args if a is not None), *told[number]
        is_app = e.kind not in ("charge", "finish", "request", "verified")
        struck = number in strikes
        wide = struck or e.kind in ("launch", "reopen")
        if is_app or wide:
            app.append(what)
        if not is_app or wide or any(name != "phone1" for name in asked[number]) or told[number] or \
                any(isinstance(a, Row) for a in e.args):
            purchase.append(what)
    return tuple(app), tuple(purchase)


def lost(idempotent, plans, ran):
    """What some run comes to and no plan that is run does, in a line each; and how many runs were tried."""
    courses = {course(run) for run in ran.values()}
    broke = {run.broken for run in ran.values()}
    found = [f"{text(items)}: no plan that is run takes its course"
             for items, run in plans.items() if items not in ran and course(run) not in courses]
    tried = 0
    for items, parent in plans.items():
        for asking in parent.asked if len(items) < 2 else ():
            key = asking[:3]
            if asking.scheduled is None or key in parent.plan:
                continue
            for ms in range(RANGES[site(key)][0] + 1, RANGES[site(key)][1] + 1):
                run, tried = Run(idempotent, {**parent.plan, key: ms}), tried + 1
                if run.broken not in broke or course(run) not in courses:
                    courses.add(course(run))
                    found.append(f"{text(run.plan)} comes to what no plan that is run comes to")
    return found, tried


# What chaos-runner says.


def traced(runner, scenario, plan):
    """What broke, and the facts, in one run of chaos-runner."""
    lines = subprocess.run([*runner, "trace", *scenario, "--plan", plan], capture_output=True, text=True).stdout
    now, facts = 0, []
    for line in lines.splitlines():
        if event := re.match(r" +\d+ +(\d+) ms ", line):
            now = int(event[1])
        elif fact := re.match(r" +fact (\w+): (.*)", line):
            row = re.search(r"transaction (tx\S+?)(,|$)", fact[2])
            what = fact[2].split(", ")[-1] if fact[1] in ("told", "verified", "answered") else ""
            facts.append((now, fact[1], row[1] if row else "", what))
        elif end := re.match(r" +end .* trace 0x\w+, breaks (.*)", line):
            names = [] if end[1] == "nothing" else end[1].split(", ")
            return frozenset(CODES.get(name, name) for name in names), facts
    raise SystemExit(f"chaos-runner printed no run of '{plan}'")


def explored(runner, scenario):
    command = [*runner, "explore", "exhaustive", "--faults", "2", "--jobs", "1", "--list", "--format", "json", *scenario]
    result = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)["scenarios"][0]
    broke = {CODES.get(v["invariant"], v["invariant"]): v["runs"] for v in result["violations"]}
    search = result["search"]
    return search["plans"], search["skippedPlans"], broke, [read(plan) for plan in search["ranPlans"]]


def read(plan):
    """The decisions of a plan as chaos-runner writes it."""
    items = {}
    for decision in plan.split(", ") if plan else ():
        question, subject, number, answer = re.match(r"(.+) (\S+) #(\d+)(?: = (\S+))?$", decision).groups()
        delay = answer and re.match(r"(\d+)(ms)?$", answer)
        items[question, subject, int(number)] = int(delay[1]) if delay else answer or True
    return frozenset(items.items())


def compare(runner, backend):
    """Prints what agrees and what does not; the number of differences."""
    here = os.path.dirname(os.path.abspath(__file__))
    scenario = ["--scenarios", os.path.join(here, "scenarios.json"), "--scenario", "model/" + backend]
    idempotent = backend == "idempotent"
    plans = every_plan(idempotent)
    sizes, skipped, theirs, listed = explored(runner, scenario)
    ran = {items: plans.get(items) or Run(idempotent, dict(items)) for items in listed}
    differences = []
    for items, run in {**plans, **ran}.items():
        if len(run.used) != len(items):
            print(f"  never asked: {text(items)}")
        broken, facts = traced(runner, scenario, text(items))
        if broken != run.broken:
            differences.append(f"{text(items)}: model {sorted(run.broken)}, chaos-runner {sorted(broken)}")
        elif facts != modelled(run):
            first = next(pair for pair in zip(facts + [None], modelled(run) + [None]) if pair[0] != pair[1])
            differences.append(f"{text(items)}: chaos-runner {first[0]}, model {first[1]}")
    broke = collections.Counter(code for run in ran.values() for code in run.broken)
    print(f"{backend}: {len({**plans, **ran})} plans, {len(differences)} of them differ")
    print(f"  the search ran {sizes} by size and skipped {skipped}; broke in so many: {dict(sorted(broke.items()))}")
    if len(listed) != len(ran) or (sum(sizes), theirs) != (len(ran), broke):
        differences.append(f"explore exhaustive says {sizes} run, broke {theirs}")
    found, tried = lost(idempotent, plans, ran)
    print(f"  {tried:,} runs with delays of any length, {len(found)} came to something that no plan which is run comes to")
    for difference in differences + found:
        print("  differs:", difference)
    return len(differences + found)


if __name__ == "__main__":
    sys.exit(1 if sum([compare(sys.argv[1:], backend) for backend in ("naive", "idempotent")]) else 0)
