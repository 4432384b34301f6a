# The judge of the neighbours proves itself: figures made up so that nobody is held up give no
# finding, each way of holding somebody up does.
import random

from torturelib.load import MS, Seen
from torturelib.neighbours import SERIES, Limits, compare

SECOND = 1_000 * MS
BEFORE, BESIDE, BEHIND = ((n * 10 * SECOND, (n * 10 + 2) * SECOND) for n in range(3))
HURTS = []  # functions(requests, dice); each does what the judge has to notice


def hurt(function):
    HURTS.append(function)
    return function


def made_up(seed):
    """Eight clients that send one request after the other, in the three windows."""
    dice, made = random.Random(seed), []
    pace = dice.choice((5, 10, 40))  # ms; of a fast machine and of a slow one
    for begin, end in (BEFORE, BESIDE, BEHIND):
        for series in SERIES:
            at = begin
            while at < end:
                took = int(pace * dice.uniform(0.8, 1.2) * MS)
                made.append(Seen(series, at, at, at + took, 201, "", "", 0))
                at += took
    return made, dice


def beside(made):
    return [a for a in made if BESIDE[0] <= a.due < BESIDE[1]]


def take_out(made, unwanted):
    """Requests of which unwanted(number, request) is true were never sent."""
    made[:] = [a for n, a in enumerate(made) if not unwanted(n, a)]


@hurt
def everybody_loses_a_third(made, dice):
    take_out(made, lambda _, a: BESIDE[0] <= a.due < BESIDE[1] and dice.random() < 0.33)


@hurt
def two_series_stand_still(made, _):
    """Their clients wait all the time for an answer to what they sent before."""
    for series in SERIES[:2]:
        last = max((a for a in made if a.series == series and a.due < BESIDE[0]),
                   key=lambda a: a.due)
        last.end = BESIDE[1] + SECOND
    take_out(made, lambda _, a: a.series in SERIES[:2] and BESIDE[0] <= a.due < BESIDE[1])


@hurt
def some_wait_long(made, dice):
    for request in beside(made):
        if dice.random() < 0.02:
            request.end += 100 * MS


@hurt
def one_is_refused(made, dice):
    request = dice.choice(beside(made))
    request.status, request.problem, request.executed = 503, "overloaded", "no"


@hurt
def one_is_left_in_doubt(made, dice):
    request = dice.choice(beside(made))
    request.status, request.problem, request.executed = 503, "outcome-unknown", "unknown"


@hurt
def one_that_was_sent_before_is_refused(made, _):
    request = next(a for a in made if a.due < BESIDE[0])
    request.end, request.status, request.executed = BESIDE[0] + SECOND, 503, "no"


@hurt
def one_gets_no_answer(made, dice):
    request = dice.choice(beside(made))
    request.status = 0


def slow_down(made, begin, end):
    """The machine does half of its work in this window."""
    take_out(made, lambda n, a: n % 2 == 1 and begin <= a.due < end)


def judge(made, by_clock=True):
    return compare(made, BEFORE, BESIDE, BEHIND, Limits(), by_clock)


def run(rounds=10):
    """-> (findings where nobody was held up, ways that were not noticed), as texts"""
    alarms, missed = [], []
    for seed in range(rounds):
        made, _ = made_up(seed)
        found, noisy, _ = judge(made)
        alarms += found + ["quiet and taken for noisy"] * noisy
        for change in HURTS:
            made, dice = made_up(seed)
            change(made, dice)
            if not judge(made)[0]:
                missed.append(f"seed {seed}: {change.__name__} was not noticed")
        made, _ = made_up(seed)
        slow_down(made, *BEHIND)
        slow_down(made, *BESIDE)
        found, noisy, _ = judge(made)
        alarms += [f"a noisy machine: {text}" for text in found]
        missed += [] if noisy else [f"seed {seed}: noise was not noticed"]
        made, _ = made_up(seed)
        slow_down(made, *BESIDE)
        alarms += [f"not by the clock: {text}" for text in judge(made, by_clock=False)[0]]
    return alarms, missed
