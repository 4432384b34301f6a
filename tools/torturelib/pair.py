# A primary and its synchronous standby, with the line between them in our hand.
import contextlib
import shutil

from torturelib.cluster import Cluster
from torturelib.proxy import Pipe
from torturelib.rig import Ground, Rig


class Pair:
    """Two servers; the standby gets its WAL through `line`."""

    def __init__(self, programs, folder):
        self.folder, self.builds, self.line = folder, 0, None
        self.primary = Cluster(folder / "one")
        self.standby = None
        self.primary.start()
        runs = folder / "runs"
        runs.mkdir()
        self.ground = Ground(programs, self.primary, runs)
        self.build_standby()

    def build_standby(self, port="auto"):
        """A new one for the present primary, required for every COMMIT."""
        if self.line:
            self.line.close()
        self.builds += 1
        self.line = Pipe(self.primary.port)
        self.standby = self.primary.make_standby(
            self.folder / f"standby-{self.builds}", port, self.line.port)
        self.primary.require_standby()

    def urls(self, rig):
        """Both servers; the service looks for the one that takes writes."""
        one = rig.url()
        host = f"127.0.0.1:{self.primary.port}"
        both = one.replace(host, f"{host},127.0.0.1:{self.standby.port}")
        return both + "&target_session_attrs=read-write"

    def fail_over(self):
        """The primary is dead: the standby takes over, without a standby of its own."""
        self.line.cut_all(refuse=True)
        self.standby.promote()
        old, self.primary, self.standby = self.primary, self.standby, None
        self.ground.cluster = self.primary
        return old

    def remove(self):
        if self.line:
            self.line.close()
        for server in filter(None, (self.standby, self.primary)):
            server.remove()


class PairRig(Rig):
    """A rig whose service knows both servers."""

    def __init__(self, pair, **options):
        self.pair = pair
        super().__init__(pair.ground, **options)

    def start_on_both(self, count):
        wanted = self.pair.urls(self)
        for _ in range(count):
            self.add_instance(wanted).start()


@contextlib.contextmanager
def pair_of(context):
    """For one round: the servers are gone behind it."""
    context.rounds = getattr(context, "rounds", 0) + 1
    folder = context.folder / f"pair-{context.id}-{context.seed}-{context.rounds}"
    folder.mkdir()
    folder.chmod(0o755)
    made = Pair(context.ground.programs, folder)
    try:
        yield made
    finally:
        made.remove()
        shutil.rmtree(folder, ignore_errors=True)
