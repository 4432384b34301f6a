# What a case runs on: a database of its own, instances on it, tokens, clients, and the verdict.
import json
import os
import pathlib
import secrets
import threading

from benchlib.processes import clean_environment, run
from torturelib.checker import check
from torturelib.client import Client, resolve_seconds_max
from torturelib.history import LEDGER_QUERY, History
from torturelib.instance import Instance

CLIENTS = ("shop", "returns")
TEMPLATE = "gapless_template"
# Each answered with a line of JSON.
QUESTIONS = (
    " ".join(LEDGER_QUERY.split()) + "; select coalesce(json_agg(json_build_object("
    "'series', series, 'at', at, 'what', what)), '[]') from gapless.verify()")


class Ground:
    """The server and what all cases share; made once."""

    def __init__(self, programs, cluster, folder):
        self.programs, self.cluster, self.folder = programs, cluster, folder
        self.rigs = 0
        cluster.psql("postgres", f"create database {TEMPLATE}")
        self.admin(TEMPLATE, "migrate", "up", "--yes")
        if mutant := os.environ.get("GAPLESS_TEST_MUTANT"):  # of tools/mutants
            cluster.psql(TEMPLATE, pathlib.Path(mutant).read_text())
        self.tokens = {
            name: json.loads(self.admin(
                TEMPLATE, "token", "create", "--name", name, "--scope", "issue,read,load,admin"
            ))["token"] for name in CLIENTS}
        self.password = secrets.token_hex(16)
        cluster.psql("postgres", f"create role gaplessd login password '{self.password}';"
                     " grant gapless_service to gaplessd")

    def admin(self, database, *arguments, cluster=None, seconds_max=120):
        """The gapless program -> what it prints"""
        url = (cluster or self.cluster).url(database)
        command = [self.programs / "gapless", *arguments, "-o", "json"]
        environment = clean_environment(GAPLESS_DATABASE_URL=url)
        return run(command, "gapless " + " ".join(arguments[:2]), seconds_max, env=environment)


class Rig:
    """A database cloned from the template, so that cases do not meet."""

    def __init__(self, ground, blocks=None, options=(), settings=""):
        ground.rigs += 1
        self.ground, self.cluster, self.options = ground, ground.cluster, list(options)
        self.database = f"torture_{ground.rigs}"
        self.folder = ground.folder / self.database
        self.folder.mkdir()
        self.cluster.psql("postgres", f"create database {self.database} template {TEMPLATE}")
        # A clone is fenced, like every copy of a database; this one is the rig's own.
        self.sql("set session_replication_role = replica; update gapless.epoch set database_oid ="
                 " (select oid from pg_database where datname = current_database())")
        self.history, self.ports, self.instances = History(), [], []
        self.faults = []  # moments, by the monotonic clock
        self.patience = resolve_seconds_max
        self.over = threading.Event()
        for series, bounds in (blocks or {"hot": [(1, 9), (100, 250), (1_000, 999_999)]}).items():
            self.create_series(series, bounds)
        if settings:
            self.sql(settings)

    def sql(self, text):
        return self.cluster.psql(self.database, text)

    def create_series(self, name, bounds):
        loads = "".join(
            f"select gapless.block_load('{name}', {first}, {last}, null, null, null, 'torture');"
            for first, last in bounds)
        self.sql(f"select gapless.series_create('{name}', '{name}', null, null, null, null, null,"
                 f" null, 'torture'); {loads}")

    def url(self, port=None):
        return self.cluster.url(self.database, "gaplessd", self.ground.password, port)

    def start(self, count=1, through=None, **environment):
        """Instances, through the port of a proxy if there is one."""
        for _ in range(count):
            self.add_instance(self.url(through)).start(**environment)

    def add_instance(self, url):
        """One that is not started yet."""
        self.ports.append(0)
        added = Instance(self.ground.programs, self.folder, len(self.instances), url, self.ports,
                         self.options)
        self.instances.append(added)
        return added

    def client(self, name=CLIENTS[0], ports=None):
        return Client(self.history, ports or self.ports, name, self.ground.tokens[name],
                      self.patience, self.over)

    def stop(self):
        """Ends the instances, and clients that are still at it."""
        self.over.set()
        for instance in self.instances:
            instance.kill()
        self.instances.clear()

    def findings(self, cluster=None):
        """What the checker and the database's own verify find; of a promoted standby too."""
        return self.judge((cluster or self.cluster).psql(self.database, QUESTIONS))

    def judge(self, answers):
        """-> findings, by what QUESTIONS gave"""
        ledger, own = map(json.loads, answers.splitlines())
        found = [f"rule {rule}: {text}" for rule, text in check(self.history, ledger)]
        return found + [f"verify: {f['series']} {f['at']}: {f['what']}" for f in own]

    def keep_history(self, folder, name):
        """-> the file"""
        file = folder / f"history-{name}.jsonl"
        self.history.write(file)
        return file

