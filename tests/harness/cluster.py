"""A private PostgreSQL in a folder of its own, by tools/cluster."""
import contextlib
import os
import pathlib
import shutil
import signal

from harness import database
from harness.processes import Failure, as_server, clean_environment, pg_bin, root, run


class Cluster:
    """Exists from its construction on; start() may fail, remove() works anyway."""

    def __init__(self, folder, port="auto", settings=None, programs=pg_bin):
        """`programs`: the folder of another PostgreSQL's."""
        self.folder, self.asked_port = pathlib.Path(folder), str(port)
        self.settings, self.programs = dict(settings or {}), programs
        self.server_environment = {}

    def tool(self, verb, *options):
        return run([root / "tools/cluster", verb, self.folder, *options], f"{verb} PostgreSQL",
                   env=clean_environment(GAPLESS_PG_BIN=self.programs, **self.server_environment))

    def start(self, *options):
        """Also after a kill; the port stays the same -> the URL of its superuser"""
        settings = [word for name, value in self.settings.items()
                    for word in ("--setting", f"{name}={value}")]
        url = self.tool(
            "start", "--copied", "--port", self.asked_port, *options, *settings).strip()
        self.password = (self.folder / "password").read_text().strip()
        self.port = int((self.folder / "port").read_text())
        self.asked_port = str(self.port)
        return url

    def stop(self, mode="fast"):
        self.tool("stop", "--mode", mode)

    def remove(self):
        if (self.folder / "data").exists():
            with contextlib.suppress(Failure):
                self.tool("stop", "--mode", "immediate", "--remove")
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, name="postgres", user="gapless", password=None, port=None):
        secret = password or self.password
        return (f"postgresql://{user}:{secret}@127.0.0.1:{port or self.port}/{name}"
                "?sslmode=disable&gssencmode=disable")

    def psql(self, name, sql, seconds_max=60):
        """As the superuser."""
        return database.psql(self.url(name), sql, seconds_max)

    def copy(self, other, *options, port=None):
        """Copies what runs here into the folder of another cluster, which is to be its standby;
        `port`: of a proxy to us."""
        other.folder.mkdir()
        for name in ("data", "run", "log"):
            (other.folder / name).mkdir()
            (other.folder / name).chmod(0o700)
            if os.geteuid() == 0:
                shutil.chown(other.folder / name, "postgres", "postgres")
        other.folder.chmod(0o755)
        shutil.copy(self.folder / "password", other.folder / "password")
        run(as_server([
            pg_bin / "pg_basebackup", "--pgdata", other.folder / "data", "--checkpoint=fast",
            "--wal-method=stream", *options, "--dbname", self.url(port=port)]),
            "copy the primary", 1200, env=clean_environment(), cwd="/")

    @property
    def postmaster(self):
        return int((self.folder / "data/postmaster.pid").read_text().splitlines()[0])

    def kill_postmaster(self):
        """kill -9, as the OOM killer does; its children notice by themselves."""
        os.kill(self.postmaster, signal.SIGKILL)
