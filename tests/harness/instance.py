"""A gaplessd on a free port: started, asked, killed, started again."""
import fcntl
import http.client
import json
import os
import pathlib
import re
import secrets
import signal
import socket
import time

from harness.database import is_shared
from harness.processes import Failure, clean_environment, forget, programs, start

ready_seconds_max = 30
answer_seconds_max = 20


def exchange(port, method, target, token=None, body=None, fields=()):
    """One request on a connection of its own -> (status, media type, bytes). OSError without an
    answer. A body is sent as CSV when it is text, else as JSON, with a new key unless told."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=answer_seconds_max)
    head = {"Authorization": f"Bearer {token}"} if token else {}
    if body is not None:
        head |= {"Content-Type": "text/csv" if isinstance(body, str) else "application/json",
                 "Idempotency-Key": secrets.token_hex(16)}
        body = (body if isinstance(body, str) else json.dumps(body)).encode()
    try:
        connection.request(method, target, body, head | dict(fields))
        answer = connection.getresponse()
        return answer.status, answer.headers.get_content_type(), answer.read()
    except http.client.HTTPException as error:
        raise OSError(f"{type(error).__name__}: {error}") from error
    finally:
        connection.close()


def call(port, method, target, token=None, body=None, key=None):
    """The same, with JSON -> (status, text)"""
    status, _, said = exchange(
        port, method, target, token, body, {"Idempotency-Key": key} if key else {})
    return status, said.decode()


def handing_over(sockets):
    """A command in front of one that then inherits these sockets, as from systemd."""
    numbers = enumerate((each.fileno() for each in sockets), 3)
    moved = " ".join(f"{number}<&{held} {held}<&-" for number, held in numbers)
    return ["bash", "-c", f'LISTEN_FDS={len(sockets)} LISTEN_PID=$$ exec "$@" {moved}', "bash"]


def holdable(opened):
    """A socket with a descriptor that is in nobody's way -> the same"""
    descriptor = fcntl.fcntl(opened.fileno(), fcntl.F_DUPFD, 100)
    opened.close()
    return socket.socket(fileno=descriptor)


class Instance:
    """One process at a time. Only the main thread starts one: it ends with that thread."""

    def __init__(self, database_url, folder, name="gaplessd", program=None, options=(), before=(),
                 journal=None, sockets=()):
        """`before`: a command that starts it; journals go into the folder unless told; `sockets`:
        it inherits, from holdable()."""
        self.database_url, self.folder, self.name = database_url, pathlib.Path(folder), name
        self.sockets = list(sockets)
        before = [*before, *(handing_over(self.sockets) if self.sockets else ())]
        self.command = [*before, program or programs / "gaplessd", "--listen", "127.0.0.1:0"]
        self.options = list(options)
        if is_shared(database_url):
            self.options.append("--accept-risk")
        self.journal = self.folder / "journal" if journal is None else journal
        self.process, self.port, self.starts = None, 0, 0

    def start(self, ready=True, **environment):
        """With GAPLESS_FAILPOINT …; waits until it is ready -> itself"""
        self.starts += 1
        self.log = self.folder / f"{self.name}-{self.starts}.log"
        with self.log.open("w") as log:
            self.process = start(
                [*self.command, *self.options], stdout=log, stderr=log,
                pass_fds=[each.fileno() for each in self.sockets],
                env=clean_environment(GAPLESS_DATABASE_URL=self.database_url,
                                      GAPLESS_JOURNAL=self.journal, **environment))
        self.listens_at(int(self.wait_for(
            lambda: re.search(r'"event": *"listening".*?"address": *"[^"]*:(\d+)"', self.logged())
        ).group(1)))
        if ready:
            self.wait_ready()
        return self

    def listens_at(self, port):
        self.port = port

    def logged(self):
        return self.log.read_text()

    def wait_for(self, found, seconds_max=ready_seconds_max, told=lambda: "waited in vain"):
        """Until found() is true, as long as it lives -> what it says"""
        deadline = time.monotonic() + seconds_max
        while time.monotonic() < deadline and self.process.poll() is None:
            if seen := found():
                return seen
            time.sleep(0.02)
        raise Failure(f"gaplessd: {told()}\n{self.last_words()}")

    def last_words(self):
        return "\n".join(f"    {line}" for line in self.logged().splitlines()[-4:])

    def call(self, method, target, token=None, body=None, key=None):
        return call(self.port, method, target, token, body, key)

    def readiness(self):
        """-> (status, text); (0, why) without an answer"""
        try:
            return self.call("GET", "/readyz")
        except OSError as error:
            return 0, str(error)

    def wait_ready(self, seconds_max=ready_seconds_max):
        last = None

        def is_ready():
            nonlocal last
            last = self.readiness()
            return last[0] == 200

        self.wait_for(is_ready, seconds_max, lambda: f"is not ready: {last}")

    def metric(self, name):
        found = re.search(rf"^{name} (.+)$", self.call("GET", "/metrics")[1], re.MULTILINE)
        if not found:
            raise Failure(f"gaplessd has no {name}")
        return float(found.group(1))

    def events(self, name):
        """The lines of its present log that are this event."""
        lines = [line for line in self.logged().splitlines() if line.startswith("{")]
        return [line for line in map(json.loads, lines) if line.get("event") == name]

    @property
    def alive(self):
        return self.process is not None and self.process.poll() is None

    def signal(self, number):
        if self.alive:
            os.kill(self.process.pid, number)

    def kill(self):
        """kill -9, and the end of it"""
        self.signal(signal.SIGKILL)
        self.reap()

    def stop(self, seconds_max=20):
        """SIGTERM -> its exit status"""
        self.signal(signal.SIGTERM)
        status = self.process.wait(seconds_max)
        forget(self.process)
        return status

    def reap(self):
        if self.process is not None:
            self.process.wait(10)
            forget(self.process)

    def restart(self, ready=True, **environment):
        self.kill()
        self.start(ready, **environment)

    def __enter__(self):
        return self.start(ready=False)

    def __exit__(self, *_):
        if self.alive:
            self.stop()
