#!/usr/bin/env python3
"""tools/cluster start, while the process of the server is there and does not answer.

A server that was killed a moment ago looks just so: its process and its lock file stay until its
memory is given back, and its port still accepts. Here it is stopped instead, so that the moment
lasts; `start` has to wait, and once the process is gone, to start another.
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2]))
from harness import database  # noqa: E402
from harness.cluster import Cluster  # noqa: E402

stopped_seconds = 2
start_seconds_max = 60


def judge(cluster):
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


def main():
    with tempfile.TemporaryDirectory(prefix="gapless-killed-") as folder:
        os.chmod(folder, 0o755)
        cluster = Cluster(folder + "/cluster")
        try:
            wrong = judge(cluster)
        finally:
            cluster.remove()
    print("\n".join(wrong) or "started again")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
