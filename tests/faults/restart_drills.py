#!/usr/bin/env python3
"""Restarts under load, on a socket that stays: nobody is refused, cut off or reset.

  restart_drills.py [NAME...]   all drills, or these; each has a server of its own

The drill holds the listening socket and hands it to each gaplessd, as systemd does with a socket
unit. Every attempt of every client is recorded, and held against the ledger.
"""
import collections
import contextlib
import random
import socket
import threading
import time
import uuid

from drill import run_drills  # first: it knows where the harness is
from harness import database
from harness.checker import judge
from harness.client import Client
from harness.history import OK, QUESTIONS, History
from harness.instance import holdable

restarts, clients = 20, 64
seconds_max = 60
# A slow machine must not end the drain while clients still think.
options = ["--drain-time-max", "30s", "--stop-time-max", "60s"]


class Crowd:
    """Clients of one port, on connections they keep; each sends each request until it is done."""

    def __init__(self, drill, port, count):
        self.history, self.enough, self.failures = History(), threading.Event(), []
        self.clients = [Client(self.history, [port], "drill", drill.token) for _ in range(count)]
        self.threads = [threading.Thread(target=self.work, args=(n, one), daemon=True)
                        for n, one in enumerate(self.clients)]
        for thread in self.threads:
            thread.start()

    def work(self, number, client):
        dice = random.Random(number)
        try:
            while not self.enough.is_set():
                key = str(uuid.UUID(int=dice.getrandbits(128), version=4))
                client.issue({"series": "s", "key": key, "count": dice.randint(1, 3)})
                if number % 2:  # the others never pause
                    time.sleep(dice.random() / 20)
        except Exception as error:  # the drill sees it
            self.failures.append(error)
        finally:
            client.connection.close()

    def go_on(self):
        """Until each has been answered about once more."""
        wanted = self.history.count(OK) + len(self.clients)
        deadline = time.monotonic() + seconds_max
        while self.history.count(OK) < wanted:
            assert time.monotonic() < deadline and not self.failures, self.failures
            time.sleep(0.01)

    def stop(self):
        self.enough.set()
        for thread in self.threads:
            thread.join(seconds_max)
        assert not self.failures, self.failures

    def judge(self, url, what):
        """Nobody noticed anything, and the ledger has what was answered."""
        attempts = self.history.attempts
        noticed = collections.Counter(
            f"{a.status or 'no answer'} {a.problem} {a.fate}" for a in attempts if a.fate != OK)
        print(f"{what}: {len(attempts)} requests of {len(self.clients)} clients,"
              f" {sum(noticed.values())} not answered with numbers {dict(noticed) or ''}",
              flush=True)
        assert not noticed, noticed
        found = judge(self.history, database.psql(url, QUESTIONS))
        assert not found, found[:5]


@contextlib.contextmanager
def crowd(drill, url, held, count, what):
    people = Crowd(drill, held.getsockname()[1], count)
    try:
        yield people
        people.stop()
    finally:
        people.enough.set()
    people.judge(url, what)


def open_socket():
    return holdable(socket.create_server(("127.0.0.1", 0), backlog=512))


def connected(instance):
    """It can issue; on a shared socket only its log says so."""
    instance.wait_for(lambda: instance.events("database_connected"))
    return instance


def nobody_notices(drill):
    """F70: stop and start as systemd does it, and the new one beside the old one, in turns."""
    url = drill.stock()
    held = open_socket()

    def begin():
        return drill.instance(url, sockets=[held], options=options).start(ready=False)

    running = connected(begin())
    with crowd(drill, url, held, clients, f"{restarts} restarts") as people:
        for number in range(restarts):
            people.go_on()
            if number % 2:
                following = connected(begin())
                assert running.stop(seconds_max) == 0
            else:
                assert running.stop(seconds_max) == 0
                following = begin()
            running = following
        people.go_on()
    assert running.stop(seconds_max) == 0


if __name__ == "__main__":
    run_drills([nobody_notices])
