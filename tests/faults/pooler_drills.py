#!/usr/bin/env python3
"""PgBouncer between gapless and PostgreSQL: sessions are pooled, transactions are refused by name.

  pooler_drills.py [NAME...]   all drills, or these; each has servers of its own

Ends with 77 where PgBouncer is not installed (package pgbouncer): CTest then says "skipped".
"""
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse

from drill import Recorded, run_drills  # first: it knows where the harness is
from harness.crowd import Crowd, Plan

program = shutil.which("pgbouncer", path=os.environ.get("PATH", "") + ":/usr/sbin")
skipped = 77
restarts = 3
answered_before = 40  # requests by all clients before a restart, and after it
commands_max = 20  # the pool of a drill has fewer sessions
start_seconds_max = 20
sentence = "a connection pooler in transaction mode stands between gapless and PostgreSQL"


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
            people = Recorded(drill, [instance.port])
            crowd = Crowd(people, Plan(series=("s",), clients=4, count_max=1, repeat_in_100=10,
                                       reuse_in_100=0, read_in_100=0, names=("drill",)))
            for turn in range(restarts):
                crowd.wait_for_more(answered_before)
                pooler.stop(kill=turn % 2 == 0)
                pooler.start()
            crowd.wait_for_more(answered_before)
            crowd.stop()
            people.judge(url)
            code, out, error = drill.gapless(pooler.url, "issue", "s", "--key", "by hand")
            assert code == 0, error
            assert drill.gapless(pooler.url, "issue", "s", "--key", "by hand")[1] == out
            code, _, error = drill.gapless(pooler.url, "block", "list", "s")
            assert code == 0, error
        assert instance.process.returncode == 0, instance.logged()[-2000:]
        # Nothing of a session is left to the next one: server_reset_query.
        told = drill.psql(
            pooler.url, "select coalesce(current_setting('gapless.session', true), ''), "
            "current_setting('default_transaction_isolation'), count(*) "
            "from pg_prepared_statements")
        assert told == "|read committed|0", told

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
