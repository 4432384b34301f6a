# Cases with a real synchronous standby: nothing is acknowledged that only one server has. T10, T11.
import contextlib
import os
import signal
import time

from harness.history import OK
from torturelib.case import case
from torturelib.crowd import Crowd, Plan
from torturelib.pair import PairRig, pair_of

MS = 1_000_000
issue_time_max = ["--issue-time-max", "700ms"]


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


def kill_instance(pair, rig):
    """P10: written on the primary, not confirmed by the standby, and the service dies."""
    rig.instances[0].kill()
    return 1


def stop_standby(pair, rig):
    pair.standby.stop("immediate")
    return 1


WAYS = (cancel, kill_instance, terminate, kill_backend, stop_standby)


def acknowledged_alone(history, held, healed):
    """Answers with numbers while the standby could not confirm; a replay is one, too."""
    return [
        a for a in history.attempts
        if a.op == "issue" and a.fate == OK and a.end < healed
        and (a.start > held + 30 * MS or a.end > held + 400 * MS)]


def wait_for_waiters(pair, rig, seconds_max=10):
    """Until a COMMIT of the connection waits for the standby."""
    pair.primary.wait_for(
        "select exists (select from pg_stat_activity where wait_event = 'SyncRep'"
        f" and datname = '{rig.database}')", "wait for its standby", seconds_max=seconds_max)


@case("T10", "the standby confirms nothing", "outages", 20, commit=5, night=60, release=1_000)
def standby_is_away(context):
    """The wait is cancelled, or the backend, the instance or the standby ends meanwhile."""
    with pair_of(context) as pair, context.counted(
            PairRig(pair, options=issue_time_max)) as rig:
        rig.start(2)
        crowd = Crowd(rig, Plan(clients=6, count_max=5, repeat_in_100=25, seed=context.seed))
        for number in range(context.n):
            way = WAYS[number % len(WAYS)]
            crowd.wait_for_more(15)
            pair.line.hold()
            held = time.monotonic_ns()
            wait_for_waiters(pair, rig)
            done = 0
            for _ in range(1 if way is kill_backend else 3):
                done += way(pair, rig)
                time.sleep(0.25)
            if done:
                rig.faults.append(held)
            else:
                context.result.void += 1
            early = acknowledged_alone(rig.history, held, time.monotonic_ns())
            context.expect(not early, f"{way.__name__}: {len(early)} answers with numbers that only"
                                      " the primary had")
            if way is kill_instance:
                rig.instances[0].start(ready=False)
            if way is stop_standby:
                pair.line.cut_all()
                pair.standby.start()
            pair.line.hold(False)
            context.recover(crowd, 15)
            told = context.result.notes
            told[way.__name__] = told.get(way.__name__, 0) + 1
        rig.history.mark_healed()
        crowd.wait_for_more(20)
        crowd.stop()
        context.judge(rig)


@case("T10-dirty", "dirty acknowledgement", "failovers", 5, commit=1, night=10, release=100)
def dirty_acknowledgement(context):
    """A number that only the primary has is asked for again and again; then the primary dies."""
    for _ in range(context.n):
        with pair_of(context) as pair, context.counted(
                PairRig(pair, options=issue_time_max)) as rig:
            rig.start_on_both(2)
            crowd = Crowd(rig, Plan(clients=6, count_max=5, repeat_in_100=50, seed=context.seed))
            crowd.wait_for_more(30)
            pair.line.hold()
            held = time.monotonic_ns()
            wait_for_waiters(pair, rig)
            for _ in range(3):
                time.sleep(0.3)
                cancel(pair, rig)
            early = acknowledged_alone(rig.history, held, time.monotonic_ns())
            context.expect(not early, f"{len(early)} answers with numbers only the primary had")
            rig.faults.append(time.monotonic_ns())
            pair.primary.kill_postmaster()
            old = pair.fail_over()
            rig.cluster = pair.primary
            rig.history.mark_healed()
            context.recover(crowd, 30)
            crowd.stop()
            context.judge(rig)
            old.remove()


@case("T11", "failover to the standby", "failovers", 20, commit=1, night=40, release=500)
def fail_over(context):
    with pair_of(context) as pair, context.counted(PairRig(pair)) as rig:
        rig.start_on_both(2)
        crowd = Crowd(rig, Plan(clients=6, count_max=5, seed=context.seed))
        for number in range(context.n):
            crowd.wait_for_more(context.dice.randrange(10, 40))
            rig.faults.append(time.monotonic_ns())
            began = time.monotonic()
            pair.primary.kill_postmaster()
            old = pair.fail_over()
            rig.cluster = pair.primary
            context.recover(crowd, 13, since=began, limit=20)
            old.remove()
            if number + 1 < context.n:
                pair.build_standby(old.port)
        rig.history.mark_healed()
        crowd.wait_for_more(20)
        crowd.stop()
        context.judge(rig)


@case("T14", "the wrong server", "starts", 10, commit=2, night=20, release=40)
def wrong_server(context):
    """On a standby, and on a primary that only reads: nothing is issued, and it is said at once."""
    with pair_of(context) as pair, context.counted(PairRig(pair)) as rig:
        standby = pair.standby.url(rig.database, "gaplessd", pair.ground.password)
        for number in range(context.n):
            if number == 1:
                rig.sql(f"alter database {rig.database} set default_transaction_read_only = on")
            url = rig.url() if number % 2 else standby
            rig.add_instance(url).start(ready=False)
            client = rig.client(ports=rig.ports[-1:])
            began = time.monotonic()
            wish = {"series": "hot", "key": f"wrong-{number}", "count": 1}
            tried = client.issue_once(wish, 0)
            took = time.monotonic() - began
            context.expect(tried.status == 503 and tried.executed == "no" and took < 1.5,
                           f"the wrong server: {tried.status} {tried.executed} in {took:.2f} s")
            ready = rig.instances[-1].readiness()[0] == 200
            context.expect(not ready or number % 2, "on a standby it calls itself ready")
            with contextlib.suppress(OSError):
                rig.instances[-1].kill()
        context.judge(rig)
