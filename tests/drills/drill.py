"""A server of its own, its data directory put back or copied, and an instance in front of it."""
import contextlib
import http.client
import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time

root = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(root / "tests/sql"))
import database as databases  # noqa: E402

programs = pathlib.Path(os.environ.get("GAPLESS_BIN_DIR", root / "build/dev/bin"))
postgres_bin = pathlib.Path(os.environ.get("GAPLESS_PG_BIN", "/usr/lib/postgresql/15/bin"))
ready_seconds_max = 30
answer_seconds_max = 20


class Drill:
    """Folders: a cluster (here), journals, and whatever a drill adds."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.here = self.folder / "here"
        self.journals = self.folder / "journals"
        self.started = []

    def cluster(self, verb, home=None, *more):
        command = [root / "tools/cluster", verb, home or self.here, *more]
        done = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE)
        return done.stdout.strip()

    def start(self, home=None, *settings):
        """Starts a cluster -> the URL of its database gapless."""
        home = home or self.here
        port = home / "port"
        again = ["--port", port.read_text().strip()] if port.exists() else []
        url = self.cluster("start", home, *again, *settings)
        self.started.append(home)
        return url.rsplit("/", 1)[0] + "/gapless"

    def stop(self, home=None):
        self.cluster("stop", home or self.here, "--mode", "fast")

    def psql(self, url, sql):
        command = ["psql", "--no-psqlrc", "-qAt", "--set=ON_ERROR_STOP=1", "-c", sql, url]
        done = subprocess.run(command, text=True, capture_output=True)
        return done.stdout.strip() if done.returncode == 0 else done.stderr.strip()

    def gapless(self, url, *words):
        """The command line program -> (exit code, standard output, standard error)"""
        command = [programs / "gapless", "--database-url", url, *words]
        done = subprocess.run(command, text=True, capture_output=True)
        return done.returncode, done.stdout, done.stderr

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
        self.psql(url.rsplit("/", 1)[0] + "/postgres", "create database gapless")
        for words in (["migrate", "up"], ["series", "create", "s", "--carrier", "c"],
                      ["block", "load", "s", "1000", "999999", "--yes"]):
            code, _, error = self.gapless(url, *words)
            assert code == 0, error
            if words[0] == "migrate":
                databases.apply_mutant(url)
        _, made, _ = self.gapless(
            url, "token", "create", "--name", "drill", "--scope", "issue,read", "-o", "json")
        self.token = json.loads(made)["token"]
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

    @contextlib.contextmanager
    def instance(self, url, journal=None):
        with Instance(self, url, self.journals if journal is None else journal) as running:
            yield running

    def clean(self, url):
        assert self.psql(url, "select * from gapless.verify()") == "", self.psql(
            url, "select * from gapless.verify()")

    def close(self):
        for home in set(self.started):
            subprocess.run([root / "tools/cluster", "stop", home, "--mode", "immediate"],
                           stdout=subprocess.DEVNULL)


class Instance:
    def __init__(self, drill, url, journal):
        self.drill = drill
        self.log = drill.folder / f"gaplessd-{secrets.token_hex(4)}.log"
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("GAPLESS_", "PG"))}
        self.process = subprocess.Popen(
            [programs / "gaplessd", "--listen", "127.0.0.1:0", "--journal", str(journal)],
            env=environment | {"GAPLESS_DATABASE_URL": url},
            stdout=subprocess.DEVNULL, stderr=self.log.open("w"))

    def __enter__(self):
        self.port = int(self.wait_for(
            lambda: re.search(r'"event":"listening","address":"[^"]*:(\d+)"', self.log.read_text())
        ).group(1))
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def wait_for(self, found):
        deadline = time.monotonic() + ready_seconds_max
        while time.monotonic() < deadline:
            if seen := found():
                return seen
            time.sleep(0.02)
        raise AssertionError("waited in vain:\n" + self.log.read_text()[-2000:])

    def call(self, method, target, body=None, key=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=answer_seconds_max)
        headers = {"Authorization": f"Bearer {self.drill.token}"}
        if body is not None:
            headers |= {"Content-Type": "application/json",
                        "Idempotency-Key": key or secrets.token_hex(16)}
        connection.request(method, target, body and json.dumps(body), headers)
        answer = connection.getresponse()
        found = json.loads(answer.read())
        connection.close()
        return answer.status, found

    def issue(self, count=1, key=None, series="s", **also):
        return self.call("POST", f"/v1/series/{series}/numbers", {"count": count, **also}, key)

    def numbers(self, count=1, key=None, series="s", **also):
        """Issues once the instance is ready -> the numbers."""
        self.ready()
        status, found = self.issue(count, key, series, **also)
        assert status == 201, found
        return [int(number) for number in found["numbers"]]

    def metric(self, name):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=answer_seconds_max)
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        return int(float(re.search(rf"^{name} (.+)$", text, re.MULTILINE).group(1)))

    def ready(self):
        last = None

        def is_ready():
            nonlocal last
            last = self.call("GET", "/readyz")
            return last[0] == 200

        try:
            self.wait_for(is_ready)
        except AssertionError as error:
            raise AssertionError(f"{last}\n{error}") from None

    def fenced(self, *words):
        """Waits until it is fenced, and asks for a number: none leaves, and the reason is told."""

        def refused():
            status, found = self.issue()
            assert (status, found.get("executed")) == (503, "no"), found
            return found if found["type"] == "/problems/fenced" else None

        detail = self.wait_for(refused)["detail"]
        for word in words:
            assert word in detail, (word, detail)
        self.wait_for(lambda: self.call("GET", "/readyz")[1]["fenced"])
        assert self.call("GET", "/readyz")[0] == 503


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
