# The history checker: finds every way in which what clients saw and the ledger cannot both be true.
#
# The rules count as in docs/torture.md; a finding is (rule, text). The ledger is what LEDGER_QUERY
# of history.py gives, after every unknown outcome was asked for until it was definite.
import collections

from torturelib.checker_ledger import check_ledger
from torturelib.checker_order import check_healing, check_reads, check_real_time
from torturelib.history import FAIL, INFO, OK, ledger_key


class Story:
    """Everything about one key of one client."""

    def __init__(self, client, key):
        self.client, self.key = client, key
        self.tried = []  # attempts to issue, in the order of their ends
        self.rows = []  # of the ledger

    @property
    def name(self):
        return f"key {self.key} of {self.client}"

    @property
    def answers(self):
        return [a for a in self.tried if a.fate == OK]

    @property
    def may_have_happened(self):
        """The earliest attempt that can have executed it; None when each said that it did not."""
        possible = [a for a in self.tried if a.fate != FAIL]
        return min(possible, key=lambda a: a.start) if possible else None


def tell_stories(history, ledger):
    """Stories by (client, stored key)."""
    stories = {}

    def story_of(client, stored, key):
        return stories.setdefault((client, stored), Story(client, key))

    for attempt in history.attempts:
        if attempt.op == "issue":
            stored = ledger_key(attempt.key)
            story_of(attempt.client, stored, attempt.key).tried.append(attempt)
    for row in ledger["ledger"]:
        story_of(row["client"], row["key"], row["key"]).rows.append(row)
    return stories


def check_faces(history):
    """Rule 1, what one answer shows alone; rule 2, what a reused key must get."""
    for attempt in history.attempts:
        if attempt.defect:
            yield 1, f"{attempt.key} of {attempt.client}: {attempt.defect}"
        if attempt.op == "reuse" and attempt.fate == OK:
            yield 2, f"a spent key was taken for another request: {attempt.key} of {attempt.client}"
        if attempt.status >= 400 and attempt.executed not in ("no", "unknown"):
            yield 5, f"an error does not say what was executed: {attempt.status} {attempt.problem}"


def check_numbers(stories, history):
    """Rule 1: no number is answered to two keys, unless the first gave it back meanwhile."""
    given_back = collections.defaultdict(list)  # (client, key) -> releases that may have worked
    for attempt in history.attempts:
        if attempt.op == "release" and attempt.fate != FAIL:
            given_back[attempt.client, ledger_key(attempt.key)].append(attempt.start)
    holders = collections.defaultdict(list)
    for name, story in stories.items():
        for answer in story.answers[:1]:
            for _, first, last, _ in answer.ranges:
                holders[answer.series].append((first, last, name, answer))
    for series, ranges in holders.items():
        ranges.sort(key=lambda held: held[0])
        reach = None
        for held in ranges:
            if reach and held[0] <= reach[1] and held[2] != reach[2]:
                back = given_back[held[2]] + given_back[reach[2]]
                if not any(start < max(held[3].end, reach[3].end) for start in back):
                    yield 1, f"number {held[0]} of {series} left for {reach[2]} and for {held[2]}"
            if reach is None or held[1] > reach[1]:
                reach = held


def check_answers(story):
    """Rule 2: all answers of a key are the same. Rule 9: a request is answered whole."""
    first = story.answers[0] if story.answers else None
    for answer in story.answers:
        if (answer.ranges, answer.issuance, answer.epoch) != (
                first.ranges, first.issuance, first.epoch):
            yield 2, f"{story.name} was answered with {first.ranges} and with {answer.ranges}"
        elif answer.body != first.body:
            yield 2, f"{story.name} was answered with two different bodies"
        numbers = sum(last - start + 1 for _, start, last, _ in answer.ranges)
        if numbers != answer.count:
            yield 9, f"{story.name} asked for {answer.count} numbers and got {numbers}"


def check_rows(story, clocks_differ):
    """Rule 3: what was answered is in the ledger. Rule 5: what is there was asked for."""
    rows = sorted(story.rows, key=lambda row: (row["turn"] == 0, row["turn"], row["ordinal"]))
    held = [[r["block"], r["serial"], r["serial"] + r["count"] - 1, r["ordinal"]] for r in rows]
    for answer in story.answers[:1]:
        if not rows:
            yield 3, f"{story.name} was answered {answer.ranges} and is not in the ledger"
        elif sorted(answer.ranges) != sorted(held):
            yield 3, f"{story.name} was answered {answer.ranges}, the ledger has {held}"
    if not rows:
        return
    if not story.tried:
        yield 5, f"the ledger has {held} for a key that nobody sent: {story.key}"
        return
    if story.may_have_happened is None:
        yield 5, f"{story.name} is in the ledger, every attempt said that nothing was executed"
    elif min(row["issued_at"] for row in rows) < story.may_have_happened.sent_at - clocks_differ:
        yield 5, f"{story.name} was executed by an attempt that said that nothing was executed"
    asked = story.tried[0]
    if sum(row["count"] for row in rows) != asked.count:
        yield 9, f"{story.name} asked for {asked.count} numbers, the ledger has {held}"
    for row in rows:
        if (row["series"], row["reference"]) != (asked.series, asked.reference):
            yield 5, f"{story.name} asked for {asked.series} {asked.reference}, not for {row}"


def check_open_ends(story):
    """Every unknown outcome was resolved; else the run proves less than it says."""
    unknown = any(a.fate == INFO for a in story.tried)
    if unknown and not any(a.definite for a in story.tried):
        yield 0, f"{story.name} was never resolved"


def check(history, ledger):
    """-> findings, empty when the history is sound"""
    stories = tell_stories(history, ledger)
    findings = list(check_faces(history)) + list(check_numbers(stories, history))
    for story in stories.values():
        findings += check_answers(story)
        findings += check_rows(story, history.clocks_differ)
        findings += check_open_ends(story)
    findings += check_ledger(ledger)
    findings += check_real_time(stories)
    findings += check_reads(stories, history)
    findings += check_healing(history)
    return findings
