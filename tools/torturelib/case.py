# What a case of the torture is, what it is given, and what comes of it.
import collections
import contextlib
import dataclasses
import random
import time

from harness.checker_order import faults_in_flight
from harness.history import FAIL, INFO
from torturelib.rig import Rig

CASES = {}  # by id, in the order of their definition
seeded_patience = 5  # seconds that a client or a case waits where a bug may stop everything


class Impossible(Exception):
    """This machine does not permit what a case needs; it says why. Nothing is shown then."""


@dataclasses.dataclass
class Case:
    id: str
    title: str
    unit: str  # what the sizes count
    quick: int  # 0: for the night only
    night: int
    run: object  # function(Context)


def case(id, title, unit, quick=0, night=0):
    """Registers a function as a case."""
    def register(function):
        CASES[id] = Case(id, title, unit, quick, night, function)
        return function
    return register


class Context:
    """One run of a case: how many, its own dice, the ground it runs on, and what came of it."""

    def __init__(self, ground, id, n, seed, bug=None):
        """`bug`: of seeded.py, is put into each database."""
        self.ground, self.id, self.n, self.seed, self.bug = ground, id, n, seed, bug
        self.folder = ground.folder
        self.dice = random.Random(f"{seed} {id}")
        self.faults = 0  # injected
        self.void = 0  # of them, those that hit no request, and so prove nothing
        self.operations = self.unknown = self.refused = 0  # attempts of clients, by their fates
        self.violations = []
        self.slowest_recovery = 0.0  # seconds from the end of a fault to the next new number
        self.told = collections.Counter()  # how often what was done

    @contextlib.contextmanager
    def rig(self, **options):
        """A database and its history, counted and gone when the block ends."""
        made = Rig(self.ground, **options)
        if self.bug:
            made.sql(self.bug.preparation())
            made.patience = seeded_patience
        try:
            yield made
        finally:
            made.stop()
            self.count(made)

    def judge(self, rig):
        """Asks the checker and verify; a history with findings is kept."""
        found = rig.findings(self.bug)
        if found:
            file = self.folder / f"history-{self.id}-{rig.database}.jsonl"
            rig.history.write(file)
            found = [*found[:20], f"the history is in {file.name}"]
        self.violations += found

    def expect(self, holds, text):
        if not holds:
            self.violations.append(text)

    def count(self, rig):
        history = rig.history
        self.operations += len(history.attempts)
        self.unknown += history.count(INFO)
        self.refused += history.count(FAIL)
        if rig.faults:
            self.faults += len(rig.faults)
            self.void += len(rig.faults) - faults_in_flight(history, rig.faults)

    def recover(self, crowd, issuances, since=None, limit=None):
        """Waits for new numbers; notes how long that took since a moment (default: now)."""
        began = since or time.monotonic()
        crowd.wait_for_more(issuances)
        took = time.monotonic() - began
        self.slowest_recovery = max(self.slowest_recovery, took)
        self.expect(limit is None or took <= limit,
                    f"issuing took {took:.1f} s to come back, allowed are {limit} s")

    def finish(self, rig, crowd, issuances=20):
        """After the last fault: everybody issues again, and the verdict."""
        rig.history.mark_healed()
        self.recover(crowd, issuances)
        crowd.stop()
        self.judge(rig)
