# The PostgreSQL of a run: a private primary, a standby of it, and the ways to hurt them.
import contextlib
import json
import os
import pathlib
import shutil
import signal
import time

from benchlib.cluster import pg_bin, root
from benchlib.processes import BenchFailure, as_server, clean_environment, run

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
# yet accepting connections" while it replays what a crash left, also without a standby.
RECOVERING = ("in recovery mode", "starting up", "not yet accepting connections")

LANES = "query like '%gapless.issue%' or query like '%advisory%'"  # sessions that issue


class Cluster:
    """One server in a folder of its own."""

    def __init__(self, folder, port="auto"):
        self.folder, self.asked_port = pathlib.Path(folder), str(port)
        self.environment = {}  # of the server

    def start(self):
        """Also after a kill; the port stays the same."""
        # Made without fsync, which takes seconds, and run with it.
        command = [root / "tools/cluster", "start", self.folder, "--fsync", "off",
                   "--port", self.asked_port]
        for name, value in settings.items():
            command += ["--setting", f"{name}={value}"]
        run(command, "start PostgreSQL", env=clean_environment(**self.environment))
        self.password = (self.folder / "password").read_text().strip()
        self.port = int((self.folder / "port").read_text())
        self.asked_port = str(self.port)

    def stop(self, mode="fast"):
        run([root / "tools/cluster", "stop", self.folder, "--mode", mode], "stop PostgreSQL",
            env=clean_environment())

    def remove(self):
        command = [root / "tools/cluster", "stop", self.folder, "--mode", "immediate", "--remove"]
        if (self.folder / "data").exists():
            with contextlib.suppress(BenchFailure):
                run(command, "remove the cluster", env=clean_environment())
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database, user="gapless", password=None, port=None):
        secret = password or self.password
        return (f"postgresql://{user}:{secret}@127.0.0.1:{port or self.port}/{database}"
                "?sslmode=disable&gssencmode=disable")

    def psql(self, database, sql, seconds_max=60):
        """As the superuser; its own COMMIT waits for no standby. A server that recovers from the
        death of a backend is asked again."""
        command = [pg_bin / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align",
                   "--set=ON_ERROR_STOP=1", self.url(database)]
        environment = clean_environment(
            PGOPTIONS="-c synchronous_commit=local -c client_min_messages=warning",
            PGCONNECT_TIMEOUT="5")
        deadline = time.monotonic() + seconds_max
        while True:
            try:
                return run(command, "ask PostgreSQL", seconds_max, sql, env=environment).strip()
            except BenchFailure as failure:
                recovers = any(words in str(failure) for words in RECOVERING)
                if not recovers or time.monotonic() > deadline:
                    raise
            time.sleep(0.1)

    def json(self, database, sql, seconds_max=60):
        return json.loads(self.psql(database, sql, seconds_max))

    def configure(self, name, value):
        """alter system, and until every backend has it"""
        self.psql("postgres", f"alter system set {name} = '{value}'; select pg_reload_conf();")
        self.wait_for(f"select current_setting('{name}') = '{value}'", f"take {name}")

    def wait_for(self, question, purpose, database="postgres", seconds_max=30):
        deadline = time.monotonic() + seconds_max
        while self.psql(database, question) != "t":
            if time.monotonic() > deadline:
                raise BenchFailure(f"PostgreSQL did not {purpose} within {seconds_max} s")
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
            except BenchFailure:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    @property
    def postmaster(self):
        return int((self.folder / "data/postmaster.pid").read_text().splitlines()[0])

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

    def kill_postmaster(self):
        """kill -9, as the OOM killer does; its children notice by themselves."""
        os.kill(self.postmaster, signal.SIGKILL)

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
        standby.folder.mkdir()
        for name in ("data", "run", "log"):
            (standby.folder / name).mkdir()
            (standby.folder / name).chmod(0o700)
            if os.geteuid() == 0:
                shutil.chown(standby.folder / name, "postgres", "postgres")
        standby.folder.chmod(0o755)
        shutil.copy(self.folder / "password", standby.folder / "password")
        run(as_server([
            pg_bin / "pg_basebackup", "--pgdata", standby.folder / "data", "--write-recovery-conf",
            "--checkpoint=fast", "--wal-method=stream", "--no-sync", "--dbname",
            self.url("postgres", port=through)]), "copy the primary", env=clean_environment(),
            cwd="/")
        standby.start()
        return standby

    def require_standby(self, wanted=True):
        self.configure("synchronous_standby_names", "*" if wanted else "")
        if wanted:
            self.wait_for("select exists (select from pg_stat_replication"
                          " where sync_state = 'sync')", "find its standby")

    def promote(self):
        self.psql("postgres", "select pg_promote(true, 30)")
