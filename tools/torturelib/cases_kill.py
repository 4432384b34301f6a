# Cases that end processes: instances (T06), PostgreSQL (T08), and asking nicely (T26).
import contextlib
import os
import signal
import time

from harness.history import OK
from torturelib.case import case
from torturelib.crowd import Crowd, Plan

issuing_seconds_max = 10  # from a running database to numbers
ready_seconds_max = 5  # from the start of an instance to ready; its target on a quiet machine is 1


@case("T06", "kill -9 of an instance", "kills", 100, commit=8, night=200, release=3_000)
def kill_instances(context):
    with context.rig() as rig:
        rig.start(3)
        crowd = Crowd(rig, Plan(clients=9, seed=context.seed))
        for _ in range(context.n):
            crowd.wait_for_more(context.dice.randrange(5, 25))
            time.sleep(context.dice.random() * 0.02)
            victims = context.dice.sample(rig.instances, context.dice.choice((1, 1, 2)))
            rig.faults.append(time.monotonic_ns())
            for victim in victims:
                victim.kill()
            began = time.monotonic()
            for victim in victims:
                victim.start()
            context.expect(time.monotonic() - began < ready_seconds_max * len(victims),
                           "an instance took too long to be ready")
        rig.history.mark_healed()
        context.recover(crowd, 20)
        crowd.stop()
        context.judge(rig)


def kill_postgres(rig, victim):
    """Until PostgreSQL accepts connections again."""
    cluster = rig.cluster
    if victim == "postmaster":
        rig.faults.append(time.monotonic_ns())
        cluster.kill_postmaster()
        cluster.start()
    elif victim == "immediate":
        rig.faults.append(time.monotonic_ns())
        cluster.stop("immediate")
        cluster.start()
    else:
        name = "gaplessd" if victim == "backend" else victim
        process = rig.dice.choice(cluster.processes()[name])
        rig.faults.append(time.monotonic_ns())
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        time.sleep(0.05)  # until the postmaster has seen it
    cluster.wait_up()


VICTIMS = ("backend", "postmaster", "backend", "immediate", "backend", "walwriter", "postmaster",
           "checkpointer", "backend", "postmaster")


@case("T08", "kill -9 of PostgreSQL", "kills", 50, commit=3, night=60, release=600,
      fresh=True)
def kill_database(context):
    with context.rig() as rig:
        rig.dice = context.dice
        rig.start(2)
        crowd = Crowd(rig, Plan(clients=8, seed=context.seed))
        for number in range(context.n):
            victim = VICTIMS[number % len(VICTIMS)]
            crowd.wait_for_more(context.dice.randrange(10, 60))
            time.sleep(context.dice.random() * 0.02)
            kill_postgres(rig, victim)
            # More than can have been on their way to the clients.
            context.recover(crowd, 17, limit=issuing_seconds_max)
            killed = context.result.notes
            killed[victim] = killed.get(victim, 0) + 1
        rig.history.mark_healed()
        crowd.wait_for_more(20)
        crowd.stop()
        context.judge(rig)
        for instance in rig.instances:  # nobody had to start them again
            context.expect(instance.events("database_lost"), "an instance noticed nothing")
            context.expect(instance.stop() == 0, "an instance does not end well")


def executed_without_answer(history):
    """Keys that were sent by one client only, and whose first answer is a replay."""
    answered = [a for a in history.attempts if a.op == "issue" and a.fate == OK]
    fresh = {(a.client, a.key) for a in answered if not a.replayed}
    return sorted({(a.client, a.key) for a in answered} - fresh)


@case("T26", "SIGTERM under load", "restarts", 50, commit=3, night=60, release=500)
def drain(context):
    with context.rig() as rig:
        rig.start(2)
        crowd = Crowd(rig, Plan(clients=8, repeat_in_100=0, seed=context.seed))
        for number in range(context.n):
            crowd.wait_for_more(context.dice.randrange(5, 20))
            leaving = rig.instances[number % 2]
            rig.faults.append(time.monotonic_ns())
            status = leaving.stop()
            context.expect(status == 0, f"gaplessd ended with {status} after SIGTERM")
            context.expect(leaving.events("stopped"), "gaplessd does not log that it stopped")
            leaving.start()
        rig.history.mark_healed()
        context.recover(crowd, 20)
        crowd.stop()
        unknown = [a for a in rig.history.attempts if a.problem == "outcome-unknown"]
        context.expect(not unknown, f"{len(unknown)} requests ended unknown by a planned restart")
        lost = executed_without_answer(rig.history)
        context.expect(not lost, f"{len(lost)} requests were executed and not answered: {lost[:3]}")
        context.judge(rig)
