# How everybody else fares beside a neighbour: eight series, a client each, in windows of time with
# the neighbour and without it, in the same minute.
import contextlib
import dataclasses
import threading
import time

from torturelib.load import MS, Load, percentile

SERIES = tuple(f"other-{n}" for n in range(1, 9))
tries_max = 3  # of a measurement, until the machine is quiet for it
quiet_seconds = 2  # before the neighbour, and as long behind it
settle_seconds = 0.5


def blocks(**others):
    """What a rig is made with: the eight series, and those of the neighbour."""
    plenty = {name: [(n * 10**7, n * 10**7 + 9_999_999)] for n, name in enumerate(SERIES, 1)}
    return plenty | others


@dataclasses.dataclass
class Limits:
    """What a neighbour may cost everybody else."""

    rate_min: float = 0.8  # of the rate without it
    p99_times_max: float = 2  # of the p99 without it
    p99_floor_ms: float = 25  # below, noise decides
    noise_max: float = 0.8  # rates without it, before and behind: this much of each other at least


@dataclasses.dataclass
class Figures:
    """Of one window, or of several together."""

    seconds: float
    served: int
    p99_ms: float
    told: list  # requests of it that were refused or whose outcome is unknown, in words

    @property
    def rate(self):
        return self.served / self.seconds

    def __str__(self):
        return f"{self.rate:.0f}/s, p99 {self.p99_ms:.0f} ms"


def measure(seen, *windows):
    """-> Figures of windows of (begin, end), by what was Seen"""
    inside = [a for a in seen for begin, end in windows if a.due < end and a.end >= begin]
    ended = sum(1 for a in seen for begin, end in windows if begin <= a.end < end
                and a.status == 201)
    told = [f"{a.series}: {a.status} {a.problem or 'without an answer'}, executed:"
            f"{a.executed or 'unknown'}, after {a.took_ms:.0f} ms"
            for a in inside if a.status != 201]
    seconds = sum(end - begin for begin, end in windows) / MS / 1_000
    return Figures(seconds, ended, percentile([a.took_ms for a in inside], 0.99), told)


def outcomes(beside):
    """-> what went wrong, whatever the machine does: nobody else is refused or left in doubt"""
    if not beside.told:
        return []
    return [f"{len(beside.told)} requests of others were not served beside the neighbour, for"
            f" instance {beside.told[0]}"]


def costs(quiet, beside, limits):
    """-> what went wrong by the clock; quiet: Figures without the neighbour, to compare with"""
    found = []
    if beside.rate < limits.rate_min * quiet.rate:
        found.append(f"others had {beside.rate / quiet.rate:.2f} of their rate: {quiet}, beside the"
                     f" neighbour {beside}")
    if beside.p99_ms > max(limits.p99_times_max * quiet.p99_ms, limits.p99_floor_ms):
        found.append(f"others waited longer: {quiet}, beside the neighbour {beside}")
    return found


def too_noisy(before, behind, limits):
    """True: the machine itself changed meanwhile, so that a comparison proves nothing."""
    slower, faster = sorted((before.rate, behind.rate))
    return slower < limits.noise_max * faster


def compare(seen, before, beside, behind, limits, by_clock=True):
    """-> (what went wrong, in words; whether the figures prove nothing; figures in words)"""
    first, with_it, last = (measure(seen, window) for window in (before, beside, behind))
    found = outcomes(with_it)
    noisy = too_noisy(first, last, limits)
    quiet = measure(seen, before, behind)
    if noisy:  # only what is beyond doubt: worse than its worst
        quiet.served = min(first.rate, last.rate) * quiet.seconds
        quiet.p99_ms = max(first.p99_ms, last.p99_ms)
    if by_clock:
        found += costs(quiet, with_it, limits)
    share = with_it.rate / quiet.rate if quiet.rate else 0.0
    return found, noisy, f"{share:.2f} of the rate ({quiet}; beside it {with_it})"


class Others:
    """The eight clients from the construction on. rate 0: each sends its next request as the last
    one is answered; else so many a second arrive, whatever became of the earlier ones."""

    def __init__(self, context, rig, beside_seconds, rate=0, series=SERIES):
        self.context = context
        self.quiet_seconds = quiet_seconds if by_clock(context) else 0.5
        seconds = 2 * (self.quiet_seconds + settle_seconds) + beside_seconds + 1
        self.load = Load(rig, rate, len(series) * (4 if rate else 1), seconds, context.seed,
                         series=series)
        self.ends = time.monotonic_ns() + int(seconds * 1_000) * MS
        self.quiet, self.with_neighbour = [], None
        time.sleep(settle_seconds)
        self.wait_quietly()

    def wait_quietly(self):
        begin = time.monotonic_ns()
        time.sleep(self.quiet_seconds)
        self.quiet.append((begin, time.monotonic_ns()))

    @contextlib.contextmanager
    def beside(self):
        """The neighbour is at it as long as the block runs; what follows is quiet again."""
        begin = time.monotonic_ns()
        try:
            yield
        finally:
            end = time.monotonic_ns()
            self.with_neighbour = (begin, min(end, self.ends))
        if end < self.ends:
            time.sleep(settle_seconds)
            self.wait_quietly()

    def judge(self, limits=Limits()):
        """-> whether the figures prove something; what went wrong is a violation"""
        context, seen = self.context, self.load.wait()
        behind = self.quiet[-1]
        found, noisy, told = compare(
            seen, self.quiet[0], self.with_neighbour, behind, limits, by_clock(context))
        for text in found:
            context.violation(text)
        notes = context.result.notes
        notes["others"] = notes.get("others", "") + told + (" on a noisy machine; " if noisy
                                                            else "; ")
        return bool(found) or not noisy or not by_clock(context)


def by_clock(context):
    """At every commit only outcomes count: the machine is busy with other tests."""
    return context.tier != "commit"


def repeated(context, try_once):
    """Tries until the machine was quiet enough; a neighbour is a fault that hits everybody."""
    context.result.faults += 1
    for _ in range(tries_max):
        if try_once() or context.result.violations:
            context.result.hit += 1
            return
    context.result.void += 1


def heal(rig):
    """The neighbour is gone: every series that was asked for issues again."""
    rig.history.mark_healed()
    with rig.history.lock:
        asked = sorted({a.series for a in rig.history.attempts if a.op == "issue"})
    for series in asked:
        rig.client().issue({"series": series, "key": f"healed {series}", "count": 1})


@contextlib.contextmanager
def running(work, count=1):
    """Threads that run work() again and again until the block ends; a failure of theirs is ours."""
    over, failures = threading.Event(), []

    def run(number):
        try:
            while not over.is_set():
                work(number)
        except Exception as error:
            failures.append(error)
    threads = [threading.Thread(target=run, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(60)
    if failures:
        raise failures[0]
