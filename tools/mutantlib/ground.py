# What mutants are tried on: the programs of a build, a PostgreSQL of its own, the tests.
import os
import re
import signal
import subprocess

from harness import database
from harness.cluster import Cluster
from harness.processes import clean_environment, pg_bin, root

stop_seconds_max = 20
unnamed_test = "no test case has this name"
checked_in = "gapless_mutants_check"
TRIGGER = re.compile(r"create or replace trigger (\w+)\s[^;]*?\son\s+(gapless\.\w+)")


class Unfit(Exception):
    """A mutant that proves nothing: it does not compile, or cannot be tried. The text says why."""


def last_lines(text, count=12):
    return "\n".join("    " + line[:300] for line in text.strip().splitlines()[-count:])


def sql_of(mutant):
    """What puts a mutant of a file of sql/ over a database that has the original."""
    text = mutant.mutated()
    kept = set(TRIGGER.findall(text))
    gone = [pair for pair in TRIGGER.findall(mutant.original()) if pair not in kept]
    lines = ["set check_function_bodies = off;"]
    lines += [f"drop trigger {name} on {table};" for name, table in gone]
    # Noted anew, so that a mutant is found by what it does and not by its checksum.
    return "\n".join([*lines, text, "select gapless.guards_note();", ""])


class Ground:
    def __init__(self, folder, build):
        self.folder, self.build = folder, build
        self.cluster = Cluster(folder / "cluster")
        self.url = self.cluster.start("--fsync", "on").rpartition("/")[0]
        self.sql_file = folder / "mutant.sql"
        self.environment = clean_environment(
            GAPLESS_TEST_DATABASE_URL=f"{self.url}/postgres",
            GAPLESS_TEST_CLUSTER_DIR=self.cluster.folder,
            GAPLESS_PG_BIN=pg_bin,
            GAPLESS_BIN_DIR=self.build / "bin",
            GAPLESS_JOURNAL=folder / "journal",
            PYTHONDONTWRITEBYTECODE=1)

    def close(self):
        self.cluster.remove()

    def psql(self, name, sql):
        """-> (whether it went well, what was said)"""
        return database.try_psql(f"{self.url}/{name}", sql)

    def compile(self, targets):
        """Brings the programs up to date -> whether they could be built, and what was said"""
        if not targets:
            return True, ""
        command = ["cmake", "--build", self.build, "--parallel", str(os.cpu_count()),
                   "--target", *sorted(targets)]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return done.returncode == 0, done.stdout

    def check_sql(self, mutant):
        """A function that cannot be is no slip: PostgreSQL looks at bodies as it makes them."""
        _, found = self.psql(
            "postgres", f"select 1 from pg_database where datname = '{checked_in}';")
        if not found.strip():
            self.psql("postgres", f"create database {checked_in};")
            database.migrate(f"{self.url}/{checked_in}", folder=self.build / "bin")
        went_well, said = self.psql(checked_in, f"begin;\n{mutant.mutated()}\nrollback;")
        if not went_well:
            raise Unfit("it is no SQL:\n" + last_lines(said))

    def drop_left_databases(self):
        """Templates of a mutant, and what tests that failed left."""
        _, names = self.psql("postgres", "select datname from pg_database where"
                             " datname like 'gapless%' and datname not like"
                             f" 'gapless_test_template_%' and datname <> '{checked_in}';")
        for name in names.split():
            self.psql("postgres", f"alter database {name} allow_connections true;"
                      f" drop database {name} with (force);")

    def run_test(self, test, mutant_sql=None):
        """-> (passed, failed or timeout; the output)"""
        command = [str(word).format(build=self.build) for word in test.command]
        environment = self.environment
        if mutant_sql is not None:
            self.sql_file.write_text(mutant_sql)
            environment = environment | {"GAPLESS_TEST_MUTANT": str(self.sql_file)}
        child = subprocess.Popen(
            command, cwd=root, env=environment, text=True, errors="replace",
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True)
        try:
            output, _ = child.communicate(timeout=test.seconds_max)
        except subprocess.TimeoutExpired:
            return "timeout", self.end(child)
        if unnamed_test in output:
            raise Unfit(f"{test.name}: {unnamed_test}")
        return "passed" if child.returncode == 0 else "failed", output

    def end(self, child):
        """Of a test that does not end -> its output; it may clean up behind itself."""
        os.killpg(child.pid, signal.SIGINT)
        try:
            output, _ = child.communicate(timeout=stop_seconds_max)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            output, _ = child.communicate()
        return output
