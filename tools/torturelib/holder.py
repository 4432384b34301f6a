# Somebody else's session in psql that holds something: an abandoned terminal, a debugger's victim.
import os
import signal
import subprocess

from benchlib.cluster import pg_bin
from benchlib.processes import clean_environment, start, stop


class Holder:
    """Runs SQL in a transaction that stays open until release()."""

    def __init__(self, cluster, database, sql, begin="begin"):
        self.process = start(
            [pg_bin / "psql", "--no-psqlrc", "-qAt", "--set=ON_ERROR_STOP=1",
             cluster.url(database)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env=clean_environment())
        self.ask(f"{begin}; {sql};")
        self.backend = int(self.ask("select pg_backend_pid();")[-1])

    def ask(self, sql):
        """-> the lines it answers"""
        self.process.stdin.write(sql + "\n\\echo done\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) != "done\n":
            if not line:
                raise OSError("psql ended")
            lines.append(line.rstrip("\n"))
        return lines

    def freeze(self, frozen=True):
        os.kill(self.backend, signal.SIGSTOP if frozen else signal.SIGCONT)

    def release(self):
        self.freeze(False)
        stop(self.process)
