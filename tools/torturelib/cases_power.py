# T16: the power fails. What PostgreSQL and the service did not flush is gone.
import contextlib
import os
import shutil
import signal
import time

from harness.history import FAIL
from harness.processes import Failure, run
from torturelib.case import case
from torturelib.cases_disk import server_with
from torturelib.crowd import Crowd, Plan
from torturelib.forgetful import forgetful_disk
from torturelib.rig import Rig

flush_seconds_max = 10  # from the last answer until the journal is on the disk; 0.1 is due
recovery_seconds_max = 60  # from power to numbers


@contextlib.contextmanager
def server_on(context, disk):
    """A server whose data, and all it makes from now on, are on that disk."""
    def move(cluster):
        cluster.stop()
        data = cluster.folder / "data"
        run(["cp", "-a", data, disk.below / "data"], "move the data")  # what is there is flushed
        shutil.rmtree(data)
        data.symlink_to(disk.folder / "data")
        cluster.start()
    with server_with(context, move) as ground:
        try:
            yield ground
        finally:
            with contextlib.suppress(OSError, Failure):
                ground.cluster.stop("immediate")


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


@case("T16", "the power fails", "failures", 5, night=5, release=50)
def power_failure(context):
    """Data, WAL and journal are on a disk that loses what was not flushed."""
    with forgetful_disk(context) as disk, server_on(context, disk) as ground:
        options = ["--journal", disk.folder / "journal"]
        with context.counted(Rig(ground, options=options)) as rig:
            rig.start(2)
            crowd = Crowd(rig, Plan(clients=6, count_max=5, seed=context.seed))
            for _ in range(context.n):
                crowd.wait_for_more(context.dice.randrange(20, 80))
                lost = fail_power(disk, rig)
                context.result.void += lost == 0
                context.result.notes["bytes lost"] = (
                    context.result.notes.get("bytes lost", 0) + lost)
                began = time.monotonic()
                disk.power_on()
                rig.cluster.start()
                rig.cluster.wait_up()
                for instance in rig.instances:
                    instance.start()
                context.recover(crowd, 15, since=began, limit=recovery_seconds_max)
            rig.history.mark_healed()
            crowd.wait_for_more(20)
            crowd.stop()
            context.judge(rig)


@case("T16-unsafe", "the power fails, nothing was flushed", "failures", 2, night=2, release=5)
def power_failure_without_fsync(context):
    """The case above has to notice where numbers are lost: with fsync off they are. The journals
    are on another disk here, and tell so before a number leaves again."""
    for _ in range(context.n):
        with forgetful_disk(context) as disk, server_on(context, disk) as ground:
            with context.counted(Rig(ground, options=["--accept-risk"])) as rig:
                rig.sql("checkpoint")
                rig.cluster.configure("fsync", "off")
                rig.start(1)
                crowd = Crowd(rig, Plan(clients=6, count_max=5, seed=context.seed))
                crowd.wait_for_more(40)
                lost = fail_power(disk, rig)
                crowd.stopping.set()
                disk.power_on()
                rig.cluster.start()
                rig.cluster.wait_up()
                rig.history.mark_healed()
                found = [line for line in rig.findings() if line.startswith("rule 3:")]
                context.expect(found, f"{lost} bytes were lost, and the checker did not notice")
                rig.instances[0].start(ready=False)
                wait_for_fence(context, rig)


@case("T16-journal", "the power fails at the service, the database is put back", "failures", 2,
      night=2, release=10)
def power_failure_of_the_service(context):
    """What the journal noted is on its disk a moment later, so it still tells."""
    for _ in range(context.n):
        with forgetful_disk(context) as disk, server_with(context, lambda _: None) as ground:
            options = ["--journal", disk.folder / "journal"]
            with context.counted(Rig(ground, options=options)) as rig:
                rig.start(1)
                issue_some(context, rig)
                data = rig.cluster.folder / "data"
                rig.cluster.stop()
                run(["cp", "-a", data, data.with_suffix(".copy")], "copy the data")
                rig.cluster.start()
                issue_some(context, rig)
                wait_until_flushed(disk)
                disk.power_off()
                rig.instances[0].kill()
                disk.power_on()
                rig.cluster.stop()
                shutil.rmtree(data)
                data.with_suffix(".copy").rename(data)
                rig.cluster.start()
                rig.instances[0].start(ready=False)
                wait_for_fence(context, rig)
                context.result.faults += 1
                context.result.hit += 1


def issue_some(context, rig):
    crowd = Crowd(rig, Plan(clients=4, seed=context.seed + len(rig.history.attempts)))
    crowd.wait_for_more(20)
    crowd.stop()


def wait_until_flushed(disk):
    """Until nothing on it would be lost, or long past the time that takes."""
    deadline = time.monotonic() + flush_seconds_max
    while disk.unsynced() > 0 and time.monotonic() < deadline:
        time.sleep(0.02)


def wait_for_fence(context, rig, seconds_max=30):
    """Until readiness says that the database has forgotten numbers; none leaves meanwhile."""
    deadline = time.monotonic() + seconds_max
    status, text = 0, ""
    while time.monotonic() < deadline and "lacks issued numbers" not in text:
        status, text = rig.instances[0].readiness()
        time.sleep(0.02)
    context.expect(status == 503 and "lacks issued numbers" in text,
                   f"it is not fenced: {status} {text}")
    wish = {"series": "hot", "key": "after the failure", "count": 1}
    tried = rig.client().issue_once(wish, 0)
    context.expect(tried.fate == FAIL, f"a number left: {tried.status} {tried.ranges}")
