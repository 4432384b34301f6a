# Three Patroni nodes and three etcd members, strictly synchronous, from the files of examples/ha.
import contextlib
import http.client
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import time

from harness.processes import Failure, as_server, clean_environment, forget, pg_bin, root, start
from torturelib.cluster import Cluster
from torturelib.namespaces import need

ttl_seconds, loop_seconds = 20, 2  # of examples/ha/patroni.yml
members = 3
ready_seconds_max = 120
whole_seconds_max = 60  # on a busy machine; half of it on a quiet one
start_seconds_max = 300  # three clusters are written and flushed
end_seconds_max = 20


def example(name, changes=None):
    """A file of examples/ha with other words in it -> its text. Each has to be there, so that what
    runs here is what is shown there."""
    text = (root / "examples/ha" / name).read_text()
    if not changes:
        return text
    if missing := [words for words in changes if words not in text]:
        raise Failure(f"examples/ha/{name} has no {missing}")
    words = sorted(changes, key=len, reverse=True)
    return re.sub("|".join(map(re.escape, words)), lambda found: changes[found[0]], text)


def make_folder(folder):
    """For what runs as the server's user."""
    folder.mkdir(exist_ok=True)
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    return folder


class Node:
    """A host with Patroni and its PostgreSQL, and with etcd where that has no host of its own.
    Restarts are ours, as systemd's would be."""

    def __init__(self, cluster, number, host):
        self.cluster, self.number, self.name, self.host = cluster, number, f"db{number}", host
        self.folder = make_folder(cluster.folder / self.name)
        self.process = None
        self.file = self.folder / "patroni.yml"
        self.file.write_text(self.configuration())

    def configuration(self):
        ours, there = self.host.address, self.host.reached_at
        return example("patroni.yml", {
            "name: db1": f"name: {self.name}",
            "listen: 10.0.0.11:": f"listen: {ours}:",
            "connect_address: 10.0.0.11:": f"connect_address: {there}:",
            "hosts: 10.0.0.11:2379,10.0.0.12:2379,10.0.0.13:2379":
                self.host.way_to(self.cluster.stores),
            "10.0.0.0/24": self.host.network,
            "/var/lib/postgresql/15/main": str(self.folder / "data"),
            "/usr/lib/postgresql/15/bin": str(pg_bin),
            "/var/lib/postgresql/pgpass": str(self.folder / "pgpass"),
            "/var/run/postgresql": "''", "local all postgres peer": "local all all reject",
            "username: postgres": "username: gapless", "change-me": self.cluster.password,
            "shared_buffers: 1GB": "shared_buffers: 64MB",
            "- data-checksums": "- data-checksums\n    - no-sync",  # of an empty one
            "mode: automatic": "mode: off"})  # of the watchdog: it would end this machine

    def start(self):
        if self.host in self.cluster.stores:
            self.cluster.start_etcd(self.number)
        self.start_patroni()

    def start_patroni(self):
        with (self.folder / "patroni.log").open("a") as log:
            self.process = start(
                [*self.host.inside, *as_server(["patroni", self.file])], stdout=log, stderr=log,
                cwd=self.folder, env=clean_environment())

    def kill(self):
        """The machine dies: Patroni, PostgreSQL, everything."""
        self.host.signal(signal.SIGKILL)
        self.process.wait(10)
        forget(self.process)

    def restart_patroni(self):
        """Alone: its PostgreSQL runs on."""
        self.process.kill()
        self.process.wait(10)
        forget(self.process)
        self.start_patroni()

    def ask(self, path, method="GET", body=None, seconds_max=3):
        """Patroni's own API -> (status, answer); (0, {}) when it does not answer"""
        connection = http.client.HTTPConnection(self.host.address, 8008, timeout=seconds_max)
        try:
            connection.request(method, path, body and json.dumps(body),
                               {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read().decode()
            return answer.status, json.loads(text) if text.startswith("{") else {"text": text}
        except (OSError, http.client.HTTPException, ValueError):
            return 0, {}
        finally:
            connection.close()

    def leads(self):
        return self.ask("/primary")[0] == 200

    def standbys(self):
        """How many stream from it."""
        return len(self.ask("/patroni")[1].get("replication", []))

    def is_synchronous(self):
        return self.ask("/sync")[0] == 200


class PatroniCluster(Cluster):
    """What cases know as a server: wherever its primary is."""

    def __init__(self, folder, network):
        need("patroni", "etcd")
        super().__init__(folder)
        self.network, self.password = network, secrets.token_hex(16)
        self.restarts = 0  # of Patroni, by hand
        self.folder.mkdir(exist_ok=True)
        self.folder.chmod(0o755)
        numbers = range(1, members + 1)
        hosts = [network.add(f"db{n}", 10 + n) for n in numbers]
        # Cases cut the lines to etcd alone; elsewhere it shares the fate of its machine.
        self.stores = ([network.add(f"etcd{n}", 100 + n) for n in numbers]
                       if network.etcd_apart else hosts)
        self.nodes = [Node(self, n, host) for n, host in zip(numbers, hosts)]

    def start(self):
        if self.network.etcd_apart:
            for number in range(1, members + 1):
                self.start_etcd(number)
        for node in self.nodes:
            node.start()
        self.wait_whole(start_seconds_max)

    def start_etcd(self, number):
        """The member of this number, where it has to be."""
        store, folder = self.stores[number - 1], make_folder(self.folder / f"db{number}")
        changes = {f"db{n}=http://10.0.0.1{n}:": f"db{n}=http://{each.address}:"
                   for n, each in enumerate(self.stores, 1)}
        changes |= {"NAME=db1": f"NAME=db{number}", "/var/lib/etcd/gapless": str(folder / "etcd"),
                    "URLS=http://10.0.0.11:": f"URLS=http://{store.address}:"}
        settings = dict(line.split("=", 1) for line in example("etcd.env", changes).splitlines()
                        if line and not line.startswith("#"))
        with (folder / "etcd.log").open("a") as log:
            start([*store.inside, *as_server(["etcd"])], stdout=log, stderr=log, cwd=folder,
                  env=clean_environment(**settings))

    def url(self, database, user="gapless", password=None, port=None):
        where = ",".join(f"{node.host.reached_at}:5432" for node in self.nodes)
        return self.url_of(where, database, user, password)

    def psql(self, database, sql, seconds_max=60):
        answer = super().psql(database, sql, seconds_max)
        if sql.startswith("create database "):
            # Whoever looks for the primary asks a standby first, and takes its no for an answer.
            name = sql.removeprefix("create database ").split()[0]
            for node in self.nodes:
                self.wait_for_node(lambda node=node: self.has(node, name), f"copy {name}")
        return answer

    def has(self, node, database):
        url = self.url_of(f"{node.host.address}:5432", database).replace("read-write", "any")
        command = [pg_bin / "psql", "--no-psqlrc", "-qAtc", "select", url]
        return subprocess.run(command, capture_output=True).returncode == 0

    def url_of(self, where, database, user="gapless", password=None):
        secret = password or self.password
        return (f"postgresql://{user}:{secret}@{where}/{database}?sslmode=disable"
                "&gssencmode=disable&connect_timeout=3&target_session_attrs=read-write")

    def leader(self):
        """The node that leads, or None."""
        return next((node for node in self.nodes if node.leads()), None)

    def other_leader(self, than, seconds_max=ready_seconds_max):
        return self.wait_for_node(
            lambda: next((n for n in self.nodes if n is not than and n.leads()), None),
            "elect another leader", seconds_max)

    def wait_for_node(self, find, purpose, seconds_max=ready_seconds_max):
        deadline = time.monotonic() + seconds_max
        while not (found := find()):
            if time.monotonic() > deadline:
                raise Failure(f"Patroni did not {purpose} within {seconds_max} s")
            time.sleep(0.2)
        return found

    def wait_whole(self, seconds_max=whole_seconds_max):
        """Until one leads, another is synchronous, and the third follows, for longer than a loop of
        Patroni: while etcd knows of no synchronous standby, none may take over."""
        since = None

        def settled():
            nonlocal since
            leader = whole()
            since = (since or time.monotonic()) if leader else None
            return leader if leader and time.monotonic() - since > loop_seconds + 2 else None

        def whole():
            leader = self.leader()
            if leader is None or not any(node.is_synchronous() for node in self.nodes):
                return None
            told = [node.ask("/patroni")[1] for node in self.nodes]
            lines = {one.get("timeline") for one in told}
            return leader if leader.standbys() == members - 1 and len(lines) == 1 else None
        try:
            return self.wait_for_node(settled, "become whole", seconds_max)
        except Failure:
            leader = self.leader()
            if leader is None:
                raise
            # Patroni 3.0.2 may repeat "Synchronous replication key updated by someone else" for
            # ever; an operator restarts it, and PostgreSQL runs on.
            self.restarts += 1
            leader.restart_patroni()
            return self.wait_for_node(settled, "become whole")

    def switch_over(self, leader):
        """As an operator does."""
        candidate = next(node for node in self.nodes if node.is_synchronous())
        status, told = leader.ask("/switchover", "POST",
                                  {"leader": leader.name, "candidate": candidate.name}, 60)
        if status != 200:
            raise Failure(f"no switchover: {status} {told}")

    def remove(self):
        """Patroni ends its PostgreSQL in order, which clears away its shared memory."""
        for node in self.nodes:
            node.host.heal()
            node.host.signal(signal.SIGCONT)
            if node.process:
                node.process.terminate()
        for node in self.nodes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                if node.process:
                    node.process.wait(end_seconds_max)
        for host in self.network.hosts:
            host.remove()
