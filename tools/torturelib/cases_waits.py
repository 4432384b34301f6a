# N09 to N11: what the service has to come out of by itself: clients that are gone, a journal that
# is away, descriptors that are spent, the end while something hangs.
import contextlib
import os
import pathlib
import resource
import signal
import socket
import subprocess
import threading
import time

from harness.client import Client
from harness.history import FAIL, OK, Attempt
from torturelib.case import case
from torturelib.crowd import Crowd, Plan
from torturelib.frozen import backends, frozen, open_every_connection
from torturelib.holder import Holder
from torturelib.load import MS
from torturelib.neighbours import blocks, heal

back_seconds_max = 15  # until numbers leave again
normal_seconds_max = 10

givers_up = 1_040  # more than --connections-max
gone_seconds_max = 5  # until their sockets are closed; their requests wait for longer


def sockets_in(port, state):
    """How many sockets of ours on this port are in a state of /proc/net/tcp."""
    count = 0
    for line in pathlib.Path("/proc/self/net/tcp").read_text().splitlines()[1:]:
        fields = line.split()
        if int(fields[1].partition(":")[2], 16) == port and int(fields[3], 16) == state:
            count += 1
    return count


CLOSE_WAIT = 8


def give_up(rig, request, count, at_once=100):
    """Clients that send a request and go away before it is answered."""
    for begin in range(0, count, at_once):
        lines = []
        for number in range(begin, min(count, begin + at_once)):
            line = socket.create_connection(("127.0.0.1", rig.ports[0]), 5)
            line.sendall(request(number))
            lines.append(line)
        time.sleep(0.02)
        for line in lines:
            line.close()


def check_gone(context, rig, words):
    """Their sessions have ended, and everybody else finds room."""
    deadline = time.monotonic() + gone_seconds_max
    left = givers_up
    while left > 8 and time.monotonic() < deadline:
        left = sockets_in(rig.ports[0], CLOSE_WAIT)
        time.sleep(0.1)
    context.expect(left <= 8, f"{words}: {left} sockets of clients that are gone are open after"
                   f" {gone_seconds_max} s")


@case("N09", "clients that give up", "clients", givers_up, commit=givers_up, night=2 * givers_up,
      release=10 * givers_up)
def clients_that_give_up(context):
    with context.rig(blocks=blocks(locked=[(1, 999_999)]),
                     options=["--issue-time-max", "40s"]) as rig:
        rig.start(1)
        open_every_connection(rig)
        probe = b"GET /readyz HTTP/1.1\r\nHost: torture\r\n\r\n"
        context.result.faults += 2
        context.result.hit += 2
        with frozen(backends(rig)):
            give_up(rig, lambda _: probe, context.n)
            check_gone(context, rig, "/readyz beside frozen backends")
        client = rig.client()
        holder = Holder(rig.cluster, rig.database, "select gapless.issue('locked')")
        crowd = Crowd(rig, Plan(series=("other-1",), clients=2, read_in_100=0, reuse_in_100=0,
                                seed=context.seed))
        crowd.wait_for_more(5)
        began, refused = time.monotonic_ns(), rig.history.count(FAIL)
        some = min(100, context.n)  # more wait than a batch takes, and less than an attack

        def issue_and_go(number):
            key, now = f"given up {number}", time.monotonic_ns()
            rig.history.add(Attempt("issue", client.name, "locked", key, start=now, end=now,
                                    sent_at=time.time_ns() // 1000))
            return client.request("POST", "/v1/series/locked/numbers", key, {"count": 1})
        give_up(rig, issue_and_go, some)
        check_gone(context, rig, "requests of a locked series")
        context.recover(crowd, 5, since=began / MS / 1_000, limit=normal_seconds_max)
        context.expect(rig.history.count(FAIL) == refused, "others were refused meanwhile")
        crowd.stop()
        holder.release()
        for number in range(some):  # a client that goes away does not stop its request
            client.issue({"series": "locked", "key": f"given up {number}", "count": 1})
        heal(rig)
        context.judge(rig)


def without_journal(rig):
    """Its folder has another name."""
    folder = rig.instances[0].folder / "journal"
    away = folder.with_name("journal-away")
    folder.rename(away)
    return lambda: away.rename(folder)


def without_descriptors(rig):
    """Nothing can be opened any more; what is open stays."""
    pid = rig.instances[0].process.pid
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE, (4, 20_000))
    return lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, before)


SHORTAGES = (without_journal, without_descriptors)


@case("N10", "no journal, no descriptors, as the connection is lost", "shortages", 2, commit=2,
      night=4, release=20)
def lost_with_a_shortage(context):
    with context.rig(blocks=blocks()) as rig:
        rig.start(1)
        for number in range(context.n):
            way = SHORTAGES[number % len(SHORTAGES)]
            crowd = Crowd(rig, Plan(series=("other-1",), clients=4, read_in_100=0, reuse_in_100=0,
                                    seed=context.seed + number))
            crowd.wait_for_more(10)
            mend = way(rig)
            try:
                rig.faults.append(time.monotonic_ns())
                rig.cluster.terminate(rig.database, only="true")
                time.sleep(2)
                alive = rig.instances[0].alive
                context.expect(alive, f"{way.__name__}: the service ended:"
                               f" {rig.instances[0].last_words()}")
            finally:
                if rig.instances[0].alive:
                    mend()
            if not alive:
                return
            context.recover(crowd, 10, limit=back_seconds_max)
            crowd.stop()
            told = context.result.notes
            told[way.__name__] = told.get(way.__name__, 0) + 1
        heal(rig)
        context.judge(rig)


stop_seconds_max = 3  # --stop-time-max


def quota_locked(rig):
    return Holder(rig.cluster, rig.database,
                  "lock table gapless.token_quota in access exclusive mode")


def tokens_locked(rig):
    return Holder(rig.cluster, rig.database, "lock table gapless.token in access exclusive mode")


class FrozenBackends:
    """As a Holder: released, they answer again."""

    def __init__(self, rig):
        open_every_connection(rig)
        self.pids = backends(rig)
        for pid in self.pids:
            os.kill(pid, signal.SIGSTOP)

    def release(self):
        for pid in self.pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


HANGING = (quota_locked, tokens_locked, FrozenBackends)


def limited_client(rig, token, port):
    return Client(rig.history, [port], "limited", token, rig.patience, rig.over)


def limited_wish(number):
    return {"series": "other-1", "key": f"limited {number}", "count": 1}


@case("N11", "SIGTERM while a look-up hangs", "stops", 3, commit=3, night=6, release=60)
def stop_beside_a_hang(context):
    """What was freed is filled with rubbish, so that its use ends the process."""
    with context.rig(blocks=blocks(),
                     options=["--stop-time-max", f"{stop_seconds_max}s"]) as rig:
        limited = rig.ground.token(rig.database, "limited", "issue", "--daily-quota", "1000")
        for number in range(context.n):
            way = HANGING[number % len(HANGING)]
            rig.start(1, MALLOC_PERTURB_=165)
            stopping = rig.instances[-1]
            rig.client(ports=rig.ports[-1:]).issue(
                {"series": "other-2", "key": f"before {number}", "count": 1})
            holder = way(rig)
            wishes = [limited_wish(4 * number + n) for n in range(4)]
            asking = [threading.Thread(
                target=limited_client(rig, limited, rig.ports[-1]).issue_once, args=(wish, 0),
                daemon=True) for wish in wishes]  # hangs with what it has to look up
            for thread in asking:
                thread.start()
            time.sleep(0.3)
            context.result.faults += 1
            context.result.hit += 1
            try:
                status = stopping.stop(4 * stop_seconds_max)
                context.expect(status == 0, f"{way.__name__}: gaplessd ended with {status}:"
                               f" {stopping.last_words()}")
            except subprocess.TimeoutExpired:
                context.violation(f"{way.__name__}: gaplessd did not end within"
                                  f" {4 * stop_seconds_max} s of SIGTERM")
                stopping.kill()
            holder.release()
            for thread in asking:
                thread.join(20)
            stopping.start()
            client = limited_client(rig, limited, rig.ports[-1])
            context.expect(all(client.issue(wish).fate == OK for wish in wishes),
                           f"{way.__name__}: what hung was not issued afterwards")
            stopping.kill()
            rig.instances.clear()
            rig.ports.clear()
        context.judge(rig)
