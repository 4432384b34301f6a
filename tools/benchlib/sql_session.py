# One session in psql that stays open: what it is asked runs in turn.
import subprocess

from harness.processes import start, stop


class SqlSession:
    """`command` is psql with its options, `environment` names the database."""

    def __init__(self, command, environment):
        self.process = start(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env=environment)

    def ask(self, sql):
        """-> the lines it answers, errors among them"""
        self.process.stdin.write(sql + "\n\\echo done\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) != "done\n":
            if not line:
                raise OSError("psql ended")
            lines.append(line.rstrip("\n"))
        return lines

    def end(self):
        """A transaction that is open is rolled back."""
        stop(self.process)
