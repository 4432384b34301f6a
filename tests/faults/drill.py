"""A server of its own, its data directory put back or copied, and an instance in front of it."""
import contextlib
import json
import os
import pathlib
import secrets
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from harness import checker, database, instance  # noqa: E402
from harness.client import Client  # noqa: E402
from harness.cluster import Cluster  # noqa: E402
from harness.history import QUESTIONS, History  # noqa: E402
from harness.processes import Failure, pg_bin, programs, root  # noqa: E402


class Drill:
    """Folders: a cluster (here), journals, and whatever a drill adds."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.here = self.folder / "here"
        self.journals = self.folder / "journals"
        self.clusters = {}  # by folder
        self.newer = {}  # clusters that run with another PostgreSQL: the folder of its programs

    def cluster(self, home=None):
        home = home or self.here
        return self.clusters.setdefault(home, Cluster(home, programs=self.newer.get(home, pg_bin)))

    def start(self, home=None, *settings):
        """Starts a cluster -> the URL of its database gapless."""
        return self.cluster(home).start(*settings).rsplit("/", 1)[0] + "/gapless"

    def stop(self, home=None, mode="fast"):
        self.cluster(home).stop(mode)

    def psql(self, url, sql):
        """-> what it answers, or what is wrong"""
        return database.try_psql(url, sql)[1]

    def gapless(self, url, *words, program=None):
        """The command line program -> (exit code, standard output, standard error)"""
        return database.gapless(url, *words, program=program)

    def person(self, url, name):
        """An administrator with a database role of that name -> the URL with which it logs in."""
        self.psql(url, f"create role {name} login password 'x' in role gapless_admin")
        return url.replace(url.split("//")[1].split("@")[0], f"{name}:x")

    def open_epoch(self, url, *words):
        """Two administrators give the same command: the first proposes, the second opens."""
        for person, expected in (("anna", 4), ("berta", 0)):
            code, _, error = self.gapless(self.person(url, person), "epoch", "open", *words)
            assert code == expected, (person, code, error)

    def stock(self):
        """A new cluster with a series -> its URL."""
        url = self.start()
        server = url.rsplit("/", 1)[0]
        database.create("gapless", f"{server}/postgres")
        database.migrate(url)
        for words in (["series", "create", "s", "--carrier", "c"],
                      ["block", "load", "s", "1000", "999999", "--yes"]):
            database.admin(url, *words)
        self.token = database.create_token(url, "drill", "issue,read")
        return url

    def copy(self, target):
        """The data directory as it is, of a server that is stopped."""
        shutil.rmtree(target, ignore_errors=True)
        subprocess.run(["cp", "-a", self.here / "data", target], check=True)

    def copy_cluster(self, name):
        """All of a cluster that is stopped, to be started elsewhere -> its folder."""
        target = self.folder / name
        subprocess.run(["cp", "-a", self.here, target], check=True)
        (target / "port").unlink()
        return target

    def with_standby(self, *settings):
        """A new cluster with these settings and a standby -> the URLs of the standby, of both."""
        url = self.stock()
        self.stop()
        standby = self.copy_cluster("standby")
        self.start(self.here, *settings)
        server = url.removesuffix("/gapless")
        with open(standby / "data/postgresql.auto.conf", "a") as connection:
            connection.write(f"primary_conninfo = '{server}/postgres?application_name=standby'\n")
        (standby / "data/standby.signal").touch()
        there = self.start(standby)
        return there, f"{server},{there.split('@')[1]}?target_session_attrs=read-write"

    def put_back(self, source):
        shutil.rmtree(self.here / "data")
        subprocess.run(["cp", "-a", source, self.here / "data"], check=True)

    def instance(self, url, journal=None, program=None, before=(), options=(), sockets=()):
        """before: a command that starts it; options: further ones of its own; sockets: handed
        over to it."""
        return Instance(self.token, url, self.folder, f"gaplessd-{secrets.token_hex(4)}", program,
                        options, before, self.journals if journal is None else journal, sockets)

    def clean(self, url):
        assert database.findings(url) == "", database.findings(url)

    def close(self):
        for cluster in self.clusters.values():
            with contextlib.suppress(Failure):
                cluster.stop("immediate")


class Instance(instance.Instance):
    def __init__(self, token, *about, **more):
        super().__init__(*about, **more)
        self.token = token

    def ask(self, method, target, body=None, key=None):
        """-> (status, what the JSON says)"""
        status, text = self.call(method, target, self.token, body, key)
        return status, json.loads(text)

    def issue(self, count=1, key=None, series="s", **also):
        return self.ask("POST", f"/v1/series/{series}/numbers", {"count": count, **also}, key)

    def numbers(self, count=1, key=None, series="s", **also):
        """Issues once the instance is ready -> the numbers."""
        self.wait_ready()
        status, found = self.issue(count, key, series, **also)
        assert status == 201, found
        return [int(number) for number in found["numbers"]]

    def fenced(self, *words):
        """Waits until it is fenced, and asks for a number: none leaves, and the reason is told."""

        def refused():
            status, found = self.issue()
            assert (status, found.get("executed")) == (503, "no"), found
            return found if found["type"] == "/problems/fenced" else None

        detail = self.wait_for(refused)["detail"]
        for word in words:
            assert word in detail, (word, detail)
        self.wait_for(lambda: self.ask("GET", "/readyz")[1]["fenced"])
        assert self.ask("GET", "/readyz")[0] == 503


class Recorded:
    """What a Crowd of a drill needs: clients of these ports, each attempt recorded."""

    patience = 60

    def __init__(self, drill, ports):
        self.token, self.ports = drill.token, ports
        self.history, self.over = History(), threading.Event()

    def client(self, name, ports=None):
        return Client(self.history, ports or self.ports, name, self.token, self.patience, self.over)

    def judge(self, url):
        """The ledger has what was answered, each number once."""
        found = checker.judge(self.history, database.psql(url, QUESTIONS))
        assert not found, found[:5]


@contextlib.contextmanager
def new_drill():
    with tempfile.TemporaryDirectory(prefix="gapless-drill-") as folder:
        os.chmod(folder, 0o755)
        drill = Drill(folder)
        try:
            yield drill
        finally:
            drill.close()


def run_drills(drills):
    """Those named on the command line, or all, each on a server of its own."""
    assert (programs / "gaplessd").exists(), f"{programs} has no gaplessd; {root}/tools/test builds"
    for one in (d for d in drills if len(sys.argv) == 1 or d.__name__ in sys.argv[1:]):
        with new_drill() as drill:
            begun = time.monotonic()
            one(drill)
            print(f"{one.__name__}: passed in {time.monotonic() - begun:.1f} s", flush=True)
