# N06 to N08: a server that is there and does not answer: frozen backends, a black hole. Everybody
# is served again in time.
import contextlib
import os
import signal
import threading
import time

from harness.history import OK
from torturelib import points
from torturelib.black_hole import BlackHole
from torturelib.case import case
from torturelib.crowd import Crowd, Plan
from torturelib.frozen import backends, frozen, open_every_connection
from torturelib.load import MS
from torturelib.neighbours import blocks, heal
from torturelib.proxy import Pipe

issue_seconds_max = 2  # --issue-time-max of N06
back_seconds_max = 15  # until numbers leave again
readyz_seconds_max = 1
read_seconds_max = 6  # waits 2 s for a thread, then for its answer; the machine is busy, too
late_seconds = 0.5  # the machine is busy with other tests


def issue_in_thread(rig, series, key, done, repeat):
    """Its first answer goes to `done`; sees its key through when `repeat` is set. Earlier it would
    be in the queue again, and a fresh batch has the connection given up for its own sake."""
    def run():
        client, wish = rig.client(), {"series": series, "key": key, "count": 1}
        done.append(client.issue_once(wish, 0))
        if not done[-1].definite:
            repeat.wait()
            client.issue(wish)
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def time_until_issued(rig, series, seconds_max):
    """Seconds until one client that asks again and again has a number of this series; its key is
    the name of the series."""
    began, client = time.monotonic(), rig.client()
    while time.monotonic() < began + seconds_max:
        if client.issue_once(key_of(series), 0).fate == OK:
            return time.monotonic() - began
        time.sleep(0.05)
    return float("inf")


def key_of(series):
    return {"series": series, "key": f"until issued {series}", "count": 1}


# Each number takes 0.3 s, which a trigger sleeps. A slow COMMIT would not do: it holds a lock of
# the whole server, and freezing it would freeze everybody.
slow_numbers = points.arm("rows_written", "sleep", ", ".join(map(str, range(1, 1_000))))
waited_seconds = 0.06  # of a batch, before it leaves; more than the service's look at its deadlines


def freeze_what_waited(rig, number, thawed):
    """Freezes the connection's backend when the only batch under way had to wait before it left
    -> (its process, threads); None when that did not come about."""
    for turn in range(5):
        early, late = [], []
        threads = []
        for name in ("first", "second"):  # under way, one behind the other
            threads.append(issue_in_thread(
                rig, "other-1", f"{name} {number} {turn}", early, thawed))
            time.sleep(0.01)
        waiting_since = time.monotonic()
        for name in ("third", "fourth"):  # wait for the end of the first
            threads.append(issue_in_thread(
                rig, "other-2", f"{name} {number} {turn}", late, thawed))
        while len(early) < 2 and time.monotonic() < waiting_since + 5:
            time.sleep(0.001)
        waited = time.monotonic() - waiting_since
        connection = backends(rig, "and query like '%issue%' order by query_start desc limit 1")
        if not late and waited > waited_seconds and connection:
            os.kill(connection[0], signal.SIGSTOP)
            time.sleep(0.2)
            if not late:
                return connection, threads
            os.kill(connection[0], signal.SIGCONT)
        for thread in threads:
            thread.join(30)
    return None


@case("N06", "the backend freezes when a batch had waited", "freezes", 1, commit=1, night=3,
      release=20)
def frozen_connection(context):
    """All of that batch is answered at its deadline. It is dropped then, too, or nobody is served
    until the thaw."""
    with context.rig(blocks=blocks(),
                     options=["--issue-time-max", f"{issue_seconds_max}s"]) as rig:
        rig.start(1)
        rig.client().issue({"series": "other-8", "key": "the first", "count": 1})
        rig.sql(slow_numbers)
        context.result.faults += 1
        thawed = threading.Event()
        met = freeze_what_waited(rig, context.seed, thawed)
        if met is None:
            context.result.void += 1
            return
        connection, threads = met
        context.result.hit += 1
        with frozen(connection):
            took = time_until_issued(rig, "other-3", back_seconds_max)
            context.expect(took <= back_seconds_max, "the connection whose backend is frozen was"
                           f" not given up: no other series was served for {back_seconds_max} s")
            context.result.slowest_recovery = max(context.result.slowest_recovery, took)
        thawed.set()
        for thread in threads:
            thread.join(30)
        rig.cluster.ask_patiently(rig.database, points.disarm)
        rig.client().issue(key_of("other-3"))  # it may be open still
        heal(rig)
        context.judge(rig)


class Probes:
    """Asks /readyz and reads a series, again and again, until told() is asked."""

    def __init__(self, rig, readers):
        self.rig, self.over, self.reads, self.readiness = rig, threading.Event(), [], []
        self.threads = [threading.Thread(target=self.read, daemon=True) for _ in range(readers)]
        self.threads.append(threading.Thread(target=self.look, daemon=True))
        for thread in self.threads:
            thread.start()

    def read(self):
        client = self.rig.client()
        while not self.over.is_set():
            done = client.read_issued("other-4")
            self.reads.append((done.start, (done.end - done.start) / MS / 1_000, done.status))
            time.sleep(0.05)

    def look(self):
        while not self.over.is_set():
            began = time.monotonic_ns()
            status, _ = self.rig.instances[0].readiness()
            self.readiness.append((began, (time.monotonic_ns() - began) / MS / 1_000, status))
            time.sleep(0.1)

    def judge(self, context, since):
        """What began since the fault ended in time."""
        self.over.set()
        for thread in self.threads:
            thread.join(40)
        context.expect(not any(t.is_alive() for t in self.threads),
                       "a read or /readyz was never answered")
        for what, told, most in (("/readyz", self.readiness, readyz_seconds_max + late_seconds),
                                 ("a read", self.reads, read_seconds_max)):
            slow = [took for began, took, _ in told if began > since and took > most]
            context.expect(not slow, f"{what} took {max(slow, default=0):.1f} s beside a database"
                           f" that does not answer; {len(slow)} of {len(told)} were slow")


def come_back(context, rig, probes, since):
    """Issuing is there again, on a series nobody can have locked, and reads are."""
    took = time_until_issued(rig, "other-7", 2 * back_seconds_max)
    context.result.slowest_recovery = max(context.result.slowest_recovery, took)
    context.expect(took <= back_seconds_max,
                   f"issuing took {took:.1f} s to come back, allowed are {back_seconds_max} s")
    deadline = time.monotonic() + back_seconds_max
    while rig.client().read_issued("other-4").status != 200 and time.monotonic() < deadline:
        time.sleep(0.2)
    context.expect(time.monotonic() < deadline, "reads did not come back")
    probes.judge(context, since)


@case("N07", "all backends of the service freeze", "freezes", 1, night=2, release=10)
def frozen_backends(context):
    with context.rig(blocks=blocks()) as rig:
        rig.start(1)
        open_every_connection(rig)
        probes = Probes(rig, 6)
        crowd = Crowd(rig, Plan(series=("other-1",), clients=4, read_in_100=0, reuse_in_100=0,
                                seed=context.seed))
        crowd.wait_for_more(30)
        since = time.monotonic_ns()
        rig.faults.append(since)
        with frozen(backends(rig)):
            come_back(context, rig, probes, since)
        rig.client().issue(key_of("other-7"))  # it may be open still
        context.recover(crowd, 10, limit=back_seconds_max)
        crowd.stop()
        heal(rig)
        context.judge(rig)


@case("N08", "the first of two hosts is a black hole", "holes", 1, night=2, release=10)
def black_hole(context):
    """By turns: it accepts and says nothing; it drops every packet of a new connection."""
    with context.rig(blocks=blocks()) as rig:
        line = Pipe(rig.cluster.port)
        first = f"127.0.0.1:{line.port}"
        both = rig.url(line.port).replace(first, f"{first},127.0.0.1:{rig.cluster.port}")
        rig.add_instance(both).start()
        probes = Probes(rig, 6)
        crowd = Crowd(rig, Plan(series=("other-1",), clients=4, read_in_100=0, reuse_in_100=0,
                                seed=context.seed))
        crowd.wait_for_more(30)
        since = time.monotonic_ns()
        rig.faults.append(since)
        line.hold()
        dropping = context.seed % 2 == 1
        hole = BlackHole(line) if dropping else contextlib.nullcontext()
        with hole:
            come_back(context, rig, probes, since)
            rig.client().issue(key_of("other-7"))  # it may be open still
            context.recover(crowd, 10, limit=back_seconds_max)
            crowd.stop()
            heal(rig)
        way = "drops packets" if dropping else "accepts and is silent"
        context.result.notes[way] = context.result.notes.get(way, 0) + 1
        context.judge(rig)
        line.close()
