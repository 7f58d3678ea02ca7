"""Holds chaos-runner and its exhaustive search against the independent model in model.py.

For each backend of `observer-on-demand` this

1. runs every plan of up to two decisions in the model: all faults of the mix at all places, and all moves;
2. has chaos-runner run each of these plans, and compares what broke, and every fact with its millisecond;
3. compares how many plans of each size `explore exhaustive` ran and skipped, and in how many of them each rule broke;
4. asks the model whether anything is lost by what is not run: a plan that is skipped, or grows out of a skipped one,
   must have the history of one that is run; and to each plan of up to one decision each delay is added with every
   millisecond of its range, to see which orders of events, and which broken rules, no move of this delay leads to.

Plans that grow out of a skipped one are the only ones here that the search neither runs nor counts. The search leaves
orders to seeds that are there only once a message has overtaken another, and the order of two messages that are sent at
once and take equally long; what that leaves out is listed as "left to seeds". With `--complete` the model moves messages
to those orders as well, and every plan that the search does not run is a difference.

    Tests/model/run [--complete]                         builds chaos-runner and compares: some two minutes
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

# Whether moves are looked for in the run that a move leads to as well, and messages sent at once are told apart.
COMPLETE = "--complete" in sys.argv
CODES = {
    "no-charge-without-delivery": "I01", "no-double-credit": "I02", "finish-only-after-credit": "I03",
    "queue-drains": "I06", "conservation": "I11", "one-tap-one-charge": "I13", "honest-answers": "I14",
    "no-finish-on-doubt": "I15", "transient-is-not-permanent": "I16", "poison-isolation": "I17",
    "idempotent-acknowledgement": "I20", "traceability": "I24"}


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
    if not COMPLETE and sum(e.cause == asking.event and e.ms == asking.at + least for e in run.handled) != 1:
        later = (run.handled[other - 1].ms - asking.at for other in range(asking.event + 1, len(run.handled) + 1))
        return {ms for ms in later if least < ms <= most}
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
                if COMPLETE:
                    waiting.append((ms, Run(run.idempotent, {**run.plan, asking[:3]: ms})))
    return found


def decisions(run, start=0):
    """What one more decision can be: its place in the run, its question, its answer; and whether it is a crash that
    comes to the same as one before it, because the app does nothing between the two that outlives it."""
    crashes = set()
    for place, asking in enumerate(run.asked):
        key = asking[:3]
        if key in run.plan:
            continue
        if asking.scheduled is None:
            between = (asking.event, asking.effects) if "crash app" in key[0] else None
            yield place, key, True, between in crashes
            if between and place >= start:
                crashes.add(between)
        else:
            classes = list(CLASSES.get(site(key), ())) if asking.at < HEAL else []
            for answer in classes + sorted(places(run, asking)):
                yield place, key, answer, False


def every_plan(idempotent):
    """The plans of up to two decisions with what became of each: "run", "skipped", or "unseen", which is what grows
    out of a skipped one. The second decision is asked after the first in a run with the first alone; or it is a
    move that is asked earlier, to a place that is not there without the first."""
    quiet = Run(idempotent, {})
    still = {asking[:3]: places(quiet, asking) for asking in quiet.asked if asking.scheduled is not None}
    plans = {frozenset(): (quiet, "run")}
    for at, key, answer, is_same in decisions(quiet):
        single = Run(idempotent, {key: answer})
        plans[frozenset(single.plan.items())] = single, "skipped" if is_same else "run"
        for place, other, value, is_same_too in decisions(single, start=at):
            if place < at and (type(value) is not int or value in still[other]):
                continue
            pair = {key: answer, other: value}
            fate = "unseen" if is_same else "skipped" if is_same_too else "run"
            items = frozenset(pair.items())
            if items in plans:
                raise SystemExit(f"bug: twice: {text(pair)}")
            plans[items] = Run(idempotent, pair), fate
    return plans


def text(plan):
    return ", ".join(f"{q} {s} #{n}" + ("" if a is True else f" = {a}") for (q, s, n), a in dict(plan).items())


def modelled(run):
    """The facts as chaos-runner prints them, as far as they are compared."""
    return [(now, kind, row.name if row else "", what if kind in ("told", "verified", "answered") else "")
            for now, kind, row, what in run.facts]


def order(run):
    """What happens in which order, whenever it does."""
    return tuple((e.kind, *(a.name if isinstance(a, Row) else a for a in e.args if a is not None)) for e in run.handled)


def lost(idempotent, plans):
    """What some run comes to and none of the plans does, in a line each: of those not run, and of delays of any length;
    and how many runs were tried."""
    kind = lambda items: frozenset((key, "move" if type(answer) is int else answer) for key, answer in items)
    histories, broke, orders = set(), collections.defaultdict(set), collections.defaultdict(set)
    for items, (run, fate) in plans.items():
        if fate == "run":
            histories.add(tuple(modelled(run)))
            broke[kind(items)].add(run.broken)
        orders[kind(items)].add(order(run))
    found = [f"{text(items)}: {fate}, and no plan that is run has its history"
             for items, (run, fate) in plans.items() if fate != "run" and tuple(modelled(run)) not in histories]
    tried, beyond = 0, []
    for items, (parent, fate) in plans.items():
        for asking in parent.asked if fate == "run" and len(items) < 2 else ():
            key = asking[:3]
            if asking.scheduled is None or key in parent.plan:
                continue
            known, longer, news = kind(items), kind(items) | {(key, "move")}, {}
            for ms in range(RANGES[site(key)][0] + 1, RANGES[site(key)][1] + 1):
                run, tried = Run(idempotent, {**parent.plan, key: ms}), tried + 1
                if run.broken not in broke[known] | broke[longer]:
                    news.setdefault(run.broken, text(run.plan))
                if order(run) not in orders[known] | orders[longer]:
                    orders[longer].add(order(run))
                    beyond.append(f"{text(run.plan)} leads to an order of events to which no move of this delay does")
            beyond += [f"{plan} breaks {sorted(codes)}, no move of this delay does" for codes, plan in news.items()]
    return found, beyond, tried


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
    command = [*runner, "explore", "exhaustive", "--faults", "2", "--jobs", "1", "--format", "json", *scenario]
    result = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)["scenarios"][0]
    broke = {CODES.get(v["invariant"], v["invariant"]): v["runs"] for v in result["violations"]}
    return result["search"]["plans"], result["search"]["skippedPlans"], broke


def compare(runner, backend):
    """Prints what agrees and what does not; the number of differences."""
    here = os.path.dirname(os.path.abspath(__file__))
    scenario = ["--scenarios", os.path.join(here, "scenarios.json"), "--scenario", "model/" + backend]
    idempotent = backend == "idempotent"
    plans = every_plan(idempotent)
    differences = []
    for items, (run, fate) in plans.items():
        if len(run.used) != len(items):
            print(f"  never asked: {text(items)}")
        broken, facts = traced(runner, scenario, text(items))
        if broken != run.broken:
            differences.append(f"{text(items)}: model {sorted(run.broken)}, chaos-runner {sorted(broken)}")
        elif facts != modelled(run):
            first = next(pair for pair in zip(facts + [None], modelled(run) + [None]) if pair[0] != pair[1])
            differences.append(f"{text(items)}: chaos-runner {first[0]}, model {first[1]}")
    counts = {fate: [sum(f == fate and len(items) == size for items, (_, f) in plans.items()) for size in range(3)]
              for fate in ("run", "skipped", "unseen")}
    broke = collections.Counter(code for run, fate in plans.values() if fate == "run" for code in run.broken)
    print(f"{backend}: {len(plans)} plans, {len(differences)} of them differ")
    print(f"  by size: {counts['run']} run, {counts['skipped']} skipped, {counts['unseen']} grown from skipped ones")
    print(f"  broke in so many of those run: {dict(sorted(broke.items()))}")
    theirs = explored(runner, scenario)
    if theirs != (counts["run"], counts["skipped"], broke):
        differences.append(f"explore exhaustive says {theirs[0]} run, {theirs[1]} skipped, broke {theirs[2]}")
    found, beyond, tried = lost(idempotent, plans)
    print(f"  {tried:,} runs with delays of any length: {len(beyond)} came to something that no plan comes to")
    for line in beyond:
        print("  differs:" if COMPLETE else "  left to seeds:", line)
    for difference in differences + found:
        print("  differs:", difference)
    return len(differences + found) + (len(beyond) if COMPLETE else 0)


if __name__ == "__main__":
    command = [word for word in sys.argv[1:] if word != "--complete"]
    sys.exit(1 if sum([compare(command, backend) for backend in ("naive", "idempotent")]) else 0)
