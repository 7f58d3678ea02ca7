"""An independent model of one purchase, to hold ChaosStore's exhaustive search against: see compare.py.

The world of scenarios.json is written here a second time, with an event queue and a judge of its own: one phone, one
person who taps once (and once more when told of a failure), the App Store, a network of two legs, a backend that
shows the receipt to Apple, and the design `observer-on-demand` with either backend. `Run(idempotent, plan)` is one
history: what was asked, which events were handled, the facts, and the rules that broke. A plan may have the person close
the app and open it again, which is no fault (`reopen app`). No message has anything to itself but its delay, and the app
dies where it uses a port, and where a handler is entered or left.

The numbers of the world stand first; where the world changes, so must they.
"""
import collections
import heapq

HEAL, HORIZON, REOPEN_EVERY, RETAPS, PATIENCE = 20_000, 150_000, 60_000, 1, 30_000
TAP_AT, RETAP_AFTER, APP_TIMEOUT, REOPEN_TAKES, TAP_AFTER_LAUNCH = 1_000, 3_000, 60_000, 1_000, 500
RANGES = {  # the usual times, least and most; the least is the quiet answer
    "person.quit": (0, 5000), "app.launch": (1000, 1200), "page.visit": (900, 1200),
    "store.products": (50, 300), "store.charge": (50, 500),
    "store.callback": (1, 20), "store.duplicate": (1, 200), "store.interrupted": (1000, 1200), "store.finish": (0, 0),
    "verify.request": (10, 200), "verifier.answer": (20, 200), "verify.reply": (10, 50)}
CLASSES = {  # later than usual, which is a fault
    "store.callback": {"overtaken": 1500, "late": 20_000}, "store.finish": {"late": 20_000},
    "verify.request": {"overtaken": 1500, "late": 7000}, "verify.reply": {"overtaken": 1500, "late": 7000}}

Asking = collections.namedtuple("Asking", "question subject n at event effects scheduled")
Event = collections.namedtuple("Event", "ms order cause kind args")


class Dead(Exception):
    """The app dies here: nothing more of its handler happens."""


class Row:
    """A transaction of the store."""

    def __init__(self, name):
        self.name, self.charged_at, self.removed_at = name, None, None
        self.session = self.failed_to = self.held_in = None
        self.is_swallowed = self.has_failure = False  # has_failure: a failure stands in the queue for it


class Run:
    """One history under a plan: a mapping from (question, subject, occurrence) to an answer."""

    def __init__(self, idempotent, plan):
        self.idempotent, self.plan, self.used = idempotent, plan, set()
        self.now, self.queue, self.orders, self.counts = 0, [], 0, collections.Counter()
        self.asked, self.handled, self.facts, self.fact_events, self.effects = [], [], [], [], 0
        self.running, self.life, self.observing, self.session, self.launch_at = False, 0, False, 0, None
        self.detached_at = None
        self.rows, self.clock, self.receipt = [], 0, 0  # rows: what was charged or declined, oldest first
        self.payments, self.retaps, self.served, self.looked, self.credited_in = 0, 0, False, 0, None
        self.recorded = set()
        self.schedule(TAP_AT, "tap", True)
        self.schedule(HEAL + REOPEN_EVERY, "reopen")
        self.handle(self.start)
        while self.queue and self.queue[0].ms <= HORIZON:
            event = heapq.heappop(self.queue)
            self.now = event.ms
            self.handled.append(event)
            self.handle(getattr(self, "on_" + event.kind), *event.args)
        self.broken = judge(self.facts)

    def handle(self, handler, *args):
        try:
            handler(*args)
        except Dead:
            pass

    # How something is decided, and what comes of it.

    def schedule(self, ms, kind, *args):
        self.orders += 1
        heapq.heappush(self.queue, Event(ms, self.orders, len(self.handled), kind, args))

    def ask(self, question, subject, scheduled=None):
        self.counts[question, subject] += 1
        key = question, subject, self.counts[question, subject]
        self.asked.append(Asking(*key, self.now, len(self.handled), self.effects, scheduled))
        if key in self.plan:
            self.used.add(key)
        return self.plan.get(key)

    def strikes(self, question, subject):
        return self.now < HEAL and self.ask(question, subject) is not None

    def later(self, site, subject, kind, *args):
        """Schedules something for when its delay is over."""
        answer = self.ask("delay " + site, subject, scheduled=self.orders + 1)
        if isinstance(answer, str):
            answer = CLASSES[site][answer] if self.now < HEAL else None
        delay = RANGES[site][0] if answer is None else answer
        if kind == "launch":
            self.launch_at = self.now + delay
        if kind == "finish" and delay == 0:
            return self.on_finish(*args)
        self.schedule(self.now + delay, kind, *args)

    def fact(self, kind, row=None, what=""):
        self.facts.append((self.now, kind, row, what))
        self.fact_events.append(len(self.handled))

    # The phone and its person.

    def crash_point(self, place, subject):
        if self.strikes("crash app " + place, subject):
            self.end_app()
            self.later("app.launch", "phone1", "launch")
            raise Dead

    def port(self, name, subject, act, lasts=True):
        """The app does something; unless it is gone with the app, it is an effect."""
        self.crash_point("before " + name, subject)
        act()
        self.effects += lasts
        self.crash_point("after " + name, subject)

    def end_app(self):
        self.running = self.observing = False
        self.detached_at = None
        self.fact("ended")

    def start(self):
        self.launch_at, self.running, self.life = None, True, self.life + 1
        self.fact("launched")
        self.looked = len(self.handled)  # the balance is seen now
        self.later("page.visit", "phone1", "visit", self.life)
        self.app_observes, self.unanswered, self.has_observed = False, set(), False
        self.observe()
        self.crash_point("after launch", "phone1")

    def on_launch(self):
        if self.launch_at == self.now and not self.running:
            self.start()

    def may_reopen(self):
        if self.strikes("reopen app", "tx1"):
            self.later("person.quit", "tx1", "quit", self.life)

    def on_quit(self, life):
        if self.is_current(life):
            self.end_app()
            self.later("app.launch", "phone1", "launch")

    def on_reopen(self):
        if self.running:
            self.end_app()
            self.launch_at = self.now + REOPEN_TAKES
            self.schedule(self.launch_at, "launch")
        if self.now + REOPEN_EVERY + 10_000 <= HORIZON:
            self.schedule(self.now + REOPEN_EVERY, "reopen")

    def on_tap(self, is_first):
        knows = self.served or self.credited_in is not None and self.credited_in < self.looked
        if not is_first and knows:
            return
        if not self.running:
            if self.payments == 0:
                self.schedule(self.launch_at + TAP_AFTER_LAUNCH, "tap", is_first)
            return
        self.fact("tapped", what=self.life)
        self.observe()
        self.port("products", "tx1", lambda: self.later("store.products", "tx1", "products", self.life))
        self.may_reopen()
        self.crash_point("after tap", "tx1")

    # The app: observer-on-demand.

    def observe(self):
        if not self.app_observes:
            self.app_observes = True
            self.port("observe", "phone1", self.attach)

    def unobserve(self):
        if self.app_observes:
            self.app_observes = False
            self.port("unobserve", "phone1", self.detach)

    def detach(self):
        self.observing, self.detached_at = False, self.now

    def is_current(self, life):
        return self.running and self.life == life

    def on_visit(self, life):
        if self.is_current(life):
            self.observe()
            self.crash_point("after visit", "phone1")

    def on_products(self, life):
        if self.is_current(life):
            self.observe()
            self.port("pay", "tx1", self.pay)
            self.crash_point("after product-list", "tx1")

    def is_called_back(self):  # what comes in one millisecond came in one array, of which the observer gets the rest
        return self.running and (self.observing or self.detached_at == self.now)

    def on_failure(self, row):
        if not self.is_called_back() or not row.has_failure or row.failed_to == self.session:
            return
        row.failed_to = self.session
        self.crash_point("on callback", row.name)
        self.observe()
        self.unobserve()
        self.port("finish", row.name, lambda: setattr(row, "has_failure", False))
        self.tell("failure", None)
        self.crash_point("after callback", row.name)

    def on_callback(self, row, is_again):
        if not self.is_called_back() or row.is_swallowed:
            return
        if not is_again and (row.session == self.session or row.removed_at):
            return
        row.session = self.session
        self.fact("delivered", row)
        self.crash_point("on callback", row.name)
        self.observe()
        self.unanswered.add(row)
        self.port("receipt", "phone1", lambda: None, lasts=False)
        self.port("send", row.name, lambda: self.send(row))
        timer = lambda: self.schedule(self.now + APP_TIMEOUT, "timer", row, self.life)
        self.port("timer", "phone1", timer, lasts=False)
        self.crash_point("after callback", row.name)

    def on_timer(self, row, life):
        if self.is_current(life):
            if row in self.unanswered:
                self.unanswered.remove(row)
                self.tell("failure", row)
            self.crash_point("after alarm", row.name)

    def on_reply(self, row, life, outcome):
        if not self.is_current(life):
            return
        self.crash_point("on reply", row.name)
        self.unanswered.discard(row)
        if outcome == "accepted":
            self.port("finish", row.name, lambda: self.finish(row))
            self.unobserve()
            self.tell("success", row)
        else:
            self.tell("failure", row)
        self.crash_point("after reply", row.name)

    def tell(self, message, row):
        def act():
            self.fact("told", row, message)
            self.served |= message == "success"
            if message == "failure" and self.retaps < RETAPS:
                self.retaps += 1
                self.schedule(self.now + RETAP_AFTER, "tap", False)
            self.may_reopen()
        self.port("tell", row.name if row else "phone1", act)

    # The store.

    def pay(self):
        for row in reversed(self.rows):
            if row.charged_at and not row.removed_at and not row.is_swallowed:
                self.fact("returned", row)  # what is unfinished answers a new payment
                return self.later("store.callback", row.name, "callback", row, True)
        self.payments += 1
        row = Row("tx1" if self.payments == 1 else f"tx1/{self.payments}")
        self.later("store.charge", row.name, "charge", row)

    def on_charge(self, row):
        self.rows.append(row)
        if self.strikes("decline store.payment", row.name):
            return self.fail(row)
        self.clock += 1
        row.charged_at = self.clock
        self.fact("charged", row)
        if not self.strikes("skip receipt.write", row.name):
            self.receipt = self.clock
        if self.strikes("fail store.payment", row.name):
            row.held_in = self.life
            self.fail(row)
        elif self.strikes("interrupt store.payment", row.name):
            self.fail(row)
            self.later("store.interrupted", row.name, "callback", row, False)
        elif self.strikes("hold store.callback", row.name):
            row.held_in = self.life
        else:
            self.call_back(row)

    def fail(self, row):
        row.has_failure = True
        self.later("store.callback", row.name, "failure", row)

    def call_back(self, row):
        self.later("store.callback", row.name, "callback", row, False)
        if self.strikes("duplicate store.callback", row.name):
            self.later("store.duplicate", row.name, "callback", row, True)

    def attach(self):
        if self.observing:
            return
        self.observing, self.session = True, self.session + 1
        is_first, self.has_observed = not self.has_observed, True
        for row in reversed(self.rows):
            if row.has_failure:
                self.later("store.callback", row.name, "failure", row)
            if not row.charged_at or row.removed_at or row.is_swallowed or row.held_in == self.life:
                continue
            if is_first and self.strikes("swallow store.callback", row.name):
                row.is_swallowed = True
                self.fact("withheld", row)
            else:
                self.call_back(row)

    def finish(self, row):
        self.fact("finishing", row)
        if not self.strikes("drop store.finish", row.name):
            self.later("store.finish", row.name, "finish", row)

    def on_finish(self, row):
        if row.removed_at:
            return
        self.clock += 1
        row.removed_at = self.clock
        self.fact("finished", row)
        if self.strikes("rewrite receipt.file", row.name):
            self.receipt = self.clock

    # The network and the backend.

    def leg(self, site, row, kind, *args):
        if self.strikes("drop " + site, row.name):
            return
        self.later(site, row.name, kind, row, *args)
        if self.strikes("duplicate " + site, row.name):
            self.later(site, row.name, kind, row, *args)

    def send(self, row):
        self.leg("verify.request", row, "request", self.life, self.receipt)

    def on_request(self, row, life, receipt):
        if self.strikes("fail server.request", row.name):
            return self.answer(row, life, "inconclusive")
        self.fact("reported", row)
        self.later("verifier.answer", row.name, "verified", row, life, receipt)

    def on_verified(self, row, life, receipt):
        listed = [r for r in reversed(self.rows)
                  if r.charged_at and r.charged_at <= receipt and not (r.removed_at and r.removed_at <= receipt)]
        self.fact("verified", row, "accepted" if row in listed else "inconclusive")
        if not receipt:  # there is no receipt file: 21002
            return self.answer(row, life, "inconclusive")
        outcome, committed = "refused", False
        for entry in listed:
            if self.strikes("fail server.commit", row.name):
                outcome = "inconclusive"
                break
            outcome = "accepted"
            if self.idempotent and entry in self.recorded:
                continue
            self.recorded.add(entry)
            committed = True
            if self.credited_in is None:
                self.credited_in = len(self.handled)
            self.fact("credited", entry)
        if committed and self.strikes("fail server.reply", row.name):
            outcome = "inconclusive"
        self.answer(row, life, outcome)

    def answer(self, row, life, outcome):
        self.fact("answered", row, outcome)
        self.leg("verify.reply", row, "reply", life, outcome)


def judge(facts):
    """The codes of the rules that a history breaks."""
    broken, charges = set(), {}
    since = tap = failed_wish = bought = None
    ran, life, waited = 0, 0, 0  # ran: milliseconds without faults with the app open

    def running(now):
        return ran + (max(0, now - max(since, HEAL)) if since is not None else 0)

    def wait_ends(now):
        nonlocal waited, tap
        if tap is not None:
            waited, tap = max(waited, now - max(tap, HEAL)), None

    for now, kind, row, what in facts:
        charge = charges.get(row)
        rules = lambda **by: broken.update(code for code, wrong in by.items() if wrong)
        if kind == "launched":
            since, life = now, life + 1
        elif kind == "ended":
            wait_ends(now)
            ran, since = running(now), None
        elif kind == "tapped":
            wait_ends(now)
            tap, failed_wish = now, False
        elif kind == "charged":
            bought = row
            rules(I13=bool(charges), I14=failed_wish)
            charges[row] = {"credits": 0, "ran": running(now), "verified": "", "answered": "", "seen": False,
                            "delivered": False, "finishing": False, "finished": False, "failed_in": None}
        elif kind == "withheld":
            charge["delivered"] = False
        elif kind == "returned":
            bought = row
            rules(I17=charge["failed_in"] == life and not charge["finishing"] and charge["answered"] == "refused")
        elif kind in ("delivered", "finished"):
            charge[kind] = True
        elif kind == "reported":
            charge["seen"] = True
        elif kind in ("verified", "answered"):
            charge[kind], charge["seen"] = what, True
            if kind == "answered" and what == "refused":
                rules(I16=charge["credits"] == 0, I20=charge["credits"] > 0)
        elif kind == "credited":
            charge["credits"] += 1
            rules(I02=charge["credits"] > 1)
        elif kind == "finishing":
            charge["finishing"] = True
            early = charge["credits"] == 0
            doubt = charge["verified"] if charge["answered"] in ("", "refused") else charge["answered"]
            rules(I03=early, I15=early and doubt == "inconclusive")
        elif kind == "told":
            wait_ends(now)
            if what == "failure":
                failed_wish, subject = True, charge or charges.get(bought)
                if subject and subject["delivered"]:
                    subject["failed_in"] = life
            rules(I14=bool(charges) if what == "failure" else charge["credits"] == 0)
    wait_ends(HORIZON)
    overdue = [c for c in charges.values() if running(HORIZON) - c["ran"] > PATIENCE]
    young = sum(c["credits"] == 0 for c in charges.values() if c not in overdue)
    rules(I01=any(c["credits"] == 0 for c in overdue),
          I06=any(c["delivered"] and not c["finished"] for c in overdue),
          I11=sum(1 - c["credits"] for c in charges.values()) != young,
          I24=any(c["credits"] == 0 and not c["seen"] for c in charges.values()),
          I27=waited > PATIENCE)
    return frozenset(broken)
