# The load generator of the tests (gapless_load): requests at a rate of their own, judged like those
# of every other client.
import dataclasses
import resource
import subprocess
import time

from harness.history import FAIL, INFO, OK, Attempt
from harness.processes import Failure, forget, start
from torturelib.case import Impossible

MS = 1_000_000


@dataclasses.dataclass
class Seen:
    """What one attempt saw: moments in nanoseconds of the monotonic clock."""

    due: int  # when it arrived; waiting for a free connection counts
    start: int
    end: int
    status: int
    problem: str
    executed: str
    retry_after: int

    @property
    def took_ms(self):
        return (self.end - self.due) / MS


class Load:
    """Runs from its construction on; rate 0: each of the connections sends the next request as it
    is answered, and the same again until its outcome is definite."""

    def __init__(self, rig, rate, connections, seconds, seed):
        program = rig.ground.programs.parent / "tests/gapless_load"
        if not program.exists():
            raise Impossible(f"{program} is not built")
        self.rig, self.seconds = rig, seconds
        self.file = rig.folder / f"load-{seed}-{time.monotonic_ns()}"
        options = {
            "port": rig.ports[0], "token": rig.ground.tokens["shop"], "series": "hot",
            "rate": rate, "connections": connections, "seconds": seconds, "seed": seed,
            "retry-seconds": 0.1, "out": self.file}
        command = [program] + [f"--{name}={value}" for name, value in options.items()]
        self.process = start(command, stdout=subprocess.PIPE, text=True)

    def wait(self, seconds_max=60):
        """Until its last request has ended -> [Seen]; its attempts are in the rig's history."""
        try:
            told, _ = self.process.communicate(timeout=self.seconds + seconds_max)
        except subprocess.TimeoutExpired as expired:
            self.process.kill()
            raise Failure("requests of the load do not end") from expired
        finally:
            forget(self.process)
        if self.process.returncode != 0:
            raise Failure(f"gapless_load ended with {self.process.returncode}")
        self.unsent = int(told)
        wall = time.time_ns() - time.monotonic_ns()
        with self.file.open() as lines:
            return [self.take(line.rstrip("\n").split(","), wall) for line in lines]

    def take(self, told, wall):
        """A line of its file: into the history."""
        (key, series, turn, due, begun, end, sent, status, problem, executed, retry_after, replayed,
         number, ordinal, block, issuance, epoch) = told
        status, begun = int(status), int(begun)
        attempt = Attempt(
            "issue", "shop", series, key, turn=int(turn), instance="load", start=begun,
            end=int(end), sent_at=(begun + wall) // 1000, status=status, problem=problem,
            executed=executed, replayed=replayed == "1", issuance=issuance)
        if 200 <= status < 300:
            attempt.fate, attempt.epoch = OK, int(epoch)
            attempt.ranges = [[int(block), int(number), int(number), int(ordinal)]]
        elif executed == "no" or sent == "0":
            attempt.fate = FAIL
        else:
            attempt.fate = INFO
        self.rig.history.add(attempt)
        return Seen(int(due), begun, int(end), status, problem, executed, int(retry_after or 0))


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def resident_megabytes(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6
