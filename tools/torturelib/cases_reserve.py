# R01 to R06: the database goes away, and instances answer from their reserve; some die of it.
import pathlib
import resource
import shutil
import time

from harness.processes import clean_environment, root, tell
from torturelib.case import case
from torturelib.cases_points import wait_for_end
from torturelib.reserve import (
    crowd_of, drawn, finish, judge, outage, reserve_rig, settled_seconds_max,
    start_one, start_with_reserve, wait_drawn, wait_settled, wait_taken, wait_until)

lease_time = 5  # seconds, where it has to pass


@case("R01", "an outage under 64 clients", "seconds", 60, commit=8, night=60, release=1_800)
def long_outage(context):
    with reserve_rig(context, reserve=300_000) as rig:
        rig.patience = context.n + 90
        start_with_reserve(rig, 2)
        crowd = crowd_of(rig, context, clients=64, pause=0.2)
        crowd.wait_for_more(100)
        with outage(rig):
            over = time.monotonic() + context.n
            while time.monotonic() < over:
                before = drawn(rig)
                time.sleep(2)
                context.expect(drawn(rig) > before, "nothing was answered for 2 s of an outage")
        context.recover(crowd, 64, limit=settled_seconds_max)
        finish(context, rig, crowd, 64)


# The points of reserve/failing_step.hpp, by what has to happen for an instance to come there.
TAKING = ("lease_intended", "lease_taken", "lease_granted")
DRAWING = ("answer_drawn", "answer_flushed")
SETTLING = ("lease_settling", "lease_settled")
RETURNING = ("lease_closed", "lease_returned")
STEPS = (*TAKING, *DRAWING, *SETTLING, *RETURNING)


def die_at(context, rig, point):
    """The first instance kills itself there -> whether it did"""
    doomed = rig.instances[0]
    doomed.kill()
    passage = context.dice.randrange(1, 9) if point in DRAWING else 1
    start_one(doomed, ready=False, GAPLESS_FAILPOINT=f"{point}:kill@{passage}")
    if point in TAKING + RETURNING:  # what the one before had is returned at the start
        return wait_for_end(doomed, False)
    wait_taken(rig, doomed)
    with outage(rig):
        if point in DRAWING:
            return wait_for_end(doomed, False)
        wait_drawn(rig, 20)
    return wait_for_end(doomed, False)


@case("R02", "an instance dies at each step of a reserve", "deaths", 18, commit=9, night=36,
      release=900)
def die_at_steps(context):
    with reserve_rig(context) as rig:
        start_with_reserve(rig, 2)
        crowd, told = crowd_of(rig, context), context.result.notes
        for number in range(context.n):
            point = STEPS[number % len(STEPS)]
            crowd.wait_for_more(5)
            died = die_at(context, rig, point)
            ended = rig.instances[0].process.poll()
            context.expect(died and ended == -9,
                           f"the service did not come to {point}, or ended otherwise: {ended}")
            told[point] = told.get(point, 0) + 1
            context.result.faults += 1
            context.result.hit += 1
            rig.instances[0].kill()
            start_one(rig.instances[0])
            context.recover(crowd, 5)
            wait_settled(rig)
        rig.faults.clear()  # counted above
        finish(context, rig, crowd)


@case("R03", "the disk with the journal is lost in an outage", "disks", 1, commit=1, night=5,
      release=50)
def lose_disk(context):
    """Keys are lost, numbers never leave twice: all that nobody returned is written off."""
    with reserve_rig(context) as rig:
        start_with_reserve(rig, 1, lease_time=f"{lease_time}s")
        crowd = crowd_of(rig, context, repeat_in_100=0, reuse_in_100=0)
        crowd.wait_for_more(20)
        victim = rig.instances[0]
        with outage(rig):
            wait_drawn(rig, 10)
            victim.kill()
            shutil.rmtree(victim.journal)
        start_one(victim, f"{lease_time}s")
        wait_taken(rig, victim)
        overdue = ("select count(*) from gapless.lease where status = 'open'"
                   " and draw_until < clock_timestamp()")
        wait_until(lambda: rig.sql(overdue) == "1", "the lost lease is not overdue")
        lost = rig.sql("select lease from gapless.lease where status = 'open'"
                       " and draw_until < clock_timestamp()")
        rig.ground.admin(rig.database, "lease", "write-off", lost, "--reason", "the disk is gone",
                         "--yes")
        rig.history.mark_healed()
        crowd.wait_for_more(20)
        crowd.stop()
        found = [text for text in rig.findings() if not known_to_be_lost(text)]
        context.result.violations += [f"{context.id}: {text}" for text in found[:20]]
        context.expect(drawn(rig) > 0, "nothing was answered from a reserve")
        check_written_off(context, rig, lost)


def known_to_be_lost(text):
    """What the loss of a disk is allowed to cost: keys, and so the rows they are in."""
    return (text.startswith("rule 3:") and "is not in the ledger" in text
            or text.startswith("rule 11:") and "is not settled" in text
            or text.startswith("rule 13:") and "'voided'" in text
            or text.startswith("rule 0:"))


def check_written_off(context, rig, lease):
    """All that was answered and lost is void, and nobody has it."""
    run = rig.sql("select ordinal, ordinal + count - 1, written_off from gapless.lease"
                  f" where lease = '{lease}'").split("|")
    context.expect(run[2] == f"{{[{run[0]},{int(run[1]) + 1})}}",
                   f"of the lease {run[0]} to {run[1]} only {run[2]} is written off")
    left = rig.sql("select count(*) from gapless.ledger g where g.turn > 0"
                   f" and g.ordinal between {run[0]} and {run[1]}")
    context.expect(left == "0", f"{left} rows have numbers that were written off")


def limit_files(instance, size):
    """From now on its files cannot grow beyond that: it began with SIGXFSZ ignored."""
    resource.prlimit(instance.process.pid, resource.RLIMIT_FSIZE,
                     (size, resource.RLIM_INFINITY))


def used_bytes(file):
    """Of a journal whose space is taken beforehand: up to the last byte that is not zero."""
    return len(pathlib.Path(file).read_bytes().rstrip(b"\0"))


ignoring_limits = ["bash", "-c", "trap '' XFSZ; exec \"$@\"", "bash"]


@case("R04", "the journal of a reserve cannot be written", "failures", 1, commit=1, night=5,
      release=50)
def failing_journal(context):
    """What cannot be written is answered outcome-unknown, and is settled from memory. Nothing more
    is drawn."""
    with reserve_rig(context) as rig:
        instance = rig.add_instance(rig.url())
        instance.journal = rig.folder / "journal-0"
        instance.command = [*ignoring_limits, *instance.command]
        start_one(instance)
        rig.client().issue({"series": "hot", "key": "opens the block", "count": 1})
        wait_taken(rig, instance)
        crowd = crowd_of(rig, context)
        crowd.wait_for_more(20)
        (journal,) = pathlib.Path(instance.journal).glob("*.lease")
        with outage(rig):
            wait_until(lambda: used_bytes(journal) > 2 * instance.log.stat().st_size + 4_000,
                       "the journal does not grow")
            rig.faults.append(time.monotonic_ns())
            limit_files(instance, used_bytes(journal))
            wait_until(lambda: instance.events("reserve_journal_failed"), "no flush failed")
            time.sleep(0.3)  # answers that were under way
            before = drawn(rig)
            time.sleep(1)
            context.expect(drawn(rig) == before, "it draws, and its journal cannot be written")
        limit_files(instance, resource.RLIM_INFINITY)
        wait_until(lambda: instance.metric("gapless_lease_unsettled") == 0, "it is not settled")
        rig.history.mark_healed()
        context.recover(crowd, 20)
        crowd.stop()
        judge(context, rig)


@case("R05", "an instance is frozen for longer than its lease", "freezes", 2, commit=1, night=6,
      release=60)
def frozen_instance(context):
    """By its own clock it sleeps for a moment; it wakes with a lease that is over."""
    with reserve_rig(context) as rig:
        start_with_reserve(rig, 1, lease_time=f"{lease_time}s")
        crowd = crowd_of(rig, context)
        for _ in range(context.n):
            crowd.wait_for_more(20)
            instance = rig.instances[0]
            with outage(rig):
                wait_drawn(rig, 10)
                instance.signal(19)  # SIGSTOP
                time.sleep(lease_time + 0.5)
                woke = time.monotonic_ns()
                instance.signal(18)  # SIGCONT
                time.sleep(1)
            with rig.history.lock:
                late = [a for a in rig.history.attempts
                        if a.reserve and not a.replayed and a.start > woke]
            context.expect(not late, f"{len(late)} answers from a lease that was over")
            context.recover(crowd, 10, limit=settled_seconds_max)
            wait_settled(rig)
        finish(context, rig, crowd)


@case("R06", "the database is put back to before the grant", "restores", 1, night=1, release=4)
def put_back(context):
    """The drill of tests/faults, which has a server of its own."""
    run_drill(context, "reserve_restore_drills", "restored_before_grant")


def run_drill(context, script, name):
    for _ in range(context.n):
        status, out, error = tell(
            [root / f"tests/faults/{script}.py", name], f"run {name}", 300,
            env=clean_environment(GAPLESS_BIN_DIR=context.ground.programs))
        context.expect(status == 0, f"{name} ended with {status}: {(error or out)[-400:]}")
        context.result.faults += 1
        context.result.hit += 1
