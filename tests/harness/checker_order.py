# Rules 6, 7 and 10 of the history checker: the order of events in real time.
import bisect
import collections

from harness.history import FAIL, OK


def check_real_time(stories):
    """Rule 6. Each answer carries its position, so one sweep decides linearizability: a request
    that was answered before one of a lower ordinal was even sent stands in the wrong place."""
    placed = collections.defaultdict(list)
    for story in stories.values():
        first = story.executor
        rows = [row for row in story.rows if row["turn"] == 0]
        if first is None or not rows or story.twice:
            continue
        ends = [a.end for a in story.answers]
        known = min(ends) if ends else float("inf")
        ordinal = min(row["ordinal"] for row in rows)
        placed[first.series].append((ordinal, first.start, known, story.name))
    for executed in placed.values():
        executed.sort(key=lambda each: each[0])
        latest = None
        for each in executed:
            if latest and each[2] < latest[1]:
                yield 6, (f"{each[3]} (ordinal {each[0]}) was answered before {latest[3]}"
                          f" (ordinal {latest[0]}) was sent")
            if latest is None or each[1] > latest[1]:
                latest = each


def check_reads(stories, history, ledger):
    """Rule 7: a read lies between what was acknowledged before it and what was sent before its
    end. What is on lease has left, and nobody need have asked for it."""
    leased = collections.Counter()
    for lease in ledger["leases"]:
        leased[lease["series"]] += lease["count"]
    sent, seen = collections.defaultdict(list), collections.defaultdict(list)
    for story in stories.values():
        first = story.may_have_happened
        if first is not None:
            sent[first.series].append((first.start, first.count))
    for attempt in history.attempts:
        if attempt.fate != OK:
            continue
        if attempt.op == "read":
            seen[attempt.series].append((attempt.end, attempt.issued))
        elif attempt.op == "issue":
            out = max((o + last - first for _, first, last, o in attempt.ranges), default=0)
            seen[attempt.series].append((attempt.end, out))
    for read in history.attempts:
        if read.op != "read" or read.fate != OK:
            continue
        if any(begin <= read.end and read.start <= end for begin, end in history.blind):
            continue
        least = max((out for end, out in seen[read.series] if end < read.start), default=0)
        most = sum(count for start, count in sent[read.series] if start < read.end)
        most += leased[read.series]
        if not least <= read.issued <= most:
            yield 7, (f"a read of {read.series} saw {read.issued} numbers issued,"
                      f" it had to see {least} to {most}")


def check_healing(history):
    """Rule 10: after the last fault every series issues again."""
    if not history.healed:
        return
    issues = [a for a in history.attempts if a.op == "issue"]
    old = {(a.client, a.key) for a in issues if a.start < history.healed}
    after = {a.series for a in issues if a.fate == OK and (a.client, a.key) not in old}
    for series in sorted({a.series for a in issues} - after):
        yield 10, f"series {series} issued nothing after the last fault was over"


def faults_in_flight(history, faults):
    """How many of these moments found a request under way, or one that ended unknown or refused
    for the environment's sake within half a second."""
    half_a_second = 500_000_000
    starts = sorted((a.start, a.end) for a in history.attempts if a.op == "issue")
    begins = [start for start, _ in starts]
    hit = 0
    for moment in faults:
        upto = bisect.bisect_right(begins, moment)
        under_way = any(end >= moment for _, end in starts[max(0, upto - 500):upto])
        disturbed = any(
            a.fate != OK and (a.fate == FAIL or a.status == 0 or a.status == 503)
            and moment <= a.end <= moment + half_a_second
            for a in history.attempts)
        hit += under_way or disturbed
    return hit
