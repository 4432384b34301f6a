#!/usr/bin/env python3
"""The clients in clients/, and the functions that the documents show, beside services and clients
that are killed, judged by the ledger.

  client_runs.py [LANGUAGE...]   python, node, java, php: all of them, or these
"""
import contextlib
import fcntl
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from documents.blocks import PROGRAMS, blocks_of  # noqa: E402
from harness import database  # noqa: E402
from harness.instance import Instance  # noqa: E402
from harness.processes import clean_environment, forget, root, start  # noqa: E402

from client_line import Line, problem, wait_seconds_max  # noqa: E402

# Where the documents show a function for it, and in which kind of block.
shown = {"python": ("README.md", "python"), "node": ("docs/guide/clients.md", "js"),
         "java": ("docs/guide/clients.md", "java"), "php": ("docs/guide/clients.md", "php")}
languages = list(shown)
patience = 40  # seconds: no step may end by it unless it says so
version_7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


class Client:
    """One language, with an outbox of its own; what it printed, order by order."""

    def __init__(self, language, line, token, folder):
        self.language = language
        self.program = root / "clients" / language / "run"
        self.line, self.token = line, token
        self.outbox = folder / "outbox"
        self.orders = []  # the numbers of each

    def compile(self, folder):
        """What it does from its source it does compiled, sooner."""
        if self.language == "java":
            shutil.copytree(self.program.parent, folder)
            subprocess.run(["javac", folder / "Client.java"], check=True)
            self.program = folder / "run"

    def start(self, *words, stdout=subprocess.PIPE, preexec_fn=None, **environment):
        about = {"GAPLESS_URL": self.line.url, "GAPLESS_TOKEN": self.token, "OUTBOX": self.outbox,
                 "GAPLESS_PATIENCE": patience} | environment
        return start([self.program, *words], stdout=stdout, stderr=subprocess.PIPE, text=True,
                     preexec_fn=preexec_fn, env=clean_environment(**about))

    def end(self, child, *counts):
        """Waits for its end, and notes what it printed as orders of so many numbers
        -> (exit status, standard error)"""
        out, err = child.communicate(timeout=wait_seconds_max)
        forget(child)
        numbers = (out or "").splitlines()
        assert len(numbers) == sum(counts), (counts, numbers, err)
        for count in counts:
            self.orders.append(numbers[:count])
            numbers = numbers[count:]
        return child.returncode, err

    def run(self, *words, counts, **environment):
        return self.end(self.start(*words, **environment), *counts)

    def succeed(self, *words, counts, **environment):
        """It prints so many numbers for each order, and nothing is open afterwards."""
        told = self.run(*words, counts=counts, **environment)
        assert told == (0, ""), told
        assert not self.outbox.exists(), self.outbox.read_text()

    def run_shown(self, folder, key):
        """What the documents show, for one number of s under this key -> (exit status, output)"""
        page, kind = shown[self.language]
        [block] = [block for block in blocks_of(page) if block.kind == kind]
        program, file = PROGRAMS[kind].split()
        (folder / file).write_text(
            re.sub(r"order-4711/\d", key, block.text).replace("parcels", "s"))
        child = start([program, folder / file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                      text=True, env=clean_environment(GAPLESS_URL=self.line.url,
                                                       GAPLESS_TOKEN=self.token))
        out, _ = child.communicate(timeout=wait_seconds_max)
        forget(child)
        return child.returncode, out

    def open_key(self):
        return self.outbox.read_text().split()[0]


class Drill:
    def __init__(self, language, url, folder, stack):
        self.url = url
        self.instance = Instance(url, folder)
        stack.enter_context(self.instance)
        self.instance.wait_ready()
        self.line = Line(self.instance)
        stack.callback(self.line.close)
        for words in (["series", "create", "s", "--carrier", "c"],
                      ["block", "load", "s", "100000", "999999", "--yes"],
                      ["series", "create", "short", "--carrier", "d"],
                      ["block", "load", "short", "1", "5", "--yes"]):
            database.admin(url, *words)
        token = database.create_token(url, "drill", "issue")
        self.client = Client(language, self.line, token, folder)

    def gives_up(self, *words, says, **environment):
        """It ends with 1 and these words, prints nothing, and the order stays."""
        status, told = self.client.run(*words, counts=[], **environment)
        assert status == 1 and says in told, (status, told)
        assert self.client.outbox.exists(), told


def issues(drill):
    drill.line.expect()
    token = f"{drill.client.token}\r\n"  # as an editor leaves it in a file
    drill.client.succeed("s", "3", counts=[3], GAPLESS_TOKEN=token)
    assert len(drill.line.keys) == 1 and version_7.fullmatch(drill.line.keys[0]), drill.line.keys
    drill.client.outbox.touch()  # empty: nothing is open
    drill.client.succeed("s", "2000", counts=[2000])
    reference = 'Müller "B\\2"'
    drill.line.expect("held request")
    child = drill.client.start("s", "2", reference)
    drill.line.wait_met()
    os.kill(child.pid, signal.SIGKILL)
    drill.client.end(child)
    drill.line.release()
    # Words of any language, also those that some take for ends of lines.
    other = reference.replace("l", "\u2028\u2029")
    drill.client.outbox.write_text(drill.client.outbox.read_text().replace(reference, other))
    drill.client.succeed(counts=[2])
    told = database.admin(drill.url, "issuance", "list", "s", "--reference", other)
    assert drill.client.orders[-1][0] in str(told), told
    # As cron and containers start it: without a locale.
    drill.client.succeed("s", "1", "Müller 5€", counts=[1], LANG="", LC_ALL="C")
    told = database.admin(drill.url, "issuance", "list", "s", "--reference", "Müller 5€")
    assert drill.client.orders[-1][0] in str(told), told
    drill.client.compile(drill.instance.folder / "compiled")
    drill.client.succeed(counts=[])


def answers_are_lost(drill):
    drill.line.expect("answer lost", "half an answer", "held request")
    drill.line.release()
    drill.client.succeed("s", "4", counts=[4])
    assert len(drill.line.keys) == 4 and len(set(drill.line.keys)) == 1, drill.line.keys


def service_is_killed(drill):
    for delay in (0, 0.002, 0.008):
        drill.line.kill_delay = delay
        drill.line.expect("service killed")
        child = drill.client.start("s", "2")
        drill.line.wait_met()
        drill.instance.start(ready=False)
        assert drill.client.end(child, 2) == (0, ""), delay
        assert len(set(drill.line.keys)) == 1, drill.line.keys


def client_is_killed(drill):
    for where in ("held answer", "held request"):
        drill.line.expect(where)
        child = drill.client.start("s", "5")
        drill.line.wait_met()
        os.kill(child.pid, signal.SIGKILL)
        drill.client.end(child)
        drill.line.release()
        key = drill.client.open_key()
        assert drill.line.keys == [key], (key, drill.line.keys)
        drill.client.succeed("s", "2", counts=[5, 2])
        assert drill.line.keys[:2] == [key, key] and len(drill.line.keys) == 3, drill.line.keys


def service_is_away(drill):
    drill.line.expect()
    drill.instance.kill()
    drill.gives_up("s", "3", says="no answer", GAPLESS_PATIENCE=1)
    key = drill.client.open_key()
    drill.gives_up("s", "1", says="no answer", GAPLESS_PATIENCE=0.5)
    assert drill.client.open_key() == key, "a second order was begun before the first had ended"
    drill.instance.start()
    drill.client.succeed(counts=[3])


def series_is_exhausted(drill):
    drill.line.expect()
    drill.client.succeed("short", "4", counts=[4])
    drill.gives_up("short", "3", says="gapless block load short")
    database.admin(drill.url, "block", "load", "short", "6", "9", "--yes")
    drill.client.succeed("short", "2", counts=[3, 2])


def order_is_wrong(drill):
    for words in (("nowhere", "3"), ("a/b?c", "3"), ("s", "100001"), ("s", "0"),
                  ("s", "1", "x" * 17000)):
        drill.line.expect()
        status, told = drill.client.run(*words, counts=[])
        assert status == 1 and re.search("404|413|422", told), (status, told)
        assert not drill.client.outbox.exists(), "an order that nobody can execute stays"
    # What is refused now may have been executed before, when no answer came.
    for first in ("answer lost", problem(503, "unknown")):
        drill.line.expect(first, problem(404, "no"))
        drill.gives_up("s", "3", says="said so")
        drill.client.succeed(counts=[3])
    drill.line.expect(problem(401, "no"))
    drill.gives_up("s", "3", says="401")
    drill.line.expect(problem(422, "no"))
    drill.gives_up(says="422")
    drill.client.succeed(counts=[3])


def waits_are_kept(drill):
    drill.line.expect(problem(503, "no", "Retry-After: 2"), problem(429, "no", "retry-after:1"))
    drill.client.succeed("s", "1", counts=[1])
    first, second, third = drill.line.times
    assert second - first >= 2 and third - second >= 1, drill.line.times
    drill.line.expect(problem(503, "no", "Retry-After: 3600"))
    drill.gives_up("s", "1", says="said so")
    drill.client.succeed(counts=[1])
    drill.line.expect("silence", b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 2\r\n\r\nno")
    drill.client.succeed("s", "1", counts=[1], GAPLESS_TIMEOUT=1)
    drill.line.expect("drip")
    drill.client.succeed("s", "1", counts=[1], GAPLESS_TIMEOUT=1)
    assert len(drill.line.keys) == 2, "an answer took longer than it may"


def one_at_a_time(drill):
    drill.line.expect("held answer")
    first = drill.client.start("s", "2")
    drill.line.wait_met()
    drill.gives_up("s", "3", says="another run uses")
    assert len(drill.line.keys) == 1, drill.line.keys
    drill.line.release()
    assert drill.client.end(first, 2) == (0, "")
    with open(f"{drill.client.outbox}.lock", "w") as lock:  # as a client in another language does
        fcntl.flock(lock, fcntl.LOCK_EX)
        status, told = drill.client.run("s", "3", counts=[])
    assert status == 1 and "another run uses" in told, (status, told)


def output_is_full(drill):
    drill.line.expect()
    with open("/dev/full", "w") as full:
        child = drill.client.start("s", "3", stdout=full)
        status, told = drill.client.end(child)
    assert status == 1 and told, (status, told)
    drill.client.succeed(counts=[3])
    assert len(drill.line.keys) == 2 and len(set(drill.line.keys)) == 1, drill.line.keys
    # A disk that takes a part of it: a client that heeds no SIGXFSZ dies of it, which is as good.
    limit = 1 << 20
    with open(drill.instance.folder / "output", "w") as file:
        file.truncate(limit - 10)
        file.seek(limit - 10)
        child = drill.client.start("s", "3", stdout=file, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (limit, limit)))
        assert drill.client.end(child)[0] != 0
    drill.client.succeed(counts=[3])


def output_is_closed(drill):
    """What was issued is printed by the next run; messages do not become numbers."""
    drill.line.expect()
    child = drill.client.start("s", "3", stdout=None, preexec_fn=lambda: os.close(1))
    status, told = drill.client.end(child)
    assert status == 1 and told, (status, told)
    drill.client.succeed(counts=[3] if drill.line.keys else [])
    for words, counts, status in ((["s"], [], 2), (["s", "1"], [1], 0)):
        child = drill.client.start(*words, preexec_fn=lambda: os.close(2))
        assert drill.client.end(child, *counts)[0] == status


def usage_is_checked(drill):
    drill.line.expect()
    for words in (["s"], ["s", "x"], ["s", "-1"], ["s", "1", ""], ["s", "1", "2", "3"],
                  ["s\n", "1"], ["s", "1", "a\nb"]):
        assert drill.client.run(*words, counts=[])[0] == 2, words
    for wrong in ({"GAPLESS_TOKEN": ""}, {"GAPLESS_URL": drill.line.url.removeprefix("http://")},
                  {"GAPLESS_URL": "http://"}):
        assert drill.client.run("s", "1", counts=[], **wrong)[0] == 2, wrong
    drill.client.outbox.write_text("shopping list\n")
    drill.gives_up("s", "1", says="not an outbox")
    assert drill.client.outbox.read_text() == "shopping list\n"
    drill.client.outbox.unlink()
    assert not drill.line.keys, "something was sent"


def function_is_shown(drill):
    """The one in the documents repeats with its key until it has the number, and no longer."""
    folder = drill.instance.folder
    date = problem(503, "no", "Retry-After: Sat, 28 Nov 2026 07:00:00 GMT")
    drill.line.expect(date, date, date, "answer lost", "half an answer", problem(503, "unknown"),
                      problem(429, "no", "Retry-After: 1"))
    status, number = drill.client.run_shown(folder, "shown/1")
    assert status == 0, number
    assert drill.line.keys == ["shown/1"] * 8, drill.line.keys
    assert drill.line.times[3] - drill.line.times[0] >= 0.7, drill.line.times
    assert drill.line.times[7] - drill.line.times[6] >= 1, drill.line.times
    drill.client.orders.append(number.split())
    drill.line.expect()
    assert drill.client.run_shown(folder, "shown/1") == (0, number), "a crash, then the same key"
    drill.line.expect(problem(409, "no"))
    status, told = drill.client.run_shown(folder, "shown/2")
    assert status != 0 and "409" in told and len(drill.line.keys) == 1, (told, drill.line.keys)
    listed = database.admin(drill.url, "issuance", "list", "s", "--reference", "order-4711")
    assert number.strip() in str(listed), listed


def judge(drill):
    """Each order has one key and as many numbers as asked; nothing issued is not printed."""
    rows = database.psql(drill.url, "select s.name, l.key, r.serial, r.count "
                         "from gapless.ledger l join gapless.series s using (series_id) cross join "
                         "lateral gapless.issuance_ranges(series_id, l.turn, l.ordinal) r "
                         "where l.key is not null order by s.name, l.ordinal, r.ordinal")
    issued = {}  # by key
    for row in rows.splitlines():
        series, key, serial, count = row.split("|")
        issued.setdefault((series, key), []).extend(
            str(number) for number in range(int(serial), int(serial) + int(count)))
    assert sorted(issued.values()) == sorted(drill.client.orders), (issued, drill.client.orders)
    assert database.findings(drill.url) == "", database.findings(drill.url)


steps = [issues, answers_are_lost, service_is_killed, client_is_killed, service_is_away,
         series_is_exhausted, order_is_wrong, waits_are_kept, one_at_a_time, output_is_full,
         output_is_closed, usage_is_checked, function_is_shown, judge]


def main():
    for language in sys.argv[1:] or languages:
        with contextlib.ExitStack() as stack:
            url = stack.enter_context(database.new_database(f"clients_{language}", files=()))
            folder = pathlib.Path(stack.enter_context(
                tempfile.TemporaryDirectory(prefix="gapless-clients-")))
            drill = Drill(language, url, folder, stack)
            for step in steps:
                begun = time.monotonic()
                step(drill)
                print(f"{language} {step.__name__}: {time.monotonic() - begun:.1f} s", flush=True)


if __name__ == "__main__":
    main()
