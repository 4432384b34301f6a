"""Connections, and answers as they come from the wire, each held against what every answer has."""
import itertools
import json
import re
import socket

answer_seconds_max = 5
read_bytes = 65536
plain_head = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
secrets = re.compile(rb"ERROR:|SQLSTATE|gapless\.|/src/|terminate called")  # never in a problem
addresses = itertools.cycle(f"127.0.0.{n}" for n in range(2, 34))  # ports for everybody


class Mismatch(Exception):
    pass


def connect(port, timeout=answer_seconds_max):
    """A connection from one of many addresses, so that ports do not run out."""
    client = socket.socket()
    client.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    client.bind((next(addresses), 0))
    client.settimeout(timeout)
    client.connect(("127.0.0.1", port))
    return client


def ask(client, request=plain_head):
    """Sends one request and waits for its answer -> status, fields, body"""
    client.sendall(request)
    received = b""
    while True:
        if found := take_answer(received, False):
            return found[0]
        more = client.recv(read_bytes)
        if not more:
            raise Mismatch(f"closed after {received!r}")
        received += more


def take_answer(received, bodyless):
    """The first answer in these bytes -> (status, fields, body), the bytes behind it; or None."""
    end = received.find(b"\r\n\r\n")
    if end < 0:
        return None
    lines = received[:end].decode("ascii").split("\r\n")
    line = re.fullmatch(r"HTTP/1\.1 (\d{3}) [A-Z][A-Za-z ]+", lines[0])
    if not line:
        raise Mismatch(f"no status line: {lines[0]!r}")
    status = int(line.group(1))
    fields = dict(each.split(": ", 1) for each in lines[1:])
    if len(fields) != len(lines) - 1:
        raise Mismatch("a field of the answer is given twice")
    end += 4
    length = 0 if bodyless or status == 100 else int(fields["Content-Length"])
    if len(received) < end + length:
        return None
    return (status, fields, received[end:end + length]), received[end + length:]


def without_request_id(body):
    """A problem names its request, which differs each time."""
    return re.sub(rb',"request_id":"[^"]*"', b"", body)


def check_every(status, fields, body, is_last):
    """What holds for all answers: no-store, nosniff, same-origin, no banner, what statuses need."""
    if fields.get("Cache-Control") != "no-store":
        raise Mismatch("no Cache-Control: no-store")
    if fields.get("X-Content-Type-Options") != "nosniff":
        raise Mismatch("no X-Content-Type-Options: nosniff")
    if fields.get("Cross-Origin-Resource-Policy") != "same-origin":
        raise Mismatch("no Cross-Origin-Resource-Policy: same-origin")
    if "Server" in fields or "X-Powered-By" in fields:
        raise Mismatch("an answer names its maker")
    if (fields.get("Connection") == "close") != is_last:
        raise Mismatch(f"Connection is {fields.get('Connection')}")
    needed = {401: "WWW-Authenticate", 405: "Allow", 201: "Location", 503: "Retry-After"}
    if status in needed and needed[status] not in fields:
        raise Mismatch(f"{status} without {needed[status]}")
    if status >= 400 and secrets.search(body):
        raise Mismatch(f"the inside shows: {body!r}")


def check_answer(expected, status, fields, body, is_last, again):
    """One answer against the corpus; `again`: the same request was answered before."""
    if status != expected.status:
        raise Mismatch(f"{status} {body[:200]!r} instead of {expected.status}")
    check_every(status, fields, body, is_last)
    issues = status == 201 and fields["Location"].startswith("/v1/issuances/")
    replayed = "Idempotency-Replayed" in fields  # other requests than these may have no key
    if not (expected.replayed or (again and issues)) <= replayed <= (expected.replayed or again):
        raise Mismatch(f"{fields.get('Idempotency-Replayed', 'not')} replayed")
    if status < 400:
        return
    if fields.get("Content-Type") != "application/problem+json":
        raise Mismatch(f"Content-Type is {fields.get('Content-Type')}")
    if expected.bodyless:
        return
    document = json.loads(body)
    kind = "about:blank" if expected.problem == "blank" else "/problems/" + expected.problem
    seen = document["type"], document["status"], document["executed"]
    if seen != (kind, status, expected.executed):
        raise Mismatch(f"{seen} {document.get('detail')!r}")
    known = {"type", "title", "status", "detail", "executed", "request_id"}
    if not document["title"] or set(document) - known:
        raise Mismatch(f"not the members of a problem: {sorted(document)}")
