# Somebody else's session in psql: an abandoned terminal that holds something, a debugger's victim,
# an application that issues in its own transactions.
import os
import signal
import time
import uuid

from benchlib.sql_session import SqlSession
from harness.history import FAIL, OK, Attempt
from harness.processes import clean_environment, pg_bin

# In the order of gapless.issue_ranges.
RANGE_FIELDS = ("series_id", "replayed", "turn", "ordinal", "serial", "count", "block_id", "epoch",
                "issued_at")


class Session(SqlSession):
    """An administrator's; errors are lines like `ERROR:  40P01`."""

    def __init__(self, cluster, database):
        super().__init__(
            [pg_bin / "psql", "--no-psqlrc", "-qAt", "--set=VERBOSITY=sqlstate",
             cluster.url(database)], clean_environment())
        self.backend = int(self.ask("select pg_backend_pid();")[-1])

    def freeze(self, frozen=True):
        os.kill(self.backend, signal.SIGSTOP if frozen else signal.SIGCONT)

    def end(self):
        self.freeze(False)
        super().end()


class Holder(Session):
    """Runs SQL in a transaction that stays open until release(), and is rolled back then."""

    def __init__(self, cluster, database, sql, begin="begin"):
        super().__init__(cluster, database)
        told = self.ask(f"{begin}; {sql};")
        if any(line.startswith("ERROR:") for line in told):
            raise OSError(f"a holder could not run: {sql}: {told}")

    def release(self):
        self.end()


class Application(Session):
    """Issues with gapless.issue in transactions of its own, recorded like every other client."""

    def __init__(self, rig):
        super().__init__(rig.cluster, rig.database)
        self.history = rig.history
        self.errors = []  # SQLSTATEs
        self.name = "role:" + self.ask("select session_user;")[-1]

    def transact(self, series, before="", after="", times=1):
        """One transaction that issues so many numbers one by one, `before` and `after` in it
        -> True when it was committed. An error that is rolled back to a savepoint does not end
        it."""
        keys = [str(uuid.uuid4()) for _ in range(times)]
        issue = "".join("\\echo issues\n"
                        f"select * from gapless.issue_ranges('{series}', 1, '{key}', null);\n"
                        for key in keys)
        sent_at, start = time.time_ns() // 1000, time.monotonic_ns()
        told = self.ask(f"begin; {before}\n{issue}{after} select 'at COMMIT'; commit;")
        end = time.monotonic_ns()
        self.errors += [line.split()[1] for line in told if line.startswith("ERROR:")]
        committed = told[-1] == "at COMMIT"
        rows = [told[n + 1] for n, line in enumerate(told[:-1]) if line == "issues"]
        for number, key in enumerate(keys):
            attempt = Attempt("issue", self.name, series, key, instance="sql", sent_at=sent_at,
                              start=start, end=end, fate=FAIL, status=503, executed="no")
            if committed:
                self.take(attempt, dict(zip(RANGE_FIELDS, rows[number].split("|"))))
            self.history.add(attempt)
        return committed

    def take(self, attempt, left):
        serial, ordinal = int(left["serial"]), int(left["ordinal"])
        attempt.fate, attempt.status, attempt.executed = OK, 201, ""
        attempt.epoch = int(left["epoch"])
        attempt.ranges = [[int(left["block_id"]), serial, serial, ordinal]]
