# What gaplessd takes of a machine by itself: memory, and time to start.
import json
import pathlib
import resource
import secrets
import socket
import statistics
import subprocess
import threading
import time

from benchlib.http_load import HttpLoad, request_text
from benchlib.service import Service
from benchlib.usage import own_seconds
from harness.processes import Failure, clean_environment, start, stop

sample_seconds = 0.05
start_seconds_max = 30
poll_seconds = 0.0005


def memory_of(pid):
    """-> (kB resident now, the most there ever was)"""
    status = pathlib.Path("/proc", str(pid), "status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines())
    return tuple(int(fields[name].split()[0]) for name in ("VmRSS", "VmHWM"))


class Sampler:
    """Reads the resident memory of a process again and again while the block runs."""

    def __init__(self, pid):
        self.pid, self.samples, self.done = pid, [], threading.Event()

    def __enter__(self):
        self.thread = threading.Thread(target=self.sample, daemon=True)
        self.thread.start()
        return self

    def sample(self):
        while not self.done.wait(sample_seconds):
            self.samples.append(memory_of(self.pid)[0])

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()


def measure_memory(programs, cluster, folder, connections, seconds):
    """Of an instance of its own, in kB: without a client, with so many connections that have issued
    once and are kept alive, and while all of them issue."""
    allow_files(connections + 200)
    service = Service(programs, cluster, folder, "memory")
    service.start(1, connections + 100)
    pid = service.pids[0]
    measured = {"connections": connections, "started_kb": memory_of(pid)[0]}
    open_sockets = []
    try:
        issue_once_each(service, connections, open_sockets)
        measured["idle_kb"] = memory_of(pid)[0]
    finally:
        for connection in open_sockets:
            connection.close()
    load = {"count": 1, "numbers": True, "series": 1, "instances": 1, "replays": 0}
    http = HttpLoad(service, cluster, folder, load)
    with Sampler(pid) as sampler:
        issuing = http.measure_issuing(connections, seconds)
    resident, most = memory_of(pid)
    measured |= {
        "issuing_kb": max(sampler.samples), "afterwards_kb": resident, "most_kb": most,
        "rate": issuing["rate"], "proof": issuing["proof"],
    }
    service.stop()
    return measured


def allow_files(count):
    """For us and what we start: a connection is a file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        if hard != resource.RLIM_INFINITY and hard < count:
            raise Failure(f"{count} open files are needed, the limit is {hard} (ulimit -Hn)")
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def issue_once_each(service, connections, open_sockets):
    """Opens so many connections; each issues one number and stays. Refuses other answers than 201,
    and a ledger that does not hold what was answered."""
    name, port = service.create_series(1)[0], service.ports[0]
    body = json.dumps({"count": 1})
    for _ in range(connections):
        key = secrets.token_hex(16)
        text = request_text(
            "POST", f"/v1/series/{name}/numbers", port, service.token, body, key)
        connection = socket.create_connection(("127.0.0.1", port), timeout=10)
        open_sockets.append(connection)
        connection.sendall(text.encode())
        answer = connection.recv(65536)
        if not answer.startswith(b"HTTP/1.1 201 "):
            raise Failure(f"one of {connections} connections was answered: {answer[:300]!r}")
    if service.ledger([name]) != (connections, connections):
        raise Failure(f"{connections} answers, but the ledger has {service.ledger([name])}")
    service.verify([name])


def measure_starts(service, times):
    """Milliseconds from starting gaplessd, on the database of this service, to its first 200 of
    /readyz; and of these, what the process itself computed."""
    each, computed = [], []
    for number in range(times):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        log = service.folder / f"gaplessd-start-{number}.log"
        with log.open("w") as words:
            began = time.monotonic()
            process = start(
                [service.programs / "gaplessd", "--listen", f"127.0.0.1:{port}", "--journal",
                 service.journal], stdout=subprocess.DEVNULL, stderr=words,
                env=clean_environment(GAPLESS_DATABASE_URL=service.url),
            )
            ready = wait_until_ready(process, port, began + start_seconds_max)
            if ready:
                computed.append(1000 * own_seconds(pathlib.Path("/proc", str(process.pid))))
        stop(process)
        if ready is None:
            raise Failure(
                f"gaplessd was not ready within {start_seconds_max} s\n{log.read_text()[-600:]}")
        each.append(round(1000 * (ready - began), 1))
    return {
        "median_ms": statistics.median(each), "min_ms": min(each), "max_ms": max(each),
        "cpu_ms": round(statistics.median(computed), 1), "each_ms": each,
    }


def wait_until_ready(process, port, deadline):
    """-> when /readyz said 200 first; None when the process ended or the time is up"""
    request = b"GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
                connection.sendall(request)
                if connection.recv(4096).startswith(b"HTTP/1.1 200 "):
                    return time.monotonic()
        except OSError:
            pass  # it does not listen yet
        time.sleep(poll_seconds)
    return None
