# Rigs whose series has a reserve: leases that are taken, outages, and what is settled behind them.
import contextlib
import pathlib
import re
import time

from harness.history import OK
from harness.processes import Failure
from torturelib.crowd import Crowd, Plan

numbers = 20_000  # of each instance's reserve
blocks = {"hot": [(1_000, 9_999_999)]}
settled_seconds_max = 30  # from a database that answers until everything is settled


@contextlib.contextmanager
def reserve_rig(context, reserve=numbers, **options):
    """One series, hot, with a reserve; each instance has journals of its own, as on a host."""
    with context.rig(blocks=blocks, **options) as rig:
        prepare(rig, reserve)
        yield rig


def prepare(rig, reserve=numbers):
    # Sequences of a database that was copied go back in a crash before the next checkpoint: their
    # pages say that more values are logged than are in the WAL.
    rig.sql("checkpoint")
    set_reserve(rig, reserve)
    rig.reserve = reserve


def set_reserve(rig, wanted):
    """None: no lease any more."""
    text = "null" if wanted is None else wanted
    rig.sql(f"""select gapless.series_change('hot', '{{"reserve_numbers": {text}}}', null,"""
            " 'torture')")


def start_with_reserve(rig, count=1, through=None, lease_time=None, **environment):
    """Instances that have their leases."""
    for _ in range(count):
        instance = rig.add_instance(rig.url(through))
        instance.journal = rig.folder / f"journal-{instance.number}"
        start_one(instance, lease_time, **environment)
    # A block opens with its first number, and a lease is of an open one.
    rig.client().issue({"series": "hot", "key": f"the first of {len(rig.instances)}", "count": 1})
    for instance in rig.instances[-count:]:
        wait_taken(rig, instance)


def start_one(instance, lease_time=None, ready=True, **environment):
    if lease_time:
        environment["GAPLESS_LEASE_TIME"] = lease_time
    instance.start(ready, **environment)


def identity(instance):
    """The id under which this process has its leases; None: it has no journal."""
    events = instance.events("reserve_journal")
    found = re.search(r"([0-9a-f-]{36})\.lease$", events[-1]["file"]) if events else None
    return found.group(1) if found else None


def has_full_lease(rig, instance):
    """Of the database's opinion: one that is open and as large as it is to be."""
    name = identity(instance)
    if name is None:
        return False
    return rig.sql(
        "select count(*) = 1 from gapless.lease l join gapless.hold h"
        f" using (series_id, turn, ordinal) where l.instance = '{name}' and l.status = 'open'"
        f" and gapless.size_of(h.held) = {rig.reserve}") == "t"


def wait_until(holds, what, seconds_max=settled_seconds_max):
    deadline = time.monotonic() + seconds_max
    while not holds():
        if time.monotonic() > deadline:
            raise Failure(f"{what}: not within {seconds_max} s")
        time.sleep(0.05)


def wait_taken(rig, instance):
    wait_until(lambda: instance.events("reserve_taken") and has_full_lease(rig, instance),
               f"{instance.name} has no lease")


def journals(instance):
    """Files of leases in its folder that are not settled."""
    return sorted(pathlib.Path(instance.journal).glob("*.lease"))


def is_settled(rig, instance):
    return (instance.readiness()[0] == 200 and instance.metric("gapless_lease_unsettled") == 0
            and len(journals(instance)) == 1 and has_full_lease(rig, instance))


def wait_settled(rig, seconds_max=settled_seconds_max):
    """Until every instance that lives has told everything, and has a new lease."""
    for instance in rig.instances:
        if instance.alive:
            wait_until(lambda: is_settled(rig, instance), f"{instance.name} is not settled",
                       seconds_max)


def drawn(rig):
    """How many answers came from a reserve."""
    with rig.history.lock:
        return sum(1 for a in rig.history.attempts if a.fate == OK and a.reserve)


def wait_drawn(rig, more, seconds_max=30):
    wanted = drawn(rig) + more
    wait_until(lambda: drawn(rig) >= wanted, "nothing is answered from the reserve", seconds_max)


@contextlib.contextmanager
def outage(rig):
    """PostgreSQL is gone inside of it."""
    rig.faults.append(time.monotonic_ns())
    rig.cluster.stop("immediate")
    try:
        yield
    finally:
        rig.cluster.start()
        rig.cluster.wait_up()


def crowd_of(rig, context, clients=16, **plan):
    """Clients that stay at their instance as a balancer with affinity has them, but for some. In an
    outage only the process that answered a key knows it: then nobody else is asked to refuse it."""
    single = len(rig.instances) == 1
    plan = {"count_max": 3, "read_in_100": 0, "repeat_in_100": 10, "pause": 0.1,
            "reuse_in_100": 3 if single else 0, "seed": context.seed} | plan
    return Crowd(rig, Plan(clients=clients, **plan))


def finish(context, rig, crowd, more=20):
    """After the last fault: settled, issuing, judged."""
    rig.history.mark_healed()
    wait_settled(rig)
    crowd.wait_for_more(more, rig.patience)
    crowd.stop()
    wait_settled(rig)  # on a busy machine a reserve serves at any time
    judge(context, rig)


def judge(context, rig):
    context.expect(drawn(rig) > 0, "nothing was answered from a reserve")
    context.judge(rig)
    told = context.result.notes
    told["answers from a reserve"] = told.get("answers from a reserve", 0) + drawn(rig)
    twice = int(rig.sql("select count(*) from gapless.lease_record where spent_key is not null"))
    told["keys answered twice"] = told.get("keys answered twice", 0) + twice
