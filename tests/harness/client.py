# A client that records every attempt: an HTTP connection of its own, and what its answers mean.
import hashlib
import json
import socket
import threading
import time

from harness.history import FAIL, INFO, OK, Attempt

resolve_seconds_max = 45  # until an outcome has to be definite
# Of loads: a test means what it loads.
warnings = [
    "short-validity", "other-length", "other-prefix", "other-size", "neighbour", "other-series",
    "much-stock"]
pause_seconds = 0.01  # before the same request is sent again


class NotSent(Exception):
    """The request did not leave: nothing can have happened."""


class StillOpen(Exception):
    """A key stayed unknown for longer than anybody would wait."""


class Connection:
    """HTTP/1.1 with keep-alive, only as far as gaplessd needs it."""

    def __init__(self, seconds_max=15):
        self.socket, self.port, self.rest = None, None, b""
        self.seconds_max = seconds_max

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket, self.rest = None, b""

    def open(self, port):
        if self.socket and self.port == port:
            return
        self.close()
        try:
            self.socket = socket.create_connection(("127.0.0.1", port), self.seconds_max)
        except OSError as error:
            raise NotSent(str(error)) from error
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.port = port

    def exchange(self, port, request):
        """-> (status, fields, body). NotSent, or OSError and ValueError when the answer is missing
        or cut off: its Content-Length says how long it has to be."""
        fresh = self.socket is None or self.port != port
        self.open(port)
        try:
            self.socket.sendall(request)
            return self.read_answer(fresh)
        except (OSError, ValueError):
            self.close()
            raise

    def read_more(self):
        got = self.socket.recv(65536)
        if not got:
            raise ConnectionResetError("the connection ended inside the answer")
        self.rest += got

    def read_answer(self, fresh):
        while b"\r\n\r\n" not in self.rest:
            self.read_more()
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in
                  (line.partition(":") for line in lines)}
        length = int(fields["content-length"])
        while len(self.rest) < length:
            self.read_more()
        body, self.rest = self.rest[:length], self.rest[length:]
        if fields.get("connection") == "close":
            self.close()
        return int(first.split()[1]), fields, body


def read_issuance(attempt, fields, body):
    """Fills in what a 201 says, and what is wrong with it on its face (number format plain)."""
    answer = json.loads(body)
    attempt.replayed = fields.get("idempotency-replayed") == "true"
    attempt.body = hashlib.sha256(body).hexdigest()
    attempt.epoch, attempt.issuance = int(answer["epoch"]), answer["id"]
    attempt.reserve = answer.get("reserve") is True
    numbers = []
    for part in answer["ranges"]:
        first, last = int(part["first"]), int(part["last"])
        attempt.ranges.append([int(part["block"]), first, last, int(part["ordinal"])])
        numbers += [str(number) for number in range(first, last + 1)]
    if answer.get("numbers", numbers) != numbers:
        attempt.defect = "the numbers are not those of the ranges"
    elif (answer["count"] + sum(run["count"] for run in answer.get("gone", [])) != attempt.count
          or answer["series"] != attempt.series):
        attempt.defect = "the answer is to another request"


class Client:
    """One client; `ports` is the list of the instances' ports, which others change as they
    restart."""

    def __init__(self, history, ports, name, token, seconds_max=resolve_seconds_max, over=None):
        self.history, self.ports, self.name, self.token = history, ports, name, token
        self.seconds_max = seconds_max
        self.over = over or threading.Event()  # nobody is interested any more
        self.connection = Connection()
        self.turns = {}

    def request(self, method, target, key="", body=None):
        text = json.dumps(body).encode() if body is not None else b""
        lines = [f"{method} {target} HTTP/1.1", "Host: torture",
                 f"Authorization: Bearer {self.token}", f"Content-Length: {len(text)}"]
        lines += [f"Idempotency-Key: {key}"] if key else []
        lines += ["Content-Type: application/json"] if body is not None else []
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + text

    def attempt(self, instance, request, attempt):
        """Sends once and records it -> the attempt"""
        attempt.instance = str(instance)
        attempt.sent_at = time.time_ns() // 1000
        attempt.start = time.monotonic_ns()
        fields, body = {}, b""
        try:
            port = self.ports[instance % len(self.ports)]
            attempt.status, fields, body = self.connection.exchange(port, request)
        except NotSent:
            attempt.fate = FAIL
        except (OSError, ValueError):
            attempt.fate = INFO
        attempt.end = time.monotonic_ns()
        if 200 <= attempt.status < 300:
            attempt.fate = OK
            if attempt.status == 201:
                read_issuance(attempt, fields, body)
            elif attempt.op == "read":
                attempt.issued = int(json.loads(body)["issued"])
        elif attempt.status:
            said = fields.get("content-type", "")
            problem = json.loads(body) if "json" in said else {}  # else of a proxy
            attempt.problem = problem.get("type", "").rpartition("/")[2]
            attempt.executed = problem.get("executed", "")
            attempt.fate = FAIL if attempt.executed == "no" else INFO
        self.history.add(attempt)
        return attempt

    def issue_once(self, wish, instance, op="issue"):
        """wish: series, key, count, reference, hold (seconds)"""
        turn = self.turns[wish["key"]] = self.turns.get(wish["key"], 0) + 1
        body = {"count": wish["count"]}
        if wish.get("reference") is not None:
            body["reference"] = wish["reference"]
        if wish.get("hold"):
            body["hold_seconds"] = wish["hold"]
        if wish.get("contiguous"):
            body["contiguous"] = True
        attempt = Attempt(op, self.name, wish["series"], wish["key"], wish["count"],
                          wish.get("reference"), bool(wish.get("hold")),
                          bool(wish.get("contiguous")), turn)
        target = f"/v1/series/{wish['series']}/numbers"
        return self.attempt(instance, self.request("POST", target, wish["key"], body), attempt)

    def issue(self, wish, instance=0, seconds_max=None):
        """Sends the same request until its outcome is definite, from instance to instance."""
        deadline = time.monotonic() + (seconds_max or self.seconds_max)
        while True:
            done = self.issue_once(wish, instance)
            if done.definite:
                return done
            if time.monotonic() > deadline or self.over.is_set():
                raise StillOpen(f"key {wish['key']}: {done.status} {done.problem}, {done.turn} x")
            time.sleep(pause_seconds)
            instance += 1

    def load_block(self, series, first, last, instance=0):
        """Safe to repeat -> whether it was loaded"""
        request = self.request("POST", f"/v1/series/{series}/blocks", f"block {series} {first}",
                               {"first": str(first), "last": str(last),
                                "confirm_warnings": warnings})
        port = self.ports[instance % len(self.ports)]
        return self.connection.exchange(port, request)[0] == 201

    def release(self, issued, instance=0):
        attempt = Attempt("release", self.name, issued.series, issued.key)
        target = f"/v1/issuances/{issued.issuance}/release"
        return self.attempt(instance, self.request("POST", target), attempt)

    def read_issued(self, series, instance=0):
        request = self.request("GET", f"/v1/series/{series}")
        return self.attempt(instance, request, Attempt("read", self.name, series))
