#!/usr/bin/env python3
"""PgBouncer between gapless and PostgreSQL: sessions are pooled, transactions are refused by name.

  pooler_drills.py [NAME...]   all drills, or these; each has servers of its own

Ends with 77 where PgBouncer is not installed (package pgbouncer): CTest then says "skipped".
"""
import contextlib
import os
import secrets
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

from drill import run_drills

program = shutil.which("pgbouncer", path=os.environ.get("PATH", "") + ":/usr/sbin")
skipped = 77
restarts = 3
clients = 4
new_between_repeats = 12
answered_before = 40  # requests by all clients before a restart, and after it
seconds_max = 60
commands_max = 20  # the pool of a drill has fewer sessions
start_seconds_max = 20
sentence = "a connection pooler in transaction mode stands between gapless and PostgreSQL"


class Client(threading.Thread):
    """Issues a number at a time, and now and then repeats a key: its last, or one of long ago."""

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


def answered(crowd, more):
    """Waits until the crowd has so many answers more."""
    until = sum(len(client.got) for client in crowd) + more
    deadline = time.monotonic() + seconds_max
    while sum(len(client.got) for client in crowd) < until:
        wrong = [what for client in crowd for what in client.wrong]
        assert not wrong, wrong
        assert time.monotonic() < deadline, "nothing is issued any more"
        time.sleep(0.02)


class Pooler:
    """PgBouncer in front of a server -> url, of the same database through it."""

    def __init__(self, drill, url, mode, **settings):
        server = urllib.parse.urlsplit(url)
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.folder = drill.folder / f"pooler-{self.port}"
        self.folder.mkdir()
        (self.folder / "users").write_text(f'"{server.username}" "{server.password}"\n')
        self.write({
            "pool_mode": mode, "listen_addr": "127.0.0.1", "listen_port": self.port,
            "unix_socket_dir": "", "auth_type": "scram-sha-256", "auth_file": self.folder / "users",
            "default_pool_size": 30, "server_login_retry": 1,
        } | settings, f"host={server.hostname} port={server.port}")
        self.url = url.replace(f":{server.port}/", f":{self.port}/")
        self.process = None

    def write(self, settings, server):
        lines = [f"{name} = {value}" for name, value in settings.items()]
        (self.folder / "pgbouncer.ini").write_text(
            "\n".join(["[databases]", f"* = {server}", "[pgbouncer]", *lines, ""]))

    def start(self):
        user = []
        if os.geteuid() == 0:  # it does not run as root
            user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"]
        self.process = subprocess.Popen(
            [*user, program, "--quiet", self.folder / "pgbouncer.ini"],
            stdout=subprocess.DEVNULL, stderr=(self.folder / "log").open("a"))
        deadline = time.monotonic() + start_seconds_max
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return self
            time.sleep(0.02)
        raise AssertionError("PgBouncer did not start:\n" + (self.folder / "log").read_text())

    def stop(self, kill=False):
        self.process.kill() if kill else self.process.terminate()
        self.process.wait()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop(kill=True)


def has_each_once(drill, url, numbers):
    """Every number was answered once, and the database has these and no others."""
    assert len(numbers) == len(set(numbers)), "a number left twice"
    left = drill.psql(url, "select sum(count) from gapless.ledger")
    assert int(left) >= len(numbers), (left, len(numbers))
    code, out, error = drill.gapless(url, "verify", "--chain")
    assert code == 0, (out, error)


def session_pool(drill):
    """Sessions are pooled: service and command line work, also over restarts of the pooler."""
    url = drill.stock()
    with Pooler(drill, url, "session") as pooler:
        with drill.instance(pooler.url) as instance:
            instance.wait_ready()
            crowd = [Client(instance) for _ in range(clients)]
            for client in crowd:
                client.start()
            try:
                answered(crowd, answered_before)
                for turn in range(restarts):
                    pooler.stop(kill=turn % 2 == 0)
                    pooler.start()
                    answered(crowd, answered_before)
            finally:
                for client in crowd:
                    client.enough.set()
                for client in crowd:
                    client.join()
            wrong = [what for client in crowd for what in client.wrong]
            assert not wrong, wrong
            code, out, error = drill.gapless(pooler.url, "issue", "s", "--key", "by hand")
            assert code == 0, error
            assert drill.gapless(pooler.url, "issue", "s", "--key", "by hand")[1] == out
            code, _, error = drill.gapless(pooler.url, "block", "list", "s")
            assert code == 0, error
            key, numbers = next(iter(crowd[0].got.items()))
        assert instance.process.returncode == 0, instance.logged()[-2000:]
        # Nothing of a session is left to the next one: server_reset_query.
        told = drill.psql(
            pooler.url, "select coalesce(current_setting('gapless.session', true), ''), "
            "current_setting('default_transaction_isolation'), count(*) "
            "from pg_prepared_statements")
        assert told == "|read committed|0", told
        with drill.instance(pooler.url) as instance:
            instance.wait_ready()
            status, found = instance.issue(key=key)
            assert (status, found["numbers"]) == (201, numbers), found
        everything = [out.strip()] + [
            number for client in crowd for found in client.got.values() for number in found]
        has_each_once(drill, url, everything)

        options = pooler.url + "?options=-c%20work_mem%3D8MB"
        code, _, error = drill.gapless(options, "series", "list")
        assert code == 7 and "ignore_startup_parameters" in error, (code, error)
    with Pooler(drill, url, "session", ignore_startup_parameters="options") as pooler:
        code, _, error = drill.gapless(
            pooler.url + "?options=-c%20work_mem%3D8MB", "series", "list")
        assert code == 0, error


def transaction_pool(drill):
    """Transactions are pooled: service and command line say so, and no number leaves twice."""
    url = drill.stock()
    numbers = []

    def ask(instance):
        status, found = instance.issue()
        if status == 201:
            numbers.extend(found["numbers"])
        else:
            assert (status, found["executed"]) != (201, "yes"), found
        return instance.ask("GET", "/readyz")

    with Pooler(drill, url, "transaction", default_pool_size=4) as pooler:
        with drill.instance(pooler.url) as instance:
            told = instance.wait_for(
                lambda: (answer := ask(instance))[0] == 503 and sentence in answer[1]["detail"])
            assert told
            instance.wait_for(lambda: sentence in instance.logged())
            assert "migrate up" not in instance.logged()
            for _ in range(commands_max):  # a session that nobody has used yet shows no traces
                code, _, error = drill.gapless(pooler.url, "series", "list")
                if code != 0:
                    break
            assert code == 7 and sentence in error, (code, error)
            assert "pool_mode = session" in error, error
            # The same service goes on as soon as sessions are pooled.
            settings = (pooler.folder / "pgbouncer.ini").read_text()
            pooler.stop()
            (pooler.folder / "pgbouncer.ini").write_text(
                settings.replace("pool_mode = transaction", "pool_mode = session")
                .replace("default_pool_size = 4", "default_pool_size = 30"))
            pooler.start()
            instance.wait_ready()
            assert ask(instance)[0] == 200
    has_each_once(drill, url, numbers)


drills = [session_pool, transaction_pool]


if __name__ == "__main__":
    if program is None:
        print("SKIPPED: pgbouncer is not installed; nothing was shown", flush=True)
        sys.exit(skipped)
    run_drills(drills)
