# The PostgreSQL of a benchmark: a private cluster with spare WAL, its databases and its facts.
import os
import pathlib
import re
import secrets
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
# For a large ledger: a checkpoint while it is filled or between its rounds makes every page of its
# indexes go to the WAL as a whole.
settings_for_a_ledger = {"min_wal_size": "6GB", "max_wal_size": "24GB"}
shown_settings = ["server_version", "fsync", "synchronous_commit", "full_page_writes"]
shown_settings += ["wal_sync_method", "data_checksums", *settings]
psql_command = [pg_bin / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align",
                "--set=ON_ERROR_STOP=1"]
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

    def __init__(self, folder, large=False):
        """`large`: it will hold a ledger that is filled beforehand."""
        self.folder = folder
        self.service_password = None  # of the role gaplessd, once there is one
        self.settings = settings | (settings_for_a_ledger if large else {})

    def start(self, connections_max):
        self.settings["max_connections"] = connections_max
        command = [root / "tools/cluster", "start", self.folder]
        for name, value in self.settings.items():
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

    def service_url(self, database):
        """For gaplessd, in a database that is migrated: as a role that may only do its work."""
        if not self.service_password:
            self.service_password = secrets.token_hex(16)
            self.psql(database, f"create role gaplessd login password '{self.service_password}';"
                                " grant gapless_service to gaplessd")
        return self.url(database, "gaplessd", self.service_password)

    def environment(self, database, **additions):
        return clean_environment(**{
            "PGHOST": self.host, "PGPORT": self.port, "PGUSER": "gapless",
            "PGPASSWORD": self.password, "PGDATABASE": database, **additions,
        })

    def psql(self, database, sql, seconds_max=120, **elsewhere):
        """-> what it prints; `elsewhere`: PGHOST and PGPORT of a standby"""
        return run(psql_command, "ask PostgreSQL", seconds_max, text=sql,
                   env=self.environment(database, **elsewhere)).strip()

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

    def wal_bytes(self):
        """How much WAL was ever written."""
        return int(self.psql("postgres", "select pg_current_wal_insert_lsn() - '0/0'"))

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
        self.remove_folder(self.folder)

    def remove_folder(self, folder):
        """Ours, or that of a standby; there need not be any."""
        command = [root / "tools/cluster", "stop", folder, "--mode", "immediate", "--remove"]
        if (folder / "data").exists():
            try:
                run(command, "remove the cluster", env=clean_environment())
            except BenchFailure as failure:
                print(f"tools/bench: {failure}", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
