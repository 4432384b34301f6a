# R15: outages, deaths, recalls, other sizes and pauses, one after the other and as it comes.
import time

from torturelib.case import case
from torturelib.frozen import backends, frozen
from torturelib.reserve import (
    crowd_of, finish, outage, reserve_rig, set_reserve, settled_seconds_max, start_one,
    start_with_reserve, wait_settled)


def short_outage(context, rig):
    with outage(rig):
        time.sleep(context.dice.uniform(0.2, 4))


def kill_in_an_outage(context, rig):
    victim = context.dice.choice(rig.instances)
    with outage(rig):
        time.sleep(context.dice.uniform(0.2, 2))
        victim.kill()
    start_one(victim)


def kill_in_peace(context, rig):
    context.dice.choice(rig.instances).restart()


def end_in_peace(context, rig):
    leaving = context.dice.choice(rig.instances)
    status = leaving.stop()
    context.expect(status == 0, f"gaplessd ended with {status} after SIGTERM")
    start_one(leaving)


def freeze_backends(context, rig):
    rig.faults.append(time.monotonic_ns())
    with frozen(backends(rig)):
        time.sleep(context.dice.uniform(0.5, 4))


def recall_all(context, rig):
    rig.sql("select gapless.lease_recall_all(null, 'torture')")


def other_size(context, rig):
    rig.reserve = context.dice.randrange(1_000, 20_000)
    set_reserve(rig, rig.reserve)


def pause_for_a_moment(context, rig):
    for paused in ("true", "false"):
        rig.sql(f"""select gapless.series_change('hot', '{{"paused": {paused}}}', null,"""
                " 'torture')")
        time.sleep(context.dice.uniform(0.2, 1.5))


MIXTURE = (short_outage, kill_in_an_outage, kill_in_peace, end_in_peace, freeze_backends,
           recall_all, other_size, pause_for_a_moment)


@case("R15", "everything at random", "acts", 30, night=60, release=3_000)
def mixture(context):
    with reserve_rig(context) as rig:
        rig.patience = 120
        start_with_reserve(rig, 3)
        crowd, told = crowd_of(rig, context, clients=12), context.result.notes
        for _ in range(context.n):
            act = context.dice.choice(MIXTURE)
            act(context, rig)
            told[act.__name__] = told.get(act.__name__, 0) + 1
            if context.dice.random() < 0.7:
                context.recover(crowd, 5, limit=settled_seconds_max)
            if context.dice.random() < 0.3:
                wait_settled(rig)
        finish(context, rig, crowd)
