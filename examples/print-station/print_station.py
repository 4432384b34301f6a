#!/usr/bin/env python3
"""Prints the labels of orders, each with a number of gapless, and survives a pulled plug.

  print_station.py FOLDER --printer HOST[:PORT] [options]

An order is a file FOLDER/orders/NAME.json: {"order":"NAME","series":"s","count":2,"address":["…"]}.
It ends in FOLDER/done with its numbers, or in FOLDER/failed with the reason. README.md has the
rules. Environment: GAPLESS_URL, GAPLESS_TOKEN; GAPLESS_TIMEOUT (seconds for an answer, 15).
"""
import argparse
import contextlib
import fcntl
import functools
import http.client
import json
import os
import pathlib
import random
import re
import signal
import socket
import struct
import sys
import termios
import threading
import time
import urllib.parse
import zlib

default_template = """^XA^CI28
^FO50,40^A0N,36,36^FH^FD{line1}^FS^FO50,85^A0N,36,36^FH^FD{line2}^FS
^FO50,130^A0N,36,36^FH^FD{line3}^FS^FO50,175^A0N,36,36^FH^FD{line4}^FS
^FO50,220^A0N,36,36^FH^FD{line5}^FS^FO50,265^A0N,36,36^FH^FD{line6}^FS
^FO50,330^BY3^BCN,160,Y,N,N,A^FH^FD{number}^FS
^FO50,560^A0N,28,28^FH^FD{order} {label}/{labels}^FS^FO50,600^A0N,28,28^FH^FD{voided}^FS
^XZ
"""
placeholders = {"number", "order", "series", "label", "labels", "voided",
                *(f"line{n}" for n in range(1, 7))}
acts = {"sent": ["confirm", "printed"], "doubt": ["confirm", "voided"], "stale": ["release"]}
order_bytes_max, answer_bytes_max, journal_bytes_max = 1 << 16, 1 << 22, 1 << 24
pause_min, pause_max = 0.2, 5  # seconds between repetitions
doubt_pause_max = 300  # after labels in doubt: each of them costs a number
clock_skew_max = 120  # seconds between our clock and the database's
of_order = (400, 404, 413, 414, 422)  # refusals of one order, which does not stop the others


class Trouble(Exception):
    """Ends the station; the text is for the user."""


class NotReady(Exception):
    """The printer got nothing of the label."""


class InDoubt(Exception):
    """The printer got the label or a part of it; nobody knows what is on paper."""


def sync_folder(folder):
    descriptor = os.open(folder, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


def save(path, text):
    """On disk, whole or not at all."""
    beside = path.with_name(f".{path.name}.new")
    with open(beside, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
    sync_folder(path.parent)


class Journal:
    """A record a line, with its CRC in front; on disk before anything is done about it."""

    def __init__(self, path):
        self.path, self.file = path, None

    def read(self):
        """-> the records. A last line that the crash cut off was never acted on."""
        lines = self.path.read_bytes().split(b"\n") if self.path.exists() else [b""]
        records = []
        for number, line in enumerate(lines, 1):
            crc, _, text = line.partition(b" ")
            if crc == b"%08x" % zlib.crc32(text) and number < len(lines):
                records.append(json.loads(text))
            elif any(lines[number:]):
                raise Trouble(f"{self.path}, line {number} is damaged; the README says what to do")
        return records

    def rewrite(self, records):
        save(self.path, "".join(map(self.line, records)))
        self.path.chmod(0o600)  # it has addresses
        if self.file:
            self.file.close()
        self.file = open(self.path, "a", encoding="utf-8")
        self.bytes = self.bytes_then = self.file.tell()

    def append(self, record):
        self.bytes += self.file.write(self.line(record))
        self.file.flush()
        os.fsync(self.file.fileno())

    def is_long(self):
        return self.bytes > journal_bytes_max + 2 * self.bytes_then

    @staticmethod
    def line(record):
        text = json.dumps(record)
        return f"{zlib.crc32(text.encode()):08x} {text}\n"


class Label:
    def __init__(self, index, number, asked, issued):
        self.index, self.number = index, number
        self.hold, self.asked_at = asked["hold"], asked["at"]
        self.issuance, self.reserve = issued["issuance"], issued["reserve"]
        self.state = "issued"  # sending, sent, doubt; holds: stale (not printed), expired (printed)
        self.acts, self.reason = [], None  # what the service has to hear, in this order

    def is_stale(self, now):
        """Holds are printed in their first half: confirming them needs time, too."""
        return self.hold is not None and not 0 <= now - self.asked_at < self.hold / 2


class Order:
    """What the journal says of an order. Decides what is next; does nothing itself."""

    def __init__(self, taken):
        self.data = taken["data"]
        self.name, self.series = self.data["order"], self.data["series"]
        self.url = f"/v1/series/{urllib.parse.quote(self.series, safe='')}"
        self.labels, self.records = [], [taken]
        self.asked, self.attempts = None, 0  # the request without numbers yet; how many there were
        self.in_doubt = False  # that request may have been executed
        self.over = None  # done, failed

    def apply(self, record):
        self.records.append(record)
        step = record["step"]
        label = self.labels[record["label"]] if "label" in record else None
        if step == "asked":
            self.asked, self.in_doubt = record, False
            self.attempts += 1
        elif step == "issued":
            for number in record["numbers"]:
                self.labels.append(Label(len(self.labels), number, self.asked, record))
            self.asked = None
        elif step == "noted":
            label.acts.pop(0)
        elif step == "refused":
            if label.acts[0] == "confirm" and label.state == "sent":
                label.state = "expired"  # it is on paper, and the number is not ours
            label.acts = []
        elif step in ("done", "failed"):
            self.over = step
        else:
            label.state, label.reason = step, record.get("reason")
            label.acts = [act for act in acts.get(step, ()) if act != "confirm" or label.hold]

    def of(self, *states):
        return [label for label in self.labels if label.state in states]

    def missing(self):
        return self.data["count"] - len(self.of("issued", "sending", "sent"))

    def is_complete(self):
        good = [label for label in self.of("sent") if "confirm" not in label.acts]
        return len(good) == self.data["count"]

    def is_settled(self):
        return self.over is not None and not any(label.acts for label in self.labels)

    def numbers(self, *states):
        return [label.number for label in self.of(*states)]


def read_order(path):
    """-> an order's data; ValueError says why it is none"""
    with open(path, "rb") as file:
        text = file.read(order_bytes_max + 1)
    if len(text) > order_bytes_max:
        raise ValueError(f"it is longer than {order_bytes_max} bytes")
    data = json.loads(text.decode("utf-8"))
    if not isinstance(data, dict):
        raise ValueError("it is no JSON object")
    if unknown := sorted(set(data) - {"order", "series", "count", "address"}):
        raise ValueError(f"there is no {unknown[0]}")
    data = {"order": None, "series": None, "count": 1, "address": []} | data
    name, count, address = data["order"], data["count"], data["address"]
    if name != path.stem or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", name):
        raise ValueError("order has to be the name of the file without .json: 1 to 100 letters, "
                         "digits, '.', '_' and '-'")
    series = data["series"]
    if not isinstance(series, str) or not series or not series.isprintable():
        raise ValueError("series has to be the name of a series")
    if type(count) is not int or not 1 <= count <= 1000:
        raise ValueError("count has to be 1 to 1000")
    if not isinstance(address, list) or len(address) > 6 or not all(
            isinstance(line, str) and len(line) <= 100 for line in address):
        raise ValueError("address has to be up to 6 lines of up to 100 characters")
    return data


def field(text):
    """A text for ^FH^FD: no character of it is a command."""
    return "".join(c if c.isascii() and (c.isalnum() or c in " .,-/:()") else
                   "".join(f"_{byte:02X}" for byte in c.encode("utf-8", "replace")) for c in text)


def zpl(template, order, label):
    bad = order.numbers("doubt", "expired")
    lines = order.data["address"] + [""] * 6
    values = {"number": label.number, "order": order.name, "series": order.series,
              "label": str(len(order.of("sent")) + 1), "labels": str(order.data["count"]),
              "voided": f"void: {', '.join(bad[-3:])}" if bad else "",
              **{f"line{n}": lines[n - 1] for n in range(1, 7)}}
    return re.sub(r"\{(\w+)\}", lambda found: field(values[found[1]]), template).encode()


class Answer:
    """What the service said; status 0: nothing."""

    def __init__(self, status, text, fields):
        try:
            self.body = dict(json.loads(text))
        except (TypeError, ValueError):
            self.body = {"detail": text[:200]}
        after = fields.get("Retry-After", "")
        self.status, self.after = status, int(after) if after.isdecimal() else 0
        self.replayed = fields.get("Idempotency-Replayed") == "true"
        self.done = status in (200, 201) and "detail" not in self.body
        self.unknown = not self.done and self.body.get("executed") != "no"
        self.settled = self.body.get("type") == "/problems/issuance-settled"
        self.final = not self.unknown and not after and status in (409, 422)
        self.detail = (f"{status or 'no answer'}: "
                       f"{self.body.get('detail') or self.body.get('title')}")


class Service:
    def __init__(self, url, token, timeout):
        self.url, self.token, self.timeout = urllib.parse.urlsplit(url), token, timeout

    def post(self, path, body, key):
        secure = self.url.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = kind(self.url.hostname, self.url.port, timeout=self.timeout)
        executed = "no"  # what is not sent is not
        cut = threading.Timer(self.timeout, lambda: wire.shutdown(socket.SHUT_RDWR))
        try:
            connection.connect()
            wire = connection.sock
            cut.start()  # the socket's own timeout is that of each read
            executed = "unknown"
            connection.request(
                "POST", self.url.path.rstrip("/") + path, json.dumps(body),
                {"Authorization": f"Bearer {self.token}", "Idempotency-Key": key,
                 "Content-Type": "application/json"})
            answer = connection.getresponse()
            return Answer(answer.status, answer.read(answer_bytes_max).decode(), answer.headers)
        except (OSError, http.client.HTTPException, ValueError) as error:
            return Answer(0, json.dumps({"detail": f"{type(error).__name__}: {error}",
                                         "executed": executed}), {})
        finally:
            cut.cancel()
            connection.close()


class Printer:
    """One connection to port 9100, for one label. Closing it says nothing, nor does an accepted
    byte: only ~HS tells what is still in the printer."""

    def __init__(self, options):
        self.options, self.socket = options, None

    def __enter__(self):
        try:
            self.socket = socket.create_connection(self.options.printer,
                                                   self.options.answer_seconds)
            trouble, _ = self.status() if self.options.status else ("", 0)
        except (OSError, ValueError, IndexError) as error:
            self.__exit__()
            raise NotReady(f"the printer does not answer: {error}") from error
        if trouble:
            self.__exit__()
            raise NotReady(f"the printer is not ready: {trouble}")
        return self

    def __exit__(self, *_):
        if self.socket:
            self.socket.close()

    def status(self):
        """-> (what a person has to mend, or nothing; how many labels are not on paper yet)"""
        deadline, text = time.monotonic() + self.options.answer_seconds, b""
        self.socket.settimeout(self.options.answer_seconds)
        self.socket.sendall(b"~HS")
        while text.count(b"\x03") < 3:
            self.socket.settimeout(max(deadline - time.monotonic(), 0.001))
            part = self.socket.recv(4096)
            if not part or len(text) > 4096:
                raise ConnectionError("the connection was closed, or this is no answer to ~HS")
            text += part
        first, second = (line.split(b",") for line in re.findall(b"\x02([^\x03]*)", text)[:2])
        flags = {"paper out": first[1], "paused": first[2], "buffer full": first[5],
                 "head open": second[2], "ribbon out": second[3]}
        return (", ".join(name for name, flag in flags.items() if flag == b"1"),
                int(first[4]) + int(first[7]) + int(second[8]))

    def put(self, label, say):
        """Returns once the label is on paper, as far as the printer says."""
        deadline, idle = time.monotonic() + self.options.label_seconds, 0
        try:
            self.socket.settimeout(self.options.label_seconds)
            self.socket.sendall(label)
            if not self.options.status:
                self.hear_end(deadline)
            while self.options.status and idle < 2:  # twice: it may be between two states
                trouble, waiting = self.status()
                idle = 0 if waiting else idle + 1
                if trouble and waiting:
                    say(f"the printer has a label and does not print it: {trouble}")
                self.wait(deadline, trouble or "it does not print")
        except (OSError, ValueError, IndexError) as error:
            raise InDoubt(f"{type(error).__name__}: {error}") from error

    def hear_end(self, deadline):
        """Without ~HS: until each byte was acknowledged, and then the connection ended well, or
        nothing was heard for a while."""
        while struct.unpack("i", fcntl.ioctl(self.socket, termios.TIOCOUTQ, bytes(4)))[0]:
            self.wait(deadline, "it does not take the whole label")
        self.socket.shutdown(socket.SHUT_WR)
        self.socket.settimeout(self.options.answer_seconds)
        with contextlib.suppress(socket.timeout):  # before Python 3.10 it is no TimeoutError
            while self.socket.recv(4096):
                self.wait(deadline, "it does not end to answer")

    def wait(self, deadline, why):
        if time.monotonic() > deadline:
            raise TimeoutError(f"{why}, after {self.options.label_seconds} s")
        time.sleep(0.05)


class Waits:
    """What waits until when, and why: said once, not with each repetition."""

    def __init__(self):
        self.until, self.pause, self.why = {}, {}, {}

    def due(self, *names):
        return all(self.until.get(name, 0) <= time.monotonic() for name in names)

    def wait(self, name, why, after=0):
        pause = self.pause[name] = min(2 * self.pause.get(name, pause_min / 2), pause_max)
        self.until[name] = time.monotonic() + after + pause * random.uniform(0.5, 1)
        if self.why.get(name) != why:
            self.why[name] = why
            say(f"{name} waits: {why}")

    def well(self, *names):
        for name in names:
            self.until.pop(name, None)
            self.pause.pop(name, None)
            if self.why.pop(name, None):
                say(f"{name} goes on")


def say(text):
    print(f"station: {text}", file=sys.stderr, flush=True)


class Station:
    def __init__(self, options, service):
        self.options, self.service = options, service
        self.folder = pathlib.Path(options.folder)
        for name in ("orders", "done", "failed"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        sync_folder(self.folder)
        self.lock = open(self.folder / "lock", "w")  # until this process ends, however it ends
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Trouble(f"another station uses {self.folder}") from None
        self.journal = Journal(self.folder / "journal")
        self.orders, self.waits, self.doubts, self.stopping = {}, Waits(), 0, False

    def recover(self):
        """What was under way when the last run ended is in doubt."""
        for record in self.journal.read():
            if record["step"] == "taken":
                self.orders[record["order"]] = Order(record)
            else:
                self.orders[record["order"]].apply(record)
        self.compact()
        for order in [*self.orders.values()]:
            order.in_doubt = order.asked is not None
            for label in order.of("sending"):
                self.doubt(order, label, "in doubt: the station stopped while printing")
            if order.over == "done":
                self.take(self.path(order.name))
        self.forget_settled()

    def compact(self):
        """The journal without orders that are over and whose numbers are noted."""
        kept = {name: order for name, order in self.orders.items()
                if not order.is_settled() or self.path(name).exists()}
        self.journal.rewrite(record for order in kept.values() for record in order.records)

    def forget_settled(self):
        for name in [name for name, order in self.orders.items() if order.is_settled()]:
            del self.orders[name]
        if self.journal.is_long():
            self.compact()

    def note(self, order, step, **about):
        record = {"step": step, "order": order.name, **about}
        self.journal.append(record)
        order.apply(record)

    def path(self, name, folder="orders"):
        return self.folder / folder / f"{name}.json"

    def run(self):
        self.recover()
        while not self.stopping:
            moved = self.deliver()
            for order in [*self.orders.values()]:
                moved |= self.work(order)
            paths = self.waiting_files()
            for path in paths:
                if not self.stopping and (order := self.take(path)):
                    moved = True
                    self.work(order)
            self.forget_settled()
            if self.options.once and not self.orders and not self.waiting_files():
                break
            if not moved:
                time.sleep(0.1)

    def waiting_files(self):
        """Those that are not taken, the oldest first."""
        with os.scandir(self.folder / "orders") as entries:
            found = []
            for entry in entries:
                with contextlib.suppress(FileNotFoundError):  # somebody has just removed it
                    if re.fullmatch(r"[^.].*\.json", entry.name):
                        found.append((entry.stat(follow_symlinks=False).st_mtime_ns, entry.name))
        # One that failed is a new order once its numbers are noted.
        known = {f"{name}.json" for name, order in self.orders.items() if order.over != "done"}
        return [self.folder / "orders" / name for _, name in sorted(found) if name not in known]

    def take(self, path):
        """-> the order of a file, if it is a new one"""
        known, done = self.orders.get(path.stem), self.path(path.stem, "done")
        try:
            data = read_order(path)
            before = (known.data if known else json.loads(done.read_text("utf-8")) if done.exists()
                      else data)
            if any(before.get(name) != data[name] for name in data):
                raise ValueError("another order of this name was printed before")
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError) as error:
            self.fail(path, str(error))
            return None
        if known and known.over == "done" or done.exists():
            if not known:
                say(f"order {path.stem}: printed before, nothing to do")
            path.unlink(missing_ok=True)
            sync_folder(path.parent)
        elif not known:
            record = {"step": "taken", "order": data["order"], "data": data}
            self.journal.append(record)
            self.orders[data["order"]] = Order(record)
            return self.orders[data["order"]]
        return None

    def fail(self, path, reason, order=None):
        say(f"{path.name} failed: {reason}")
        if order:
            self.note(order, "failed", reason=reason)
        stem = os.fsdecode(os.fsencode(path.stem)[:200])  # a longer one leaves no room for ".txt"
        save(self.folder / "failed" / f"{stem}.txt", reason + "\n")
        if path.exists():
            os.replace(path, self.folder / "failed" / path.name)
        sync_folder(path.parent)

    def finish(self, order):
        """Repeatable until it is noted: the plug may be pulled in between."""
        save(self.path(order.name, "done"), json.dumps(order.data | {
            "numbers": order.numbers("sent"), "voided": order.numbers("doubt", "expired"),
            "reserve": any(label.reserve for label in order.labels)}) + "\n")
        self.note(order, "done")
        say(f"order {order.name}: printed {' '.join(order.numbers('sent'))}")
        self.take(self.path(order.name))  # if it is still that order

    def work(self, order):
        """As far as it goes now -> whether anything was done"""
        moved = False
        while not self.stopping and not order.over:
            label = next(iter(order.of("issued")), None)
            if label and label.is_stale(time.time()):
                self.note(order, "stale", label=label.index)
            elif order.is_complete():
                self.finish(order)
            elif not (self.print(order, label) if label else
                      order.missing() > 0 and self.ask(order)):
                break
            moved = True
            self.deliver()
        return moved

    def ask(self, order):
        """Asks for the numbers that are missing -> whether they are there"""
        if not self.waits.due("asking", f"series {order.series}", f"order {order.name}"):
            return False
        if self.options.hold and not self.is_ready():
            return False  # the holds would only end
        if not order.asked:
            self.note(order, "asked", count=order.missing(), hold=self.options.hold,
                      at=time.time(), key=f"station/{order.name}/{order.attempts + 1}")
        asked = order.asked
        body = {"count": asked["count"], "reference": order.name}
        if asked["hold"]:
            body["hold_seconds"] = asked["hold"]
        answer = self.service.post(f"{order.url}/numbers", body, asked["key"])
        numbers = answer.body.get("numbers", [])
        # A repeated key has the numbers that are still the order's; the others get new ones.
        rest = answer.replayed and "gone" in answer.body
        if answer.settled or answer.done and (len(numbers) == asked["count"] or rest):
            # Answered before, but not to this life, which has not asked yet, or asked later.
            since = time.gmtime(asked["at"] - clock_skew_max)
            if (answer.replayed or answer.settled) and (not order.in_doubt or str(
                    answer.body.get("issued_at", "later")) < time.strftime("%FT%T", since)):
                self.fail(self.path(order.name), "its numbers were issued before, and this journal "
                          f"does not know it: {' '.join(numbers) or 'they'} may be on paper; void "
                          "those that are not, and give the order another name", order)
                return False
            self.waits.well("asking", f"series {order.series}", f"order {order.name}")
            for run in answer.body.get("gone", []):
                say(f"order {order.name}: {run['first']} to {run['last']} were {run['state']} "
                    "meanwhile, and are replaced")
            self.note(order, "issued", numbers=numbers, reserve=answer.body.get("reserve") is True,
                      issuance=answer.body.get("id") or answer.body["issuance"])
            return True
        if answer.done or answer.unknown:
            order.in_doubt = True
        elif answer.status in of_order and not order.in_doubt and not order.labels:
            self.fail(self.path(order.name), answer.detail, order)
            return False
        name = "asking"
        if answer.status == 409:
            name = f"series {order.series}"
        elif answer.status in of_order or answer.status and answer.unknown:
            name = f"order {order.name}"
        self.waits.wait(name, answer.detail, answer.after)
        return False

    def is_ready(self):
        """-> whether the printer would take a label now"""
        if not self.waits.due("printing"):
            return False
        try:
            with Printer(self.options):
                return True
        except NotReady as error:
            self.waits.wait("printing", str(error))
            return False

    def print(self, order, label):
        """-> whether the label was printed or is in doubt, so that there is something to do"""
        if not self.waits.due("printing"):
            return False
        text = zpl(self.options.template, order, label)
        try:
            with Printer(self.options) as printer:
                self.note(order, "sending", label=label.index, number=label.number)
                printer.put(text, functools.cache(say))  # each trouble once
        except NotReady as error:
            self.waits.wait("printing", str(error))
            return False
        except InDoubt as error:
            self.doubt(order, label, f"in doubt: {error}")
            self.doubts = min(self.doubts + 1, 16)
            self.waits.wait("printing", str(error), min(2 ** self.doubts, doubt_pause_max))
            return True
        self.note(order, "sent", label=label.index, number=label.number)
        self.waits.well("printing")
        self.doubts = 0
        return True

    def doubt(self, order, label, reason):
        say(f"order {order.name}: {label.number} is voided. If its label is there, throw it away. "
            f"{reason}")
        self.note(order, "doubt", label=label.index, number=label.number, reason=reason[:255])

    def deliver(self):
        """Tells the service what became of numbers; what it does not take stays."""
        moved = False
        for order in [*self.orders.values()]:
            for label in order.labels:
                while (label.acts and not self.stopping
                       and self.waits.due("noting", f"number {label.number}")):
                    moved |= self.tell(order, label)
        return moved

    def tell(self, order, label):
        """-> whether the first act of a label is through"""
        act = label.acts[0]
        path = f"/v1/issuances/{label.issuance}/{act}"
        body = {"ranges": [{"first": label.number, "last": label.number}]}
        if act in ("printed", "voided"):
            path = f"{order.url}/events"
            body |= {"kind": act, **({"reason": label.reason} if label.reason else {})}
        begun = time.monotonic()
        answer = self.service.post(path, body, f"station/{order.name}/{label.index}/{act}")
        # Labels wait meanwhile: as long as no note is taken, for a tenth of the time.
        after = max(answer.after, 10 * (time.monotonic() - begun))
        about = {"label": label.index, "number": label.number, "act": act}
        if not answer.done and not answer.final:
            own = answer.status in (400, 404, 409)  # the others may be taken
            self.waits.wait(f"number {label.number}" if own else "noting", answer.detail, after)
            return False
        self.waits.well("noting", f"number {label.number}")
        if answer.done:
            self.note(order, "noted", **about)
        else:
            say(f"order {order.name}: {label.number}, {act} was refused: {answer.detail}")
            self.note(order, "refused", detail=answer.detail, **about)
        return True


def read_template(path):
    text = pathlib.Path(path).read_text("utf-8") if path else default_template
    found = set(re.findall(r"\{(\w+)\}", text))
    if unknown := sorted(found - placeholders):
        raise Trouble(f"{path}: there is no {{{unknown[0]}}}")
    if "number" not in found:
        raise Trouble(f"{path}: it has no {{number}}")
    return text


def read_printer(text):
    parts = urllib.parse.urlsplit(f"//{text}")
    if not parts.hostname:
        raise argparse.ArgumentTypeError("HOST or HOST:PORT")
    return parts.hostname, parts.port or 9100


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--printer", type=read_printer, required=True, metavar="HOST[:PORT]")
    parser.add_argument("--template", metavar="FILE", help="ZPL with {number}, {order}, {line1} …")
    parser.add_argument("--hold", type=int, metavar="SECONDS",
                        help="hold numbers so long, and confirm those that were printed; for "
                             "series with on_release: reissue")
    parser.add_argument("--no-status", dest="status", action="store_false",
                        help="for printers without ~HS: what they took counts as printed")
    parser.add_argument("--answer-seconds", type=float, default=10, metavar="N",
                        help="to connect, for an answer to ~HS, for a complaint; default 10")
    parser.add_argument("--label-seconds", type=float, default=600, metavar="N",
                        help="for one label, jams included; then it is in doubt; default 600")
    parser.add_argument("--once", action="store_true", help="end when no order is open")
    options = parser.parse_args(words)
    url = os.environ.get("GAPLESS_URL", "")
    if not re.match("(?i)https?://[^/:?#]", url) or not os.environ.get("GAPLESS_TOKEN"):
        parser.error(f"set GAPLESS_TOKEN, and GAPLESS_URL as http://… or https://…: it is '{url}'")
    if options.hold is not None and options.hold < 2:
        parser.error("--hold takes 2 seconds or more")
    return options


def main(words):
    options = parse(words)
    try:
        options.template = read_template(options.template)
        station = Station(options, Service(
            os.environ["GAPLESS_URL"], os.environ["GAPLESS_TOKEN"].strip(),
            float(os.environ.get("GAPLESS_TIMEOUT", 15))))

        def stop(*_):
            station.stopping = True

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        station.run()
    except (Trouble, OSError, ValueError) as error:
        say(str(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
