# Cases with a real synchronous standby: nothing is acknowledged that only one server has. T10, T11.
import os
import signal
import time

from harness.crowd import Crowd, Plan
from harness.history import OK
from torturelib.case import case
from torturelib.pair import pair_of

MS = 1_000_000
options = ["--issue-time-max", "700ms"]


def cancel(pair, rig):
    """The wait for the standby is cut short: a WARNING, then success, which is none."""
    return pair.primary.terminate(rig.database, "pg_cancel_backend")


def terminate(pair, rig):
    return pair.primary.terminate(rig.database)


def kill_backend(pair, rig):
    waiting = pair.primary.psql(
        "postgres", "select coalesce(min(pid), 0) from pg_stat_activity"
        f" where wait_event = 'SyncRep' and datname = '{rig.database}'")
    if waiting == "0":
        return 0
    os.kill(int(waiting), signal.SIGKILL)
    pair.primary.wait_up()
    return 1


def kill_instance(_, rig):
    """P10: written on the primary, not confirmed by the standby, and the service dies."""
    rig.instances[0].kill()
    return 1


def stop_standby(pair, _):
    pair.standby.stop("immediate")
    return 1


# One client: what it repeats is alone in its transaction.
WAYS = ((cancel, 1), (kill_instance, 6), (terminate, 6), (cancel, 6), (kill_backend, 6),
        (stop_standby, 6))


def hold(context, pair, rig, way):
    """Nobody confirms, and the way is gone meanwhile; nothing may be acknowledged, neither a new
    number nor a repeated one."""
    pair.line.hold()
    held = time.monotonic_ns()
    pair.primary.wait_for(
        "select exists (select from pg_stat_activity where wait_event = 'SyncRep'"
        f" and datname = '{rig.database}')", "wait for its standby", seconds_max=10)
    done = 0
    for _ in range(1 if way is kill_backend else 3):
        done += way(pair, rig)
        time.sleep(0.3)
    now = time.monotonic_ns()
    with rig.history.lock:
        early = [a for a in rig.history.attempts
                 if a.op == "issue" and a.fate == OK and a.end < now
                 and (a.start > held + 30 * MS or a.end > held + 400 * MS)]
    context.expect(not early, f"{way.__name__}: {len(early)} answers with numbers that only the"
                              " primary had")
    if done:
        rig.faults.append(held)
    context.told[way.__name__] += 1


@case("T10", "the standby confirms nothing", "outages", quick=6, night=60)
def standby_is_away(context):
    """The wait is cancelled, or the backend, the instance or the standby ends meanwhile."""
    with pair_of(context) as pair, context.rig(options=options) as rig:
        rig.start(2)
        for number in range(context.n):
            way, clients = WAYS[number % len(WAYS)]
            crowd = Crowd(rig, Plan(
                clients=clients, count_max=5, reuse_in_100=0, read_in_100=0,
                repeat_in_100=0 if clients == 1 else 40, seed=context.seed + number))
            crowd.wait_for_more(10)
            try:
                hold(context, pair, rig, way)
                if way is kill_instance:
                    rig.instances[0].start(ready=False)
                if way is stop_standby:
                    pair.line.cut_all()
                    pair.standby.start()
            finally:
                pair.line.hold(False)
            context.recover(crowd, 15)
            crowd.stop()
        context.finish(rig, Crowd(rig, Plan(seed=context.seed + context.n)))


@case("T11", "failover to the standby, keys repeated meanwhile", "failovers", quick=1, night=20)
def fail_over(context):
    with pair_of(context) as pair, context.rig(options=options) as rig:
        for _ in range(2):
            rig.add_instance(pair.urls(rig)).start()
        crowd = Crowd(rig, Plan(clients=6, count_max=5, repeat_in_100=50, seed=context.seed))
        for number in range(context.n):
            crowd.wait_for_more(context.dice.randrange(10, 40))
            if number % 2 == 0:  # what only the primary has is asked for again and again
                hold(context, pair, rig, cancel)
            rig.faults.append(time.monotonic_ns())
            began = time.monotonic()
            pair.primary.kill_postmaster()
            port = pair.fail_over()
            context.recover(crowd, 13, since=began, limit=30)
            if number + 1 < context.n:
                pair.build_standby(port)
        context.finish(rig, crowd)
