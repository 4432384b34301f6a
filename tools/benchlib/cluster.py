# The PostgreSQL of a benchmark: a private cluster with spare WAL, its databases and its facts.
import re
import secrets
import subprocess
import time

from harness import cluster as private
from harness.processes import clean_environment, pg_bin, start, stop

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
spare_segments_max = 110  # of 16 MB, what min_wal_size leaves beside the one in use

PEERS = """
create table counter (id integer primary key, next bigint not null) with (fillfactor = 10);
insert into counter values (1, 0);
create table ledger (ordinal bigint primary key, key uuid not null unique,
                     issued_at timestamptz not null default now());
create sequence numbers;
"""


class Cluster(private.Cluster):
    def __init__(self, folder, large=False):
        """`large`: it will hold a ledger that is filled beforehand."""
        super().__init__(folder, settings=settings | (settings_for_a_ledger if large else {}))
        self.service_password = None  # of the role gaplessd, once there is one

    def start(self, connections_max):
        self.settings["max_connections"] = connections_max
        super().start()
        lines = (self.folder / "data/postmaster.pid").read_text().splitlines()
        self.pid, self.host = int(lines[0]), lines[4]

    def url(self, name="postgres", user="gapless", password=None, port=None):
        """Through the unix socket, for the service as for pgbench."""
        host = self.host.replace("/", "%2F")
        secret = password or self.password
        return f"postgresql://{user}:{secret}@{host}:{port or self.port}/{name}"

    def service_url(self, database):
        """For gaplessd, in a database that is migrated: as a role that may only do its work."""
        if not self.service_password:
            self.service_password = secrets.token_hex(16)
            self.psql(database, f"create role gaplessd login password '{self.service_password}';"
                                " grant gapless_service to gaplessd")
        return self.url(database, "gaplessd", self.service_password)

    def environment(self, name):
        """What libpq reads, for a database."""
        return clean_environment(PGHOST=self.host, PGPORT=self.port, PGUSER="gapless",
                                 PGPASSWORD=self.password, PGDATABASE=name)

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
