# The server of a case and a synchronous standby of it, with the line between them in our hand.
import contextlib

from torturelib.proxy import Pipe


class Pair:
    """The standby gets its WAL through `line`."""

    def __init__(self, ground):
        self.ground, self.builds, self.line, self.standby = ground, 0, None, None

    @property
    def primary(self):
        return self.ground.cluster

    def build_standby(self, port="auto"):
        """A new one for the present primary, required for every COMMIT."""
        self.builds += 1
        self.line = Pipe(self.primary.port)
        folder = self.ground.folder / f"standby-{self.ground.rigs}-{self.builds}"
        self.standby = self.primary.make_standby(folder, port, self.line.port)
        self.primary.require_standby()

    def urls(self, rig):
        """Both servers; the service looks for the one that takes writes."""
        host = f"127.0.0.1:{self.primary.port}"
        both = rig.url().replace(host, f"{host},127.0.0.1:{self.standby.port}")
        return both + "&target_session_attrs=read-write"

    def fail_over(self):
        """The primary is dead: the standby takes over, without a standby of its own, and the dead
        one's port is free for the next."""
        self.line.close()
        self.line = None
        self.standby.promote()
        old, self.ground.cluster, self.standby = self.primary, self.standby, None
        old.remove()
        return old.port


@contextlib.contextmanager
def pair_of(context):
    made = Pair(context.ground)
    try:
        made.build_standby()
        yield made
    finally:
        if made.line:
            made.line.close()
        if made.standby:
            made.primary.require_standby(False)
            made.standby.remove()
