# T07: an issuance ends at each of its points, in the service and in PostgreSQL.
import socket
import time

from harness.history import INFO
from torturelib import points
from torturelib.case import case
from torturelib.crowd import Crowd, Plan

# In the order of one issuance; docs/reports/torture.md has the rows of failures.md to them.
REQUEST = ("head_incomplete", "request_read")
LANE = ("batch_leaving", "lock_taken", "batch_queued", "batch_sent", "commit_sent",
        "commit_arrived", "answer_arrived")
REPLY = ("reply_made", "reply_half_sent", "reply_sent")
SERVICE = (*REQUEST, *LANE, *REPLY)
DROPPED = (*LANE[1:], *REPLY)  # also without the service's death
end_seconds_max = 20


def send_half_a_head(port):
    """For head_incomplete: a piece of a head, then the rest."""
    with socket.create_connection(("127.0.0.1", port), 5) as line:
        line.sendall(b"POST /v1/series/hot/numbers HT")
        time.sleep(0.02)
        try:
            line.sendall(b"TP/1.1\r\nHost: torture\r\n\r\n")
            line.recv(100)
        except OSError:
            pass


def wait_for_end(instance, poke):
    """True when the armed process killed itself."""
    deadline = time.monotonic() + end_seconds_max
    while instance.alive and time.monotonic() < deadline:
        if poke and instance.alive:
            try:
                send_half_a_head(instance.ports[instance.number])
            except OSError:
                pass
        time.sleep(0.005)
    return not instance.alive


@case("T07", "the service dies at each point", "deaths", 120, commit=12, night=240, release=12_000)
def die_at_points(context):
    with context.rig() as rig:
        rig.start(2)
        doomed, told = rig.instances[0], context.result.notes
        crowd = Crowd(rig, Plan(clients=6, count_max=5, seed=context.seed))
        for number in range(context.n):
            point = SERVICE[number % len(SERVICE)]
            passage = context.dice.randrange(1, 6)
            doomed.restart(ready=False, GAPLESS_FAILPOINT=f"{point}:kill@{passage}")
            died = wait_for_end(doomed, point == "head_incomplete")
            moment = time.monotonic_ns()
            if died and doomed.process.returncode == -9:
                rig.faults.append(moment)
                told[point] = told.get(point, 0) + 1
            else:
                context.result.void += 1
                context.violation(f"the service did not come to {point}, or ended otherwise:"
                                  f" {doomed.process.poll()}")
        doomed.restart()
        rig.history.mark_healed()
        context.recover(crowd, 20)
        crowd.stop()
        context.judge(rig)


def wait_for_cut(rig, crowd, point, unknown):
    """True when somebody noticed it: the connection, or a client."""
    for _ in range(10):
        crowd.wait_for_more(20)
        if rig.instances[0].events("database_lost") if point in LANE else (
                rig.history.count(INFO) > unknown):
            return True
    return False


@case("T07-line", "a connection ends at each point", "cuts", 90, commit=9, night=180,
      release=5_000)
def drop_at_points(context):
    """Each start of the service drops one connection: its own, or of a client."""
    with context.rig() as rig:
        rig.start(1)
        told = context.result.notes
        crowd = Crowd(rig, Plan(clients=6, count_max=5, seed=context.seed))
        for number in range(context.n):
            point, passage = DROPPED[number % len(DROPPED)], context.dice.randrange(3, 20)
            unknown = rig.history.count(INFO)
            rig.instances[0].restart(GAPLESS_FAILPOINT=f"{point}:drop@{passage}")
            moment = time.monotonic_ns()
            if wait_for_cut(rig, crowd, point, unknown):
                rig.faults.append(moment)
                told[point] = told.get(point, 0) + 1
            else:
                context.result.void += 1
        rig.history.mark_healed()
        crowd.wait_for_more(20)
        crowd.stop()
        context.judge(rig)


@case("T07-database", "PostgreSQL dies inside a batch", "deaths", 60, commit=6, night=120,
      release=3_000, fresh=True)
def database_dies_at_points(context):
    ways = [(place, action) for action in ("terminate", "conflict", "kill")
            for place in points.PLACES]
    with context.rig() as rig:
        rig.start(2)
        crowd = Crowd(rig, Plan(clients=6, count_max=5, seed=context.seed))
        for number in range(context.n):
            place, action = ways[number % len(ways)]
            passage = context.dice.randrange(5, 40)
            crashes = crashes_of(rig.cluster)
            rig.sql(points.arm(place, action, passage))
            if wait_for_passage(rig, passage, crashes if action == "kill" else None):
                rig.faults.append(time.monotonic_ns())
                told = context.result.notes
                told[f"{place} {action}"] = told.get(f"{place} {action}", 0) + 1
            else:
                context.result.void += 1
            rig.cluster.ask_patiently(rig.database, points.disarm)
            context.recover(crowd, 10, limit=10)
        rig.history.mark_healed()
        crowd.wait_for_more(20)
        crowd.stop()
        context.judge(rig)


def crashes_of(cluster):
    log = cluster.folder / "log/postgres.log"
    return log.read_text(errors="replace").count("was terminated by signal 9")


def wait_for_passage(rig, passage, crashes):
    """Until the place has failed. A crash may take the sequence back: then the log tells, by more
    crashes than there were."""
    deadline = time.monotonic() + end_seconds_max
    while time.monotonic() < deadline:
        if crashes is not None:
            if crashes_of(rig.cluster) > crashes:
                return True
            time.sleep(0.02)
        elif rig.sql(points.fired.format(passage)) == "t":
            return True
    return False
