# The checker proves itself: sound histories give no finding, each kind of broken one does.
import collections
import copy

from harness import checker_mutants_reserve
from harness.checker import check
from harness.history import FAIL, INFO, OK, Attempt, ledger_key
from harness.simulation import Simulation
from harness.simulation_reserve import Leased

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


@mutation(1)
def ordinal_answered_to_two_keys(made):
    one = made.lone_answer()
    other = next(a for a in made.answers() if a.series == one.series and a.key != one.key)
    one.ranges[0][3] = other.ranges[0][3]


@mutation(1)
def number_outside_of_its_block(made):
    place = made.lone_answer().ranges[0]
    place[1:3] = place[1] + 20_000, place[2] + 20_000


@mutation(1)
def answer_wrong_on_its_face(made):
    made.lone_answer().defect = "the numbers are not those of the ranges"


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


@mutation(2)
def answered_twice_for_the_first_time(made):
    made.history.attempts.append(copy.deepcopy(made.lone_answer()))


@mutation(2)
def one_key_for_two_requests(made):
    other = copy.deepcopy(made.lone_answer())
    other.count, other.fate, other.status, other.ranges = other.count + 1, FAIL, 503, []
    other.executed = "no"
    made.history.attempts.append(other)


@mutation(3)
def acknowledged_tail_went_away(made):
    last = max((a for a in made.answers() if a.series == "alpha"), key=lambda a: a.ranges[-1][3])
    made.ledger["ledger"] = [r for r in made.ledger["ledger"] if r not in made.rows_of(last)]
    state = next(s for s in made.ledger["series"] if s["series"] == "alpha")
    state["next_ordinal"] -= last.count
    state["next_serial"] -= last.count


@mutation(3)
def numbers_that_changed_their_requests(made):
    one, other = made.pair_in_order()
    one.ranges, other.ranges = other.ranges, one.ranges


@mutation(3)
def answered_in_another_epoch(made):
    made.lone_answer().epoch += 1


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
def double_in_the_ledger(made):
    made.ledger["ledger"].append(dict(made.rows_of(made.lone_answer())[0]))


@mutation(4)
def block_left_before_it_was_full(made):
    next(b for b in made.ledger["blocks"] if b["state"] == "exhausted")["last"] += 1


@mutation(4)
def block_in_the_wrong_state(made):
    used = made.lone_answer().ranges[0][0]
    next(b for b in made.ledger["blocks"] if b["block"] == used)["state"] = "queued"


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


@mutation(6)
def order_exchanged_in_answers_and_ledger(made):
    one, other = made.pair_in_order()
    rows = made.rows_of(one), made.rows_of(other)
    for exchanged, owner in zip(rows, (other, one)):
        for row in exchanged:
            row["key"], row["client"] = ledger_key(owner.key), owner.client
    one.ranges, other.ranges = other.ranges, one.ranges


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


@mutation(9)
def part_of_a_request_in_the_ledger_too(made):
    one = next(a for a in made.answers() if a.count > 1 and len(a.ranges) == 1)
    made.rows_of(one)[0]["count"] -= 1
    for answer in made.answers():
        if answer.key == one.key:
            answer.ranges[0][2] -= 1


@mutation(9)
def one_piece_answered_in_two(made):
    one = next(a for a in made.answers() if len(a.ranges) > 1)
    for tried in made.history.attempts:
        tried.contiguous = tried.contiguous or tried.key == one.key


@mutation(9)
def ordinals_that_do_not_follow(made):
    rows = made.rows_of(next(a for a in made.answers() if len(a.ranges) > 1))
    rows[1]["ordinal"] += 1


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
    kinds = [(Simulation, MUTATIONS), (Leased, checker_mutants_reserve.MUTATIONS)]
    for make, mutations in kinds:
        for seed in range(histories):
            alarms += [f"seed {seed}: rule {r}: {text}" for r, text in sound_findings(make, seed)]
            for mutation_ in mutations:
                missed += try_one(make(seed), seed, tried, *mutation_)
        missed += [f"{name} was tried in {tried[name]} of {histories} histories"
                   for _, name, _ in mutations if tried[name] < histories / 4]
    return alarms, missed, tried


def try_one(made, seed, tried, rules, name, change):
    """-> what to say when it was not caught"""
    try:
        change(made)
    except StopIteration:  # it has nothing that could be broken so
        return []
    found = {rule for rule, _ in check(made.history, made.ledger)}
    tried[name] += 1
    if found.intersection(rules):
        return []
    return [f"seed {seed}: {name}: found by {sorted(found)}, not by {rules}"]


def sound_findings(make, seed):
    made = make(seed)
    return check(made.history, made.ledger)
