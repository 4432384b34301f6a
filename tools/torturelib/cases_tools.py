# N14, N15, N30: tools of the database's administrator under load, an upgrade beside an open
# transaction, and a promise that the service itself breaks.
import shutil
import threading
import time

from harness.processes import Failure, clean_environment, pg_bin, run
from torturelib.case import case
from torturelib.cases_points import wait_for_end
from torturelib.crowd import Crowd, Plan
from torturelib.frozen import backends, frozen, open_every_connection
from torturelib.holder import Holder, Session
from torturelib.load import MS
from torturelib.neighbours import Others, blocks, by_clock, heal

normal_seconds_max = 10
linger_seconds = 2


def ask(rig, sql):
    """As an administrator in psql: in no transaction."""
    session = Session(rig.cluster, rig.database)
    told = session.ask(sql)
    session.end()
    if any(line.startswith("ERROR:") for line in told):
        raise Failure(f"{sql}: {told}")


def reindex_concurrently(rig):
    """Beside a reader that lingers: for as long, the old index of the keys has another name."""
    reader = Holder(rig.cluster, rig.database, "select count(*) from gapless.ledger")
    work = threading.Thread(target=ask, daemon=True, args=(
        rig, "reindex index concurrently gapless.key_is_spent_once;"))
    work.start()
    time.sleep(linger_seconds)
    reader.release()
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


TOOLS = (reindex_concurrently, vacuum_full, cluster, pg_repack)


@case("N14", "REINDEX, VACUUM FULL, CLUSTER and pg_repack under load", "acts", 4, commit=1, night=8,
      release=80)
def tools_under_load(context):
    """With many honest repeats: numbers are delayed at most."""
    with context.rig() as rig:
        rig.patience = 2 * normal_seconds_max  # where it is fenced, nobody waits for ever
        rig.start(1)
        crowd = Crowd(rig, Plan(clients=6, repeat_in_100=40, seed=context.seed))
        for number in range(context.n):
            tool = TOOLS[number % len(TOOLS)]
            crowd.wait_for_more(40)
            if tool is pg_repack and not shutil.which(pg_bin / "pg_repack"):
                context.result.void += 1
                context.result.notes["pg_repack"] = "is not installed"
                continue
            context.result.faults += 1
            context.result.hit += 1
            try:
                tool(rig)
                context.recover(crowd, 20, limit=normal_seconds_max)
            finally:
                with rig.history.lock:
                    fenced = any(a.problem == "fenced" for a in rig.history.attempts)
                context.expect(not fenced, f"{tool.__name__} fenced the database:"
                               f" {rig.instances[0].last_words()}")
            told = context.result.notes
            told[tool.__name__] = told.get(tool.__name__, 0) + 1
        crowd.stop()
        heal(rig)
        context.judge(rig)


pause_seconds_max = 1  # between two answers to anybody, as long as the upgrade runs
upgrade_seconds = 6


def same_triggers(rig):
    """An older program wrote the functions; its triggers are those of this one."""
    rig.sql("update gapless.schema_functions set checksum = 'of an older program'")


def another_trigger(rig):
    """An older program made a trigger otherwise: the upgrade has to lock its table."""
    same_triggers(rig)
    rig.sql("create or replace trigger audit_log_is_append_only before update on gapless.audit_log"
            " for each row execute function gapless.append_only()")


def longest_pause(seen, begin, end):
    """Seconds between two answers to anybody."""
    moments = sorted([begin, end] + [a.end for a in seen if begin < a.end < end
                                     and a.status == 201])
    return max(late - early for early, late in zip(moments, moments[1:])) / MS / 1_000


@case("N15", "migrate up beside an open transaction", "upgrades", 2, commit=2, night=4, release=20)
def upgrade_beside_transaction(context):
    for number in range(context.n):
        way = (same_triggers, another_trigger)[number % 2]
        with context.rig(blocks=blocks(locked=[(1, 999_999)])) as rig:
            rig.start(1)
            others = Others(context, rig, upgrade_seconds)
            ended = []

            def upgrade():
                try:
                    rig.ground.admin(rig.database, "migrate", "up", "--yes")
                    ended.append("")
                except Failure as failure:
                    ended.append(str(failure))
            with others.beside():
                begin = time.monotonic_ns()
                way(rig)
                holder = Holder(rig.cluster, rig.database, "select gapless.issue('locked');"
                                " select count(*) from gapless.audit_log")
                thread = threading.Thread(target=upgrade, daemon=True)
                thread.start()
                time.sleep(upgrade_seconds - 1.5)
                end = time.monotonic_ns()
            holder.release()
            thread.join(60)
            seen = others.load.wait()
            took = longest_pause(seen, begin, end)
            allowed = pause_seconds_max * (1 if by_clock(context) else 2)
            context.expect(took <= allowed, f"{way.__name__}: nobody was answered for {took:.1f} s"
                           f" beside migrate up, allowed are {allowed} s")
            refused = [a for a in seen if a.status != 201]
            context.expect(not refused, f"{way.__name__}: {len(refused)} requests were not served,"
                           f" the first {refused[:1]}")
            if ended != [""]:  # it may give up beside the transaction, and is repeated then
                context.result.notes["gave up"] = context.result.notes.get("gave up", 0) + 1
                upgrade()  # without the transaction it has to work
                context.expect(ended[-1] == "", f"{way.__name__}: migrate up: {ended[-1]}")
            context.expect(rig.sql("select checksum <> 'of an older program'"
                                   " from gapless.schema_functions") == "t",
                           f"{way.__name__}: migrate up changed nothing")
            context.result.faults += 1
            context.result.hit += 1
            heal(rig)
            context.judge(rig)


end_seconds_max = 3
PROMISES = ("batch_leaving", "batch_sent", "commit_arrived", "answer_arrived")


@case("N30", "a broken promise inside a request", "promises", 4, commit=4, night=8, release=80)
def broken_promise(context):
    """Of what issues: the process ends at once, and the other instance goes on. Of what reads a
    request: that one is answered 500, and nobody else notices."""
    with context.rig() as rig:
        rig.start(2)
        doomed = rig.instances[0]
        crowd = Crowd(rig, Plan(clients=6, count_max=5, seed=context.seed))
        for number in range(context.n):
            point = PROMISES[number % len(PROMISES)]
            doomed.restart(ready=False, GAPLESS_FAILPOINT=f"{point}:break@3")
            context.result.faults += 1
            context.result.hit += 1
            ended = wait_for_end(doomed, False)
            context.expect(ended, f"a promise broken at {point} did not end the process")
            if ended:
                status = doomed.process.returncode
                context.expect(status not in (0, -9), f"it ended with {status} at {point}")
            told, name = context.result.notes, f"{point} ended with {doomed.process.poll()}"
            told[name] = told.get(name, 0) + 1
        doomed.restart()
        rig.history.mark_healed()
        context.recover(crowd, 20)
        crowd.stop()
        break_in_a_reader(context, rig)
        context.judge(rig)
    break_beside_a_hang(context)


def break_in_a_reader(context, rig):
    """A series in the format "gone": the promise that the format of a series exists is broken, and
    whoever reads all series finds out."""
    asleep = "set session_replication_role = replica;"
    doomed, client = rig.instances[0], rig.client()
    rig.create_series("odd", [(1, 9)])
    rig.sql(f"{asleep} update gapless.series set format = 'gone' where name = 'odd'")
    asked = client.request("GET", "/v1/numbers/100")
    status, _, _ = client.connection.exchange(rig.ports[0], asked)
    context.expect(doomed.alive and status == 500,
                   f"a promise broken in a reader was answered with {status}"
                   f"{'' if doomed.alive else ', and the process ended'}")
    client.issue({"series": "hot", "key": "behind a reader's broken promise", "count": 1})
    rig.sql(f"{asleep} update gapless.series set format = 'plain' where name = 'odd'")


def break_beside_a_hang(context):
    """Nobody waits for a thread whose database does not answer."""
    with context.rig(blocks=blocks()) as rig:
        # The first request takes two batches: it opens its block.
        rig.start(1, GAPLESS_FAILPOINT="batch_leaving:break@3")
        doomed = rig.instances[0]
        open_every_connection(rig)
        rig.client().issue({"series": "other-1", "key": "token and series are known", "count": 1})
        with frozen(backends(rig)):
            for _ in range(8):
                threading.Thread(target=rig.client().read_issued, args=("other-8",),
                                 daemon=True).start()
            time.sleep(0.3)
            wish = {"series": "other-1", "key": "broken beside a hang", "count": 1}
            threading.Thread(target=rig.client().issue_once, args=(wish, 0), daemon=True).start()
            deadline = time.monotonic() + end_seconds_max
            while doomed.alive and time.monotonic() < deadline:
                time.sleep(0.02)
            context.expect(not doomed.alive, "a broken promise did not end the process within"
                           f" {end_seconds_max} s while the database did not answer")
        doomed.restart()
        rig.client().issue(wish)
        context.judge(rig)
