# Short runs in which a seeded bug has to show. Without a bug, none of them finds anything.
import time

from torturelib import points, seeded
from torturelib.cases_standby import acknowledged_alone, cancel, wait_for_waiters
from torturelib.crowd import Crowd, Plan
from torturelib.pg_proxy import PgProxy

BLOCKS = {"hot": [(n * 10, n * 10 + 3 + n % 5) for n in range(1, 9)] + [(1_000, 999_999)]}


class Found(Exception):
    """Shown before the checker was asked."""


def start(rig, count=1, through=None, ready=True):
    for _ in range(count):
        rig.add_instance(rig.url(through)).start(ready=ready)


def crowd_of(rig, **plan):
    plan = {"clients": 8, "count_max": 3, "repeat_in_100": 20, "reuse_in_100": 10,
            "seed": rig.ground.rigs} | plan
    return Crowd(rig, Plan(**plan))


def end(rig, crowd, issuances=20):
    """Heals, lets the clients finish."""
    rig.history.mark_healed()
    crowd.wait_for_more(issuances, rig.patience)
    crowd.stop()


def crowd(rig):
    start(rig)
    end(rig, crowd_of(rig), 110)


def new_keys(rig):
    """No key comes again, so that batches go the fast way."""
    start(rig)
    end(rig, crowd_of(rig, repeat_in_100=0, reuse_in_100=0), 110)


def same_keys(rig):
    start(rig)
    end(rig, crowd_of(rig, clients=4, same_keys=True, reuse_in_100=0), 60)


def exhausted(rig):
    rig.create_series("short", [(5_000_000, 5_000_004)])
    start(rig)
    client = rig.client()
    client.issue({"series": "short", "key": "the first", "count": 3}, seconds_max=3)
    client.issue({"series": "short", "key": "more than is left", "count": 5}, seconds_max=3)


def holds(rig):
    start(rig)
    end(rig, crowd_of(rig, hold_in_100=60, count_max=2, read_in_100=0), 110)


def first_answer(rig):
    start(rig, ready=False)
    rig.history.mark_healed()
    rig.client().issue({"series": "hot", "key": "one", "count": 1}, seconds_max=2)


def failing_commits(rig):
    """Every seventh issuance fails at COMMIT."""
    rig.sql(points.arm("commit_begun", "conflict", ", ".join(map(str, range(7, 400, 7)))))
    start(rig)
    end(rig, crowd_of(rig, clients=3), 40)


def through_proxy(rig, places, issue, **proxy):
    line = PgProxy(rig.cluster.port, **proxy)
    try:
        start(rig, through=line.port)
        clients = crowd_of(rig, clients=4)
        for place in places:
            clients.wait_for_more(3, rig.patience)
            line.refusing = issue == "cut off"
            line.arm(place)
            line.fired.wait(5)
            if issue:
                time.sleep(0.7)
            line.refusing = False
        end(rig, clients)
    finally:
        line.close()


def cut_lines(rig):
    through_proxy(rig, ("behind its Sync", "before its Z") * 2, "")


def cut_off(rig):
    """The database stays away until the requests have to be answered."""
    rig.options += ["--issue-time-max", "300ms", "--unavailable-time-max", "300ms"]
    through_proxy(rig, ("behind its Sync", "before its Z") * 2, "cut off")


def late_answers(rig):
    rig.options += ["--issue-time-max", "300ms"]
    through_proxy(rig, ("stall before its Z",) * 3, "late", stall_seconds=0.6)


def lost_settings(rig):
    """The connection's session forgets behind the service's back that it waits for the disk."""
    line = PgProxy(rig.cluster.port)
    try:
        start(rig, through=line.port)
        clients = crowd_of(rig)
        for _ in range(2):
            line.inject = "set synchronous_commit = off"
            clients.wait_for_more(25, rig.patience)
            rig.cluster.kill_postmaster()
            rig.cluster.start()
        end(rig, clients)
    finally:
        line.close()


def standby_away(rig, **plan):
    """Needs a rig on a pair: the wait for the standby is cut short, and the keys are repeated."""
    pair = rig.pair
    rig.options += ["--issue-time-max", "700ms"]
    start(rig, count=2)
    clients = crowd_of(rig, reuse_in_100=0, **({"repeat_in_100": 40} | plan))
    clients.wait_for_more(15, rig.patience)
    pair.line.hold()
    try:
        held = time.monotonic_ns()
        wait_for_waiters(pair, rig)
        for _ in range(3):
            cancel(pair, rig)
            time.sleep(0.3)
        early = acknowledged_alone(rig.history, held, time.monotonic_ns())
    finally:
        pair.line.hold(False)
    end(rig, clients)
    if early:
        raise Found(f"{len(early)} answers with numbers that only the primary had")


def standby_away_and_one_client(rig):
    """What is repeated is alone in its transaction."""
    standby_away(rig, clients=1, repeat_in_100=0, read_in_100=0)


SCENARIOS = {
    "crowd": crowd, "new keys": new_keys, "same keys": same_keys, "exhausted": exhausted,
    "holds": holds,
    "first answer": first_answer, "failing commits": failing_commits, "cut lines": cut_lines,
    "cut off": cut_off, "late answers": late_answers, "lost settings": lost_settings,
    "standby away": standby_away, "standby away, one client": standby_away_and_one_client,
}


def play(rig, name, bug=None):
    """-> what was found, in words"""
    rig.patience = 2.5 if bug else 30
    if bug and seeded.preparation(bug):
        rig.sql(seeded.preparation(bug))
    try:
        SCENARIOS[name](rig)
    except Found as found:
        return [str(found)]
    except Exception as error:  # the bug may stop clients, service or harness in any way
        ended = f"{type(error).__name__}: {error}".splitlines()[0]
        rig.stop()
        return rig.findings() + [f"the run ended: {ended}"]
    rig.stop()
    return rig.findings()
