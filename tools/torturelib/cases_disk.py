# T17: a disk is full, of the data, of the WAL, of the service.
import contextlib
import shutil
import time

from harness.history import OK
from harness.processes import Failure, clean_environment, pg_bin, run
from torturelib.case import case
from torturelib.cluster import Cluster
from torturelib.crowd import Crowd, Plan
from torturelib.disk import small_disk
from torturelib.rig import Ground, Rig

recovery_seconds_max = 30  # from room on the disk to numbers
refusal_seconds_max = 30  # from a full disk to the first refusal
service_megabytes = 16
data_megabytes = 128
wal_megabytes = 224


@contextlib.contextmanager
def server_with(context, prepare):
    """A server of its own, whose disks are changed by prepare(cluster) before it is used."""
    folder = context.folder / f"server-{context.id}-{context.seed}-{time.monotonic_ns()}"
    folder.mkdir()
    folder.chmod(0o755)
    cluster = Cluster(folder / "server")
    runs = folder / "runs"
    runs.mkdir()
    try:
        cluster.start()
        prepare(cluster)
        yield Ground(context.ground.programs, cluster, runs)
    finally:
        cluster.remove()
        shutil.rmtree(folder, ignore_errors=True)


def wait_for_refusal(context, rig, since, what):
    """Until a client is told that nothing happened because of the disk; every answer is honest."""
    deadline = time.monotonic() + refusal_seconds_max
    while time.monotonic() < deadline:
        with rig.history.lock:
            told = [a for a in rig.history.attempts if a.start > since and a.status >= 500]
        if len(told) >= 5:
            break
        time.sleep(0.02)
    context.expect(told, f"{what}: nobody was refused within {refusal_seconds_max} s")
    wrong = [a for a in told if a.status != 503 or a.executed not in ("no", "unknown")]
    context.expect(not wrong, f"{what}: {len(wrong)} errors are not 503 with what was executed")
    return told


def go_on(context, rig, crowd, freed, way):
    context.recover(crowd, 13, since=freed, limit=recovery_seconds_max)
    told = context.result.notes
    told[way] = told.get(way, 0) + 1


@case("T17-data", "the disk of the data is full", "full disks", 10, commit=1, night=4, release=20)
def data_disk_full(context):
    """Nothing is issued, reads stay, and it goes on by itself once there is room."""
    with small_disk(context, data_megabytes) as disk:
        def prepare(cluster):
            cluster.psql("postgres", "create tablespace small location"
                         f" '{disk.new_folder('tables')}'")
        with server_with(context, prepare) as ground:
            with context.counted(Rig(ground)) as rig:
                ground.cluster.psql(
                    "postgres", f"alter database {rig.database} set tablespace small")
                rig.start(2)
                crowd = Crowd(rig, Plan(clients=6, seed=context.seed))
                for _ in range(context.n):
                    crowd.wait_for_more(20)
                    disk.fill()
                    full = time.monotonic_ns()
                    rig.faults.append(full)
                    told = wait_for_refusal(context, rig, full, "data disk")
                    context.expect(any(a.executed == "no" for a in told),
                                   "a full disk is not told as: nothing was executed")
                    read = rig.client().read_issued("hot")
                    context.expect(read.fate == OK, f"reads end with {read.status}")
                    freed = time.monotonic()
                    disk.free()
                    go_on(context, rig, crowd, freed, disk.kind)
                rig.history.mark_healed()
                crowd.wait_for_more(20)
                crowd.stop()
                context.judge(rig)


def burn_wal(rig, seconds_max=30):
    """Writes WAL until the server says that its disk is full, and stops."""
    command = [pg_bin / "psql", "--no-psqlrc", "-qAt", "--set=ON_ERROR_STOP=1", "-c",
               "select count(pg_logical_emit_message(true, 'burn', repeat('x', 100000)))"
               " from generate_series(1, 200)", rig.cluster.url("postgres")]
    deadline = time.monotonic() + seconds_max
    while time.monotonic() < deadline:
        try:
            run(command, "write WAL", env=clean_environment(PGCONNECT_TIMEOUT="2"))
        except Failure as failure:
            return str(failure)
    return ""


@case("T17-wal", "the disk of the WAL is full", "full disks", 10, night=4, release=20)
def wal_disk_full(context):
    """PostgreSQL ends, as documented; what was acknowledged is there when it is started again."""
    with small_disk(context, wal_megabytes) as disk:
        def prepare(cluster):
            cluster.stop()
            wal = cluster.folder / "data/pg_wal"
            moved = disk.new_folder("wal")
            run(["cp", "-a", f"{wal}/.", moved], "move the WAL")
            shutil.rmtree(wal)
            wal.symlink_to(moved)
            cluster.start()
        with server_with(context, prepare) as ground:
            with context.counted(Rig(ground)) as rig:
                rig.start(2)
                crowd = Crowd(rig, Plan(clients=6, seed=context.seed))
                for _ in range(context.n):
                    crowd.wait_for_more(20)
                    disk.fill()
                    full = time.monotonic_ns()
                    rig.faults.append(full)
                    if not burn_wal(rig):
                        context.result.void += 1
                    wait_for_refusal(context, rig, full, "WAL disk")
                    freed = time.monotonic()
                    disk.free()
                    rig.cluster.start()  # a server whose recovery failed has ended
                    rig.cluster.wait_up()
                    go_on(context, rig, crowd, freed, disk.kind)
                rig.history.mark_healed()
                crowd.wait_for_more(20)
                crowd.stop()
                context.judge(rig)


series_max = 40  # a page of the journal holds 31


@case("T17-service", "the disk of the journal is full", "full disks", 10, commit=2, night=10,
      release=100)
def service_disk_full(context):
    """Fenced, because what was answered could not be noted; once there is room it goes on by
    itself. By turns: while it runs, as its journal has to grow; and before its start."""
    names = [f"s{n}" for n in range(series_max)]
    blocks = {name: [(n * 10**6, n * 10**6 + 99_999)] for n, name in enumerate(names)}
    with small_disk(context, service_megabytes) as disk, context.rig(
            blocks=blocks, options=["--journal", disk.folder / "journal"]) as rig:
        for number in range(context.n):
            shutil.rmtree(disk.folder / "journal", ignore_errors=True)
            running = number % 2 == 0
            if not running:
                (disk.folder / "journal").mkdir()  # without it the service would not start at all
                disk.fill()
            rig.start(1, ready=running)
            few = Crowd(rig, Plan(series=names[:9], clients=4, seed=context.seed + number))
            if running:
                few.wait_for_more(20)
                disk.fill()
            full = time.monotonic_ns()
            rig.faults.append(full)
            many = Crowd(rig, Plan(series=names, clients=6, seed=context.seed + 500 + number))
            told = wait_for_refusal(context, rig, full, "journal")
            wait_for_fence(context, rig)
            freed = time.monotonic()
            disk.free()
            go_on(context, rig, few, freed, f"{disk.kind}, {'running' if running else 'starting'}")
            many.wait_for_more(series_max)
            for crowd in (few, many):
                crowd.stop()
            context.expect(told, "nobody was told")
            rig.instances.pop().stop()
            rig.ports.pop()
        rig.history.mark_healed()
        rig.start(1)
        last = Crowd(rig, Plan(series=names, clients=4, seed=context.seed + 999))
        while len({a.series for a in rig.history.attempts
                   if a.start > rig.history.healed and a.fate == OK}) < series_max:
            last.wait_for_more(10)
        last.stop()
        context.judge(rig)


def wait_for_fence(context, rig, seconds_max=15):
    """Until readiness names the journal and what is wrong with it."""
    deadline = time.monotonic() + seconds_max
    while time.monotonic() < deadline:
        status, text = rig.instances[-1].readiness()
        if status == 503 and "journal" in text and "No space left" in text:
            return
        time.sleep(0.02)
    context.violation(f"readiness does not tell of the full disk: {status} {text}")
