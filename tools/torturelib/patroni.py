# Three Patroni nodes and three etcd members on hosts of their own, strictly synchronous.
import http.client
import json
import os
import secrets
import shutil
import signal
import subprocess
import time

from harness.processes import Failure, as_server, clean_environment, forget, pg_bin, start
from torturelib.cluster import Cluster
from torturelib.namespaces import need

ttl_seconds, loop_seconds, retry_seconds = 20, 5, 5
members = 3
ready_seconds_max = 120
whole_seconds_max = 60  # on a busy machine; half of it on a quiet one


class Node:
    """A host with Patroni and its PostgreSQL; restarts are ours, as systemd's would be."""

    def __init__(self, cluster, number):
        self.cluster, self.name = cluster, f"node{number}"
        self.host = cluster.network.add(self.name, number)
        self.folder = cluster.folder / self.name
        self.folder.mkdir()
        self.process = None
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
        self.file = self.folder / "patroni.yml"
        self.file.write_text(json.dumps(self.configuration()))  # YAML reads JSON

    def configuration(self):
        address, secret = self.host.address, self.cluster.password
        login = {"username": "gapless", "password": secret}
        return {
            "scope": "torture", "name": self.name,
            "restapi": {"listen": f"{address}:8008", "connect_address": f"{address}:8008"},
            "etcd3": {"hosts": [f"{e.address}:2379" for e in self.cluster.stores]},
            "bootstrap": {
                "dcs": {
                    "ttl": ttl_seconds, "loop_wait": loop_seconds, "retry_timeout": retry_seconds,
                    "synchronous_mode": True, "synchronous_mode_strict": True,
                    "postgresql": {"use_pg_rewind": True, "parameters": {
                        "max_connections": 60, "shared_buffers": "32MB", "fsync": "on",
                        "wal_sender_timeout": "5s", "wal_receiver_timeout": "5s",
                        "tcp_user_timeout": "5s"}}},
                "initdb": ["data-checksums", {"encoding": "UTF8"}, {"locale": "C.UTF-8"}]},
            "postgresql": {
                "listen": f"{address}:5432", "connect_address": f"{address}:5432",
                "data_dir": str(self.folder / "data"), "bin_dir": str(pg_bin),
                "pgpass": str(self.folder / "pgpass"),
                "authentication": {
                    "superuser": login, "rewind": login,
                    "replication": {"username": "replicator", "password": secret}},
                "pg_hba": ["host all all 10.77.0.0/24 scram-sha-256",
                           "host replication all 10.77.0.0/24 scram-sha-256"],
                "parameters": {"unix_socket_directories": ""}}}

    def start(self):
        with (self.folder / "patroni.log").open("a") as log:
            self.process = start(
                [*self.host.inside, *as_server(["patroni", self.file])], stdout=log, stderr=log,
                cwd="/", env=clean_environment())

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
        self.start()

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

    def is_synchronous(self):
        return self.ask("/sync")[0] == 200


class PatroniCluster(Cluster):
    """What cases know as a server: wherever its primary is."""

    def __init__(self, folder, network):
        need("patroni", "etcd")
        super().__init__(folder)
        self.network, self.password = network, secrets.token_hex(16)
        self.restarts = 0  # of Patroni, by hand
        self.folder.mkdir()
        self.folder.chmod(0o755)
        self.stores = [network.add(f"etcd{n}", 100 + n) for n in range(1, members + 1)]
        self.nodes = [Node(self, n) for n in range(1, members + 1)]

    def start(self):
        everybody = ",".join(f"{e.name}=http://{e.address}:2380" for e in self.stores)
        for store in self.stores:
            ours = f"http://{store.address}"
            command = [
                *store.inside, "etcd", "--name", store.name, "--data-dir",
                self.folder / store.name, "--listen-client-urls", f"{ours}:2379",
                "--advertise-client-urls", f"{ours}:2379", "--listen-peer-urls", f"{ours}:2380",
                "--initial-advertise-peer-urls", f"{ours}:2380", "--initial-cluster", everybody,
                "--heartbeat-interval", "200", "--election-timeout", "2000"]
            with (self.folder / f"{store.name}.log").open("w") as log:
                start(command, stdout=log, stderr=log, env=clean_environment())
        for node in self.nodes:
            node.start()
        self.wait_whole()

    def url(self, database, user="gapless", password=None, port=None):
        where = ",".join(f"{node.host.address}:5432" for node in self.nodes)
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

    def wait_whole(self):
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
            streaming = len(leader.ask("/patroni")[1].get("replication", []))
            lines = {one.get("timeline") for one in told}
            return leader if streaming == members - 1 and len(lines) == 1 else None
        try:
            return self.wait_for_node(settled, "become whole", whole_seconds_max)
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
        for host in self.network.hosts:
            host.remove()
