# Where and on what a benchmark ran.
import datetime
import os
import pathlib
import platform
import shlex
import subprocess
import sys

from harness.processes import root, run


def first_line_with(file, name):
    for line in pathlib.Path(file).read_text().splitlines():
        if line.startswith(name):
            return line.partition(":")[2].strip()
    return None


def commit():
    """The commit's name, with + when files differ from it; None outside of git."""
    git = ["git", "-C", root, "describe", "--always", "--abbrev=10", "--dirty=+"]
    done = subprocess.run(git, capture_output=True, text=True)
    return done.stdout.strip() or None


def collect(cluster, programs, folder):
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "command": shlex.join(["tools/bench", *sys.argv[1:]]),
        "commit": commit(),
        "version": run([programs / "gaplessd", "--version"], "run gaplessd --version").strip(),
        "machine": {
            "processors": os.cpu_count(),
            "model": first_line_with("/proc/cpuinfo", "model name"),
            "memory": first_line_with("/proc/meminfo", "MemTotal"),
            "kernel": platform.release(),
            "file_system": run(["stat", "-fc", "%T", folder], "look at the disk").strip(),
            "load_before": os.getloadavg()[0],
            "fdatasync_us": cluster.fdatasync_us(),
            "postgresql": cluster.facts(),
        },
    }
