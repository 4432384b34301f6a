# What the measurements share that need one instance of gaplessd on a PostgreSQL of its own.
from benchlib import facts
from benchlib.cluster import Cluster
from benchlib.http_load import HttpLoad
from benchlib.service import Service
from harness.processes import stop_all


class OneServiceBench:
    """A measurement: run() starts everything and gives the result, close() ends it. `load` and
    `connections_max` are the subclass's."""

    def __init__(self, options, programs, folder):
        self.options, self.programs, self.folder = options, programs, folder
        self.cluster = Cluster(folder / "postgres")

    def start(self):
        """-> what the result begins with: the machine and the versions"""
        self.cluster.start(self.connections_max)
        self.service = Service(self.programs, self.cluster, self.folder, "gapless")
        self.service.start(1, self.connections_max)
        self.http = HttpLoad(self.service, self.cluster, self.folder, self.load)
        found = facts.collect(self.cluster, self.programs, self.folder)
        self.cluster.warm_up_wal(600)
        return found

    def close(self):
        stop_all()
        self.cluster.remove()
