"""Sends many requests side by side, each in two pieces; the service has read the first by then."""
import dataclasses
import json
import socket

import wire

# Acts of one series take turns: so few that the last has its turn in time.
at_once_max = 100
bytes_at_once_max = 8 << 20  # which the service, with sanitizers, reads before a client gives up
failures_of_case_max = 10


@dataclasses.dataclass
class Run:
    """A case, sent whole (cut 0) or in two pieces."""
    case: object
    cut: int
    client: socket.socket = None


class Crew:
    def __init__(self, port):
        self.port = port
        self.free = []  # connections that a case has left in order
        self.control = wire.connect(port)
        self.first = {}  # the answers to a case that was sent whole
        self.issued = {}  # how many numbers, by Location
        self.failures = {}  # by case, cuts by what was wrong
        self.runs = 0

    def send(self, cases, cuts_of):
        """Sends each case in each of its ways and compares what comes back."""
        batch, size = [], 0
        for case in cases:
            # The service waits a second for an answer to a client that has ended its side.
            if case.ends:
                self.send_batch(batch)
                batch = []
            for cut in cuts_of(case):
                batch.append(Run(case, cut))
                size += len(case.request)
                if len(batch) == at_once_max or size >= bytes_at_once_max or case.ends:
                    self.send_batch(batch)
                    batch, size = [], 0
        self.send_batch(batch)

    def send_batch(self, batch):
        for run in batch:
            run.client = self.free.pop() if self.free else wire.connect(self.port)
        for run in batch:
            if run.cut > 0:
                self.push(run, run.case.sent[:run.cut])
        self.wait_until_read()
        for run in batch:
            self.push(run, run.case.sent[run.cut:])
            if run.case.ends:
                self.end(run)
        for run in batch:
            self.runs += 1
            if sum(self.failed_cuts(run.case)) > failures_of_case_max:
                run.client.close()  # known to be wrong, and perhaps each time after a long wait
                continue
            try:
                self.receive(run)
            except (wire.Mismatch, OSError, ValueError, KeyError) as why:
                what = f"{type(why).__name__}: {why}"
                self.failures.setdefault(run.case, {}).setdefault(what, []).append(run.cut)
                run.client.close()

    def failed_cuts(self, case):
        return [len(cuts) for cuts in self.failures.get(case, {}).values()]

    def push(self, run, data):
        try:
            run.client.sendall(data)
        except OSError:
            pass  # the service has answered and gone; the answers tell

    def end(self, run):
        try:
            run.client.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def wait_until_read(self):
        """The service answers in the order bytes came, on one thread: what was sent is read."""
        for _ in range(2):
            try:
                wire.ask(self.control)
            except (wire.Mismatch, OSError):
                self.control = wire.connect(self.port)  # a slow failure let it idle too long
                wire.ask(self.control)

    def receive(self, run):
        case = run.case
        expected = case.expected
        received, answers, open_ = b"", [], True
        while open_ and (case.closes or case.ends or len(answers) < len(expected)):
            try:
                more = run.client.recv(wire.read_bytes)
            except ConnectionResetError:
                more = b""
            open_ = bool(more)
            received += more
            while (rest := self.take(received, run, answers)) is not None:
                received = rest
        if received:
            raise wire.Mismatch(f"{received[:100]!r} behind {len(answers)} answers")
        if len(answers) != len(expected):
            raise wire.Mismatch(f"{len(answers)} answers instead of {len(expected)}")
        self.compare(run, answers)
        if case.closes or case.ends:
            run.client.close()
        else:
            self.free.append(run.client)

    def take(self, received, run, answers):
        """Moves an answer from the bytes into the list -> the bytes left, or None."""
        case, place = run.case, len(answers)
        expected = case.expected[place] if place < len(case.expected) else None
        found = wire.take_answer(received, expected is not None and expected.bodyless)
        if not found:
            return None
        seen, rest = found
        if seen[0] == 100 and b"100-continue" in case.request.lower():
            return rest
        if not expected:
            raise wire.Mismatch(f"{seen[0]} {seen[2][:100]!r} beyond what was asked for")
        is_last = case.closes and place == len(case.expected) - 1
        wire.check_answer(expected, *seen, is_last, run.cut > 0)
        answers.append(seen)
        return rest

    def compare(self, run, answers):
        """Refusals and issuances are the same to the byte, however the request arrives."""
        fixed = [(status, wire.without_request_id(body))
                 for status, _, body in answers if status == 201 or status >= 400]
        if run.cut == 0:
            self.first[run.case.name] = fixed
            for status, fields, body in answers:
                if fields.get("Location", "").startswith("/v1/issuances/"):
                    self.issued[fields["Location"]] = count_of(fields, body)
            if run.case.json_text is not None and answers[0][0] == 201:
                compare_with_text(run.case.json_text, json.loads(answers[0][2]))
        elif self.first.get(run.case.name) != fixed:
            raise wire.Mismatch(f"{fixed} instead of {self.first.get(run.case.name)}")

    def report(self):
        """Prints what was wrong -> how many cases."""
        for case, reasons in self.failures.items():
            print(f"{case.place} {case.name}")
            for what, cuts in list(reasons.items())[:3]:
                places = "whole" if cuts == [0] else f"{len(cuts)} ways, split at {cuts[:8]}"
                print(f"    {what[:400]}: {places}")
        return len(self.failures)


def count_of(fields, body):
    if fields["Content-Type"].startswith("text/csv"):
        return len(body.splitlines())
    return json.loads(body)["count"]


def compare_with_text(text, issuance):
    """What was issued is what the text asks for, as Python reads it."""
    asked = json.loads(text or b"{}")
    seen = issuance["count"], issuance["reference"], issuance["state"]
    asked = {name: value for name, value in asked.items() if value is not None}
    wanted = (asked.get("count", 1), asked.get("reference") or None,
              "held" if "hold_seconds" in asked else "issued")
    if seen != wanted:
        raise wire.Mismatch(f"{seen} instead of {wanted}")
