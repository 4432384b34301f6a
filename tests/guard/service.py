"""One gaplessd on a database of its own, with a series to issue from and a token of each kind."""
import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/sql"))
import database  # noqa: E402

programs = pathlib.Path(os.environ.get("GAPLESS_BIN_DIR", root / "build/dev/bin"))
ready_seconds_max = 30
stop_seconds_max = 20


class Service:
    def __init__(self, url, folder, options):
        self.url = url
        self.log = pathlib.Path(folder) / "gaplessd.log"
        self.tokens = {}
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("GAPLESS_", "PG"))}
        self.stock()
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [programs / "gaplessd", "--listen", "127.0.0.1:0", "--journal",
                 f"{folder}/journal", "--failed-tokens-per-minute-max", "0", *options],
                env=clean | {"GAPLESS_DATABASE_URL": url}, stdout=subprocess.DEVNULL, stderr=log)
        self.port = int(self.wait_for(r'"event":"listening","address":"[^"]*:(\d+)"').group(1))

    def gapless(self, *words):
        done = subprocess.run(
            [programs / "gapless", "--database-url", self.url, *words],
            text=True, check=True, capture_output=True)
        return done.stdout

    def stock(self):
        """The series guard with numbers enough, the series foreign, and the tokens."""
        for series, first, last in (("guard", "1", "50000000"),
                                    ("foreign", "60000001", "60001000")):
            self.gapless("series", "create", series, "--carrier", "c")
            self.gapless("block", "load", series, first, last, "--yes")
        everything = "issue,read,load,admin"
        for name, scopes, more in (("token", everything, []), ("other", everything, []),
                                   ("reader", "read", []), ("issuer", "issue", []),
                                   ("foreign", everything, ["--series", "foreign"]),
                                   ("revoked", everything, [])):
            made = self.gapless(
                "token", "create", "--name", name, "--scope", scopes, *more, "-o", "json")
            self.tokens[name] = json.loads(made)["token"]
        self.gapless("token", "revoke", self.tokens["revoked"].split("_")[1], "--yes")

    def wait_for(self, pattern):
        deadline = time.monotonic() + ready_seconds_max
        while time.monotonic() < deadline:
            if found := re.search(pattern, self.log.read_text()):
                return found
            time.sleep(0.02)
        raise AssertionError("waited in vain:\n" + self.log.read_text()[-2000:])

    def resident_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) * 1024

    def issued(self):
        """How many numbers have left, as the ledger has it."""
        return int(database.psql(self.url, "select coalesce(sum(count), 0) from gapless.ledger;"))

    def check(self, expected):
        """The service lives, nothing failed inside it, verify is clean, the count is right."""
        assert self.process.poll() is None, "gaplessd has ended:\n" + self.log.read_text()[-2000:]
        failures = [line for line in self.log.read_text().splitlines() if '"level":"error"' in line]
        assert not failures, failures[:3]
        assert database.findings(self.url) == "", database.findings(self.url)
        assert self.issued() == expected, f"{self.issued()} numbers left, answered: {expected}"
        assert self.stop() == 0, "gaplessd did not end well"

    def stop(self):
        self.process.terminate()
        return self.process.wait(stop_seconds_max)


@contextlib.contextmanager
def new_service(kind, *options):
    with tempfile.TemporaryDirectory(prefix="gapless-guard-") as folder:
        with database.new_database(f"guard_{kind}", files=()) as url:
            service = Service(url, folder, options)
            try:
                yield service
            finally:
                if service.process.poll() is None:
                    service.process.kill()
                    service.process.wait()
