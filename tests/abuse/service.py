"""One gaplessd on a database of its own, with a series to issue from and a token."""
import contextlib
import pathlib
import re
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from harness import database  # noqa: E402
from harness.instance import Instance  # noqa: E402

# What is answered is tested, not how soon: a busy machine may keep each request waiting.
patient = [word for name in ("database", "database-read", "database-write", "queue", "issue")
           for word in (f"--{name}-time-max", "60s")]


class Service(Instance):
    def __init__(self, url, folder, options):
        super().__init__(
            url, folder, options=["--failed-tokens-per-minute-max", "0", *patient, *options])
        self.stock()

    def stock(self):
        """The series guard with numbers enough, the series foreign, and the token."""
        for series, first, last in (("guard", "1", "50000000"),
                                    ("foreign", "60000001", "60001000")):
            self.admin("series", "create", series, "--carrier", "c")
            self.admin("block", "load", series, first, last, "--yes")
        self.token = database.create_token(
            self.database_url, "guard", "issue,read,load,admin")

    def admin(self, *words):
        database.admin(self.database_url, *words)

    def resident_bytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) * 1024

    def issued(self):
        """How many numbers have left, as the ledger has it."""
        return int(database.psql(
            self.database_url, "select coalesce(sum(count), 0) from gapless.ledger;"))

    def check(self, expected):
        """The service lives, nothing failed inside it, verify is clean, the count is right."""
        assert self.alive, "gaplessd has ended:\n" + self.last_words()
        failures = [line for line in self.logged().splitlines() if '"level":"error"' in line]
        assert not failures, failures[:3]
        assert database.findings(self.database_url) == "", database.findings(self.database_url)
        assert self.issued() == expected, f"{self.issued()} numbers left, answered: {expected}"
        assert self.stop() == 0, "gaplessd did not end well"


@contextlib.contextmanager
def new_service(kind, *options, **environment):
    with tempfile.TemporaryDirectory(prefix="gapless-guard-") as folder:
        with database.new_database(f"guard_{kind}", files=()) as url:
            service = Service(url, folder, options)
            try:
                yield service.start(ready=False, **environment)
            finally:
                service.kill()
