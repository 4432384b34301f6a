# A synchronous standby of the benchmark's PostgreSQL: there while it is required, and gone between.
import contextlib
import time

from harness.cluster import Cluster
from harness.processes import Failure, as_server, run

wait_seconds_max = 120
name = "standby"  # of the walreceiver, and of the slot that keeps WAL while the standby rests

SEEN = "select sync_state || ' ' || pid from pg_stat_replication"


class Standby:
    """Exists from its construction on; does nothing until create()."""

    def __init__(self, cluster, folder):
        self.cluster, self.server = cluster, Cluster(folder)
        self.receiver = None  # sync_state and process of its WAL sender, while it is required

    def create(self):
        """Copies the primary, which runs, and streams from then on."""
        self.ask(f"select pg_create_physical_replication_slot('{name}', true)")
        self.cluster.copy(self.server, "--slot", name)
        run(as_server(["touch", self.server.folder / "data/standby.signal"]), "make it a standby")
        self.wake()

    def wake(self):
        primary = f"host={self.cluster.host} port={self.cluster.port} user=gapless"
        primary += f" password={self.cluster.password} application_name={name}"
        self.server.settings = self.cluster.settings | {
            "primary_conninfo": primary, "primary_slot_name": name}
        self.server.start()
        self.wait_for("select state = 'streaming' and replay_lsn >= pg_current_wal_flush_lsn()"
                      " from pg_stat_replication", "t", "catch up")

    def rest(self):
        """Nothing of it uses the machine until it is woken. What it received becomes spare
        segments: without them it would fill new ones with zeros while clients wait."""
        self.ask_standby("postgres", "checkpoint")
        self.server.stop()
        self.wait_for("select count(*) from pg_stat_replication", "0", "be gone")

    @contextlib.contextmanager
    def required(self):
        """No commit is answered in the block before the standby has flushed it."""
        self.wake()
        self.require(f"alter system set synchronous_standby_names = '{name}'")
        try:
            self.wait_for("select bool_and(sync_state = 'sync') from pg_stat_replication", "t",
                          "become synchronous")
            self.receiver = self.ask(SEEN)
            yield self
        finally:
            self.receiver = None
            self.require("alter system reset synchronous_standby_names")
        self.rest()

    def require(self, change):
        self.ask(f"{change};\nselect pg_reload_conf()")

    def prove(self, database):
        """That it was synchronous throughout, and holds every row of the ledger that we hold ->
        what to write down of it. Called when nothing is issued any more."""
        now = self.ask(SEEN)
        if now != self.receiver or not now.startswith("sync "):
            raise Failure(f"the standby was {self.receiver!r} first, and then {now!r}")
        question = "select count(*) || ' rows, ' || sum(count) || ' numbers' from gapless.ledger"
        ours = self.cluster.psql(database, question)
        until = self.ask("select pg_current_wal_insert_lsn()")
        self.wait_for(f"select replay_lsn >= '{until}' from pg_stat_replication", "t", "replay it")
        theirs = self.ask_standby(database, question)
        if ours != theirs:
            raise Failure(f"the ledger has {ours}, on the standby {theirs}")
        return {"sync_state": "sync", "ledger": theirs}

    def prove_absence(self):
        """That nobody waits for a standby, and none is there."""
        seen = self.ask("select current_setting('synchronous_standby_names') || '/'"
                        " || (select count(*) from pg_stat_replication)")
        if seen != "/0":
            raise Failure(f"a standby is there or required where none should be: {seen}")

    def ask(self, sql):
        return self.cluster.psql("postgres", sql)

    def ask_standby(self, database, sql):
        return self.server.psql(database, sql)

    def wait_for(self, question, answer, purpose):
        deadline = time.monotonic() + wait_seconds_max
        while (seen := self.ask(question)) != answer:
            if time.monotonic() > deadline:
                raise Failure(
                    f"the standby did not {purpose} within {wait_seconds_max} s: {seen!r}")
            time.sleep(0.05)

    def remove(self):
        self.server.remove()
