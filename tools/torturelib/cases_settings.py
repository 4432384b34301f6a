# Cases in which a session is not what it was: settings lost behind the service's back. T10-settings
# and T10-reconnect.
import time

from harness.history import OK
from torturelib.case import case
from torturelib.crowd import Crowd, Plan
from torturelib.pg_proxy import PgProxy

SETTINGS = (
    "set synchronous_commit = off",
    "set synchronous_commit = local",
    "set default_transaction_isolation = 'read committed'",
    "discard all",
)


@case("T10-settings", "settings lost", "losses", 20, commit=4, night=40, release=200)
def settings_lost(context):
    """The proxy sends a statement of its own into its session: nothing may be issued in it
    any more, every refusal says so, and the service renews the session by itself."""
    with context.rig(options=["--issue-time-max", "700ms"]) as rig:
        proxy = PgProxy(rig.cluster.port)
        rig.start(1, through=proxy.port)
        for number in range(context.n):
            setting = SETTINGS[number % len(SETTINGS)]
            crowd = Crowd(rig, Plan(clients=4, seed=context.seed + number))
            crowd.wait_for_more(10)
            proxy.inject = setting
            deadline = time.monotonic() + 10
            while proxy.inject and time.monotonic() < deadline:
                time.sleep(0.01)
            lost = time.monotonic_ns()
            rig.faults.append(lost)
            time.sleep(0.3)
            issued = [a for a in rig.history.attempts
                      if a.op == "issue" and a.fate == OK and a.start > lost]
            gone = rig.instances[0].events("database_lost")
            context.expect(not issued or len(gone) > number,
                           f"{setting}: {len(issued)} answers from an unsafe session")
            told = context.result.notes
            told["losses"] = told.get("losses", 0) + 1
            context.recover(crowd, 5, limit=10)
            crowd.stop()
        context.judge(rig)
        proxy.close()


@case("T10-reconnect", "connections renewed in silence", "losses", 20, commit=4, night=40,
      release=200)
def silent_reconnect(context):
    """Every connection of the service is ended while it is idle. What it then writes, it writes in
    a session that is safe again: a trigger notes the settings of each transaction."""
    with context.rig() as rig:
        rig.sql(WATCH)
        rig.start(1)
        client = rig.client()
        for number in range(context.n):
            rig.sql("select count(pg_terminate_backend(pid)) from pg_stat_activity where"
                    f" datname = '{rig.database}' and application_name like 'gaplessd%'")
            context.result.faults += 1
            context.result.hit += 1  # nothing runs meanwhile; it is the next request that meets it
            wish = {"series": "hot", "key": f"after {number}", "count": 2}
            context.expect(client.issue(wish, seconds_max=10).fate == OK, "nothing was issued")
            first = 10**7 * (number + 1)
            body = {"first": str(first), "last": str(first + 9),
                    "confirm_warnings": ["other-size", "other-prefix", "other-length"]}
            request = client.request(
                "POST", "/v1/series/hot/blocks", f"block {number}", body)
            status = 0
            deadline = time.monotonic() + 10
            while status != 201 and time.monotonic() < deadline:
                status, _, _ = client.connection.exchange(rig.ports[0], request)
            context.expect(status == 201, f"a block was not loaded: {status}")
        unsafe = rig.sql("select count(*) from torture.seen where what not in"
                         " ('serializable on', 'serializable remote_apply')")
        noted = int(rig.sql("select count(*) from torture.seen"))
        context.expect(unsafe == "0", f"{unsafe} writes in a session that lost its settings")
        context.expect(noted >= 2 * context.n, f"only {noted} writes were noted")
        context.judge(rig)


WATCH = """
create schema torture;
create table torture.seen (what text);
create function torture.note() returns trigger language plpgsql security definer as $$
begin
    insert into torture.seen
    select current_setting('transaction_isolation') || ' '
        || current_setting('synchronous_commit');
    return null;
end;
$$;
create trigger torture_note after insert on gapless.ledger
    for each statement execute function torture.note();
create trigger torture_note after insert on gapless.block
    for each statement execute function torture.note();
"""
