# N01, N02, N12, N13: neighbours that hold a row or a lock. The judge is everybody else: other
# series, other clients.
import threading
import time

from harness.history import OK
from torturelib.case import case
from torturelib.crowd import Crowd, Plan
from torturelib.holder import Application, Holder
from torturelib.load import MS
from torturelib.neighbours import SERIES, Others, blocks, heal, repeated, running

issue_seconds_max = 3  # --issue-time-max
late_seconds = 1.5  # beyond it: for a machine that is busy with other tests
locked_seconds = 5
recover_seconds_max = 10


def lone_client(rig, series, seed, clients=1):
    """Asks for one number after the other, each until its outcome is definite."""
    return Crowd(rig, Plan(series=(series,), clients=clients, count_max=1, repeat_in_100=0,
                           reuse_in_100=0, read_in_100=0, seed=seed))


def check_locked(context, rig, since, until):
    """What the client of the locked series was told meanwhile: no, and in time."""
    with rig.history.lock:
        met = [a for a in rig.history.attempts if a.series == "locked" and a.instance != "sql"
               and a.end > since and a.start < until]
    late = [a for a in met if (a.end - a.start) / MS > 1_000 * (issue_seconds_max + late_seconds)]
    doubtful = [a for a in met if a.fate != OK and a.executed != "no"]
    context.expect(not late, f"{len(late)} requests of the locked series ended late, the last"
                   f" after {max([(a.end - a.start) / MS for a in late], default=0):.0f} ms")
    context.expect(not doubtful, f"{len(doubtful)} requests of the locked series did not end with"
                   f" executed:\"no\", but {[(a.status, a.problem) for a in doubtful[:3]]}")


def check_named(context, rig, holder):
    """The log says which series waits and for whom; the metrics say which one. A metric that named
    the process, too, would be a new one for each process."""
    lines = [line for line in rig.instances[0].log.read_text().splitlines() if '"locked"' in line
             or "'locked'" in line]
    context.expect(any(str(holder.backend) in line for line in lines),
                   f"no line of the log names the series and the blocker, process {holder.backend};"
                   f" {len(lines)} name the series")
    status, _, body = rig.client().connection.exchange(
        rig.ports[0], rig.client().request("GET", "/metrics"))
    told = [line for line in body.decode().splitlines()
            if 'lock' in line.partition("{")[0] and 'series="locked"' in line]
    context.expect(status == 200 and told, "no metric names the series while it is locked")


@case("N01", "an SQL transaction stays open after it issued", "locks", 1, commit=1, night=2,
      release=10)
def open_transaction(context):
    def try_once():
        with context.rig(blocks=blocks(locked=[(1, 999_999)]),
                         options=["--issue-time-max", f"{issue_seconds_max}s"]) as rig:
            rig.start(1)
            others = Others(context, rig, locked_seconds + 2)
            with others.beside():
                holder = Holder(rig.cluster, rig.database, "select gapless.issue('locked')")
                began = time.monotonic_ns()
                asking = lone_client(rig, "locked", context.seed)
                time.sleep(locked_seconds)
                check_named(context, rig, holder)
                ended = time.monotonic_ns()
            holder.release()
            context.recover(asking, 5, limit=recover_seconds_max)
            asking.stop()
            proven = others.judge()
            heal(rig)
            check_locked(context, rig, began, ended)
            context.judge(rig)
            return proven
    repeated(context, try_once)


@case("N02", "SQL transactions of 200 ms back to back", "locks", 1, night=2, release=10)
def busy_applications(context):
    def try_once():
        with context.rig(blocks=blocks(locked=[(1, 999_999)]),
                         options=["--issue-time-max", f"{issue_seconds_max}s"]) as rig:
            rig.start(1)
            applications = [Application(rig) for _ in range(2)]
            others = Others(context, rig, locked_seconds + 2)
            with others.beside():
                began = time.monotonic_ns()
                asking = lone_client(rig, "locked", context.seed)
                with running(lambda n: applications[n].transact(
                        "locked", after="select pg_sleep(0.2);"), count=2):
                    time.sleep(locked_seconds)
                ended = time.monotonic_ns()
            context.recover(asking, 5, limit=recover_seconds_max)
            asking.stop()
            proven = others.judge()
            heal(rig)
            wrong = [state for each in applications for state in each.errors]
            context.expect(not wrong, f"applications were refused: {wrong[:5]}")
            check_locked(context, rig, began, ended)
            context.judge(rig)
            for each in applications:
                each.end()
            return proven
    repeated(context, try_once)


courtesy_seconds = 2.5  # what may pass until somebody else's lock is not waited for any more
issued_min = 100  # numbers of the locked series in locked_seconds, on any machine


@case("N12", "a foreign advisory lock", "locks", 1, commit=1, night=2, release=10)
def foreign_lock(context):
    """Any login can take the lock that instances use for courtesy. Half of the eight series meet
    it, and nobody is to notice for longer than one time-out."""
    def try_once():
        with context.rig(blocks=blocks()) as rig:
            rig.start(1)
            others = Others(context, rig, locked_seconds + courtesy_seconds + 2)
            holder = Holder(rig.cluster, rig.database,
                            "select pg_advisory_lock(28263, series_id) from gapless.series"
                            f" where name in ('{SERIES[0]}', '{SERIES[2]}', '{SERIES[4]}')")
            time.sleep(courtesy_seconds)
            began = time.monotonic_ns()
            with others.beside():
                time.sleep(locked_seconds)
            ended = time.monotonic_ns()
            holder.release()
            proven = others.judge()
            heal(rig)
            left = sum(1 for a in rig.history.attempts if a.series == SERIES[0] and a.fate == OK
                       and began < a.end < ended)
            context.expect(left >= issued_min, f"{left} numbers of a series left in"
                           f" {locked_seconds} s while somebody held an advisory lock")
            context.judge(rig)
            return proven
    repeated(context, try_once)


taken_back = "savepoint here; select gapless.issue('hot'); rollback to here;"
SAVEPOINTS = ({"before": taken_back}, {"times": 3}, {"before": taken_back + "savepoint there;",
                                                     "times": 2})


@case("N13", "savepoints and repeated issuing in SQL transactions", "transactions", 200, commit=150,
      night=400, release=4_000)
def savepoints(context):
    with context.rig(blocks={"hot": [(1, 9_999_999)]}) as rig:
        rig.start(1)
        crowd = Crowd(rig, Plan(clients=4, seed=context.seed))
        applications = [Application(rig) for _ in range(3)]
        log = rig.cluster.folder / "log/postgres.log"
        before = log.read_text(errors="replace").count("deadlock detected")
        for _ in range(context.n // 3):
            threads = [threading.Thread(target=each.transact, args=("hot",), kwargs=way)
                       for each, way in zip(applications, SAVEPOINTS)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(60)
        wrong = [state for each in applications for state in each.errors]
        context.expect(not wrong, f"{len(wrong)} transactions failed: {sorted(set(wrong))}")
        deadlocks = log.read_text(errors="replace").count("deadlock detected") - before
        context.expect(deadlocks == 0, f"{deadlocks} deadlocks in the log of the database")
        context.recover(crowd, 10, limit=recover_seconds_max)
        crowd.stop()
        heal(rig)
        context.judge(rig)
        for each in applications:
            each.end()
