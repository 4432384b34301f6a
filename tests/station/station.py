"""Print stations of a test, each with a folder and a printer, judged by paper and ledger."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

folder_of_tests = pathlib.Path(__file__).resolve().parent
sys.path += [str(folder_of_tests.parent), str(folder_of_tests.parent / "faults")]
from drill import run_drills  # noqa: E402, F401
from client_line import Line, problem  # noqa: E402, F401
from harness import database  # noqa: E402
from harness.processes import clean_environment, forget, root, start  # noqa: E402
from printer import Printer  # noqa: E402

program = root / "examples/print-station/print_station.py"
run_seconds_max = 60


def wait_for(condition, what, limit=30):
    deadline = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < deadline, f"waited {limit} s for {what}"
        time.sleep(0.02)


class Shop:
    """A database, a service with a line in front of it, and stations."""

    def __init__(self, drill, stack, *options):
        self.drill, self.stack = drill, stack
        self.database = drill.stock()
        self.token = database.create_token(self.database, "station", "issue")
        self.instance = drill.instance(self.database, options=options)
        self.instance.start()
        stack.callback(lambda: self.instance.alive and self.instance.stop())
        self.line = Line(self.instance)
        stack.callback(self.line.close)
        self.stations = []

    def station(self, name, *options, **about):
        made = Station(self, self.drill.folder / name, options, Printer(**about))
        self.stations.append(made)
        return made

    def state(self, number, series="s"):
        return self.history(number, series)["state"]

    def history(self, number, series="s"):
        status, told = self.instance.ask("GET", f"/v1/series/{series}/numbers/{number}")
        assert status == 200, told
        return told

    def printed(self):
        """How many numbers are, in the ledger."""
        return int(database.psql(self.database, "select sum(printed) from gapless.tally"))

    def judge(self, others=0, held=0):
        """Each order has its labels, printed once; whatever else is on paper is void. `others`:
        how many numbers of other series are printed. held: None: any."""
        good = []
        for station in self.stations:
            for name, count in station.expected.items():
                done = station.done(name)
                assert len(done["numbers"]) == count, done
                good += done["numbers"]
                for number in done["voided"]:
                    assert self.state(number) == "voided", (number, self.history(number))
        paper = [number for station in self.stations for number in station.printer.paper]
        assert len(set(paper)) == len(paper), f"twice on paper: {sorted(paper)}"
        assert len(set(good)) == len(good) and set(good) <= set(paper), (good, paper)
        for number in paper:
            expected = "printed" if number in good else "voided"
            assert self.state(number) == expected, (expected, self.history(number))
        assert self.printed() == len(good) + others, (self.printed(), good)
        now_held = database.psql(self.database, "select sum(held) from gapless.tally")
        assert held is None or int(now_held) == held, now_held
        self.drill.clean(self.database)
        return good, paper

    def none_forgotten(self):
        """Each issued number is printed or voided."""
        issued, known = database.psql(
            self.database, "select sum(next_ordinal - 1) from gapless.counter; "
            "select sum(printed + voided + free) from gapless.tally").split()
        assert issued == known, f"{issued} numbers were issued, {known} are accounted for"


class Station:
    def __init__(self, shop, folder, options, printer):
        self.shop, self.folder, self.printer = shop, folder, printer
        self.options = [folder, "--printer", printer.name, *options]
        self.expected = {}  # counts of the orders that have to be done
        self.child, self.log = None, folder.with_suffix(".log")
        (folder / "orders").mkdir(parents=True)

    def order(self, name, count=1, **about):
        """As another program has to do it: written elsewhere, and renamed."""
        data = {"order": name, "series": "s", "count": count,
                "address": ["Anna Example", "^XZ ~JA Straße 1", "12345 {number}"]} | about
        beside = self.folder / f"{name}.new"
        beside.write_text(json.dumps(data))
        os.replace(beside, self.folder / "orders" / f"{name}.json")
        if data["series"] == "s":
            self.expected[name] = count

    def start(self, *words, command=(program,)):
        with self.log.open("a") as log:
            self.child = start(
                [*command, *self.options, *words], stdout=log, stderr=log,
                env=clean_environment(GAPLESS_URL=self.shop.line.url, GAPLESS_TIMEOUT=5,
                                      GAPLESS_TOKEN=f"{self.shop.token}\r\n"))
        return self

    def end(self, *statuses):
        """Waits for its end."""
        try:
            status = self.child.wait(run_seconds_max)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it does not end:\n{self.said()}") from None
        finally:
            self.kill()
        assert status in (statuses or (0,)), f"exit status {status}:\n{self.said()}"
        return status

    def run(self):
        """Until no order is open."""
        self.start("--once").end()

    def crash(self, point, kind):
        """-> whether it came to that point"""
        crashing = folder_of_tests / "crashing.py"
        return self.start("--once", command=(crashing, str(point), kind)).end(
            0, -signal.SIGKILL) != 0

    def kill(self):
        if self.child.poll() is None:
            os.kill(self.child.pid, signal.SIGKILL)
            self.child.wait()
        forget(self.child)

    def stop(self):
        os.kill(self.child.pid, signal.SIGTERM)

    def said(self):
        return self.log.read_text()

    def says(self, *words):
        for word in words:
            wait_for(lambda sought=word: sought in self.said(), f"'{word}' in {self.log}")

    def steps(self, *steps):
        """Those of its journal, of these kinds."""
        text = (self.folder / "journal").read_text()
        records = [json.loads(line.partition(" ")[2]) for line in text.splitlines()]
        return [record for record in records if record["step"] in steps]

    def is_done(self, name):
        """It is told, and the order is gone, which comes a moment later."""
        return ((self.folder / "done" / f"{name}.json").exists()
                and not (self.folder / "orders" / f"{name}.json").exists())

    def done(self, name):
        assert self.is_done(name), f"{name} is not done:\n{self.said()}"
        return json.loads((self.folder / "done" / f"{name}.json").read_text())

    def failed(self, name):
        assert (self.folder / "failed" / f"{name}.json").exists(), self.said()
        return (self.folder / "failed" / f"{name}.txt").read_text()


@contextlib.contextmanager
def shop_of(drill, *options):
    with contextlib.ExitStack() as stack:
        shop = Shop(drill, stack, *options)
        try:
            yield shop
        finally:
            for station in shop.stations:
                if station.child and station.child.poll() is None:
                    station.kill()
