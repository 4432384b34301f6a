# Cases that cut the line to PostgreSQL at an exact place of its protocol (T09, T09-unknown), or
# change its session behind the service's back (T10-settings).
import contextlib
import time

from harness.crowd import Crowd, Plan
from harness.history import OK
from torturelib.case import case
from torturelib.pg_proxy import PLACES, PgProxy

fire_seconds_max = 20


@contextlib.contextmanager
def disturbed(context, options=(), **proxy):
    """-> a rig, a proxy in front of its first instance, its clients; a second instance is left
    alone"""
    with context.rig(options=options) as rig:
        line = PgProxy(rig.cluster.port, **proxy)
        try:
            rig.start(1, through=line.port)
            crowd = Crowd(rig, Plan(clients=8, count_max=5, repeat_in_100=5, seed=context.seed))
            yield rig, line, crowd
            context.finish(rig, crowd)
        finally:
            line.close()


def fire(context, rig, line, place):
    """Arms the proxy; the moment counts as a fault."""
    line.arm(place)
    fired = line.fired.wait(fire_seconds_max)
    context.expect(fired, f"nothing came to '{place}'")
    rig.faults += line.faults[-1:]
    context.told[place] += fired


@case("T09", "PostgreSQL's messages are cut", "cuts", quick=60, night=1_000)
def cut_messages(context):
    places = list(PLACES)
    with disturbed(context, stall_seconds=0.3) as (rig, line, crowd):
        rig.start(1)  # another one that nobody disturbs
        for number in range(context.n):
            crowd.wait_for_more(context.dice.randrange(1, 5))
            fire(context, rig, line, places[number % len(places)])


@case("T09-unknown", "COMMIT in doubt, then no database, or a late one", "cuts", quick=6, night=60)
def in_doubt_without_database(context):
    """The service cannot resolve it in time: it has to say unknown, and only a promise that is
    true is a promise that nothing happened."""
    options = ["--issue-time-max", "400ms", "--unavailable-time-max", "300ms"]
    with disturbed(context, options, stall_seconds=0.7) as (rig, line, crowd):
        for number in range(context.n):
            crowd.wait_for_more(10)
            place = ("behind its Sync", "before its Z", "stall before its Z")[number % 3]
            line.refusing = not place.startswith("stall")
            fire(context, rig, line, place)
            time.sleep(0.8)
            line.refusing = False
    told = sum(1 for a in rig.history.attempts if a.problem == "outcome-unknown")
    context.expect(told, "nobody was told that an outcome is unknown")
    context.told["outcome-unknown"] = told


SETTINGS = ("set synchronous_commit = off", "set synchronous_commit = local", "discard all",
            "set default_transaction_isolation = 'read committed'")


@case("T10-settings", "a session loses its settings", "losses", quick=4, night=40)
def settings_lost(context):
    """Nothing is issued in it any more, and the service renews it by itself."""
    with disturbed(context, ["--issue-time-max", "700ms"]) as (rig, line, crowd):
        for number in range(context.n):
            crowd.wait_for_more(10)
            line.inject = setting = SETTINGS[number % len(SETTINGS)]
            deadline = time.monotonic() + fire_seconds_max
            while line.inject and time.monotonic() < deadline:
                time.sleep(0.01)
            lost = time.monotonic_ns()
            rig.faults.append(lost)
            time.sleep(0.3)
            with rig.history.lock:
                issued = [a for a in rig.history.attempts
                          if a.op == "issue" and a.fate == OK and a.start > lost]
            gone = len(rig.instances[0].events("database_lost"))
            context.expect(not issued or gone > number,
                           f"{setting}: {len(issued)} answers from an unsafe session")
            context.recover(crowd, 10, limit=10)
            context.told[setting] += 1
