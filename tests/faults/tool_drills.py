#!/usr/bin/env python3
"""A DBA's tools beside clients who issue and repeat their keys: never fenced, nothing doubled.

  tool_drills.py [NAME...]   all tools, or these
"""
import os
import re
import secrets
import shutil
import subprocess
import threading
import time
import urllib.parse

from drill import pg_bin, run_drills

clients = 4
new_between_repeats = 12
answered_before = 40  # requests by all clients before a tool begins, and after it ended
seconds_max = 60
repeats = 3  # of each tool, so that keys of before meet its indexes again


class Client(threading.Thread):
    """Issues a number at a time, and now and then repeats a key: its last, or one of long ago.

    Seldom, because the service looks keys up beforehand while they come again: an index meets a
    key that was spent only after some requests without any."""

    def __init__(self, instance):
        super().__init__()
        self.instance, self.enough, self.wrong = instance, threading.Event(), []
        self.got = {}  # by key

    def ask(self, key):
        try:
            status, found = self.instance.issue(key=key)
        except OSError as error:
            return self.wrong.append(str(error))
        if status == 503 and found["type"] != "/problems/fenced":
            return None  # delayed is allowed: the key is asked again
        if status not in (200, 201):
            return self.wrong.append(f"{status}: {found}")
        if self.got.setdefault(key, found["numbers"]) != found["numbers"]:
            self.wrong.append(f"{key}: {self.got[key]}, then {found['numbers']}")
        return None

    def run(self):
        while not self.enough.is_set() and not self.wrong:
            for _ in range(new_between_repeats):
                self.ask(secrets.token_hex(16))
            self.ask(secrets.choice([*list(self.got)[:5], *list(self.got)[-5:]]))


class LingeringReader(threading.Thread):
    """Transactions that REINDEX CONCURRENTLY waits for, so that its indexes stay longer."""

    def __init__(self, drill, url):
        super().__init__()
        self.drill, self.url, self.enough = drill, url, threading.Event()

    def run(self):
        while not self.enough.is_set():
            self.drill.psql(self.url, "begin isolation level repeatable read; "
                            "select count(*) from gapless.ledger; select pg_sleep(1); commit")


def answered(crowd, more):
    """Waits until the crowd has so many answers more."""
    until = sum(len(client.got) for client in crowd) + more
    deadline = time.monotonic() + seconds_max
    while sum(len(client.got) for client in crowd) < until:
        wrong = [what for client in crowd for what in client.wrong]
        assert not wrong, wrong
        assert time.monotonic() < deadline, "nothing is issued any more"
        time.sleep(0.02)


def beside_clients(drill, work):
    """Runs work(url) while clients issue; then the ledger is clean and has each number once."""
    url = drill.stock()
    with drill.instance(url) as instance:
        instance.wait_ready()
        crowd = [Client(instance) for _ in range(clients)]
        reader = LingeringReader(drill, url)
        for thread in [*crowd, reader]:
            thread.start()
        try:
            answered(crowd, answered_before)
            for _ in range(repeats):
                work(url)
                answered(crowd, answered_before)
        finally:
            for thread in [*crowd, reader]:
                thread.enough.set()
            for thread in [*crowd, reader]:
                thread.join()
        wrong = [what for client in crowd for what in client.wrong]
        assert not wrong, wrong
        numbers = [number for client in crowd for found in client.got.values() for number in found]
        assert len(numbers) == len(set(numbers)), "a number left twice"
        assert instance.ask("GET", "/readyz")[0] == 200
    assert drill.psql(url, "select count(*) from gapless.fence") == "0"
    drill.clean(url)


def runs(drill, statement):
    def work(url):
        said = drill.psql(url, statement)
        assert said == "", said

    beside_clients(drill, work)


def reindex_table(drill):
    runs(drill, "reindex table concurrently gapless.ledger")


def reindex_index(drill):
    runs(drill, "reindex index concurrently gapless.key_is_spent_once")


def vacuum_full(drill):
    runs(drill, "vacuum full gapless.ledger")


def cluster(drill):
    runs(drill, "cluster gapless.ledger using range_starts_once")


def repack(drill):
    program = shutil.which("pg_repack") or pg_bin / "pg_repack"
    if not shutil.which(program):
        print(f"  left out: {program} is not installed (package postgresql-…-repack)")
        return

    def work(url):
        drill.psql(url, "create extension if not exists pg_repack")
        server = urllib.parse.urlsplit(url)
        command = [program, "--table=gapless.ledger", "--wait-timeout=10", "--dbname=gapless",
                   f"--host={server.hostname}", f"--port={server.port}",
                   f"--username={server.username}"]
        done = subprocess.run(command, text=True, capture_output=True,
                              env=os.environ | {"PGPASSWORD": server.password})
        assert done.returncode == 0 and not re.search("ERROR", done.stderr), done.stderr

    beside_clients(drill, work)


def interrupted(drill):
    """A REINDEX that was cancelled leaves an invalid index; verify says nothing of it."""

    def work(url):
        impatient = url + "?options=-c%20statement_timeout%3D30ms"
        said = drill.psql(impatient, "reindex table concurrently gapless.ledger")
        assert said == "" or "timeout" in said, said
        drill.clean(url)

    beside_clients(drill, work)


drills = [reindex_table, reindex_index, vacuum_full, cluster, repack, interrupted]


if __name__ == "__main__":
    run_drills(drills)
