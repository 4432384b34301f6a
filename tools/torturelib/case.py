# What a case of the torture is, and what comes of it.
import contextlib
import dataclasses
import pathlib
import random
import time

from harness.checker_order import faults_in_flight
from harness.history import FAIL, INFO
from torturelib.rig import Rig

CASES = {}  # by id, in the order of their definition


class Impossible(Exception):
    """This machine does not permit what a case needs; it says why. All its runs are void."""


@dataclasses.dataclass
class Result:
    """n counts what the case is about: kills, cuts, races, numbers …"""

    n: int = 0
    faults: int = 0  # injected
    hit: int = 0  # of them, while a request was under way
    void: int = 0  # runs that prove nothing: their fault was not injected or hit nothing
    operations: int = 0  # attempts of clients
    unknown: int = 0  # of them, with an outcome that was unknown at first
    refused: int = 0  # of them, with a promise that nothing happened
    violations: list = dataclasses.field(default_factory=list)
    seconds: float = 0.0
    slowest_recovery: float = 0.0  # seconds from the end of a fault to the next new number
    notes: dict = dataclasses.field(default_factory=dict)
    impossible: str = ""  # why this machine does not permit the case

    def add(self, other):
        """Joins the result of a further round."""
        for field in ("n", "faults", "hit", "void", "operations", "unknown", "refused", "seconds"):
            setattr(self, field, getattr(self, field) + getattr(other, field))
        self.slowest_recovery = max(self.slowest_recovery, other.slowest_recovery)
        self.violations += other.violations
        self.impossible = self.impossible or other.impossible
        for name, value in other.notes.items():
            before = self.notes.get(name)
            self.notes[name] = before + value if isinstance(before, int) else value

    @property
    def bound(self):
        """Without a violation: below this share of all n with 95 % confidence (rule of three)."""
        proven = self.n - self.void
        return None if self.violations or proven <= 0 else min(1.0, 3 / proven)


@dataclasses.dataclass
class Case:
    id: str
    title: str
    unit: str  # what n counts
    sizes: dict  # tier: n; a missing tier: not in it
    fresh: bool  # on a server without other databases, whose recovery takes no longer than it must
    round: int  # so many at most on one database, then a new one; the step of --resume
    run: object  # function(Context) -> Result


def case(id, title, unit, round, commit=0, night=0, release=0, fresh=False):
    """Registers a function as a case."""
    def register(function):
        sizes = {"commit": commit, "night": night, "release": release}
        if id.startswith("N"):  # the neighbours are a tier of their own, too
            sizes["neighbours"] = night
        sizes = {tier: size for tier, size in sizes.items() if size}
        CASES[id] = Case(id, title, unit, sizes, fresh, round, function)
        return function
    return register


class Context:
    """What a case is given for one round: how many, its own dice, and the ground to run on."""

    def __init__(self, ground, id, n, seed, tier="commit"):
        self.ground, self.id, self.n, self.seed = ground, id, n, seed
        self.tier = tier  # how patient it may be
        self.dice = random.Random(f"{seed} {id}")
        self.result = Result(n=n)
        self.folder = pathlib.Path(ground.folder)

    @contextlib.contextmanager
    def rig(self, **options):
        """A database and its history, counted and gone when the block ends."""
        with self.counted(Rig(self.ground, **options)) as made:
            yield made

    @contextlib.contextmanager
    def counted(self, made):
        try:
            yield made
        finally:
            made.stop()  # the database stays: dropping it would cost a checkpoint
            self.count(made)

    def judge(self, rig, cluster=None):
        """Asks the checker and verify; a history with findings is kept."""
        found = rig.findings(cluster)
        if found:
            # Where it outlives the round.
            file = rig.keep_history(self.folder.parent, f"{self.id}-{self.seed}-{rig.database}")
            found = found[:20] + [f"the history is in {file}"]
        self.result.violations += [f"{self.id}: {text}" for text in found]

    def violation(self, text):
        self.result.violations.append(f"{self.id}: {text}")

    def expect(self, holds, text):
        if not holds:
            self.violation(text)

    def count(self, rig):
        result, history = self.result, rig.history
        result.operations += len(history.attempts)
        result.unknown += history.count(INFO)
        result.refused += history.count(FAIL)
        if rig.faults:
            hit = faults_in_flight(history, rig.faults)
            result.faults += len(rig.faults)
            result.hit += hit
            result.void += len(rig.faults) - hit

    def recover(self, crowd, issuances, since=None, limit=None):
        """Waits for new numbers; notes how long that took since a moment (default: now)."""
        began = since or time.monotonic()
        crowd.wait_for_more(issuances)
        took = time.monotonic() - began
        self.result.slowest_recovery = max(self.result.slowest_recovery, took)
        if limit is not None and took > limit:
            self.violation(f"issuing took {took:.1f} s to come back, allowed are {limit} s")
