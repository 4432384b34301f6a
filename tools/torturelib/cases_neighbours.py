# N01, N04, N14: somebody locks, floods or rewrites. The judge is everybody else: eight series with
# a client each, of whom nobody is refused, left in doubt or kept waiting.
import contextlib
import itertools
import shutil
import threading
import time

from benchlib.sql_session import SqlSession
from harness.crowd import Crowd, Plan
from harness.history import OK
from harness.processes import Failure, clean_environment, pg_bin, run
from torturelib.case import case

SERIES = tuple(f"other-{n}" for n in range(1, 9))
seconds = 5  # of a neighbour
pause_seconds_max = 5  # between two answers to one client; the machine is busy with other tests
back_seconds_max = 10
issue_seconds_max = 3  # --issue-time-max
MS = 1_000_000
seeds = itertools.count(1)  # of crowds whose keys differ


@contextlib.contextmanager
def others(context, **options):
    """-> a rig, and inside the block everybody else is at work."""
    blocks = {name: [(n * 10**7, n * 10**7 + 9_999_999)]
              for n, name in enumerate((*SERIES, "taken"), 1)}
    with context.rig(blocks=blocks, **options) as rig:
        rig.start(1)
        crowds = [one_by_one(rig, name) for name in SERIES]
        for each in crowds:
            each.wait_for_more(1)
        begin = time.monotonic_ns()
        yield rig
        end = time.monotonic_ns()
        rig.history.mark_healed()
        for each in (*crowds, one_by_one(rig, "taken")):
            each.wait_for_more(2)
            each.stop()
        judge_others(context, rig, begin, end)
        context.judge(rig)


def one_by_one(rig, series, clients=1):
    """Each asks for one number after the other, each until its outcome is definite."""
    return Crowd(rig, Plan(series=(series,), clients=clients, count_max=1, repeat_in_100=0,
                           reuse_in_100=0, read_in_100=0, seed=next(seeds)))


def judge_others(context, rig, begin, end):
    for series in SERIES:
        met = [a for a in rig.history.attempts
               if a.series == series and a.end > begin and a.start < end]
        wrong = [(a.status, a.problem, a.executed) for a in met if a.fate != OK]
        context.expect(not wrong, f"{series}: {len(wrong)} requests were not served: {wrong[:3]}")
        moments = [begin, *sorted(min(a.end, end) for a in met), end]
        pause = max(b - a for a, b in zip(moments, moments[1:])) / MS / 1_000
        context.expect(pause <= pause_seconds_max, f"{series} had no answer for {pause:.1f} s")


def session(rig):
    """An administrator in psql; errors are lines like `ERROR:  40P01`."""
    return SqlSession([pg_bin / "psql", "--no-psqlrc", "-qAt", "--set=VERBOSITY=sqlstate",
                       rig.cluster.url(rig.database)], clean_environment())


@case("N01", "an SQL transaction stays open after it issued", "locks", quick=1, night=2)
def open_transaction(context):
    for _ in range(context.n):
        with others(context, options=["--issue-time-max", f"{issue_seconds_max}s"]) as rig:
            holder = session(rig)
            holder.ask("begin; select gapless.issue('taken');")
            locked, asking = time.monotonic_ns(), one_by_one(rig, "taken")
            time.sleep(seconds)
            released = time.monotonic_ns()
            holder.end()
            context.recover(asking, 5, limit=back_seconds_max)
            asking.stop()
            met = [a for a in rig.history.attempts
                   if a.series == "taken" and locked < a.start and a.end < released]
            late = [a for a in met if (a.end - a.start) / MS > 1_000 * (issue_seconds_max + 1.5)]
            context.expect(met and not late and all(a.executed == "no" for a in met),
                           f"of {len(met)} requests of the locked series {len(late)} ended late")


@case("N04", "many clients of one series, a slow COMMIT", "crowds", quick=1, night=2)
def crowd_of_one_series(context):
    for _ in range(context.n):
        with others(context, options=["--batch-requests-max", 16, "--queue-time-max",
                                      "200ms"]) as rig:
            rig.cluster.configure("commit_siblings", 0)
            rig.cluster.configure("commit_delay", 20_000)
            crowd = one_by_one(rig, "taken", clients=150)
            time.sleep(seconds)
            crowd.stop()
            rig.cluster.configure("commit_delay", 0)
            context.told["served to the crowd"] += crowd.issued


def reindex_concurrently(rig):
    """Beside a reader that lingers: for as long, the old index of the keys has another name."""
    reader = session(rig)
    reader.ask("begin; select count(*) from gapless.ledger;")
    work = threading.Thread(target=ask, daemon=True, args=(
        rig, "reindex index concurrently gapless.key_is_spent_once;"))
    work.start()
    time.sleep(2)
    reader.end()
    work.join(60)


def vacuum_full(rig):
    ask(rig, "vacuum full gapless.ledger; vacuum full gapless.counter;")


def cluster(rig):
    primary = rig.sql("select indexrelid::regclass from pg_index where indisprimary"
                      " and indrelid = 'gapless.ledger'::regclass")
    ask(rig, f"cluster gapless.ledger using {primary.rpartition('.')[2]};")


def pg_repack(rig):
    """Copies the table behind a trigger of its own and puts the copy in its place."""
    rig.sql("create extension if not exists pg_repack")
    run([pg_bin / "pg_repack", "--no-kill-backend", "--table=gapless.ledger", "--host=127.0.0.1",
         f"--port={rig.cluster.port}", "--username=gapless", f"--dbname={rig.database}"],
        "repack the ledger", env=clean_environment(PGPASSWORD=rig.cluster.password))


def ask(rig, sql):
    """In no transaction."""
    administrator = session(rig)
    told = administrator.ask(sql)
    administrator.end()
    if any(line.startswith("ERROR:") for line in told):
        raise Failure(f"{sql}: {told}")


TOOLS = (reindex_concurrently, vacuum_full, cluster, pg_repack)


@case("N14", "REINDEX, VACUUM FULL, CLUSTER and pg_repack under load", "acts", quick=4, night=8)
def tools_under_load(context):
    """With many honest repeats: numbers are delayed at most, and nothing is fenced."""
    with context.rig() as rig:
        rig.start(1)
        crowd = Crowd(rig, Plan(clients=6, repeat_in_100=40, seed=context.seed))
        for number in range(context.n):
            tool = TOOLS[number % len(TOOLS)]
            if tool is pg_repack and not shutil.which(pg_bin / "pg_repack"):
                continue
            crowd.wait_for_more(40)
            tool(rig)
            context.recover(crowd, 20, limit=back_seconds_max)
            context.expect(not any(a.problem == "fenced" for a in rig.history.attempts),
                           f"{tool.__name__} fenced the database")
            context.told[tool.__name__] += 1
        context.finish(rig, crowd)
