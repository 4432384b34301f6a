# The service under test: gaplessd, its series, and the proof that it stayed gapless.
import time

from harness import database
from harness.instance import Instance
from harness.processes import Failure

first_serial = 4901214213405250000  # numbers as long as a parcel company's
block_size = 1_000_000_000_000  # no measurement reaches the end of one


class Service:
    """Instances of gaplessd on a database of their own, which the constructor makes."""

    def __init__(self, programs, cluster, folder, name):
        self.programs, self.cluster, self.folder = programs, cluster, folder
        self.database = name
        self.journal = folder / f"journal-{name}"  # where everything else goes in the end
        self.instances = []
        self.blocks = 0
        cluster.psql("postgres", f"create database {name}")
        database.migrate(cluster.url(name), programs)
        self.token = database.create_token(cluster.url(name), "bench", folder=programs)
        self.url = cluster.service_url(name)

    def admin(self, *words, seconds_max=120):
        """The gapless program -> its JSON."""
        url = self.cluster.url(self.database)
        return database.admin(url, *words, folder=self.programs, seconds_max=seconds_max)

    def start(self, count, connections_max):
        for number in range(count):
            self.instances.append(Instance(
                self.url, self.folder, f"gaplessd-{self.database}-{number}",
                self.programs / "gaplessd", ["--connections-max", connections_max],
                journal=self.journal).start())

    def stop(self):
        for instance in self.instances:
            instance.stop()
        self.instances = []

    @property
    def pids(self):
        return [instance.process.pid for instance in self.instances]

    @property
    def ports(self):
        return [instance.port for instance in self.instances]

    def metric(self, name):
        """A counter of /metrics, of all instances together."""
        return sum(instance.metric(name) for instance in self.instances)

    def create_series(self, count, format_=None):
        """New series with a large block each -> their names. Each measurement has its own, so that
        the proof at its end counts that measurement alone. `format_`: of a carrier, else plain."""
        names = []
        for _ in range(count):
            name = f"bench-{self.blocks}"
            first = first_serial + 2 * self.blocks * block_size  # none touches another
            self.blocks += 1
            series = {"name": name, "carrier": "bench"}
            if format_:
                # A number space of its own: its serials are shorter than those of the others.
                series |= {"space": name, **format_}
                first = 1
            self.create("/v1/series", series)
            last = first + min(block_size, 10**9 - 1 if format_ else block_size) - 1
            block = {"first": str(first), "last": str(last)}
            self.create(f"/v1/series/{name}/blocks", block)
            names.append(name)
        return names

    def create(self, target, body):
        status, text = self.instances[0].call("POST", target, self.token, body)
        if status != 201:
            raise Failure(f"POST {target} was answered with {status}: {text}")

    def ledger(self, names):
        """(issuances, numbers) that the ledger has for these series, once nothing more comes."""
        listed = ",".join(f"'{name}'" for name in names)
        position = (
            "select sum(next_ordinal) from gapless.counter join gapless.series using (series_id)"
            f" where name in ({listed})"
        )
        before = None
        for _ in range(50):
            now = self.cluster.psql(self.database, position)
            if now == before:
                break
            before = now
            time.sleep(0.1)
        else:
            raise Failure("numbers are still leaving 5 s after the load has ended")
        counts = self.cluster.psql(
            self.database,
            "select count(l.key), coalesce(sum(l.count), 0)"
            " from gapless.ledger l join gapless.series s using (series_id)"
            f" where s.name in ({listed})",
        )
        issuances, numbers = counts.split("|")
        return int(issuances), int(numbers)

    def verify(self, names):
        for name in names:
            findings = self.admin("verify", name, seconds_max=600).get("findings")
            if findings != []:
                raise Failure(f"gapless verify {name} found: {findings}")
