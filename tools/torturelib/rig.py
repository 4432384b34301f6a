# What a case runs on: a database of its own, instances on it, tokens, clients, and the verdict.
import secrets
import threading

from harness import database
from harness.checker import judge
from harness.client import Client, resolve_seconds_max
from harness.history import QUESTIONS, History
from harness.instance import Instance
from torturelib.cluster import Cluster

CLIENTS = ("shop", "returns")
TEMPLATE = "gapless_template"


class Ground:
    """The server of a case, and the database that each of its own is a copy of."""

    def __init__(self, programs, folder, cluster=None):
        self.programs, self.folder, self.rigs = programs, folder, 0
        self.cluster = cluster or Cluster(folder / "primary")
        self.tokens, self.password = {}, secrets.token_hex(16)

    def prepare(self):
        """Starts the server, and makes that database."""
        cluster = self.cluster
        cluster.start()
        cluster.psql("postgres", f"create database {TEMPLATE}")
        database.migrate(cluster.url(TEMPLATE), self.programs)
        self.tokens = {name: self.token(TEMPLATE, name) for name in CLIENTS}
        cluster.psql("postgres", f"create role gaplessd login password '{self.password}';"
                     " grant gapless_service to gaplessd")

    def token(self, name, client, *options):
        return database.create_token(self.cluster.url(name), client, *options,
                                     folder=self.programs)


class Listed(Instance):
    """Its port stays in `ports` at `number`, where clients look."""

    def __init__(self, ports, number, *about, **options):
        super().__init__(*about, **options)
        self.ports, self.number = ports, number

    def listens_at(self, port):
        self.port = self.ports[self.number] = port


class Rig:
    """A database cloned from the template, so that cases do not meet."""

    def __init__(self, ground, blocks=None, options=()):
        ground.rigs += 1
        self.ground, self.options = ground, list(options)
        self.database = f"torture_{ground.rigs}"
        self.folder = ground.folder / self.database
        self.folder.mkdir()
        self.cluster.psql("postgres", f"create database {self.database} template {TEMPLATE}")
        # A clone is fenced, like every copy of a database; this one is the rig's own.
        self.sql(database.OWN_COPY)
        self.history, self.ports, self.instances = History(), [], []
        self.faults = []  # moments, by the monotonic clock
        self.patience = resolve_seconds_max
        self.over = threading.Event()
        for series, bounds in (blocks or {"hot": [(1, 9), (100, 250), (1_000, 999_999)]}).items():
            self.create_series(series, bounds)

    @property
    def cluster(self):
        """The server that is primary now."""
        return self.ground.cluster

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
        number = len(self.ports)
        self.ports.append(0)
        added = Listed(self.ports, number, url, self.folder, f"gaplessd-{number}",
                       self.ground.programs / "gaplessd", self.options)
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

    def findings(self, bug=None):
        """What the checker and the database's own verify find."""
        return judge(self.history, self.sql(bug.asked(QUESTIONS) if bug else QUESTIONS))
