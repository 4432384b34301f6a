# Rules 11 to 15 of the history checker: what was answered from a reserve, and what became of every
# number that was on lease. The ledger is what LEDGER_QUERY gives once everything is settled.
import bisect
import collections


def is_leasing(row):
    """A row of the ledger with which an instance took numbers on lease: no client asked for it."""
    return (row["client"] or "").startswith("lease:")


def key_answered(ledger):
    """{(series, turn): key} of rows with a key of their own, because the client's was spent."""
    return {(r["series"], r["turn"]): r["spent_key"] for r in ledger["records"] if r["spent_key"]}


class Leases:
    """Leases of all series, by the ordinals they cover."""

    def __init__(self, ledger):
        self.of = collections.defaultdict(list)
        for lease in sorted(ledger["leases"], key=lambda lease: lease["ordinal"]):
            self.of[lease["series"]].append(lease)
        self.starts = {series: [lease["ordinal"] for lease in leases]
                       for series, leases in self.of.items()}

    def covering(self, series, first, last):
        """The lease that all of these were on; None: they were not on one."""
        at = bisect.bisect_right(self.starts.get(series, []), first) - 1
        found = self.of[series][at] if at >= 0 else None
        return found if found and last < found["ordinal"] + found["count"] else None


def ordinals_of(answer):
    """(first, last) of an answer from a reserve, which has one range; None: it has more."""
    if len(answer.ranges) != 1:
        return None
    _, first, last, ordinal = answer.ranges[0]
    return ordinal, ordinal + last - first


def drawn(stories):
    """(story, answer) of each run of numbers that was answered from a reserve."""
    for story in stories.values():
        for answer in story.given:
            if answer.reserve:
                yield story, answer


def check_settled(stories, ledger, leases):
    """Rule 11: what was answered from a reserve was on lease there, and was settled: a record of
    that lease, and a later turn of the ledger, for whoever asked."""
    records = {(r["series"], r["ordinal"]): r for r in ledger["records"]}
    for story, answer in drawn(stories):
        place = ordinals_of(answer)
        lease = place and leases.covering(answer.series, *place)
        if not lease:
            yield 11, f"{story.name} was answered {answer.ranges}, which was never on lease"
            continue
        record = records.get((answer.series, place[0]))
        if not record or (record["count"], record["lease"]) != (
                place[1] - place[0] + 1, lease["lease"]):
            yield 11, f"{story.name} was answered {answer.ranges} from a lease, and is not settled"
            continue
        rows = [row for row in story.rows + story.twice if row["turn"] == record["turn"]]
        if [(row["ordinal"], row["count"]) for row in rows] != [(place[0], record["count"])]:
            yield 11, (f"{story.name} was answered {answer.ranges}; its record says turn"
                       f" {record['turn']}, where the ledger has {rows} for it")


def check_drawing(stories, ledger, leases):
    """Rule 12: an instance draws the lowest first, and none is skipped."""
    placed = collections.defaultdict(list)
    for story, answer in drawn(stories):
        place = ordinals_of(answer)
        lease = place and leases.covering(answer.series, *place)
        fresh = [a for a in story.answers if a.ranges == answer.ranges and not a.replayed]
        if lease and fresh:
            placed[lease["lease"]].append((place[0], fresh[0].start, fresh[0].end, story.name))
    for executed in placed.values():
        executed.sort(key=lambda each: each[0])
        latest = None
        for each in executed:
            if latest and each[2] < latest[1]:
                yield 12, (f"{each[3]} (ordinal {each[0]} of a lease) was answered before"
                           f" {latest[3]} (ordinal {latest[0]}) was sent")
            if latest is None or each[1] > latest[1]:
                latest = each
    due = {lease["lease"]: lease["ordinal"] for lease in ledger["leases"]}
    for record in sorted(ledger["records"], key=lambda r: (r["series"], r["ordinal"])):
        if record["ordinal"] != due.get(record["lease"]):
            yield 12, (f"{record['series']}: ordinal {due.get(record['lease'])} of a lease is due,"
                       f" {record['ordinal']} was answered")
        due[record["lease"]] = record["ordinal"] + record["count"]


class Lives:
    """What every number of a lease is, and where it left again."""

    def __init__(self, ledger):
        self.states, self.left = collections.defaultdict(dict), collections.defaultdict(set)
        leased = {lease["series"] for lease in ledger["leases"]}
        for part in ledger["states"]:
            for ordinal in range(part["first"], part["last"] + 1):
                self.states[part["series"]][ordinal] = part["state"]
        for row in ledger["ledger"]:
            if row["turn"] > 0 and row["series"] in leased:
                self.left[row["series"]].update(
                    range(row["ordinal"], row["ordinal"] + row["count"]))

    def state(self, series, ordinal):
        return self.states[series].get(ordinal, "issued")


def check_nothing_came_back(stories, lives):
    """Rule 13: a number that was answered from a reserve is not free, on hold or voided."""
    for story, answer in drawn(stories):
        first, last = ordinals_of(answer) or (1, 0)
        wrong = [(ordinal, lives.state(answer.series, ordinal))
                 for ordinal in range(first, last + 1)
                 if lives.state(answer.series, ordinal) in ("free", "held", "voided")]
        if wrong:
            yield 13, f"{story.name} was answered {answer.ranges}; of these {wrong[:3]}"


def check_accounts(ledger, lives):
    """Rule 14: each number of a lease is on lease still, or settled, or written off, or it came
    back: then it is free, left again or was voided."""
    settled = collections.defaultdict(list)
    for record in ledger["records"]:
        last = record["ordinal"] + record["count"] - 1
        settled[record["lease"]].append((record["ordinal"], last))
    for lease in ledger["leases"]:
        series, seen = lease["series"], collections.Counter()
        parts = {"held": lease["held"], "written off": lease["written_off"],
                 "settled": settled[lease["lease"]]}
        is_what = {}
        for what, runs in parts.items():
            for first, last in runs:
                seen.update(range(first, last + 1))
                is_what |= {ordinal: what for ordinal in range(first, last + 1)}
        of = f"{series}: lease {lease['lease']}"
        run = range(lease["ordinal"], lease["ordinal"] + lease["count"])
        for ordinal in seen:
            if seen[ordinal] > 1 or ordinal not in run:
                yield 14, f"{of}: ordinal {ordinal} is counted {seen[ordinal]} times"
        for ordinal in run:
            text = misplaced(is_what.get(ordinal, "returned"), lives.state(series, ordinal),
                             ordinal in lives.left[series])
            if text:
                yield 14, f"{of}: ordinal {ordinal} {text}"
        if lease["status"] == "closed" and lease["held"]:
            yield 14, f"{of} is closed and holds {lease['held']}"


def misplaced(what, state, left):
    """What is wrong with a number of a lease that is so; None: nothing."""
    if what == "held" and (state != "held" or left):
        return f"is on lease, and it is {state}, {'which left' if left else 'not'} again"
    if what == "written off" and (state != "voided" or left):
        return f"was written off, and it is {state}"
    if what == "settled" and not left:
        return "is settled, and did not leave"
    if what == "returned" and state == "held" and not left:
        return "is neither on lease, settled, written off nor returned"
    if what == "returned" and state == "issued" and not left:
        return "came back and counts as issued, to nobody"
    return None


def check_twice(ledger):
    """Rule 15: a key that was answered twice is on record."""
    told = {(each["series"], each["ordinal"]) for each in ledger["told_twice"]}
    for record in ledger["records"]:
        if record["spent_key"] and (record["series"], record["ordinal"]) not in told:
            yield 15, (f"{record['series']}: key {record['spent_key']} was answered twice, with"
                       f" ordinal {record['ordinal']} too, and nobody was told")


def check_twice_rows(stories):
    """Rule 5 for these: somebody asked, and may have been answered so."""
    for story in stories.values():
        for row in story.twice:
            possible = [a for a in story.tried if not a.definite or a.reserve]
            if not possible:
                yield 5, f"{story.name} was answered once only, the ledger has {row} for it too"


def check_reserve(stories, ledger):
    if not ledger["leases"]:
        for story, answer in drawn(stories):
            yield 11, f"{story.name} was answered {answer.ranges} from a reserve that is not there"
        return
    leases, lives = Leases(ledger), Lives(ledger)
    yield from check_settled(stories, ledger, leases)
    yield from check_drawing(stories, ledger, leases)
    yield from check_nothing_came_back(stories, lives)
    yield from check_accounts(ledger, lives)
    yield from check_twice(ledger)
    yield from check_twice_rows(stories)
