# The history checker: finds every way in which what clients saw and the ledger cannot both be true.
#
# The rules count as in docs/reports/torture.md; a finding is (rule, text). The ledger is what
# LEDGER_QUERY of history.py gives, after every unknown outcome was asked for until it was definite.
import collections
import json

from harness.checker_ledger import check_ledger
from harness.checker_order import check_healing, check_reads, check_real_time
from harness.checker_reserve import check_reserve, is_leasing, key_answered
from harness.history import FAIL, INFO, OK, ledger_key


class Story:
    """Everything about one key of one client."""

    def __init__(self, client, key):
        self.client, self.key = client, key
        self.tried = []  # attempts to issue, in the order of their ends
        self.rows = []  # of the ledger
        self.twice = []  # further rows, of answers from a reserve under this key: it was spent

    @property
    def name(self):
        return f"key {self.key} of {self.client}"

    @property
    def answers(self):
        return [a for a in self.tried if a.fate == OK]

    @property
    def given(self):
        """An answer for each of the runs of numbers that were answered to it."""
        return list({json.dumps(a.ranges): a for a in reversed(self.answers)}.values())

    @property
    def may_have_happened(self):
        """The earliest attempt that can have executed it; None when each said that it did not."""
        possible = [a for a in self.tried if a.fate != FAIL]
        return min(possible, key=lambda a: a.start) if possible else None

    @property
    def executor(self):
        """The attempt that executed it. An answer that is no replay was executed by this attempt;
        else it may have been the earliest of all. So it may where it was answered twice."""
        if self.twice:
            return self.may_have_happened
        fresh = [a for a in self.answers if not a.replayed]
        return min(fresh, key=lambda a: a.start) if fresh else self.may_have_happened


def tell_stories(history, ledger):
    """Stories by (client, stored key)."""
    stories = {}

    def story_of(client, stored, key):
        return stories.setdefault((client, stored), Story(client, key))

    for attempt in history.attempts:
        if attempt.op == "issue":
            stored = ledger_key(attempt.key)
            story_of(attempt.client, stored, attempt.key).tried.append(attempt)
    answered = key_answered(ledger)
    for row in ledger["ledger"]:
        if is_leasing(row):
            continue
        spent = answered.get((row["series"], row["turn"]))
        if spent:
            story_of(row["client"], spent, spent).twice.append(row)
        else:
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


def check_given_once(stories, history):
    """Rule 1: no number and no ordinal is answered to two keys, unless the first gave it back
    meanwhile."""
    given_back = collections.defaultdict(list)  # (client, key) -> releases that may have worked
    for attempt in history.attempts:
        if attempt.op == "release" and attempt.fate != FAIL:
            given_back[attempt.client, ledger_key(attempt.key)].append(attempt.start)
    holders = collections.defaultdict(list)
    for name, story in stories.items():
        for answer in story.given:
            for _, first, last, ordinal in answer.ranges:
                holders["number", answer.series].append((first, last, name, answer))
                holders["ordinal", answer.series].append(
                    (ordinal, ordinal + last - first, name, answer))
    for (what, series), ranges in holders.items():
        ranges.sort(key=lambda held: held[0])
        reach = None
        for held in ranges:
            if reach and held[0] <= reach[1] and held[2] != reach[2]:
                back = given_back[held[2]] + given_back[reach[2]]
                if not any(start < max(held[3].end, reach[3].end) for start in back):
                    yield 1, f"{what} {held[0]} of {series} is given to {reach[2]} and {held[2]}"
            if reach is None or held[1] > reach[1]:
                reach = held


def check_places(stories, ledger):
    """Rule 1: what was answered lies inside a block of the series, in the right place."""
    blocks = {(b["series"], b["block"]): b for b in ledger["blocks"]}
    for story in stories.values():
        for answer in story.given:
            for number, first, last, ordinal in answer.ranges:
                block = blocks.get((answer.series, number))
                if not (block and block["first"] <= first and last <= block["last"]
                        and block["first_ordinal"] is not None
                        and ordinal - block["first_ordinal"] == first - block["first"]):
                    yield 1, (f"{story.name} has {first}-{last} at ordinal {ordinal}, where block"
                              f" {number} of {answer.series} has it not")


def check_answers(story):
    """Rule 2: all answers of a key are the same, to one request, but for those from a reserve whose
    key was spent. Rule 9: a request is answered whole."""
    answers = [a for a in story.answers if not is_of(a, story.twice)]
    first = answers[0] if answers else None
    if len({(a.series, a.count, a.contiguous, a.reference) for a in story.tried}) > 1:
        yield 2, f"{story.name} was sent for two requests"
    if sum(1 for answer in answers if not answer.replayed) > 1:
        yield 2, f"{story.name} was answered for the first time more than once"
    for answer in answers:
        if (answer.ranges, answer.issuance, answer.epoch) != (
                first.ranges, first.issuance, first.epoch):
            yield 2, f"{story.name} was answered with {first.ranges} and with {answer.ranges}"
        elif answer.body != first.body:
            yield 2, f"{story.name} was answered with two different bodies"
    for answer in story.answers:
        numbers = [last - start + 1 for _, start, last, _ in answer.ranges]
        if sum(numbers) != answer.count or any(part < 1 for part in numbers):
            yield 9, f"{story.name} asked for {answer.count} numbers and got {answer.ranges}"
        if answer.contiguous and len(numbers) > 1:
            yield 9, f"{story.name} asked for one piece and got {answer.ranges}"


def places(rows):
    """As an answer has them."""
    return [[r["block"], r["serial"], r["serial"] + r["count"] - 1, r["ordinal"]] for r in rows]


def is_of(answer, twice):
    """It was drawn from a reserve under a key that was spent, and is one of these rows."""
    return answer.reserve and answer.ranges in [places([row]) for row in twice]


def check_answered(story, rows, held):
    """Rule 3: what was answered is in the ledger; in a later epoch where the database heard of it
    then."""
    for answer in story.given:
        if is_of(answer, story.twice):
            continue
        if not rows:
            yield 3, f"{story.name} was answered {answer.ranges} and is not in the ledger"
        elif sorted(answer.ranges) != sorted(held):
            yield 3, f"{story.name} was answered {answer.ranges}, the ledger has {held}"
        for row in rows:
            late = answer.reserve and row["epoch"] > answer.epoch
            if row["epoch"] != answer.epoch and not late:
                yield 3, f"{story.name} was answered in epoch {answer.epoch}, the ledger has {row}"


def check_rows(story, clocks_differ):
    """Rules 3 and 9. Rule 5: what is in the ledger was asked for."""
    rows = sorted(story.rows, key=lambda row: (row["turn"] == 0, row["turn"], row["ordinal"]))
    held = places(rows)
    yield from check_answered(story, rows, held)
    if not rows:
        return
    if not story.tried:
        yield 5, f"the ledger has {held} for a key that nobody sent: {story.key}"
        return
    if story.executor is None:
        yield 5, f"{story.name} is in the ledger, every attempt said that nothing was executed"
    elif min(row["issued_at"] for row in rows) < story.executor.sent_at - clocks_differ:
        yield 5, f"{story.name} was executed by an attempt that said that nothing was executed"
    asked = story.tried[0]
    if sum(row["count"] for row in rows) != asked.count:
        yield 9, f"{story.name} asked for {asked.count} numbers, the ledger has {held}"
    new = [row for row in rows if row["turn"] == 0]
    for before, row in zip(new, new[1:]):
        if row["ordinal"] != before["ordinal"] + before["count"]:
            yield 9, f"{story.name} has ordinals that do not follow one another: {held}"
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
    findings = list(check_faces(history)) + list(check_given_once(stories, history))
    findings += check_places(stories, ledger)
    for story in stories.values():
        findings += check_answers(story)
        findings += check_rows(story, history.clocks_differ)
        findings += check_open_ends(story)
    findings += check_ledger(ledger)
    findings += check_reserve(stories, ledger)
    findings += check_real_time(stories)
    findings += check_reads(stories, history, ledger)
    findings += check_healing(history)
    return findings


def judge(history, answers):
    """-> findings of the checker and of verify as texts, by what QUESTIONS gave"""
    ledger, own = map(json.loads, answers.splitlines())
    found = [f"rule {rule}: {text}" for rule, text in check(history, ledger)]
    return found + [f"verify: {f['series']} {f['at']}: {f['what']}" for f in own]
