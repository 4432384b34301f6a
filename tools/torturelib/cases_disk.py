# A disk of PostgreSQL is full (T17-data, T17-wal), or forgets at a power failure what was not
# flushed (T16, T16-unsafe).
import contextlib
import os
import shutil
import signal
import time

from harness.crowd import Crowd, Plan
from harness.history import OK
from harness.processes import Failure, clean_environment, pg_bin, run
from torturelib.case import case
from torturelib.disk import small_disk
from torturelib.forgetful import forgetful_disk

recovery_seconds_max = 60  # from power, or from room on the disk, to numbers
refusal_seconds_max = 30  # from a full disk to the first refusal
fence_seconds_max = 30
data_megabytes, wal_megabytes = 128, 224


def move(cluster, folder, target, link=None):
    """A folder of a server is on another disk from now on, where a link leads."""
    cluster.stop()
    place = cluster.folder / folder
    run(["cp", "-a", place, target], "move a folder of the server")  # what is there is flushed
    shutil.rmtree(place)
    place.symlink_to(link or target)
    cluster.start()


def wait_for_refusal(context, rig, since):
    """Until a client is told that nothing happened because of the disk; every answer is honest."""
    deadline, told = time.monotonic() + refusal_seconds_max, []
    while time.monotonic() < deadline and len(told) < 5:
        time.sleep(0.02)
        with rig.history.lock:
            told = [a for a in rig.history.attempts if a.start > since and a.status >= 500]
    context.expect(told, f"nobody was refused within {refusal_seconds_max} s")
    wrong = [a for a in told if a.status != 503 or a.executed not in ("no", "unknown")]
    context.expect(not wrong, f"{len(wrong)} errors are not 503 with what was executed")
    return told


def fill_and_free(context, rig, disk, while_full):
    """So often: the disk is full, clients are refused, there is room again."""
    rig.start(2)
    crowd = Crowd(rig, Plan(clients=6, seed=context.seed))
    for _ in range(context.n):
        crowd.wait_for_more(20)
        disk.fill()
        full = time.monotonic_ns()
        rig.faults.append(full)
        while_full(full)
        freed = time.monotonic()
        disk.free()
        rig.cluster.start()  # a server whose recovery failed has ended
        rig.cluster.wait_up()
        context.recover(crowd, 13, since=freed, limit=recovery_seconds_max)
    context.finish(rig, crowd)


@case("T17-data", "the disk of the data is full", "full disks", quick=1, night=4)
def data_disk_full(context):
    """Nothing is issued, reads stay, and it goes on by itself once there is room."""
    with small_disk(context, data_megabytes) as disk, context.rig() as rig:
        rig.cluster.psql("postgres", "create tablespace small location"
                         f" '{disk.new_folder('tables')}'")
        rig.cluster.psql("postgres", f"alter database {rig.database} set tablespace small")

        def while_full(since):
            told = wait_for_refusal(context, rig, since)
            context.expect(any(a.executed == "no" for a in told),
                           "a full disk is not told as: nothing was executed")
            read = rig.client().read_issued("hot")
            context.expect(read.fate == OK, f"reads end with {read.status}")
        try:
            fill_and_free(context, rig, disk, while_full)
        finally:
            rig.stop()
            rig.cluster.stop("immediate")


def burn_wal(rig, seconds_max=30):
    """Writes WAL until the server says that its disk is full, and stops."""
    command = [pg_bin / "psql", "--no-psqlrc", "-qAt", "--set=ON_ERROR_STOP=1", "-c",
               "select count(pg_logical_emit_message(true, 'burn', repeat('x', 100000)))"
               " from generate_series(1, 200)", rig.cluster.url("postgres")]
    deadline = time.monotonic() + seconds_max
    with contextlib.suppress(Failure):
        while time.monotonic() < deadline:
            run(command, "write WAL", env=clean_environment(PGCONNECT_TIMEOUT="2"))


@case("T17-wal", "the disk of the WAL is full", "full disks", night=4)
def wal_disk_full(context):
    """PostgreSQL ends, as documented; what was acknowledged is there when it is started again."""
    with small_disk(context, wal_megabytes) as disk:
        move(context.ground.cluster, "data/pg_wal", disk.folder / "wal")
        with context.rig() as rig:
            def while_full(since):
                burn_wal(rig)
                wait_for_refusal(context, rig, since)
            try:
                fill_and_free(context, rig, disk, while_full)
            finally:
                rig.stop()
                rig.cluster.stop("immediate")


def fail_power(disk, rig):
    """Everything on the machine ends at one moment -> how many bytes were lost."""
    postmaster = rig.cluster.postmaster
    os.kill(postmaster, signal.SIGSTOP)  # it starts nobody meanwhile
    backends = [pid for pids in rig.cluster.processes().values() for pid in pids]
    rig.faults.append(time.monotonic_ns())
    lost = disk.unsynced()
    disk.power_off()
    for pid in (*backends, postmaster):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    for instance in rig.instances:
        instance.kill()
    return lost


def power_on(disk, rig):
    disk.power_on()
    rig.cluster.start()
    rig.cluster.wait_up()


@contextlib.contextmanager
def rig_on_forgetful_disk(context, options):
    """The server's data, and all it makes from now on, are on such a disk -> (rig, disk)"""
    with forgetful_disk(context) as disk:
        cluster = context.ground.cluster
        move(cluster, "data", disk.below / "data", disk.folder / "data")
        try:
            with context.rig(options=[o.format(disk.folder) for o in options]) as rig:
                yield rig, disk
        finally:
            with contextlib.suppress(OSError, Failure):
                cluster.stop("immediate")


@case("T16", "the power fails", "failures", night=5)
def power_failure(context):
    """Data, WAL and journal are on a disk that loses what was not flushed."""
    with rig_on_forgetful_disk(context, ["--journal", "{}/journal"]) as (rig, disk):
        rig.start(2)
        crowd = Crowd(rig, Plan(clients=6, count_max=5, seed=context.seed))
        for _ in range(context.n):
            crowd.wait_for_more(context.dice.randrange(20, 80))
            lost = fail_power(disk, rig)
            context.void += lost == 0
            context.told["bytes lost"] += lost
            began = time.monotonic()
            power_on(disk, rig)
            for instance in rig.instances:
                instance.start()
            context.recover(crowd, 15, since=began, limit=recovery_seconds_max)
        context.finish(rig, crowd)


@case("T16-unsafe", "the power fails, nothing was flushed", "failures", night=1)
def power_failure_without_fsync(context):
    """The case above has to notice where numbers are lost: with fsync off they are. The journal is
    on another disk here, and tells so before a number leaves again."""
    with rig_on_forgetful_disk(context, ["--accept-risk"]) as (rig, disk):
        rig.sql("checkpoint")
        rig.cluster.configure("fsync", "off")
        rig.start(1)
        crowd = Crowd(rig, Plan(clients=6, count_max=5, seed=context.seed))
        crowd.wait_for_more(40)
        lost = fail_power(disk, rig)
        crowd.stopping.set()
        power_on(disk, rig)
        rig.history.mark_healed()
        found = [line for line in rig.findings() if line.startswith("rule 3:")]
        context.expect(found, f"{lost} bytes were lost, and the checker did not notice")
        instance = rig.instances[0].start(ready=False)
        instance.wait_for(lambda: "lacks issued numbers" in instance.readiness()[1],
                          fence_seconds_max)
