"""Many connections that do nothing, and one that is honest."""
import json
import resource
import select
import time

import corpus
import wire
from service import new_service

idle_count = 10_000
connection_bytes_max = 16 * 1024
frees_at_once = {"ASAN_OPTIONS": "quarantine_size_mb=1"}  # else 256 MB that it freed count
honest_seconds_max = 1.0


class Honest:
    """Issues one number after another and remembers how long that took."""

    def __init__(self, service):
        self.service = service
        self.client = wire.connect(service.port)
        self.worst = 0.0
        self.numbers = 0

    def issue(self):
        values = corpus.values_of(self.service.token, f"honest-{self.numbers}")
        begun = time.monotonic()
        status, _, body = wire.ask(self.client, values["issue"] + b"Content-Length: 2\r\n\r\n{}")
        self.worst = max(self.worst, time.monotonic() - begun)
        assert status == 201, body
        self.numbers += json.loads(body)["count"]
        assert self.worst < honest_seconds_max, f"an honest request took {self.worst:.2f} s"


def allow_files(count):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft >= count:
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (count, max(hard, count)))


def ask_all(clients):
    """Each connection asks once; 500 at a time."""
    for first in range(0, len(clients), 500):
        some = clients[first:first + 500]
        for client in some:
            client.sendall(wire.plain_head)
        for client in some:
            status = wire.ask(client, b"")[0]
            assert status == 200, status


def take_ended(clients):
    """Takes the connections out that the service has ended -> their places"""
    ended = select.poll()
    for client in clients:
        ended.register(client, select.POLLIN)
    found = {each for each, _ in ended.poll(1000 * wire.answer_seconds_max)}
    places = [n for n, client in enumerate(clients) if client.fileno() in found]
    for n in reversed(places):
        assert clients[n].recv(1) == b""
        clients.pop(n).close()
    return places


def run_idle():
    allow_files(idle_count + 500)
    with new_service("idle", "--connections-max", str(idle_count + 1),
                     "--idle-time-max", "300s", **frees_at_once) as service:
        honest = Honest(service)
        honest.issue()
        before = service.resident_bytes()
        begun = time.monotonic()
        idle = []
        while len(idle) < idle_count:
            more = [wire.connect(service.port) for _ in range(500)]
            ask_all(more)
            idle += more
        opened = time.monotonic() - begun
        for _ in range(20):
            honest.issue()
        resident = service.resident_bytes()
        assert resident - before < idle_count * connection_bytes_max, f"{resident >> 20} MiB"

        # The newest client has priority over one that was idle for longest.
        one_too_many = wire.connect(service.port)
        assert wire.ask(one_too_many)[0] == 200
        gone = take_ended(idle)
        assert len(gone) == 1 and gone[0] < 500, gone
        honest.issue()

        ask_all(idle)  # nobody was forgotten
        for client in idle:
            client.close()
        honest.issue()
        worst = honest.worst
        service.check(honest.numbers)
        print(f"{idle_count} idle connections, opened in {opened:.1f} s; an honest request took "
              f"{worst * 1000:.0f} ms at most; {before >> 20} MiB before, {resident >> 20} MiB")
    return 0
