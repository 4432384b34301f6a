# The checker proves itself: sound histories give no finding, each kind of broken one does.
import collections
import copy

from torturelib.checker import check
from torturelib.history import FAIL, INFO, OK, Attempt
from torturelib.simulation import Simulation

MUTATIONS = []  # (rules of which one has to find it, name, function)


def mutation(*rules):
    def register(function):
        MUTATIONS.append((rules, function.__name__.replace("_", " "), function))
        return function
    return register


@mutation(3)
def acknowledged_and_lost(made):
    for row in made.rows_of(made.lone_answer()):
        made.ledger["ledger"].remove(row)


@mutation(1)
def number_answered_to_two_keys(made):
    one = made.lone_answer()
    other = next(a for a in made.answers() if a.series == one.series and a.key != one.key)
    one.ranges = [list(other.ranges[0])]


@mutation(2)
def second_answer_differs(made):
    again = next(a for a in made.answers() if a.turn > 1 and a.replayed)
    first = next((a for a in made.answers() if a.key == again.key and a is not again), None)
    if first is None:
        first = copy.deepcopy(again)
        made.history.attempts.append(first)
    first.ranges[0][3] += 1


@mutation(2)
def replay_with_another_body(made):
    again = next(a for a in made.answers() if a.replayed)
    other = copy.deepcopy(again)
    other.body = "another"
    made.history.attempts.append(other)


@mutation(5)
def unknown_answered_as_failed(made):
    one = made.lone_answer()
    one.fate, one.status, one.executed, one.ranges = FAIL, 503, "no", []


@mutation(5)
def done_by_an_attempt_that_denied_it(made):
    one = made.lone_answer()
    denied = copy.deepcopy(one)
    denied.fate, denied.status, denied.executed, denied.ranges = FAIL, 503, "no", []
    made.history.attempts.insert(0, denied)
    one.start, one.end, one.sent_at = one.end + 1, one.end + 9, (one.end + 1) * 1_000


@mutation(5)
def row_for_a_key_that_nobody_sent(made):
    made.history.attempts.remove(made.lone_answer())


@mutation(4)
def gap_in_ordinals(made):
    answer = made.lone_answer()
    for row in made.ledger["ledger"]:
        if row["series"] == answer.series and row["ordinal"] >= answer.ranges[0][3]:
            row["ordinal"] += 1


@mutation(4)
def number_skipped_in_a_block(made):
    row = made.rows_of(made.lone_answer())[0]
    row["serial"] += 1


@mutation(4)
def rollover_before_the_block_is_full(made):
    row = next(r for r in made.ledger["ledger"] if r["block"] % 10 == 2)
    row["block"] += 1


@mutation(4)
def counter_ahead_of_the_ledger(made):
    made.ledger["series"][0]["next_ordinal"] += 1


@mutation(4)
def counter_behind_the_ledger(made):
    made.ledger["series"][0]["next_serial"] -= 1


@mutation(6)
def late_request_before_an_early_one(made):
    one = made.lone_answer()
    same = [a for a in made.answers() if a.series == one.series]
    last = max(same, key=lambda a: a.end)
    first = min(same, key=lambda a: a.ranges[0][3])
    first.start, first.end = last.end + 1_000, last.end + 2_000
    for tried in made.history.attempts:
        if tried.key == first.key and tried is not first:
            tried.start, tried.end = first.start + 1, first.end + 1


@mutation(7)
def read_of_the_past(made):
    next(a for a in made.history.attempts if a.op == "read").issued -= 1


@mutation(7)
def read_of_the_future(made):
    next(a for a in made.history.attempts if a.op == "read").issued += 1


@mutation(8)
def epoch_goes_back(made):
    answer = made.lone_answer()
    for row in made.ledger["ledger"]:
        if row["series"] == answer.series and row["ordinal"] <= answer.ranges[0][3]:
            row["epoch"] = 2


@mutation(9)
def part_of_a_request(made):
    one = next(a for a in made.answers() if a.count > 1 and len(a.ranges) == 1)
    for answer in made.answers():
        if answer.key == one.key:
            answer.ranges = [list(one.ranges[0])]
            answer.ranges[0][2] -= 1


@mutation(10)
def nothing_issued_after_healing(made):
    made.history.healed = made.at + 1_000_000


@mutation(2)
def spent_key_taken_for_another_request(made):
    one = made.lone_answer()
    made.history.add(Attempt("reuse", one.client, one.series, one.key, one.count + 1,
                             fate=OK, status=201))


@mutation(0)
def unknown_and_never_resolved(made):
    one = made.lone_answer()
    one.fate, one.status, one.ranges = INFO, 0, []


@mutation(5)
def error_without_executed(made):
    made.history.add(Attempt("issue", "shop", "alpha", "silent", fate=INFO, status=500))


def run(histories=50):
    """-> (findings in sound histories, mutations not caught, mutations tried), all as texts"""
    alarms, missed, tried = [], [], collections.Counter()
    for seed in range(histories):
        alarms += [f"seed {seed}: rule {r}: {text}" for r, text in sound_findings(seed)]
        for rules, name, change in MUTATIONS:
            made = Simulation(seed)
            change(made)
            found = {rule for rule, _ in check(made.history, made.ledger)}
            tried[name] += 1
            if not found.intersection(rules):
                missed.append(f"seed {seed}: {name}: found by {sorted(found)}, not by {rules}")
    return alarms, missed, tried


def sound_findings(seed):
    made = Simulation(seed)
    return check(made.history, made.ledger)
