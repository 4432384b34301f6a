"""Puts every payload into every field, and asks for what was kept: verbatim, or a refusal."""
import itertools
import json
import re
import secrets
import urllib.parse

import wire
from payloads import PAYLOADS
from service import new_service

kept_or_refused = {200, 201, 400, 404, 409, 422}
of_headers = kept_or_refused | {401, 406, 412, 413, 415, 431}

PATHS = [
    ("GET", "/v1/series/{}"), ("GET", "/v1/series/{}/blocks"), ("GET", "/v1/series/{}/issuances"),
    ("GET", "/v1/series/guard/numbers/{}"), ("GET", "/v1/numbers/{}"), ("GET", "/v1/verify/{}"),
    ("GET", "/v1/issuances/{}"), ("GET", "/v1/series/guard/issuances?after={}"),
    ("GET", "/v1/series/guard/issuances?limit={}"),
    ("GET", "/v1/series/guard/issuances?reference={}"),
    ("GET", "/v1/series/guard/issuances?from={}"), ("GET", "/v1/series/guard/issuances?to={}"),
    ("GET", "/v1/series/guard?{}=1"), ("POST", "/v1/series/{}/numbers"),
    ("POST", "/v1/issuances/{}/confirm"), ("POST", "/v1/series/guard/blocks?dry_run={}"),
]

ISSUE, SERIES, BLOCKS = "/v1/series/guard/numbers", "/v1/series", "/v1/series/guard/blocks"
EVENTS = "/v1/series/guard/events"
RANGE = {"first": "1", "last": "1"}
BODIES = [
    ("POST", ISSUE, lambda p: {"reference": p}), ("POST", ISSUE, lambda p: {"count": p}),
    ("POST", ISSUE, lambda p: {"contiguous": p}), ("POST", ISSUE, lambda p: {"hold_seconds": p}),
    ("POST", ISSUE, lambda p: {p: 1}), ("POST", ISSUE, lambda p: p),
    ("POST", SERIES, lambda p: {"name": p, "carrier": "c"}),
    ("POST", SERIES, lambda p: {"name": new_name(), "carrier": p}),
    ("POST", SERIES, lambda p: {**new_series(), "space": p}),
    ("POST", SERIES, lambda p: new_series(p)),
    ("POST", SERIES, lambda p: {**new_series(), "params": {p: "1"}}),
    ("POST", SERIES, lambda p: {**new_series("sscc"), "params": {"prefix": p}}),
    ("POST", SERIES, lambda p: {**new_series(), "on_release": p}),
    ("PATCH", "/v1/series/foreign", lambda p: {"low_water": p}),
    ("PATCH", "/v1/series/foreign", lambda p: {p: True}),
    ("POST", BLOCKS, lambda p: {"first": p, "last": "59999999"}),
    ("POST", BLOCKS, lambda p: {"first": "59999999", "last": p}),
    ("POST", BLOCKS, lambda p: {**new_block(), "count": p}),
    ("POST", BLOCKS, lambda p: {**new_block(), "reference": p}),
    ("POST", BLOCKS, lambda p: {**new_block(), "valid_until": p}),
    ("POST", EVENTS, lambda p: {"kind": p, "ranges": [RANGE]}),
    ("POST", EVENTS, lambda p: {"kind": "printed", "ranges": [{"first": p, "last": "1"}]}),
    ("POST", EVENTS, lambda p: {"kind": "reprinted", "ranges": [RANGE], "reason": p}),
]
HEADERS = ["Idempotency-Key", "Authorization", "If-Match", "Content-Type", "Accept",
           "X-Request-Id", "X-Forwarded-For"]
names, firsts = itertools.count(1), itertools.count(70_000_001)


def new_name():
    return f"n{next(names)}"


def new_series(form="plain"):
    return {"name": new_name(), "carrier": "c", "format": form}


def new_block():
    first = str(next(firsts))
    return {"first": first, "last": first}


class Prober:
    """Sends requests on a connection, a new one after each that was closed."""

    def __init__(self, service):
        self.service, self.client = service, None
        self.sent, self.issued, self.wrong, self.kept = 0, 0, [], 0

    def send(self, method, target, body=None, fields=(), allowed=kept_or_refused, what=""):
        """-> status, the document of the answer"""
        given = {"Host": "localhost", "Authorization": f"Bearer {self.service.token}"}
        payload = b""
        if body is not None or method != "GET":
            payload = json.dumps({} if body is None else body).encode()
            given |= {"Content-Type": "application/json", "Content-Length": str(len(payload)),
                      "Idempotency-Key": secrets.token_hex(16)}
        given |= dict(fields)
        head = f"{method} {target} HTTP/1.1\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in given.items())
        self.client = self.client or wire.connect(self.service.port, timeout=20)
        status, answer, text = wire.ask(self.client, head.encode() + b"\r\n" + payload)
        if answer.get("Connection") == "close":
            self.client.close()
            self.client = None
        self.sent += 1
        if status not in allowed:
            self.wrong.append(f"{status} for {what}: {text[:200]!r}")
        if status == 201 and answer.get("Location", "").startswith("/v1/issuances/"):
            self.issued += 0 if "Idempotency-Replayed" in answer else json.loads(text)["count"]
        is_json = "json" in answer.get("Content-Type", "")
        return status, json.loads(text) if text and is_json else None

    def check_kept(self, status, found, body):
        """What was taken is what was given, to the letter."""
        if status != 201 or not isinstance(body, dict):
            return
        for member in {"reference", "carrier", "space"} & set(body):
            self.kept += 1
            if found[member] != body[member]:
                self.wrong.append(f"{member}: {body[member]!r} was kept as {found[member]!r}")

    def run_http(self):
        for payload in PAYLOADS:
            coded = urllib.parse.quote(payload.encode(), safe="")
            for method, target in PATHS:
                body = new_block() if "blocks?" in target else None
                self.send(method, target.format(coded), body, what=f"{target} with {payload!r}")
            for method, target, make in BODIES:
                body = make(payload)
                status, found = self.send(method, target, body, what=f"{method} {target} {body!r}")
                self.check_kept(status, found, body)
            for name in HEADERS:
                prefix = "Bearer " if name == "Authorization" else ""
                self.send("POST", ISSUE, {}, {name: prefix + payload}.items(), of_headers,
                          f"{name}: {payload!r}")
                self.close_after_lines(payload)

    def close_after_lines(self, payload):
        """A payload with an empty line in it leaves the connection in the middle of something."""
        if self.client and re.search(r"[\r\n]", payload):
            self.client.close()
            self.client = None


def run():
    with new_service("injections", "--access-log") as service:
        service.wait_for(lambda: service.events("database_connected"))
        prober = Prober(service)
        status, _ = prober.send("POST", ISSUE, {"count": 1})
        assert status == 201
        prober.run_http()
        lines = service.logged().splitlines()
        for line in lines:
            if set(json.loads(line)) < {"ts", "level", "event"} or '"event":"forged"' in line:
                prober.wrong.append(f"a line of the log: {line}")
        service.check(prober.issued)
    for each in prober.wrong[:40]:
        print(each)
    print(f"{len(PAYLOADS)} payloads, {prober.sent} times sent, {prober.kept} times kept as they "
          f"were, {len(lines)} lines of the log, {len(prober.wrong)} deviate")
    return 1 if prober.wrong else 0
