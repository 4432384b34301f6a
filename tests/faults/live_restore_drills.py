#!/usr/bin/env python3
"""An older dump is restored into the database that instances issue from: none is issued twice.

  live_restore_drills.py [NAME...]   all drills, or these; each has a server of its own

What the clients were answered is the only judge: over all of it no number has two keys.
"""
import collections
import json
import secrets
import subprocess
import threading

from drill import pg_bin, run_drills
from harness import database
from harness.processes import clean_environment


class Clients:
    """What they were answered: each number's keys."""

    def __init__(self):
        self.keys = collections.defaultdict(set)
        self.lock = threading.Lock()

    def ask(self, instance):
        """One request with a key of its own -> its status; 0 without an answer"""
        key = secrets.token_hex(16)
        try:
            status, found = instance.issue(key=key)
        except (OSError, json.JSONDecodeError):
            return 0
        if status == 201:
            with self.lock:
                for number in found["numbers"]:
                    self.keys[number].add(key)
        return status

    def doubles(self):
        return {number: keys for number, keys in self.keys.items() if len(keys) > 1}

    def issue_until(self, stop, instance):
        while not stop.is_set():
            self.ask(instance)


def dump(drill, url, *options):
    subprocess.run([pg_bin / "pg_dump", *options, "-f", drill.folder / "dump", url], check=True,
                   env=clean_environment())


def restored(url, folder, *options):
    """A part of a restore fails where another part's objects stand; the operator goes on -> whether
    all of it succeeded"""
    done = subprocess.run([pg_bin / "pg_restore", *options, "-d", url, folder / "dump"],
                          stderr=subprocess.PIPE, check=False, env=clean_environment())
    return done.returncode == 0


def in_one_transaction(drill, url):
    for _ in range(20):  # a deadlock with somebody at work takes all of it back
        if restored(url, drill.folder, "--clean", "--if-exists", "--single-transaction"):
            return
    raise AssertionError("the restore was taken back 20 times")


def table_by_table(drill, url):
    restored(url, drill.folder, "--clean", "--if-exists")


def two_tables(drill, url):
    for _ in range(20):  # somebody at work may have them locked
        wrong = drill.psql(url, "drop table gapless.counter, gapless.ledger cascade")
        if not wrong:
            break
    assert not wrong, wrong
    restored(url, drill.folder, "--clean", "--if-exists", "-n", "gapless", "-t", "counter",
             "-t", "ledger")


def by_psql(drill, url):
    subprocess.run([pg_bin / "pg_restore", "--clean", "--if-exists", "-f",
                    drill.folder / "dump.sql", drill.folder / "dump"], check=True)
    subprocess.run([pg_bin / "psql", "-qX", "-o", "/dev/null", "-f", drill.folder / "dump.sql",
                    url], stderr=subprocess.DEVNULL, check=False, env=clean_environment())


def rows_only(drill, url):
    """TRUNCATE and COPY: the tables stay, so only who remembers what was answered can tell."""
    drill.psql(url, "begin; set local session_replication_role = replica; "
               "create temporary table was on commit drop as select ledger.* from gapless.ledger "
               "where ordinal <= 30; truncate gapless.ledger; "
               "insert into gapless.ledger select * from was; "
               "update gapless.counter set next_ordinal = 31, next_serial = 1030 "
               "where series_id = 1; commit")


def restore_and_open(drill, restore, names_it, count, load):
    """One round with that many instances: issue, dump, issue, restore, and the way back."""
    url = drill.url
    clients, stop = Clients(), threading.Event()
    journals = [drill.folder / f"journals-{n}" for n in range(count)]
    with_journals = [word for folder in journals for word in ("--journal", str(folder))]
    epoch = int(drill.psql(url, "select max(epoch) from gapless.epoch"))
    instances = [drill.instance(url, folder) for folder in journals]
    try:
        for instance in instances:
            instance.start()
            for _ in range(30 - 15 * (count - 1)):
                assert clients.ask(instance) == 201
        dump(drill, url, "-Fc")
        for instance in instances:
            for _ in range(40):
                assert clients.ask(instance) == 201
        threads = [threading.Thread(target=clients.issue_until, args=(stop, instance))
                   for instance in instances for _ in range(4) if load]
        for thread in threads:
            thread.start()
        restore(drill, url)
        for instance in instances:
            # Of a batch that was under way nobody knows; what waits behind it is told so.
            instance.wait_for(lambda: instance.ask("GET", "/readyz")[1]["fenced"]
                              or clients.ask(instance) == 201)
        stop.set()
        for thread in threads:
            thread.join()
        for instance in instances:
            instance.fenced()
        doubles = clients.doubles()
        assert not doubles, (restore.__name__, count, load, doubles)
        # Callers of SQL and the command line do not remember: the tables, or a fence, tell them.
        refused = drill.psql(url, "select gapless.issue('s')")
        assert names_it in refused, refused
        code, _, error = drill.gapless(url, "issue", "s")
        assert code != 0, error
    finally:
        stop.set()
        for instance in instances:
            instance.stop()
    return clients, with_journals, epoch, journals


def rounds(restore, names_it, way_back):
    """The drill of a way to restore: one and two instances, idle and under load."""

    def drill_it(drill):
        drill.url = drill.stock()
        for count, load in ((1, False), (1, True), (2, False), (2, True)):
            clients, with_journals, epoch, journals = restore_and_open(
                drill, restore, names_it, count, load)
            if not way_back:
                return
            code, _, error = drill.gapless(drill.url, "epoch", "reconcile", "--reason", "restored",
                                           *with_journals)
            assert code == 0, error
            drill.open_epoch(drill.url, "--reason", "restored", "--confirm-epoch", str(epoch + 1),
                             "--yes", *with_journals)
            with drill.instance(drill.url, journals[0]) as instance:
                for _ in range(20):
                    assert clients.ask(instance) == 201
            assert not clients.doubles(), clients.doubles()
            drill.clean(drill.url)

    drill_it.__name__ = restore.__name__
    return drill_it


def a_series_is_gone(drill):
    """A series that was created after the dump comes back under its id, which PostgreSQL has given
    to a creation that failed, and none of its numbers is issued twice."""
    url = drill.stock()
    admin = lambda *words: database.admin(url, *words)  # noqa: E731

    def create_and_load(words=()):
        admin("series", "create", "late", "--carrier", "c")
        for sql in words:
            assert drill.psql(url, sql) == ""
        admin("block", "load", "late", "500", "900", "--yes")

    with drill.instance(url) as instance:
        instance.numbers()
        dump(drill, url, "-Fc")
        for _ in range(3):
            drill.psql(url, "select gapless.series_create("
                       "'s s', 'c', null, null, null, null, null, null, 'test')")
        create_and_load()
        had = {number for _ in range(5) for number in instance.numbers(series="late")}
        assert had == set(range(500, 505)), had
        in_one_transaction(drill, url)
        instance.fenced("other tables")
        words = ("--reason", "restored", "--journal", str(drill.journals))
        opening = (*words, "--confirm-epoch", "2", "--yes")
        for verb, more in (("reconcile", words), ("open", opening)):
            code, _, error = drill.gapless(url, "epoch", verb, *more)
            assert code == 3 and "series 5, gone: " in error, error
            assert " 5 of its numbers" in error, error
        identify = "select gapless.series_identify('{}', {}, 'anna')".format
        assert "a gaplessd is connected" in drill.psql(url, identify("s", 5))
    assert "does not exist" in drill.psql(url, identify("late", 5))
    create_and_load([identify("late", 5), identify("late", 5)])
    assert "has blocks" in drill.psql(url, identify("late", 6))
    assert "has the id 5" in drill.psql(url, identify("s", 5))
    for wrong in (0, -5, 10000000, 2**31 - 1, "null"):
        assert "ten million at most" in drill.psql(url, identify("s", wrong))
    code, _, error = drill.gapless(url, "epoch", "reconcile", *words)
    assert code == 0, error
    drill.open_epoch(url, *opening)
    with drill.instance(url) as instance:
        instance.numbers()
        assert instance.numbers(series="late") == [505]
    assert "not fenced" in drill.psql(url, identify("s", 9))
    admin("series", "create", "next", "--carrier", "c")
    assert drill.psql(url, "select series_id from gapless.series where name = 'next'") == "6"
    drill.clean(url)


def others_have_their_names(drill):
    """A service that goes on after a restore: series that the dump did not have are gone for it,
    too, and others have their ids; and rows that were put back go to no reserve."""
    url = drill.stock()
    admin = lambda *words: database.admin(url, *words)  # noqa: E731
    with drill.instance(url) as instance:
        for _ in range(40):
            instance.numbers()
        dump(drill, url, "-Fc")
        admin("series", "create", "late", "--carrier", "c", "--format", "upu-s10",
              "--param", "svc=RR", "--param", "cc=DE")
        assert instance.issue(series="late")[0] == 409
        in_one_transaction(drill, url)
        instance.fenced("other tables")
        words = ("--reason", "restored", "--journal", str(drill.journals))
        code, _, error = drill.gapless(url, "epoch", "reconcile", *words)
        assert code == 0, error
        drill.open_epoch(url, *words, "--confirm-epoch", "2", "--yes")
        instance.numbers()
        admin("series", "create", "other", "--carrier", "c")
        admin("block", "load", "other", "500", "900", "--yes")
        assert instance.issue(series="late")[0] == 404
        assert instance.numbers(series="other") == [500]

        for _ in range(10):
            instance.numbers()
        rows_only(drill, url)
        admin("series", "set", "s", "--reserve", "40")
        instance.wait_for(lambda: instance.ask("GET", "/readyz")[1]["fenced"])
        instance.fenced("lacks issued numbers")
        assert "on lease" in drill.psql(url, "select max(reason) from gapless.fence")
        assert drill.psql(url, "select count(*) from gapless.lease") == "0"


drills = [rounds(in_one_transaction, "other tables", True),
          rounds(table_by_table, "other tables", True),
          rounds(by_psql, "other tables", True),
          rounds(two_tables, "fenced", False),
          rounds(rows_only, "lacks issued numbers", False),
          others_have_their_names, a_series_is_gone]


if __name__ == "__main__":
    run_drills(drills)
