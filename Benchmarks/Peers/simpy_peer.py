"""The checkout benchmark in idiomatic SimPy: every activity is a generator process.

Spec: ../CHECKOUT.md.

    SEEDS=2000 python3 simpy_peer.py        the benchmark line
    python3 simpy_peer.py 20000 --stats     a second line with means, for comparing peers
    python3 simpy_peer.py 2000 --bug=1      1 no dedupe on the server, 2 app finishes before the reply,
                                            3 the queue does not redeliver after a crash

`events` counts the spec's items (one timeout that is waited for and then handled is one event). SimPy
itself takes more items out of its queue than that: each process has a start item and an end item too.
`--stats` reports them as queue_items.
"""
import os
import random
import sys
import time
from collections import Counter

import simpy

CALM = 60_000
HORIZON = 600_000
PURCHASES = 3


class World:
    def __init__(self, seed, bug=0, kinds=None):
        self.env = simpy.Environment()
        self.random = random.Random(seed)
        self.bug = bug
        self.kinds = kinds
        self.events = 0
        self.violated = False
        # App Store and payment queue
        self.charged = [False] * PURCHASES
        self.finished = [False] * PURCHASES
        # server
        self.credits = [0] * PURCHASES
        # app
        self.running = True
        self.life = 0
        self.crashes = 0
        for i in range(PURCHASES):
            self.env.process(self.purchase(i))

    # -- the simulation's own

    def uniform(self, a, b):
        return self.random.randint(a, b)

    def fault(self, share):
        return self.env.now < CALM and self.random.random() < share

    def event(self, kind):
        """One spec event has been taken out of the queue."""
        self.events += 1
        if self.kinds is not None:
            self.kinds[kind] += 1

    def check(self):
        for credits, finished in zip(self.credits, self.finished):
            if credits > 1 or (finished and credits == 0):
                self.violated = True

    def run(self):
        # Stepping by hand, as the spec wants every event checked.
        env = self.env
        items = 0
        while env.peek() <= HORIZON:
            env.step()
            self.check()
            items += 1
        for charged, credits, finished in zip(self.charged, self.credits, self.finished):
            if charged and not (credits and finished):
                self.violated = True
        return items

    # -- processes

    def purchase(self, i):
        yield self.env.timeout(1000 * i)
        self.event("ask")
        yield self.env.timeout(self.uniform(50, 500))
        self.event("charged")
        self.charged[i] = True
        self.env.process(self.call_back(i))

    def call_back(self, i):
        yield self.env.timeout(self.uniform(1, 20))
        self.event("callback")
        if self.running:
            self.send(i)
            if self.bug == 2:
                self.finished[i] = True
            self.handled()

    def send(self, i):
        self.network(self.serve(i, self.life))
        self.env.process(self.timer(i, self.life))

    def network(self, arrive):
        """Sends a message; `arrive` says what happens when a copy arrives."""
        if self.fault(0.10):
            return
        if self.fault(0.05):
            self.env.process(self.leg(arrive))
        self.env.process(self.leg(arrive))

    def leg(self, arrive):
        yield self.env.timeout(self.uniform(10, 200))
        yield from arrive()

    def serve(self, i, life):
        def arrive():
            self.event("request")
            yield self.env.timeout(self.uniform(20, 200))
            self.event("answer")
            ok = not self.fault(0.05)
            if ok and (self.credits[i] == 0 or self.bug == 1):
                self.credits[i] += 1
            self.network(self.reply(i, life, ok))
        return arrive

    def reply(self, i, life, ok):
        def arrive():
            self.event("reply")
            if self.running and life == self.life:
                if ok:
                    self.finished[i] = True
                self.handled()
            return
            yield
        return arrive

    def timer(self, i, life):
        yield self.env.timeout(5000)
        self.event("timer")
        if self.running and life == self.life:
            if not self.finished[i]:
                self.send(i)
            self.handled()

    def handled(self):
        if self.fault(0.05):
            self.running = False
            self.life += 1
            self.crashes += 1
            self.env.process(self.relaunch())

    def relaunch(self):
        yield self.env.timeout(self.uniform(1000, 10_000))
        self.event("relaunch")
        self.running = True
        for i in range(PURCHASES):
            if not self.charged[i]:
                continue
            if self.fault(0.05) if self.finished[i] else self.bug != 3:
                self.env.process(self.call_back(i))


def main():
    seeds = int(os.environ.get("SEEDS", 2000))
    bug, stats = 0, False
    for arg in sys.argv[1:]:
        if arg.startswith("--bug="):
            bug = int(arg[6:])
        elif arg == "--stats":
            stats = True
        else:
            seeds = int(arg)
    kinds = Counter() if stats else None
    events = violations = items = credits = crashes = end = 0
    first = None
    start = time.perf_counter()
    for seed in range(seeds):
        world = World(seed, bug, kinds)
        items += world.run()
        events += world.events
        if world.violated:
            violations += 1
            if first is None:
                first = seed + 1
        if stats:
            credits += sum(world.credits)
            crashes += world.crashes
            end += world.env.now
    seconds = time.perf_counter() - start
    print(f"runs={seeds} events={events} violations={violations} seconds={seconds:.3f} "
          f"runs_per_s={seeds / seconds:.0f} events_per_s={events / seconds:.0f}")
    if bug:
        print(f"bug={bug} seeds_until_first={first} violating_share={violations / seeds:.5f}")
    if stats:
        print(f"stats events={events / seeds:.4f} credits={credits / seeds:.4f} crashes={crashes / seeds:.4f} "
              f"end_ms={end / seeds:.1f} "
              + " ".join(f"{kind}={kinds[kind] / seeds:.4f}" for kind in
                         ("ask", "charged", "callback", "request", "answer", "reply", "timer", "relaunch"))
              + f" queue_items={items / seeds:.2f}")
    return 1 if violations and not bug else 0


if __name__ == "__main__":
    sys.exit(main())
