# Sound histories with a reserve, for the self-test of the checker: numbers on lease, outages in
# which two instances answer from theirs, one key that both answer, and what is settled, returned
# and written off.
import uuid

from harness.history import INFO, OK, ledger_key
from harness.simulation import SERIES, Simulation

HELD, FREE, VOIDED = "held", "free", "voided"


class Leased(Simulation):
    """A simulation of which some keys were answered in an outage."""

    def __init__(self, seed):
        self.turns = {series: 0 for series in SERIES}
        self.settled_rows = {}  # by (series, ordinal)
        self.outage_over = False
        super().__init__(seed, keys=8)

    def read(self, series):
        """The last thing that happens to each series before the end: here are its outages."""
        self.outage(series)
        super().read(series)

    def finish(self):
        super().finish()
        for lease in self.ledger["leases"]:
            self.ledger["states"] += [
                {"series": lease["series"], "state": HELD, "first": first, "last": last}
                for first, last in lease["held"]]

    def take_lease(self, series, number, count):
        """One run of fresh numbers, for an instance -> the lease, and where it is."""
        self.fill_up(series, count)
        (place,) = self.take(series, count)
        lease = {"series": series, "lease": str(uuid.UUID(int=self.dice.getrandbits(128))),
                 "instance": f"instance-{number}", "ordinal": place[3], "count": count,
                 "status": "open", "held": [], "written_off": []}
        self.ledger["leases"].append(lease)
        self.ledger["ledger"].append({
            "series": series, "ordinal": place[3], "serial": place[1], "count": count,
            "block": place[0], "client": f"lease:{lease['instance']}", "key": lease["lease"],
            "epoch": 1, "turn": 0, "reference": None, "issued_at": self.at * 1_000})
        return lease, {"place": place, "drawn": 0, "records": []}

    def fill_up(self, series, count):
        """A lease lies in one block: the rest of short ones leaves before."""
        while (room := self.room(series)) < count:
            wish = {"client": "shop", "series": series, "count": max(room, 1), "reference": None,
                    "key": f"rest {series} {self.counters[series]['ordinal']}"}
            self.at += 100
            self.record(wish, self.take(series, wish["count"]), 0, self.at)
            self.attempt(wish, 1, self.last_ranges, OK, self.at)

    def room(self, series):
        counter = self.counters[series]
        block = counter["blocks"][counter["open"]]
        return block["last"] - block["first"] + 1 - counter["used"]

    def record(self, wish, ranges, turn, moment, key=None):
        """Rows of the ledger for an issuance."""
        self.last_ranges = ranges
        for part in ranges:
            row = {"series": wish["series"], "ordinal": part[3], "serial": part[1],
                   "count": part[2] - part[1] + 1, "block": part[0], "client": wish["client"],
                   "key": key or ledger_key(wish["key"]), "epoch": 1, "turn": turn,
                   "reference": None, "issued_at": moment * 1_000}
            self.ledger["ledger"].append(row)
        return row

    def outage(self, series):
        leases = [self.take_lease(series, number, 12) for number in range(3)]
        names = [f"outage {series} {self.at} {n}" for n in range(5)]
        for name in names:
            self.draw(series, leases[self.dice.randrange(2)], name, self.dice.choice((1, 1, 2)))
        twice = f"twice {series} {self.at}"
        for lease in leases[:2]:
            self.draw(series, lease, twice, 1)
        self.at += 500
        spent = set()
        for lease, drawn in leases[:2]:
            self.settle(series, lease, drawn, spent)
        self.hand_back(series, *leases[0])
        self.write_off(*leases[1])
        whole, drawn = leases[2]
        whole["held"] = [[drawn["place"][3], drawn["place"][3] + whole["count"] - 1]]

    def draw(self, series, leased, name, count):
        """Answers one key from the lease, as long as it lasts."""
        lease, drawn = leased
        if drawn["drawn"] + count > lease["count"]:
            return
        block, first, _, ordinal = drawn["place"]
        first, ordinal = first + drawn["drawn"], ordinal + drawn["drawn"]
        drawn["drawn"] += count
        wish = {"client": "shop", "series": series, "key": name, "count": count, "reference": None}
        self.at += 100
        ranges = [[block, first, first + count - 1, ordinal]]
        tried = self.attempt(wish, 1, ranges, OK, self.at)
        tried.reserve = True
        tried.issuance = f"{series}{ordinal}"
        tried.body = str(ranges)
        drawn["records"].append((wish, ranges))

    def settle(self, series, lease, drawn, spent):
        for wish, ranges in drawn["records"]:
            self.turns[series] += 1
            turn, ordinal, taken = self.turns[series], ranges[0][3], wish["key"] in spent
            key = str(uuid.UUID(int=self.dice.getrandbits(128))) if taken else None
            self.settled_rows[series, ordinal] = self.record(wish, ranges, turn, self.at, key)
            self.ledger["records"].append({
                "series": series, "lease": lease["lease"], "ordinal": ordinal,
                "count": wish["count"], "turn": turn,
                "spent_key": ledger_key(wish["key"]) if taken else None})
            if taken:
                self.ledger["told_twice"].append({"series": series, "ordinal": ordinal})
            spent.add(wish["key"])

    def rest_of(self, lease, drawn):
        return (lease["ordinal"] + drawn["drawn"], lease["ordinal"] + lease["count"] - 1)

    def hand_back(self, series, lease, drawn):
        """The rest came back; its first number left again."""
        lease["status"] = "closed"
        first, last = self.rest_of(lease, drawn)
        if first > last:
            return
        block, serial, _, ordinal = drawn["place"]
        serial += first - ordinal
        wish = {"client": "returns", "series": series, "key": f"again {series} {self.at}",
                "count": 1, "reference": None}
        self.turns[series] += 1
        self.at += 100
        self.record(wish, [[block, serial, serial, first]], self.turns[series], self.at)
        lost = self.dice.random() < 0.3
        self.attempt(wish, 1, self.last_ranges, INFO if lost else OK, self.at)
        if lost:
            self.at += 100
            self.attempt(wish, 2, self.last_ranges, OK, self.at).replayed = True
        if first < last:
            self.ledger["states"].append(
                {"series": series, "state": FREE, "first": first + 1, "last": last})

    def write_off(self, lease, drawn):
        lease["status"] = "lost"
        first, last = self.rest_of(lease, drawn)
        if first <= last:
            lease["written_off"] = [[first, last]]
            self.ledger["states"].append(
                {"series": lease["series"], "state": VOIDED, "first": first, "last": last})

    # What mutations ask for.

    def drawn_answers(self):
        """Those to keys that were answered once."""
        tries = [a.key for a in self.history.attempts]
        return [a for a in self.answers() if a.reserve and tries.count(a.key) == 1]

    def drawn_answer(self):
        return self.dice.choice(self.drawn_answers())

    def record_of(self, answer):
        return next(r for r in self.ledger["records"]
                    if (r["series"], r["ordinal"]) == (answer.series, answer.ranges[0][3]))

    def lease_of(self, answer):
        name = self.record_of(answer)["lease"]
        return next(each for each in self.ledger["leases"] if each["lease"] == name)

    def forget(self, answer):
        """Record and row are gone; turns close up."""
        record = self.record_of(answer)
        self.ledger["records"].remove(record)
        row = self.settled_rows[answer.series, record["ordinal"]]
        self.ledger["ledger"].remove(row)
        for each in self.ledger["ledger"] + self.ledger["records"]:
            if each["series"] == answer.series and each["turn"] > row["turn"]:
                each["turn"] -= 1
        return record

    def note_state(self, answer, state):
        first = answer.ranges[0][3]
        self.ledger["states"].append({"series": answer.series, "state": state, "first": first,
                                      "last": first + answer.count - 1})
