# Cases in which something is short that everybody needs: a row, a lock, database threads, the
# database itself. T18, T20.
import threading
import time

from harness.history import OK
from torturelib.case import case
from torturelib.crowd import Crowd, Plan
from torturelib.holder import Holder
from torturelib.load import MS, Load

normal_seconds_max = 10
issue_seconds_max = 2  # --issue-time-max of T18
late_seconds = 0.15  # the service looks for late requests every 50 ms; the machine is busy, too
read_seconds_max = 6  # waits 2 s for a thread, then 2 s for the lock; the machine is busy, too
readers = 60
herd_outage_seconds = {1: 10, 2: 20, 3: 30}  # by turns


def blocked_row(rig):
    return Holder(rig.cluster, rig.database, "select * from gapless.counter for update")


def frozen_holder(rig):
    """As blocked_row, but its backend answers nobody, not even the end of its client."""
    holder = blocked_row(rig)
    holder.freeze()
    return holder


def held_lock(rig):
    """The lock that instances take in turns around their batches, in a session left idle."""
    return Holder(rig.cluster, rig.database,
                  "select pg_advisory_lock(28263, series_id) from gapless.series")


def locked_table(rig):
    """Every read waits, and with them every database thread."""
    return Holder(rig.cluster, rig.database, "lock table gapless.block in access exclusive mode")


WAYS = (blocked_row, locked_table, frozen_holder, held_lock)


def read_at_once(rig, count):
    """So many reads at once, and what became of them -> [(status, seconds)], liveness seconds"""
    told = []

    def read():
        began = time.monotonic()
        done = rig.client().read_issued("hot")
        told.append((done.status, time.monotonic() - began))
    threads = [threading.Thread(target=read, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)  # in the middle of it
    began = time.monotonic()
    request = b"GET /livez HTTP/1.1\r\nHost: torture\r\n\r\n"
    status = rig.client().connection.exchange(rig.ports[0], request)[0]
    alive = time.monotonic() - began if status == 200 else float("inf")
    for thread in threads:
        thread.join(60)
    return told, alive


def check_shortage(context, rig, way, held, released):
    """Refusals came in time and honestly."""
    with rig.history.lock:
        met = [a for a in rig.history.attempts
               if a.op == "issue" and a.end > held and a.end < released]
    late = [a for a in met if (a.end - a.start) / MS > 1_000 * (issue_seconds_max + late_seconds)]
    context.expect(not late, f"{way.__name__}: {len(late)} answers were late, the last by "
                   f"{max([(a.end - a.start) / MS for a in late], default=0):.0f} ms")
    if way in (blocked_row, frozen_holder):  # the lock of the instances is a courtesy
        context.expect(all(a.fate != OK for a in met if a.start > held + 100 * MS),
                       f"{way.__name__}: somebody got a number past the lock")
        context.result.void += 0 if any(a.start > held for a in met) else 1


@case("T18", "a lock is held, the threads are busy", "shortages", 4, commit=2, night=12,
      release=100)
def shortage(context):
    with context.rig(options=["--issue-time-max", f"{issue_seconds_max}s"]) as rig:
        rig.start(1)
        for number in range(context.n):
            way = WAYS[number % len(WAYS)]
            crowd = Crowd(rig, Plan(clients=6, read_in_100=0, seed=context.seed + number))
            crowd.wait_for_more(20)
            holder = way(rig)
            held = time.monotonic_ns()
            if way is locked_table:
                told, alive = read_at_once(rig, readers)
                slow = [f"{status} in {took:.1f} s" for status, took in told
                        if took > read_seconds_max or status != 503]
                context.expect(len(told) == readers and not slow,
                               f"reads without a thread: {len(told)} of {readers} ended,"
                               f" {slow[:3]}")
                context.expect(alive < 0.5, f"/livez took {alive:.2f} s")
                context.result.faults += 1
                context.result.hit += 1
            else:
                rig.faults.append(held)
                time.sleep(2 * issue_seconds_max + 0.5)  # so that everybody meets it twice
            released = time.monotonic_ns()
            check_shortage(context, rig, way, held, released)
            holder.release()
            context.recover(crowd, 13, limit=normal_seconds_max)
            crowd.stop()
            told = context.result.notes
            told[way.__name__] = told.get(way.__name__, 0) + 1
        rig.history.mark_healed()
        crowd = Crowd(rig, Plan(clients=2, seed=context.seed + 999))
        crowd.wait_for_more(5)
        crowd.stop()
        context.judge(rig)


herd_clients = 1_000
herd_seconds_max = 15  # from a running database to 95 % of the throughput before
connections_max = 8  # of one instance: two to issue, four threads, one for health, one to spare


def rate_by_second(seen, begun):
    rates = {}
    for attempt in seen:
        if attempt.status == 201:
            second = (attempt.end - begun) // (1_000 * MS)
            rates[second] = rates.get(second, 0) + 1
    return rates


@case("T20", "a herd through an outage", "outages", 1, night=3, release=20, fresh=True)
def herd(context):
    """Every client repeats its request until it is served, more often than Retry-After says."""
    with context.rig(blocks={"hot": [(1, 9_999_999)]}) as rig:
        rig.start(1)
        away = herd_outage_seconds[1 + context.seed % 3] if context.n else 10
        begun = time.monotonic_ns()
        load = Load(rig, 0, herd_clients, 6 + away + herd_seconds_max + 3, context.seed,
                    retry_seconds=0.2)
        time.sleep(6)
        cut = time.monotonic_ns()
        rig.faults.append(cut)
        rig.cluster.stop("immediate")
        time.sleep(away)
        rig.cluster.start()
        back, most = time.monotonic_ns(), 0
        while (time.monotonic_ns() - back) / MS < 1_000 * herd_seconds_max:
            most = max(most, int(rig.sql("select count(*) from pg_stat_activity"
                                         " where usename = 'gaplessd'")))
            time.sleep(0.1)
        rig.history.mark_healed()
        seen = load.wait()
        rates = rate_by_second(seen, begun)
        outage = (cut - begun) // (1_000 * MS)
        before = sorted(rates.get(n, 0) for n in range(2, outage))[max(0, (outage - 2) // 2)]
        first = (back - begun) // (1_000 * MS)
        good = [n for n in range(first, first + herd_seconds_max + 1)
                if rates.get(n, 0) >= 0.95 * before]
        took = (good[0] + 1 - (back - begun) / (1_000 * MS)) if good else float("inf")
        told = (f"{away} s away, {before}/s before, as much again {took:.1f} s after,"
                f" {most} connections at most")
        context.expect(took <= herd_seconds_max, told)
        context.expect(most <= connections_max, told)
        context.result.slowest_recovery = max(context.result.slowest_recovery, took)
        context.result.notes["herd"] = context.result.notes.get("herd", "") + told + "; "
        rig.client().issue({"series": "hot", "key": "afterwards", "count": 1})
        context.judge(rig)
