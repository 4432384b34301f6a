"""What the commands of a page meet: a database, a service, the files that tools/up makes."""
import contextlib
import json
import pathlib
import urllib.request

from harness import database, instance
from harness.processes import programs, root

BLOCKS = [("4901214213405250000", "4901214213405500000"),
          ("4901214213505250000", "4901214213505500000")]


class Stage:
    """One for each page, or for pages that go on where another one ended."""

    def __init__(self, name, cluster, folder):
        self.name, self.cluster, self.folder = name, cluster, pathlib.Path(folder)
        self.folder.mkdir()
        self.url, self.services = None, 0
        self.replaced = {}  # words of the page -> what they are here, if only a set-up knows
        self.environment = {"GAPLESS_HOME": str(self.folder), "GAPLESS_BUILD": str(self.folder)}
        self.opened = contextlib.ExitStack()
        (self.folder / "release").mkdir()
        (self.folder / "release/bin").symlink_to(programs.resolve())
        # Commands are given from the root of the repository.
        for name in ("clients", "docs", "examples", "share", "tests", "tools"):
            (self.folder / name).symlink_to(root / name)

    def create_database(self, migrated=True):
        """-> itself, with a URL that commands find in their environment"""
        server = self.cluster.url().split("?")[0]
        self.url = database.create(self.name, server)
        self.environment["GAPLESS_DATABASE_URL"] = self.url
        if migrated:
            self.gapless("migrate", "up", "--yes")
        return self

    def stock(self, *blocks):
        """The series of tools/up with its blocks, or others."""
        self.create_database()
        self.gapless("series", "create", "dhl-paket", "--carrier", "dhl")
        for first, last in blocks or BLOCKS:
            self.gapless("block", "load", "dhl-paket", first, last, "--yes")
        return self

    def gapless(self, *words):
        return database.run([programs / "gapless", *words], f"run gapless {words[0]}",
                            env=database.clean_environment(GAPLESS_DATABASE_URL=self.url))

    def psql(self, sql, name=None):
        return self.cluster.psql(name or self.name, sql)

    def as_person(self, name):
        """An administrator with a database role of that name -> the URL."""
        self.cluster.psql(
            "postgres", f"create role {name} login password 'x' in role gapless_admin")
        return self.url.replace(self.url.split("//")[1].split("@")[0], f"{name}:x")

    def serve(self, url=None, ready=True):
        """A service, of another database if told; the first one is where $GAPLESS_URL leads ->
        its URL"""
        self.services += 1
        service = instance.Instance(url or self.url, self.folder, f"service-{self.services}")
        self.opened.callback(service.stop)
        service.start(ready)
        base = f"http://127.0.0.1:{service.port}"
        self.environment.setdefault("GAPLESS_URL", base)
        return base

    def token(self):
        made = json.loads(self.gapless("token", "create", "--name", "up", "--scope",
                                       "issue,read,load,admin", "-o", "json"))
        self.environment["GAPLESS_TOKEN"] = made["token"]
        return made["token"]

    def after_up(self):
        """What tools/up leaves: the file env, the programs, three numbers."""
        self.stock()
        base, token = self.serve(), self.token()
        (self.folder / "env").write_text(
            f"export GAPLESS_URL='{base}'\nexport GAPLESS_TOKEN='{token}'\n"
            f"export GAPLESS_DATABASE_URL='{self.url}'\n")
        request = urllib.request.Request(
            base + "/v1/series/dhl-paket/numbers", data=b'{"count":3}', method="POST",
            headers={"Authorization": "Bearer " + token, "Idempotency-Key": "first-three-numbers",
                     "Content-Type": "application/json"})
        urllib.request.urlopen(request, timeout=10).close()
        return self

    def close(self):
        self.opened.close()
