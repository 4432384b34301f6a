# R02, R12, R15: instances with a reserve die at each step of it, have a database that is only slow,
# and meet everything else at random.
import contextlib
import os
import pathlib
import re
import signal
import time

from harness.crowd import Crowd, Plan
from harness.history import OK
from harness.processes import Failure
from torturelib.case import case
from torturelib.cases_kill import wait_for_end

settled_seconds_max = 30  # from a database that answers until everything is settled
clients = 16


@contextlib.contextmanager
def reserve_rig(context, count):
    """One series, hot, with a reserve, and so many instances, each with journals of its own as on a
    host, and with its lease."""
    with context.rig(blocks={"hot": [(1_000, 9_999_999)]}) as rig:
        # Sequences of a database that was copied go back in a crash before the next checkpoint:
        # their pages say that more values are logged than are in the WAL.
        rig.sql("checkpoint")
        rig.patience = 120
        set_reserve(rig, 20_000)
        for number in range(count):
            instance = rig.add_instance(rig.url())
            instance.journal = rig.folder / f"journal-{number}"
            instance.start()
        # A block opens with its first number, and a lease is of an open one.
        rig.client().issue({"series": "hot", "key": "the first", "count": 1})
        for instance in rig.instances:
            wait_taken(rig, instance)
        yield rig


def set_reserve(rig, wanted):
    rig.reserve = wanted
    change(rig, f'"reserve_numbers": {wanted}')


def change(rig, what):
    rig.sql(f"select gapless.series_change('hot', '{{{what}}}', null, 'torture')")


def has_full_lease(rig, instance):
    """Of the database's opinion: this process has one that is open and as large as it is to be."""
    events = instance.events("reserve_journal")
    found = re.search(r"([0-9a-f-]{36})\.lease$", events[-1]["file"]) if events else None
    return found and rig.sql(
        "select count(*) = 1 from gapless.lease l join gapless.hold h"
        f" using (series_id, turn, ordinal) where l.instance = '{found[1]}' and l.status = 'open'"
        f" and gapless.size_of(h.held) = {rig.reserve}") == "t"


def wait_until(holds, what):
    deadline = time.monotonic() + settled_seconds_max
    while not holds():
        if time.monotonic() > deadline:
            raise Failure(f"{what}: not within {settled_seconds_max} s")
        time.sleep(0.05)


def has_taken(rig, instance):
    return instance.events("reserve_taken") and has_full_lease(rig, instance)


def wait_taken(rig, instance):
    wait_until(lambda: has_taken(rig, instance), f"{instance.name} has no lease")


def wait_settled(rig):
    """Until every instance that lives has told everything, and has a new lease."""
    for instance in rig.instances:
        if instance.alive:
            wait_until(lambda each=instance: each.readiness()[0] == 200
                       and each.metric("gapless_lease_unsettled") == 0
                       and len(list(pathlib.Path(each.journal).glob("*.lease"))) == 1
                       and has_full_lease(rig, each), f"{instance.name} is not settled")


def drawn(rig):
    """How many answers came from a reserve."""
    with rig.history.lock:
        return sum(1 for a in rig.history.attempts if a.fate == OK and a.reserve)


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


def crowd_of(rig, context):
    """Clients that stay at their instance as a balancer with affinity has them, but for some. In an
    outage only the process that answered a key knows it: nobody is asked to refuse a reused one."""
    return Crowd(rig, Plan(clients=clients, count_max=3, read_in_100=0, repeat_in_100=10,
                           reuse_in_100=0, pause=0.1, seed=context.seed))


def finish(context, rig, crowd):
    wait_settled(rig)
    rig.history.mark_healed()
    crowd.wait_for_more(20)
    crowd.stop()
    wait_settled(rig)  # on a busy machine a reserve serves at any time
    context.told["answers from a reserve"] += drawn(rig)
    context.expect(drawn(rig) > 0, "nothing was answered from a reserve")
    context.judge(rig)


# The points of reserve/failing_step.hpp, by what has to happen for an instance to come there.
AT_START = ("lease_intended", "lease_taken", "lease_granted", "lease_closed", "lease_returned")
DRAWING = ("answer_drawn", "answer_flushed")
STEPS = (*AT_START, *DRAWING, "lease_settling", "lease_settled")


def die_at(context, rig, point):
    """The first instance kills itself there -> whether it did"""
    doomed = rig.instances[0]
    doomed.kill()
    passage = context.dice.randrange(1, 9) if point in DRAWING else 1
    doomed.start(ready=False, GAPLESS_FAILPOINT=f"{point}:kill@{passage}")
    if point in AT_START:  # what the one before had is returned at the start
        return wait_for_end(doomed)
    # On a busy machine the one before may have left answers, which are settled at the start, too.
    wait_until(lambda: not doomed.alive or has_taken(rig, doomed), f"{doomed.name} has no lease")
    if not doomed.alive:
        return wait_for_end(doomed)
    with outage(rig):
        if point in DRAWING:
            return wait_for_end(doomed)
        wanted = drawn(rig) + 20
        wait_until(lambda: drawn(rig) >= wanted, "nothing is answered from the reserve")
    return wait_for_end(doomed)


@case("R02", "an instance dies at each step of a reserve", "deaths", quick=9, night=36)
def die_at_steps(context):
    with reserve_rig(context, 2) as rig:
        crowd = crowd_of(rig, context)
        for number in range(context.n):
            point = STEPS[number % len(STEPS)]
            crowd.wait_for_more(5)
            died = die_at(context, rig, point)
            context.expect(died, f"the service did not come to {point}, or ended otherwise:"
                                 f" {rig.instances[0].process.poll()}")
            context.told[point] += died
            rig.instances[0].restart()
            context.recover(crowd, 5)
            wait_settled(rig)
        finish(context, rig, crowd)


@case("R12", "the database is slow only", "requests", quick=300, night=3_000)
def slow_database(context):
    """COMMIT takes 30 ms, and many come at once: nobody is answered from the reserve."""
    with reserve_rig(context, 1) as rig:
        rig.cluster.configure("commit_siblings", 0)
        rig.cluster.configure("commit_delay", 30_000)
        crowd = Crowd(rig, Plan(clients=50, reuse_in_100=0, seed=context.seed))
        crowd.wait_for_more(context.n)
        crowd.stop()
        context.expect(drawn(rig) == 0, f"{drawn(rig)} answers came from the reserve")
        context.judge(rig)


def outage_of_seconds(context, rig):
    with outage(rig):
        time.sleep(context.dice.uniform(0.2, 8))


def kill_in_an_outage(context, rig):
    """A process, and what was in its memory; now and then all of them."""
    victims = rig.instances[:context.dice.choice((1, 1, 3))]
    with outage(rig):
        time.sleep(context.dice.uniform(0.2, 2))
        for victim in victims:
            victim.kill()
    for victim in victims:
        victim.start()


def restart(context, rig):
    leaving = context.dice.choice(rig.instances)
    if context.dice.random() < 0.5:
        leaving.kill()
    else:
        status = leaving.stop()
        context.expect(status == 0, f"gaplessd ended with {status} after SIGTERM")
    leaving.start()


def freeze_backends(context, rig):
    """Alive, connected, and silent."""
    rig.faults.append(time.monotonic_ns())
    pids = [int(pid) for pid in rig.sql(
        "select pid from pg_stat_activity where usename = 'gaplessd'").split()]
    for number, pause in ((signal.SIGSTOP, context.dice.uniform(0.5, 4)), (signal.SIGCONT, 0)):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)
        time.sleep(pause)


def recall_all(_, rig):
    rig.sql("select gapless.lease_recall_all(null, 'torture')")


def other_size(context, rig):
    set_reserve(rig, context.dice.randrange(1_000, 20_000))


def pause_for_a_moment(context, rig):
    for paused in ("true", "false"):
        change(rig, f'"paused": {paused}')
        time.sleep(context.dice.uniform(0.2, 1.5))


MIXTURE = (outage_of_seconds, kill_in_an_outage, restart, freeze_backends, recall_all, other_size,
           pause_for_a_moment)


@case("R15", "everything at random", "acts", quick=8, night=60)
def mixture(context):
    with reserve_rig(context, 3) as rig:
        crowd = crowd_of(rig, context)
        for number in range(context.n):
            act = MIXTURE[number] if number < len(MIXTURE) else context.dice.choice(MIXTURE)
            act(context, rig)
            context.told[act.__name__] += 1
            if context.dice.random() < 0.7:
                context.recover(crowd, 5, limit=settled_seconds_max)
            if context.dice.random() < 0.3:
                wait_settled(rig)
        finish(context, rig, crowd)
