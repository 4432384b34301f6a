# What mutants are tried on: the programs of the preset dev, a PostgreSQL of its own, the tests.
import os
import re
import signal
import subprocess

from benchlib.cluster import pg_bin, root
from benchlib.processes import clean_environment
from mutantlib import naming

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
        self.folder, self.build = folder, build / "dev"
        self.cluster = folder / "cluster"
        self.url = self.run_cluster("start", "--fsync", "on").rpartition("/")[0]
        self.sql_file = folder / "mutant.sql"
        self.environment = clean_environment(
            GAPLESS_TEST_DATABASE_URL=f"{self.url}/postgres",
            GAPLESS_TEST_CLUSTER_DIR=self.cluster,
            GAPLESS_PG_BIN=pg_bin,
            GAPLESS_BIN_DIR=self.build / "bin",
            GAPLESS_JOURNAL=folder / "journal",
            PYTHONDONTWRITEBYTECODE=1)

    def run_cluster(self, verb, *more):
        command = [root / "tools/cluster", verb, self.cluster, *more]
        done = subprocess.run(command, text=True, capture_output=True)
        if done.returncode != 0:
            raise Unfit(f"tools/cluster {verb}: {done.stderr.strip()}")
        return done.stdout.strip()

    def close(self):
        self.run_cluster("stop", "--remove")

    def psql(self, database, sql):
        """-> (whether it went well, what was said)"""
        command = ["psql", "--no-psqlrc", "--quiet", "-At", "--set=ON_ERROR_STOP=1",
                   f"{self.url}/{database}"]
        environment = self.environment | {"PGOPTIONS": "-c client_min_messages=warning"}
        done = subprocess.run(
            command, input=sql, text=True, capture_output=True, env=environment)
        return done.returncode == 0, done.stdout if done.returncode == 0 else done.stderr

    def compile(self, targets):
        """Brings the programs up to date -> whether they could be built, and what was said"""
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
            command = [self.build / "bin/gapless", "--database-url", f"{self.url}/{checked_in}",
                       "migrate", "up"]
            subprocess.run(command, check=True, env=self.environment, stdout=subprocess.DEVNULL)
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

    def run_test(self, name, mutant_sql=None):
        """-> (passed, failed or timeout; the output)"""
        test = naming.existing()[name]
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
            raise Unfit(f"{name}: {unnamed_test}")
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
