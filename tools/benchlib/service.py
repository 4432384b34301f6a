# The service under test: gaplessd, its series, and the proof that it stayed gapless.
import http.client
import json
import re
import secrets
import subprocess
import time

from benchlib.processes import BenchFailure, clean_environment, run, start, stop

ready_seconds_max = 30
first_serial = 4901214213405250000  # numbers as long as a parcel company's
block_size = 1_000_000_000_000  # no measurement reaches the end of one


class Service:
    """Instances of gaplessd on a database of their own, which the constructor makes."""

    def __init__(self, programs, cluster, folder, database):
        self.programs, self.cluster, self.folder = programs, cluster, folder
        self.database = database
        self.instances = []  # (process, port)
        self.blocks = 0
        cluster.psql("postgres", f"create database {database}")
        self.admin("migrate", "up", "--yes")
        scopes = "issue,read,load,admin"
        made = self.admin("token", "create", "--name", "bench", "--scope", scopes)
        self.token = json.loads(made)["token"]
        self.url = cluster.service_url(database)

    def admin(self, *arguments, seconds_max=120):
        """The gapless program -> its JSON."""
        environment = clean_environment(GAPLESS_DATABASE_URL=self.cluster.url(self.database))
        command = [self.programs / "gapless", *arguments, "-o", "json"]
        return run(command, "gapless " + " ".join(arguments[:2]), seconds_max, env=environment)

    def command(self, address):
        """What starts an instance; its journals go where everything else goes in the end."""
        return [self.programs / "gaplessd", "--listen", address,
                "--journal", self.folder / f"journal-{self.database}"]

    def start(self, count, connections_max):
        for number in range(count):
            log = self.folder / f"gaplessd-{self.database}-{number}.log"
            process = start(
                [*self.command("127.0.0.1:0"), "--connections-max", connections_max],
                stdout=subprocess.DEVNULL, stderr=log.open("w"),
                env=clean_environment(GAPLESS_DATABASE_URL=self.url),
            )
            self.instances.append((process, self.wait_until_ready(process, log)))

    def stop(self):
        for process, _ in self.instances:
            stop(process)
        self.instances = []

    def wait_until_ready(self, process, log):
        """-> the port it got"""
        deadline = time.monotonic() + ready_seconds_max
        answer = None
        while time.monotonic() < deadline and process.poll() is None:
            text = log.read_text()
            found = re.search(r'"event": *"listening".*?"address": *"[^"]*:(\d+)"', text)
            if found:
                status, answer = self.call(int(found.group(1)), "GET", "/readyz")
                if status == 200:
                    return int(found.group(1))
            time.sleep(0.05)
        raise BenchFailure(f"gaplessd is not ready: {answer or ''}\n{self.last_words()}")

    def last_words(self):
        lines = []
        for log in sorted(self.folder.glob(f"gaplessd-{self.database}-*.log")):
            lines += log.read_text().splitlines()[-4:]
        return "\n".join(f"    {line}" for line in lines)

    @property
    def pids(self):
        return [process.pid for process, _ in self.instances]

    @property
    def ports(self):
        return [port for _, port in self.instances]

    def call(self, port, method, target, body=None):
        """One request -> (status, text)"""
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        headers = {"Authorization": f"Bearer {self.token}"}
        if body is not None:
            headers["Content-Type"] = "application/json"
            headers["Idempotency-Key"] = secrets.token_hex(16)
        try:
            connection.request(method, target, body and json.dumps(body), headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        except OSError as error:
            raise BenchFailure(f"{method} {target}: {error}\n{self.last_words()}") from error
        finally:
            connection.close()

    def metric(self, name):
        """A counter of /metrics, of all instances together."""
        total = 0
        for port in self.ports:
            _, text = self.call(port, "GET", "/metrics")
            found = re.search(rf"^{name} ([\d.e+]+)$", text, re.MULTILINE)
            if not found:
                raise BenchFailure(f"gaplessd has no {name}")
            total += float(found.group(1))
        return total

    def create_series(self, count, format_=None):
        """New series with a large block each -> their names. Each measurement has its own, so that
        the proof at its end counts that measurement alone. `format_`: of a carrier, else plain."""
        names = []
        for _ in range(count):
            name = f"bench-{self.blocks}"
            first = first_serial + self.blocks * block_size
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
        status, text = self.call(self.ports[0], "POST", target, body)
        if status != 201:
            raise BenchFailure(f"POST {target} was answered with {status}: {text}")

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
            raise BenchFailure("numbers are still leaving 5 s after the load has ended")
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
            findings = json.loads(self.admin("verify", name, seconds_max=600)).get("findings")
            if findings != []:
                raise BenchFailure(f"gapless verify {name} found: {findings}")
