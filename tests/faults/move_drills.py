#!/usr/bin/env python3
"""A planned move to another server: what is on hold stays on hold, nothing is skipped or doubled.

  move_drills.py [NAME...]   all drills, or these; each has servers of its own
"""
import json
import os
import pathlib
import re
import shutil
import subprocess

from drill import pg_bin, run_drills

from harness import auditor

reason = ["--reason", "a new machine"]


def newest_postgres():
    """The programs of the newest PostgreSQL here: what is upgraded to."""
    found = pathlib.Path("/usr/lib/postgresql").glob("*/bin/pg_upgrade")
    return max((path.parent for path in found), key=lambda path: int(path.parent.name),
               default=pg_bin)


class Move:
    """A database in use, with holds of every kind, and what has to be the same after a move."""

    def __init__(self, drill):
        self.drill, self.url = drill, drill.stock()
        self.journal = ["--journal", str(drill.journals)]
        self.anchors = str(drill.folder / "anchors")
        with drill.instance(self.url) as instance:
            assert instance.numbers(3, key="before") == [1000, 1001, 1002]
            self.held = [self.hold(instance, 2), self.hold(instance, 2)]
            back = self.hold(instance, 1)
            assert self.settle(instance, back, "release")[0] == 200
        self.prepare = ["epoch", "prepare-move", *reason, *self.journal, "--yes"]
        self.complete = ["epoch", "move", *reason, "--confirm-epoch", "2", *self.journal, "--yes"]

    def hold(self, instance, count):
        instance.wait_ready()
        status, found = instance.issue(count, hold_seconds=3600)
        assert status == 201 and found["state"] == "held", found
        return found

    def settle(self, instance, held, how):
        return instance.ask("POST", f"/v1/issuances/{held['id']}/{how}", {})

    def ends_here(self):
        """Prepares it; from now on nothing is issued or settled on the old server."""
        with self.drill.instance(self.url) as instance:
            instance.wait_ready()
            code, _, error = self.drill.gapless(
                self.url, "anchor", "--file", self.anchors)
            assert code == 0, error
            code, _, error = self.drill.gapless(self.url, *self.prepare)
            assert code == 0 and "epoch 1 is over" in error, error
            instance.fenced("move to another server")
            status, found = self.settle(instance, self.held[0], "confirm")
            assert (status, found["type"]) == (503, "/problems/fenced"), found
        assert "GL019" in self.drill.psql(
            self.url, "do $$ begin perform gapless.issue('s'); exception when sqlstate 'GL019' "
            "then raise exception 'GL019'; end $$")
        code, out, _ = self.drill.gapless(self.url, "epoch", "show", *self.journal, "-o", "json")
        shown = json.loads(out)
        assert code == 6 and "move to another server" in shown["why"], out
        assert shown["series"][0]["noted"] == shown["series"][0]["ordinal"], out
        # Once more is no mistake.
        code, _, error = self.drill.gapless(self.url, *self.prepare)
        assert code == 0, error

    def begins_on(self, url):
        """Completes it there, by two people."""
        code, _, error = self.drill.gapless(url, "migrate", "up")
        assert code == 0, error
        for person, expected in (("anna", 4), ("berta", 0)):
            code, _, error = self.drill.gapless(self.drill.person(url, person), *self.complete)
            assert code == expected, (person, code, error)
        assert "nothing was voided" in error, error

    def is_whole_on(self, url):
        """Holds, keys and numbers go on as if nothing had happened; every proof holds."""
        first, second = self.held
        with self.drill.instance(url) as instance:
            assert instance.numbers(3, key="before") == [1000, 1001, 1002]
            status, found = self.settle(instance, first, "confirm")
            assert (status, found["state"]) == (200, "issued"), found
            assert self.settle(instance, second, "release")[0] == 200
            # What came back before and after the move goes out again, then the next fresh one.
            back = [int(number) for number in second["numbers"]]
            assert instance.numbers(4) == [*back, 1007, 1008], back
            assert instance.issue()[1]["epoch"] == "2"
        states = self.drill.psql(url, "select voided, held, free from gapless.tally")
        assert states == "0|0|0", states
        code, out, error = self.drill.gapless(url, "verify", "--chain", "--anchors", self.anchors)
        assert code == 0, (out, error)
        for series_id in (0, 1):
            links = auditor.chain(url, series_id)
            assert links and all(computed == stored for computed, stored in links), links

    def stays_over(self):
        """The old server, started again, issues nothing for anybody."""
        self.drill.start()
        for journal in (self.drill.journals, self.drill.folder / "new", ""):
            with self.drill.instance(self.url, journal) as instance:
                instance.fenced()
        assert "fenced" in self.drill.psql(self.url, "select gapless.issue('s')")


def upgrade(drill, *options):
    """A new cluster made from the old one by pg_upgrade, both stopped -> its folder."""
    programs, there = newest_postgres(), drill.folder / "there"
    print(f"pg_upgrade from {pg_bin} to {programs} {' '.join(options)}", flush=True)
    drill.newer[there] = programs
    there.mkdir()
    shutil.copy(drill.here / "password", there)
    drill.start(there)
    drill.stop(there)
    drill.stop()
    work = drill.folder / "upgrade"
    work.mkdir(mode=0o777)
    os.chmod(work, 0o777)
    server = []
    if os.geteuid() == 0:
        server = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
    done = subprocess.run(
        [*server, programs / "pg_upgrade", "--old-bindir", pg_bin, "--new-bindir", programs,
         "--old-datadir", drill.here / "data", "--new-datadir", there / "data",
         "--username", "gapless", "--socketdir", work, *options],
        cwd=work, text=True, capture_output=True,
        env=os.environ | {"PGPASSWORD": (there / "password").read_text().strip()})
    assert done.returncode == 0, done.stdout + done.stderr
    return there


def pg_upgrade(drill):
    """N24: copied by pg_upgrade: another system identifier, timeline 1, the same oids."""
    move = Move(drill)
    move.ends_here()
    url = drill.start(upgrade(drill))
    with drill.instance(url) as early:
        early.fenced("move to another server")
    move.begins_on(url)
    move.is_whole_on(url)
    move.stays_over()
    # It cannot be called off on the old server as well: the seal says where it was completed.
    code, _, error = drill.gapless(move.url, *move.complete)
    assert code == 5 and "was completed on system" in error, (code, error)


def pg_upgrade_link(drill):
    """N24: files of the old cluster become those of the new one; there is no way back."""
    move = Move(drill)
    move.ends_here()
    url = drill.start(upgrade(drill, "--link"))
    move.begins_on(url)
    move.is_whole_on(url)


def restored_from_dump(drill, url, dump):
    """A dump restored into a new cluster -> its URL there."""
    there = drill.start(drill.folder / "there")
    drill.psql(there.rsplit("/", 1)[0] + "/postgres", "create database gapless")
    for role in ("service", "app", "admin", "audit"):
        drill.psql(there, f"create role gapless_{role}")
    done = subprocess.run(["psql", "-qX", "-o", "/dev/null", "--set=ON_ERROR_STOP=1", there],
                          input=dump, capture_output=True)
    assert done.returncode == 0, done.stderr
    return there


def dumped(url):
    return subprocess.run(
        [pg_bin / "pg_dump", url], check=True, stdout=subprocess.PIPE).stdout


def dump_moved(drill):
    """N24: dumped and restored: another system identifier, another oid of the database."""
    move = Move(drill)
    move.ends_here()
    url = restored_from_dump(drill, move.url, dumped(move.url))
    move.begins_on(url)
    move.is_whole_on(url)
    move.stays_over()


def switchover(drill):
    """N24: a standby is promoted on purpose, without a synchronous one."""
    there, both = drill.with_standby()
    code, _, error = drill.gapless(both, "block", "list", "s")
    assert code == 0, error
    left = "select next_ordinal - 1 from gapless.counter where fenced"
    journal = ["--journal", str(drill.journals)]
    with drill.instance(both) as instance:
        assert instance.numbers(3) == [1000, 1001, 1002]
        status, held = instance.issue(2, hold_seconds=3600)
        assert status == 201, held
        code, _, error = drill.gapless(
            both, "epoch", "prepare-move", *reason, *journal, "--yes")
        assert code == 0, error
        people = {name: drill.person(both, name) for name in ("anna", "berta")}
        instance.wait_for(lambda: drill.psql(there, left) == "5")
        drill.stop()
        drill.psql(there, "select pg_promote()")
        for name, expected in (("anna", 4), ("berta", 0)):
            code, _, error = drill.gapless(
                people[name], "epoch", "move", *reason, "--confirm-epoch", "2", *journal, "--yes")
            assert code == expected, (name, code, error)
        assert instance.numbers() == [1005]
        status, found = instance.ask("POST", f"/v1/issuances/{held['id']}/confirm", {})
        assert (status, found["state"]) == (200, "issued"), found
    drill.clean(there)


def refused(drill):
    """N24: a dump that is too old, a journal that is missing, an old server that went on."""
    move = Move(drill)
    early = dumped(move.url)
    with drill.instance(move.url) as instance:  # one fresh number leaves after the dump
        assert instance.numbers(2) == [1007, 1008]
    lost = drill.folder / "lost"
    with drill.instance(move.url, lost) as instance:  # an instance of another host
        instance.wait_ready()
    code, _, error = drill.gapless(move.url, *move.prepare)
    missing = r"journal \S+ is missing, which was in use on host"
    assert code == 5 and re.search(missing, error), error
    move.journal += ["--journal", str(lost)]
    move.prepare += ["--journal", str(lost)]
    move.complete += ["--journal", str(lost)]
    move.ends_here()
    late = dumped(move.url)

    url = restored_from_dump(drill, move.url, early)
    code, _, error = drill.gapless(url, *move.complete)
    assert code == 5 and "no move was prepared in this copy" in error, error
    assert re.search("series 's' is at ordinal 8, .* prepared at ordinal 9", error), error
    drill.psql(url.rsplit("/", 1)[0] + "/postgres", "drop database gapless with (force)")

    url = restored_from_dump(drill, move.url, late)
    code, _, error = drill.gapless(url, *move.complete[:-2])
    assert code == 5 and "is missing" in error and "gapless epoch open" in error, error
    # One person proves nothing, and goes not around the other by the function either.
    anna = drill.person(url, "anna")
    for _ in range(2):
        code, _, error = drill.gapless(anna, *move.complete)
        assert code == 4 and "proposed, not open" in error, error
    told = drill.psql(anna, "select gapless.epoch_complete_move(2, 'r', '{\"move\": 1}', 'me')")
    assert "another administrator" in told, told

    # The move is called off: the old server goes on, with everything that was on hold.
    move.begins_on(move.url)
    with drill.instance(move.url) as instance:
        assert instance.numbers() == [1009]
        assert move.settle(instance, move.held[0], "confirm")[0] == 200
    drill.clean(move.url)
    code, _, error = drill.gapless(url, *move.complete)
    assert code == 5 and "was used in epoch 2" in error, error
    assert "was completed on system" in error, error
    # The way out, which trusts nothing that could have left: what is on hold is voided.
    drill.open_epoch(url, *reason, "--confirm-epoch", "2", "--skip", "100", "--yes")
    states = drill.psql(url, "select voided, held, free from gapless.tally")
    assert states == "104|0|0", states


drills = [pg_upgrade, pg_upgrade_link, dump_moved, switchover, refused]


if __name__ == "__main__":
    run_drills(drills)
