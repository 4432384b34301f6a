# The PostgreSQL of a run: a private primary, a standby of it, and the ways to hurt them.
import contextlib
import pathlib
import time

from harness import cluster as private
from harness import database
from harness.processes import Failure

settings = {
    "fsync": "on",
    "full_page_writes": "on",
    "shared_buffers": "64MB",  # small: it is set up again after each kill
    "max_connections": "100",
    "min_wal_size": "80MB",
    "wal_keep_size": "64MB",
    "hot_standby": "on",
    "wal_receiver_timeout": "3s",
    "restart_after_crash": "on",
}

# What a server says that is about to be there again; nothing was executed. From 15 on it is "not
# yet accepting connections" while it replays what a crash left, also without a standby. Where a
# child talks to a client that does not read, as a held standby, the postmaster waits 5 s for it,
# and lets nobody in meanwhile: a connection that timed out.
RECOVERING = ("in recovery mode", "starting up", "not yet accepting connections",
              "failed: timeout expired")

LANES = "query like '%gapless.issue%' or query like '%advisory%'"  # sessions that issue


class Cluster(private.Cluster):
    """One server in a folder of its own."""

    def __init__(self, folder, port="auto"):
        super().__init__(folder, port, settings)

    def psql(self, name, sql, seconds_max=60):
        """As the superuser; its own COMMIT waits for no standby. A server that recovers from the
        death of a backend is asked again."""
        deadline = time.monotonic() + seconds_max
        while True:
            try:
                return database.psql(
                    self.url(name), sql, seconds_max, "-c synchronous_commit=local")
            except Failure as failure:
                recovers = any(words in str(failure) for words in RECOVERING)
                if not recovers or time.monotonic() > deadline:
                    raise
            time.sleep(0.1)

    def configure(self, name, value):
        """alter system, and until every backend has it"""
        self.psql("postgres", f"alter system set {name} = '{value}'; select pg_reload_conf();")
        self.wait_for(f"select current_setting('{name}') = '{value}'", f"take {name}")

    def wait_for(self, question, purpose, database="postgres", seconds_max=30):
        deadline = time.monotonic() + seconds_max
        while self.psql(database, question) != "t":
            if time.monotonic() > deadline:
                raise Failure(f"PostgreSQL did not {purpose} within {seconds_max} s")
            time.sleep(0.05)

    def wait_up(self, seconds_max=60):
        """Until it accepts connections after a crash."""
        self.ask_patiently("postgres", "select", seconds_max)

    def ask_patiently(self, database, sql, seconds_max=60):
        """psql, again until it works: the server may crash at any moment."""
        deadline = time.monotonic() + seconds_max
        while True:
            try:
                return self.psql(database, sql)
            except Failure:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def processes(self):
        """{what it is: [pid]} of the postmaster's children: 'walwriter', 'gaplessd' …"""
        found, parent = {}, str(self.postmaster)
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError, IndexError):
                if not entry.name.isdigit():
                    continue
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
                if stat[1] == parent:
                    title = (entry / "cmdline").read_bytes().decode(errors="replace")
                    name = title.replace("\0", " ").partition(": ")[2].split()[0]
                    found.setdefault(name, []).append(int(entry.name))
        return found

    def terminate(self, database, function="pg_terminate_backend", only=LANES):
        """pg_terminate_backend, or pg_cancel_backend, for the service's sessions -> how many"""
        return int(self.psql(
            "postgres", f"select count({function}(pid)) from pg_stat_activity"
            f" where datname = '{database}' and usename = 'gaplessd'"
            f" and ({only})"))

    # With a standby.

    def make_standby(self, folder, port="auto", through=None):
        """A streaming standby -> its Cluster; not synchronous until require_standby. `through` is
        the port of a proxy to us."""
        standby = Cluster(folder, port)
        self.copy(standby, "--write-recovery-conf", "--no-sync", port=through)
        standby.start()
        return standby

    def require_standby(self, wanted=True):
        self.configure("synchronous_standby_names", "*" if wanted else "")
        if wanted:
            self.wait_for("select exists (select from pg_stat_replication"
                          " where sync_state = 'sync')", "find its standby")

    def promote(self):
        self.psql("postgres", "select pg_promote(true, 30)")
