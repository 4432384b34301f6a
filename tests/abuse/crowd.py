"""Many connections that do nothing, and clients that do everything slowly; one is honest."""
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
readers = 50
slow_kinds = ["header", "body", "silent"]
slow_each = 200
phase_seconds = 1.0  # for the head, the body and the answer of a slow client
slack_seconds = 3.0  # two looks of the service at its deadlines, and a busy machine
tick_seconds = 0.04


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


class Slow:
    """A client that sends its request byte by byte, or sends it and reads nothing."""

    def __init__(self, service, kind):
        self.kind = kind
        self.client = wire.connect(service.port)
        self.client.setblocking(False)
        self.received = b""
        self.ended = None
        values = corpus.values_of(service.token, "slow")
        self.rest = b"GET /livez HTTP/1.1\r\nX: " + b"x" * 5000
        if kind == "body":
            self.client.send(values["issue"] + b"Content-Length: 5000\r\n\r\n")
            self.rest = b" " * 5000
        elif kind == "reading":
            self.client.send(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 600)
        self.begun = time.monotonic()

    def go_on(self):
        if self.ended is not None:
            return
        try:
            if self.kind in ("header", "body"):
                self.rest = self.rest[self.client.send(self.rest[:1]):]
            if self.kind == "reading":
                return
            self.received += self.client.recv(wire.read_bytes) or b"\n"
            self.ended = time.monotonic() - self.begun
        except BlockingIOError:
            pass
        except OSError:
            self.ended = time.monotonic() - self.begun

    def check(self):
        """Each is told 408 in time; who is silent from the start is told nothing."""
        assert self.ended is not None, f"{self.kind} was let in for good"
        assert self.ended >= phase_seconds * 0.9, f"{self.kind} ended after {self.ended:.2f} s"
        allowed = phase_seconds + slack_seconds
        assert self.ended < allowed, f"{self.kind} ended after {self.ended:.2f} s"
        if self.kind == "silent":
            assert self.received == b"\n", self.received
            return
        status, fields, body = wire.take_answer(self.received, False)[0]
        wire.check_answer(corpus.Answer(408, "blank", "no"), status, fields, body, True, False)


def run_slow():
    with new_service("slow", "--header-time-max", f"{phase_seconds:.0f}s", "--body-time-max",
                     f"{phase_seconds:.0f}s", "--write-time-max",
                     f"{phase_seconds:.0f}s", **frees_at_once) as service:
        honest = Honest(service)
        honest.issue()
        before = service.resident_bytes()
        slow = [Slow(service, "reading") for _ in range(readers)]
        honest.issue()  # answered behind what the readers can be sent
        slow += [Slow(service, kind) for kind in slow_kinds for _ in range(slow_each)]
        begun = time.monotonic()
        while (any(client.ended is None for client in slow if client.kind != "reading") and
               time.monotonic() - begun < phase_seconds + slack_seconds + 1):
            for client in slow:
                client.go_on()
            honest.issue()
            time.sleep(tick_seconds)
        for client in slow:
            client.go_on()  # what ended while the honest one waited
            if client.kind != "reading":
                client.check()
        deadline = time.monotonic() + 4  # those that were answered are read away for a second
        while (left := open_connections(service)) > 2 and time.monotonic() < deadline:
            honest.issue()
            time.sleep(tick_seconds)
        assert left <= 2, f"{left} connections are still open"
        resident = service.resident_bytes()
        assert resident - before < idle_count * connection_bytes_max, f"{resident >> 20} MiB"
        worst, numbers = honest.worst, honest.numbers
        service.check(numbers)
        print(f"{len(slow)} slow clients; {numbers} honest requests, {worst * 1000:.0f} ms at "
              f"most; {resident >> 20} MiB")
    return 0


def open_connections(service):
    client = wire.connect(service.port)  # counts itself
    text = wire.ask(client, b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")[2].decode()
    client.close()
    lines = [line for line in text.splitlines() if line.startswith("gapless_http_connections ")]
    return int(float(lines[0].split()[-1]))
