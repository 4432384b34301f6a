#!/usr/bin/env python3
"""tools/cluster start, while the process of the server is there and does not answer.

A server that was killed a moment ago looks just so: its process and its lock file stay until its
memory is given back, and its port still accepts. Here it is stopped instead, so that the moment
lasts; `start` has to wait, and once the process is gone, to start another.

And a second cluster, whose data directory is a copy of the first one's: another server.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from harness import database  # noqa: E402
from harness.cluster import Cluster  # noqa: E402

stopped_seconds = 2
start_seconds_max = 60


def judge_restart(cluster):
    """What is wrong, in words."""
    server = cluster.start()
    postmaster = cluster.postmaster
    os.kill(postmaster, signal.SIGSTOP)
    started = subprocess.Popen([database.root / "tools/cluster", "start", cluster.folder],
                               text=True, stdout=subprocess.PIPE)
    try:
        started.wait(stopped_seconds)
        return ["start calls a server running that answers nobody"]
    except subprocess.TimeoutExpired:
        pass
    finally:
        os.kill(postmaster, signal.SIGKILL)
    url = started.communicate(timeout=start_seconds_max)[0].strip()
    if started.returncode != 0:
        return [f"start ended with {started.returncode}"]
    if url != server:
        return [f"the server that was at {server} is at {url} now"]
    return [] if database.psql(url, "select 1;") == "1" else ["the new server does not answer"]


def judge_copy(cluster, other):
    """The same; a copy that could be taken for the other server would hide a clone of it."""
    other.start()
    about = "select system_identifier from pg_control_system();"
    identifiers = [each.psql("postgres", about) for each in (cluster, other)]
    if identifiers[0] == identifiers[1]:
        return [f"two servers have the identifier {identifiers[0]}"]
    settings = other.psql("postgres", "show data_checksums; show fsync;").split()
    return [] if settings == ["on", "on"] else [f"checksums and fsync of a copy: {settings}"]


def main():
    with tempfile.TemporaryDirectory(prefix="gapless-killed-") as folder:
        os.chmod(folder, 0o755)
        clusters = [Cluster(f"{folder}/{name}") for name in ("cluster", "other")]
        try:
            wrong = judge_restart(clusters[0]) + judge_copy(*clusters)
        finally:
            for cluster in clusters:
                cluster.remove()
    print("\n".join(wrong) or "started again; a copy is another server")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
