# Cases of patience: a soak, an old snapshot, a standby that is away for long, restarts one by one,
# restores. T15, T23, T24, T25, T34.
import os
import subprocess
import time

from harness.processes import clean_environment, root
from torturelib.case import case
from torturelib.cases_standby import acknowledged_alone
from torturelib.crowd import Crowd, Plan
from torturelib.holder import Holder
from torturelib.load import MS, Load, percentile, resident_megabytes
from torturelib.pair import PairRig, pair_of

DRILLS = ("copy_put_back", "point_in_time", "dump_elsewhere", "clone_beside", "forced_open",
          "failover")
big = {"hot": [(1, 99_999_999)]}


@case("T15", "a database that forgot: restores and clones", "drills", 6, night=12, release=50)
def restores(context):
    """The drills of tests/faults: fenced each time, and nothing leaves twice after the way back."""
    environment = clean_environment(GAPLESS_BIN_DIR=context.ground.programs)
    for number in range(context.n):
        drill = DRILLS[number % len(DRILLS)]
        done = subprocess.run([root / "tests/faults/restore_drills.py", drill], text=True,
                              capture_output=True, env=environment)
        context.result.faults += 1
        context.result.hit += 1
        words = (done.stderr or done.stdout).strip().splitlines()[-1:]
        context.expect(done.returncode == 0, f"{drill}: {words}")
        told = context.result.notes
        told[drill] = told.get(drill, 0) + 1


@case("T25", "restarts one by one", "rounds", 10, commit=1, night=10, release=20)
def rolling_restart(context):
    """Under load, as for an upgrade; both sides are the same release as long as there is one."""
    with context.rig() as rig:
        rig.start(3)
        crowd = Crowd(rig, Plan(clients=9, seed=context.seed))
        for _ in range(context.n):
            for instance in rig.instances:
                crowd.wait_for_more(15)
                rig.faults.append(time.monotonic_ns())
                status = instance.stop()
                context.expect(status == 0, f"gaplessd ended with {status} after SIGTERM")
                instance.start()
        rig.history.mark_healed()
        context.recover(crowd, 20)
        crowd.stop()
        answers = [a for a in rig.history.attempts if a.status]
        no = [a for a in answers if a.status == 503 and a.executed == "no"]
        other = [a for a in answers if a.status >= 500 and a not in no]
        context.expect(not other, f"{len(other)} answers of class 5xx are not 503 no")
        context.expect(len(no) <= len(answers) / 100, f"{len(no)} of {len(answers)} were refused")
        context.judge(rig)


outage_seconds = {"night": 60, "release": 600}


@case("T34", "the standby is away for long", "outages", 1, night=1, release=5)
def long_outage(context):
    """Nothing is acknowledged meanwhile, everybody is told in time, and every key resolves."""
    with pair_of(context) as pair, context.counted(
            PairRig(pair, options=["--issue-time-max", "2s"])) as rig:
        away = outage_seconds.get(context.tier, 15)
        rig.patience = away + 60
        rig.start(2)
        crowd = Crowd(rig, Plan(clients=6, count_max=5, read_in_100=0, seed=context.seed))
        crowd.wait_for_more(30)
        pair.line.hold()
        held = time.monotonic_ns()
        rig.faults.append(held)
        time.sleep(away)
        healed = time.monotonic_ns()
        early = acknowledged_alone(rig.history, held, healed)
        context.expect(not early, f"{len(early)} answers with numbers only the primary had")
        with rig.history.lock:
            met = [a for a in rig.history.attempts if a.start > held and a.end < healed]
        late = [a for a in met if (a.end - a.start) / MS > 2_500]
        context.expect(met and not late, f"{len(late)} of {len(met)} answers came late")
        wrong = [a for a in met if a.status not in (0, 503)]
        context.expect(not wrong, f"{len(wrong)} answers are not 503")
        pair.line.hold(False)
        context.recover(crowd, 15)
        rig.history.mark_healed()
        crowd.wait_for_more(20)
        crowd.stop()
        context.result.notes["away"] = f"{away} s, {len(met)} answers, {len(wrong)} wrong"
        context.judge(rig)


snapshot_seconds = {"night": 60, "release": 1_800}
share_with_snapshot_min, share_after_min = 0.5, 0.9
measured_seconds = 5


def rate_of(rig, seed):
    """Numbers per second that 32 clients get."""
    seen = Load(rig, 0, 32, measured_seconds, seed).wait()
    return sum(a.status == 201 for a in seen) / measured_seconds


@case("T24", "an old snapshot under load", "snapshots", 1, night=1, release=1, fresh=True)
def old_snapshot(context):
    """It keeps every old version of the counter alive."""
    with context.rig(blocks=big) as rig:
        rig.start(1)
        rate_of(rig, context.seed)  # warms up
        before = rate_of(rig, context.seed + 1)
        holder = Holder(rig.cluster, rig.database, "select count(*) from gapless.ledger",
                        "begin isolation level repeatable read")
        context.result.faults += 1
        context.result.hit += 1
        since = time.monotonic()
        Load(rig, 300, 32, snapshot_seconds.get(context.tier, 15), context.seed + 2).wait()
        during = rate_of(rig, context.seed + 3)
        held = time.monotonic() - since
        holder.release()
        since, after, turn = time.monotonic(), 0, 0
        while after < share_after_min * before and time.monotonic() - since < 120:
            turn += 1
            after = rate_of(rig, context.seed + 10 + turn)
        took = time.monotonic() - since
        told = (f"{before:.0f}/s before, {during:.0f}/s with a snapshot of {held:.0f} s,"
                f" {after:.0f}/s {took:.0f} s after its end")
        context.expect(during >= share_with_snapshot_min * before, told)
        context.expect(after >= share_after_min * before, told)
        context.result.slowest_recovery = took
        context.result.notes["snapshot"] = told
        context.judge(rig)


soak_rate = 400
kill_every_seconds = 20
FACTS = """select pg_total_relation_size('gapless.counter'), n_tup_hot_upd, n_tup_upd
    from pg_stat_user_tables where schemaname = 'gapless' and relname = 'counter'"""


def open_files(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


@case("T23", "a soak", "numbers", 100_000, night=40_000, release=10_000_000, fresh=True)
def soak(context):
    """At a steady rate; a second instance is killed again and again. What grows, grows here."""
    seconds = context.n / soak_rate
    with context.rig(blocks=big) as rig:
        rig.start(2)
        pid = rig.instances[0].process.pid
        Load(rig, soak_rate, 100, 3, context.seed).wait()
        resident, files = resident_megabytes(pid), open_files(pid)
        crowd = Crowd(rig, Plan(clients=2, pause=0.05, seed=context.seed), ports=rig.ports[1:])
        # The list of its ports is a copy: a new start has to be told.
        load = Load(rig, soak_rate, 100, seconds, context.seed + 1)
        over = time.monotonic() + seconds
        while time.monotonic() < over - kill_every_seconds / 2:
            time.sleep(kill_every_seconds / 2)
            rig.faults.append(time.monotonic_ns())
            rig.instances[1].restart()
            crowd.ports[0] = rig.ports[1]
        seen = load.wait()
        rig.history.mark_healed()
        crowd.wait_for_more(5)
        crowd.stop()
        grown, more = resident_megabytes(pid) - resident, open_files(pid) - files
        size, hot, updates = map(int, rig.sql(FACTS).split("|"))
        half = sorted(seen, key=lambda a: a.due)
        first, last = (percentile([a.took_ms for a in part], 0.99)
                       for part in (half[:len(half) // 2], half[len(half) // 2:]))
        told = (f"{len(seen)} requests in {seconds:.0f} s, {grown:.1f} MB and {more} descriptors"
                f" more, counter {size / 1024:.0f} kB, {100 * hot / max(1, updates):.1f} % HOT,"
                f" p99 {first:.1f} ms, then {last:.1f} ms")
        context.expect(grown < 8 and more < 20, told)
        context.expect(size < 1_000_000 and hot >= 0.95 * updates, told)
        lost = [a for a in seen if a.status != 201]
        context.expect(len(lost) <= len(seen) / 100, f"{len(lost)} of {len(seen)} not served")
        context.result.notes["soak"] = told
        context.judge(rig)
