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

import database

stopped_seconds = 2
start_seconds_max = 60


def judge(home, tool):
    """What is wrong, in words."""
    server = subprocess.check_output([*tool, "start", home], text=True).strip()
    postmaster = int(pathlib.Path(home, "data/postmaster.pid").read_text().split()[0])
    os.kill(postmaster, signal.SIGSTOP)
    started = subprocess.Popen([*tool, "start", home], text=True, stdout=subprocess.PIPE)
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
    tool = [database.root / "tools/cluster"]
    with tempfile.TemporaryDirectory(prefix="gapless-killed-") as folder:
        os.chmod(folder, 0o755)
        home = folder + "/cluster"
        try:
            wrong = judge(home, tool)
        finally:
            subprocess.run([*tool, "stop", home, "--mode", "immediate", "--remove"], check=True)
    print("\n".join(wrong) or "started again")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
