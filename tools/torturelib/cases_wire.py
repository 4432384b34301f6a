# Cases that cut the lines: PostgreSQL's protocol and HTTP, each at an exact place. T09.
import time

from torturelib.case import case
from torturelib.crowd import Crowd, Plan
from torturelib.http_proxy import FAULTS, HttpProxy
from torturelib.pg_proxy import PLACES, PgProxy

fire_seconds_max = 20


def fire(context, rig, proxy, fault, crowd):
    """Arms the proxy; the moment counts as a fault, or the try as void."""
    proxy.arm(fault)
    deadline = time.monotonic() + fire_seconds_max
    while not proxy.fired.wait(0.05):
        if crowd.stopping.is_set() or time.monotonic() > deadline:
            proxy.disarm()
            context.result.void += 1
            context.result.faults += 1
            return False
    rig.faults.append(proxy.faults[-1])
    told = context.result.notes
    told[fault] = told.get(fault, 0) + 1
    return True


@case("T09", "PostgreSQL's messages are cut", "cuts", 500, commit=60, night=2_000, release=30_000)
def cut_messages(context):
    with context.rig() as rig:
        proxy = PgProxy(rig.cluster.port, stall_seconds=0.3)
        rig.start(1, through=proxy.port)
        rig.start(1)  # another one that nobody disturbs
        places = list(PLACES)
        crowd = Crowd(rig, Plan(clients=8, count_max=5, repeat_in_100=5, seed=context.seed))
        for number in range(context.n):
            place = places[number % len(places)]
            crowd.wait_for_more(context.dice.randrange(1, 5))
            fire(context, rig, proxy, place, crowd)
        rig.history.mark_healed()
        context.recover(crowd, 20)
        crowd.stop()
        context.judge(rig)
        proxy.close()


@case("T09-unknown", "COMMIT in doubt, then no database", "cuts", 50, commit=4, night=60,
      release=1_000)
def in_doubt_without_database(context):
    """The service cannot resolve it in time: it has to say unknown, and only a promise that is
    true is a promise that nothing happened."""
    with context.rig(options=["--issue-time-max", "400ms"]) as rig:
        proxy = PgProxy(rig.cluster.port)
        rig.start(1, through=proxy.port)
        crowd = Crowd(rig, Plan(clients=6, count_max=5, seed=context.seed))
        for number in range(context.n):
            crowd.wait_for_more(10)
            proxy.refusing = True
            fire(context, rig, proxy, ("behind its Sync", "before its Z")[number % 2], crowd)
            time.sleep(0.7)
            proxy.refusing = False
        rig.history.mark_healed()
        context.recover(crowd, 20)
        crowd.stop()
        told = [a for a in rig.history.attempts if a.problem == "outcome-unknown"]
        context.result.notes["answered outcome-unknown"] = len(told)
        if not told:
            context.result.void += context.n
        context.judge(rig)
        proxy.close()


@case("T09-http", "HTTP messages are cut", "cuts", 500, commit=30, night=1_000, release=10_000)
def cut_http(context):
    with context.rig() as rig:
        rig.start(1)
        proxy = HttpProxy(rig.ports[0], context.seed)
        crowd = Crowd(rig, Plan(clients=6, count_max=5, seed=context.seed), [proxy.port])
        for number in range(context.n):
            crowd.wait_for_more(context.dice.randrange(1, 5))
            fire(context, rig, proxy, FAULTS[number % len(FAULTS)], crowd)
        rig.history.mark_healed()
        context.recover(crowd, 20)
        crowd.stop()
        context.judge(rig)
        proxy.close()
