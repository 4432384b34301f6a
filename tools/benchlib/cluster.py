# The PostgreSQL of a benchmark: a private cluster with spare WAL, its databases and its facts.
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from benchlib.processes import BenchFailure, clean_environment, run, start, stop

root = pathlib.Path(__file__).resolve().parent.parent.parent
pg_bin = pathlib.Path(os.environ.get("GAPLESS_PG_BIN", "/usr/lib/postgresql/15/bin"))

# Without spare WAL segments PostgreSQL fills new ones with zeros while clients wait: p99 is ten
# times worse. So they are made beforehand, and made again before they run out.
settings = {
    "shared_buffers": "1GB",
    "min_wal_size": "2GB",
    "max_wal_size": "8GB",
    "checkpoint_timeout": "1h",  # checkpoints come from refill_wal, between the measurements
}
shown_settings = ["server_version", "fsync", "synchronous_commit", "full_page_writes"]
shown_settings += ["wal_sync_method", "data_checksums", *settings]
spare_segments_max = 110  # of 16 MB, what min_wal_size leaves beside the one in use

PEERS = """
create table counter (id integer primary key, next bigint not null) with (fillfactor = 10);
insert into counter values (1, 0);
create table ledger (ordinal bigint primary key, key uuid not null unique,
                     issued_at timestamptz not null default now());
create sequence numbers;
"""


class Cluster:
    """Exists from its construction on; start() may fail, remove() works anyway."""

    def __init__(self, folder):
        self.folder = folder

    def start(self, connections_max):
        command = [root / "tools/cluster", "start", self.folder]
        for name, value in (settings | {"max_connections": connections_max}).items():
            command += ["--setting", f"{name}={value}"]
        run(command, "start PostgreSQL", env=clean_environment())
        self.password = (self.folder / "password").read_text().strip()
        lines = (self.folder / "data/postmaster.pid").read_text().splitlines()
        self.pid, self.port, self.host = int(lines[0]), lines[3], lines[4]

    def url(self, database, user="gapless", password=None):
        """Through the unix socket, for the service as for pgbench."""
        host = self.host.replace("/", "%2F")
        secret = password or self.password
        return f"postgresql://{user}:{secret}@{host}:{self.port}/{database}"

    def environment(self, database):
        return clean_environment(
            PGHOST=self.host, PGPORT=self.port, PGUSER="gapless", PGPASSWORD=self.password,
            PGDATABASE=database,
        )

    def psql(self, database, sql):
        command = [pg_bin / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align"]
        command += ["--set=ON_ERROR_STOP=1"]
        return run(command, "ask PostgreSQL", text=sql, env=self.environment(database)).strip()

    def create_peers(self):
        """What the peers of gapless count with."""
        self.psql("postgres", "create database peers")
        self.psql("peers", PEERS)

    def warm_up_wal(self, megabytes):
        """Writes so much WAL, which the checkpoint then turns into spare segments."""
        self.psql(
            "postgres",
            "select count(pg_logical_emit_message(false, 'warm up', repeat('x', 1000000)))"
            f" from generate_series(1, {megabytes})",
        )
        self.psql("postgres", "checkpoint")

    def refill_wal(self, seconds):
        """Between measurements: turns used segments into spare ones when there are too few for so
        many seconds at 50 MB each."""
        spare = self.psql(
            "postgres",
            "select count(*) from pg_ls_waldir()"
            " where name > pg_walfile_name(pg_current_wal_insert_lsn())",
        )
        if int(spare) < min(spare_segments_max, 10 + 3 * seconds):
            self.psql("postgres", "checkpoint")

    def facts(self):
        values = [f"current_setting('{name}')" for name in shown_settings]
        lines = self.psql("postgres", "select " + " || E'\\n' || ".join(values))
        return dict(zip(shown_settings, lines.splitlines()))

    def fdatasync_us(self):
        """Microseconds to write 8 kB and flush them, by pg_test_fsync; None if it does not say."""
        file = self.folder / "fsync_test"
        tester = start(
            [pg_bin / "pg_test_fsync", "--secs-per-test=1", "--filename", file],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        deadline = time.monotonic() + 10
        try:
            for line in tester.stdout:
                found = re.match(r"\s*fdatasync\s.*?(\d+) usecs/op", line)
                if found:
                    return int(found.group(1))
                if time.monotonic() > deadline:
                    return None
        finally:
            stop(tester)  # it removes its file
        return None

    def remove(self):
        command = [root / "tools/cluster", "stop", self.folder, "--mode", "immediate", "--remove"]
        if (self.folder / "data").exists():
            try:
                run(command, "remove the cluster", env=clean_environment())
            except BenchFailure as failure:
                print(f"tools/bench: {failure}", file=sys.stderr)
        shutil.rmtree(self.folder, ignore_errors=True)
