# Cases that end processes: instances (T06), PostgreSQL (T08), and both at each point of an issuance
# (T07, T07-database).
import contextlib
import os
import signal
import socket
import time

from harness.crowd import Crowd, Plan
from torturelib import points
from torturelib.case import case

issuing_seconds_max = 10  # from a running database to numbers
end_seconds_max = 20
connections_max = 12  # of one instance: two to issue, four threads, health, and some that end


@case("T06", "kill -9 of an instance", "kills", quick=8, night=200)
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
            for victim in victims:
                victim.start()
        context.finish(rig, crowd)


def kill_postgres(rig, victim):
    """Until PostgreSQL accepts connections again."""
    cluster = rig.cluster
    rig.faults.append(time.monotonic_ns())
    if victim == "postmaster":
        cluster.kill_postmaster()
        cluster.start()
    elif victim == "immediate":
        cluster.stop("immediate")
        cluster.start()
    else:
        name = "gaplessd" if victim == "backend" else victim
        with contextlib.suppress(ProcessLookupError):
            os.kill(cluster.processes()[name][0], signal.SIGKILL)
        time.sleep(0.05)  # until the postmaster has seen it
    cluster.wait_up()


VICTIMS = ("postmaster", "backend", "immediate", "walwriter", "backend", "checkpointer")


@case("T08", "kill -9 of PostgreSQL, and a herd that comes back", "kills", quick=3, night=60)
def kill_database(context):
    with context.rig() as rig:
        rig.start(2)
        crowd = Crowd(rig, Plan(clients=32, seed=context.seed))
        for number in range(context.n):
            victim = VICTIMS[number % len(VICTIMS)]
            crowd.wait_for_more(context.dice.randrange(10, 60))
            time.sleep(context.dice.random() * 0.02)
            kill_postgres(rig, victim)
            # More than can have been on their way to the clients.
            context.recover(crowd, 65, limit=issuing_seconds_max)
            opened = rig.sql("select count(*) from pg_stat_activity where usename = 'gaplessd'")
            context.expect(int(opened) <= 2 * connections_max, f"{opened} connections are open")
            context.told[victim] += 1
        context.finish(rig, crowd)
        for instance in rig.instances:  # nobody had to start them again
            context.expect(instance.events("database_lost"), "an instance noticed nothing")
            context.expect(instance.stop() == 0, "an instance does not end well")


# In the order of one issuance; docs/reports/torture.md has the rows of failures.md to them.
POINTS = ("head_incomplete", "request_read", "batch_leaving", "lock_taken", "batch_queued",
          "batch_sent", "commit_sent", "commit_arrived", "answer_arrived", "reply_made",
          "reply_half_sent", "reply_sent")


def send_half_a_head(port):
    """For head_incomplete: a piece of a head, then the rest."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as line:
        line.sendall(b"POST /v1/series/hot/numbers HT")
        time.sleep(0.02)
        line.sendall(b"TP/1.1\r\nHost: torture\r\n\r\n")
        line.recv(100)


def wait_for_end(instance, poke=False):
    """True when the armed process killed itself."""
    deadline = time.monotonic() + end_seconds_max
    while instance.alive and time.monotonic() < deadline:
        if poke:
            send_half_a_head(instance.ports[instance.number])
        time.sleep(0.005)
    return instance.process.poll() == -signal.SIGKILL


@case("T07", "the service dies at each point", "deaths", quick=12, night=240)
def die_at_points(context):
    with context.rig() as rig:
        rig.start(2)
        doomed = rig.instances[0]
        crowd = Crowd(rig, Plan(clients=6, count_max=5, seed=context.seed))
        for number in range(context.n):
            point = POINTS[number % len(POINTS)]
            passage = context.dice.randrange(1, 6)
            doomed.restart(ready=False, GAPLESS_FAILPOINT=f"{point}:kill@{passage}")
            died = wait_for_end(doomed, point == "head_incomplete")
            rig.faults.append(time.monotonic_ns())
            context.expect(died, f"the service did not come to {point}, or ended otherwise:"
                                 f" {doomed.process.poll()}")
            context.told[point] += died
        doomed.restart()
        context.finish(rig, crowd)


WAYS = [(place, action) for action in points.ACTIONS for place in points.PLACES]


@case("T07-database", "PostgreSQL fails inside a batch", "failures", quick=6, night=120)
def database_fails_at_points(context):
    with context.rig() as rig:
        rig.start(2)
        crowd = Crowd(rig, Plan(clients=6, count_max=5, seed=context.seed))
        for number in range(context.n):
            place, action = WAYS[number % len(WAYS)]
            passage = context.dice.randrange(5, 40)
            rig.sql(points.arm(place, action, passage))
            rig.cluster.wait_for(
                points.fired.format(passage), f"come to {place}", rig.database, end_seconds_max)
            rig.faults.append(time.monotonic_ns())
            rig.sql(points.disarm)
            context.recover(crowd, 10, limit=issuing_seconds_max)
            context.told[f"{place} {action}"] += 1
        context.finish(rig, crowd)
