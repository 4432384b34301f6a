# Sound histories made up for the self-test of the checker: a service that is right by construction,
# with clients in parallel, lost answers, repeats, rollovers, reads and a release.
import random

from harness.history import FAIL, INFO, OK, Attempt, History, ledger_key

SERIES = ("alpha", "beta")
CLIENTS = ("shop", "returns")


class Simulation:
    """history and ledger agree; a mutation of the self-test then breaks one of them."""

    def __init__(self, seed, keys=40):
        self.dice = random.Random(seed)
        self.history = History()
        self.ledger = {"ledger": [], "blocks": [], "series": [], "leases": [], "records": [],
                       "states": [], "told_twice": []}
        self.at = 1_000
        self.counters = {}
        for number, series in enumerate(SERIES):
            self.add_blocks(series, number)
        for number in range(keys):
            self.issue(f"key-{seed}-{number}")
        self.history.healed, self.at = self.at, self.at + 100
        for series in SERIES:
            self.issue(f"key-{seed}-last-{series}", series)
            self.read(series)
        self.finish()

    def add_blocks(self, series, number):
        blocks, first = [], 1_000_000 * (number + 1)
        for position, size in enumerate((3, 10, 10_000), 1):
            blocks.append({"series": series, "block": number * 10 + position, "first": first,
                           "last": first + size - 1, "state": "queued", "position": position,
                           "first_ordinal": None})
            first += size + 50
        self.ledger["blocks"] += blocks
        self.counters[series] = {"blocks": blocks, "open": 0, "used": 0, "ordinal": 1}

    def take(self, series, count):
        """[block, first, last, ordinal] of the next numbers, over the ends of blocks."""
        counter, ranges = self.counters[series], []
        while count:
            block = counter["blocks"][counter["open"]]
            room = block["last"] - block["first"] + 1 - counter["used"]
            if room == 0:
                block["state"], counter["used"] = "exhausted", 0
                counter["open"] += 1
                continue
            if block["state"] == "queued":
                block["state"], block["first_ordinal"] = "open", counter["ordinal"]
            taken = min(room, count)
            first = block["first"] + counter["used"]
            ranges.append([block["block"], first, first + taken - 1, counter["ordinal"]])
            counter["used"] += taken
            counter["ordinal"] += taken
            count -= taken
        return ranges

    def attempt(self, wish, turn, ranges, fate, moment):
        """One try; the moment at which it happened lies between its start and its end."""
        tried = Attempt("issue", turn=turn, fate=fate, instance=str(self.dice.randrange(2)), **wish)
        tried.start = moment - self.dice.randint(1, 40)
        tried.end = moment + self.dice.randint(1, 40)
        tried.sent_at = tried.start * 1_000
        if fate == OK:
            tried.status, tried.epoch, tried.ranges = 201, 1, [list(part) for part in ranges]
            tried.issuance, tried.body = f"{wish['series']}{ranges[0][3]}", str(ranges)
        elif fate == FAIL:
            tried.status, tried.executed = 503, "no"
        elif self.dice.random() < 0.5:
            tried.status, tried.executed = 503, "unknown"
        self.history.add(tried)
        return tried

    def issue(self, key, series=None):
        series = series or self.dice.choice(SERIES)
        wish = {"client": self.dice.choice(CLIENTS), "series": series, "key": key,
                "count": self.dice.choice((1, 1, 2, 5)), "reference": None}
        turn = 1
        if self.dice.random() < 0.2:
            self.attempt(wish, turn, [], FAIL, self.at)
            self.at, turn = self.at + 100, turn + 1
        self.at += self.dice.randint(1, 30)
        moment, ranges = self.at, self.take(series, wish["count"])
        for part in ranges:
            self.ledger["ledger"].append({
                "series": series, "ordinal": part[3], "serial": part[1],
                "count": part[2] - part[1] + 1, "block": part[0], "client": wish["client"],
                "key": ledger_key(key), "epoch": 1, "turn": 0, "reference": None,
                "issued_at": moment * 1_000})
        lost = self.dice.random() < 0.3
        self.attempt(wish, turn, ranges, INFO if lost else OK, moment)
        if lost or self.dice.random() < 0.2:
            self.at += 100
            self.attempt(wish, turn + 1, ranges, OK, self.at).replayed = True

    def read(self, series):
        self.at += 100
        seen = Attempt("read", "shop", series, start=self.at, end=self.at + 10, fate=OK, status=200)
        seen.issued = self.counters[series]["ordinal"] - 1
        self.at += 100
        self.history.add(seen)

    def finish(self):
        for series, counter in self.counters.items():
            block = counter["blocks"][counter["open"]]
            self.ledger["series"].append({
                "series": series, "next_ordinal": counter["ordinal"], "block": block["block"],
                "next_serial": block["first"] + counter["used"], "epoch": 1})

    # What mutations ask for.

    def answers(self):
        return [a for a in self.history.attempts if a.op == "issue" and a.fate == OK]

    def lone_answer(self):
        """An answer in one piece to a key that was tried once."""
        tries = [a.key for a in self.history.attempts]
        return self.dice.choice([
            a for a in self.answers() if len(a.ranges) == 1 and tries.count(a.key) == 1])

    def pair_in_order(self):
        """Two such answers of one series and count; the first was there before the second was
        sent."""
        tries = [a.key for a in self.history.attempts]
        lone = [a for a in self.answers() if len(a.ranges) == 1 and tries.count(a.key) == 1]
        return next((a, b) for a in lone for b in lone if a.end < b.start
                    and (a.series, a.count) == (b.series, b.count))

    def rows_of(self, answer):
        return [r for r in self.ledger["ledger"] if r["key"] == ledger_key(answer.key)]
