#!/usr/bin/env python3
"""Restarts under load, on a socket that stays: nobody is refused, cut off or reset.

  restart_drills.py [NAME...]   all drills, or these; each has a server of its own

The drill holds the listening socket and hands it to each gaplessd, as systemd does with a socket
unit. Every attempt of every client is recorded, and held against the ledger.
"""
import collections
import socket

from drill import Recorded, run_drills  # first: it knows where the harness is
from harness.crowd import Crowd, Plan
from harness.history import OK
from harness.instance import holdable

restarts, clients = 20, 16
seconds_max = 60
# A slow machine must not end the drain while clients still think, nor refuse them as overloaded.
options = ["--drain-time-max", "30s", "--stop-time-max", "60s", "--queue-time-max", "50s"]


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
    people = Recorded(drill, [held.getsockname()[1]])
    crowd = Crowd(people, Plan(
        series=("s",), clients=clients, count_max=3, repeat_in_100=0, reuse_in_100=0,
        read_in_100=0, names=("drill",), pause=0.05))
    for number in range(restarts):
        crowd.wait_for_more(clients)
        if number % 2:
            following = connected(begin())
            assert running.stop(seconds_max) == 0
        else:
            assert running.stop(seconds_max) == 0
            following = begin()
        running = following
    crowd.wait_for_more(clients)
    crowd.stop()
    attempts = people.history.attempts
    noticed = collections.Counter(
        f"{a.status or 'no answer'} {a.problem} {a.fate}" for a in attempts if a.fate != OK)
    print(f"{restarts} restarts, {len(attempts)} requests", flush=True)
    assert not noticed, noticed
    people.judge(url)
    assert running.stop(seconds_max) == 0


if __name__ == "__main__":
    run_drills([nobody_notices])
