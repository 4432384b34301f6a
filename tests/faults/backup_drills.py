#!/usr/bin/env python3
"""A backup and a recovery to a moment by pgBackRest, with the commands that operations/backup.md
shows: what it says is what is done here.

  backup_drills.py [NAME...]   all drills, or these; each has servers of its own

With GAPLESS_DRILL_ROWS=N the database has so many ledger rows before, by tools/fill.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from drill import Recorded, root, run_drills  # first: it knows where the harness is
from documents.blocks import blocks_of
from harness.crowd import Crowd, Plan
from harness.history import OK
from harness.processes import as_server, pg_bin, run

PAGE, CHAPTER = "docs/operations/backup.md", "A backup with pgBackRest"
clients = 6
phase_numbers = 400  # that all clients together get before the next step
rows_before = int(os.environ.get("GAPLESS_DRILL_ROWS", "0"))
ISSUED = ("select sum(l.count) from gapless.ledger l join gapless.series s using (series_id) "
          "where s.name = 's'")


class Site:
    """What the page names, as it is here: the server, pgBackRest's repository, another disk."""

    def __init__(self, drill):
        self.drill = drill
        self.blocks = [block for block in blocks_of(PAGE) if block.chapter == CHAPTER]
        assert self.blocks, f"{PAGE} has no chapter '{CHAPTER}'"
        self.folder = drill.folder / "site"
        self.folder.mkdir()
        for name in ("repository", "log", "lock", "spool"):
            (self.folder / name).mkdir()
            if os.geteuid() == 0:
                shutil.chown(self.folder / name, "postgres", "postgres")
        self.copies = drill.folder / "journal-copies"
        self.copies.mkdir()
        self.replaced = {
            "/var/lib/pgbackrest": self.folder / "repository",
            "/var/lib/postgresql/15/main": drill.here / "data",
            "/var/lib/gapless/journal": drill.journals,
            "/mnt/backup/gapless-journal": self.copies}
        self.environment = {}
        self.took = {}

    def block(self, words):
        """The one block that has these words, with what is here in place of what is there."""
        found = [block.text for block in self.blocks if words in block.text]
        assert len(found) == 1, (words, len(found))
        text = found[0]
        for there, here in self.replaced.items():
            text = text.replace(there, str(here))
        return text

    def configure(self):
        """Writes pgBackRest's file -> PostgreSQL's settings, both as the page has them."""
        file = self.folder / "pgbackrest.conf"
        file.write_text(self.block("repo1-path"))
        self.environment = {"PGBACKREST_CONFIG": str(file)} | {
            f"PGBACKREST_{name.upper()}_PATH": str(self.folder / name)
            for name in ("log", "lock", "spool")}
        settings = re.findall(r"^(\w+) = '?(.*?)'?$", self.block("archive_command"), re.MULTILINE)
        assert dict(settings).keys() == {"archive_mode", "archive_command"}, settings
        self.drill.cluster().server_environment = self.environment
        return [word for name, value in settings for word in ("--setting", f"{name}={value}")]

    def connect(self):
        """How pgBackRest reaches the server, which has a port and a password of its own here."""
        cluster = self.drill.cluster()
        socket = cluster.folder / "socket_folder"
        self.environment |= {
            "PGBACKREST_PG1_PORT": str(cluster.port), "PGBACKREST_PG1_USER": "gapless",
            "PGBACKREST_PG1_SOCKET_PATH":
                socket.read_text().strip() if socket.exists() else str(cluster.folder / "run"),
            "PGPASSWORD": cluster.password}

    def play(self, words, name, url=None, code=0):
        """Runs the block with these words, with the machine's pg_ctlcluster, and notes how long it
        took -> what it prints, messages included"""
        tool = root / "tools/cluster"
        machine = (f"pg_ctlcluster() {{ {tool} \"$3\" {self.drill.here} >/dev/null; }}\n"
                   f"pgbackrest() {{ {' '.join(as_server(['/usr/bin/pgbackrest']))} \"$@\"; }}\n")
        environment = {key: value for key, value in os.environ.items()
                       if not key.startswith(("GAPLESS_", "PG"))}
        environment |= self.environment | {
            "PATH": f"{programs_folder()}:{os.environ['PATH']}", "GAPLESS_PG_BIN": str(pg_bin)}
        if url:
            environment["GAPLESS_DATABASE_URL"] = url
        begun = time.monotonic()
        done = subprocess.run(["bash", "-euc", machine + self.block(words)], cwd="/", text=True,
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, timeout=600)
        self.took[name] = time.monotonic() - begun
        assert done.returncode == code, (words, done.returncode, done.stdout[-2000:])
        return done.stdout


def programs_folder():
    return pathlib.Path(os.environ.get("GAPLESS_BIN_DIR", root / "build/check/bin"))


def pgbackrest(drill):
    """F80: full and incremental backups under load, recovery to a moment, and the way back."""
    site = Site(drill)
    settings = site.configure()
    url = drill.stock()
    if rows_before:
        run([root / "tools/fill", "--url", url, "--rows", rows_before,
             "--numbers", 100 * rows_before], "fill the database", 3600)
    drill.stop()
    drill.start(None, *settings)
    site.connect()
    size = drill.psql(url, "select pg_size_pretty(pg_database_size(current_database()))")
    with drill.instance(url) as instance:
        instance.wait_ready()
        held = instance.issue(2, hold_seconds=600)[1]["numbers"]
        people = Recorded(drill, [instance.port])
        crowd = Crowd(people, Plan(series=("s",), clients=clients, count_max=1, repeat_in_100=0,
                                   reuse_in_100=0, read_in_100=0, names=("drill",)))
        crowd.wait_for_more(phase_numbers)
        site.play("stanza-create", "full backup")
        crowd.wait_for_more(phase_numbers)
        site.play("--type=incr", "incremental backup")
        crowd.wait_for_more(phase_numbers)
        # The moment to go back to, and what had been committed before it at least.
        moment, known = drill.psql(url, f"select clock_timestamp(), ({ISSUED})").split("|")
        crowd.wait_for_more(phase_numbers)
        crowd.stop()
        answered = [*(a.ranges[0][1] for a in people.history.attempts if a.fate == OK),
                    *map(int, held)]
        assert len(answered) == len(set(answered))
        last = drill.psql(url, "select pg_walfile_name(pg_switch_wal())")
        instance.wait_for(lambda: drill.psql(
            url, "select last_archived_wal from pg_stat_archiver") >= last)

    # The page's moment is ours from here on.
    shown = re.search(r'"--target=([^"]+)"', site.block("--delta"))[1]
    site.replaced[shown] = moment
    site.play("--delta", "restore and recovery")
    drill.cluster().start()  # runs already; learns its port
    drill.cluster().psql("gapless", "select 1")
    restored = int(drill.psql(url, ISSUED))
    missing = len(answered) - restored
    assert restored >= int(known) and missing >= phase_numbers / 2, (known, restored, missing)
    with drill.instance(url, drill.folder / "new") as stranger:
        stranger.fenced("timeline")
    with drill.instance(url) as instance:
        instance.fenced("lacks issued numbers")
    way_back(drill, site, url, missing)
    judge(drill, url, answered, held)
    print(f"a database of {size}, {missing} numbers missing")
    print("\n".join(f"{name}: {took:.1f} s" for name, took in site.took.items()))


def way_back(drill, site, url, missing):
    """What the page says, by two administrators."""
    told = site.play("gapless epoch show", "epoch show", url, code=6)
    assert "lacks issued numbers" in told, told
    # A copy of the journals is as old as it is: it proves that numbers are missing, not that it
    # knows all of them.
    code, out, _ = drill.gapless(url, "epoch", "show", "--journal", str(site.copies), "-o", "json")
    known = {one["series"]: int(one["missing"]) for one in json.loads(out)["series"]}
    assert code == 6 and known["s"] < missing, out
    told = site.play("gapless epoch reconcile", "epoch reconcile", drill.person(url, "anna"))
    assert told.startswith(f"{missing} missing numbers"), (missing, told)
    site.play("gapless epoch open", "epoch open", drill.person(url, "anna"), code=4)
    site.play("gapless epoch open", "epoch open", drill.person(url, "berta"))
    told = site.play("gapless verify --chain", "verify --chain", url)
    assert told.endswith("gapless\n"), told


def judge(drill, url, answered, held):
    """Every number that anybody was answered is in the ledger, and none is issued again."""
    last = max(answered)
    with drill.instance(url) as instance:
        assert instance.numbers(2) == [last + 1, last + 2]
        for number in held:
            assert instance.ask("GET", f"/v1/series/s/numbers/{number}")[1]["state"] == "voided"
    issued = drill.psql(url, ISSUED)
    assert int(issued) == last + 3 - 1000, (issued, last)
    assert sorted(answered) == list(range(1000, last + 1))
    drill.clean(url)


drills = [pgbackrest]


if __name__ == "__main__":
    if not shutil.which("pgbackrest"):
        sys.exit("pgbackrest is not installed; tools/test installs it")
    run_drills(drills)
