# The CPU time that processes take.
import contextlib
import os
import pathlib

ticks_per_second = os.sysconf("SC_CLK_TCK")


def own_seconds(process):
    """CPU time of the threads of /proc/PID to the nanosecond. The kernel's ticks of 10 ms are more
    than one of hundreds of sessions uses in a measurement."""
    files = (process / "task").glob("*/schedstat")
    return sum(int(file.read_text().split()[0]) for file in files) / 1e9


def process_table():
    """{pid: (parent, CPU seconds of children it has reaped)}"""
    table = {}
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            text = pathlib.Path("/proc", entry, "stat").read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended meanwhile
        fields = text.rpartition(")")[2].split()
        reaped = (int(fields[13]) + int(fields[14])) / ticks_per_second
        table[int(entry)] = (int(fields[1]), reaped)
    return table


def cpu_seconds(pids):
    """What these processes and everything below them have used so far, ended children included."""
    table = process_table()
    below = {}
    for pid, (parent, _) in table.items():
        below.setdefault(parent, []).append(pid)
    total, waiting = 0.0, list(pids)
    while waiting:
        pid = waiting.pop()
        if pid not in table:
            continue
        waiting += below.get(pid, [])
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it ends right now
            total += table[pid][1] + own_seconds(pathlib.Path("/proc", str(pid)))
    return total


class Usage:
    """CPU seconds of named groups of processes, from now on."""

    def __init__(self, **groups):
        self.groups = groups
        self.before = self.read()

    def read(self):
        return {name: cpu_seconds(pids) for name, pids in self.groups.items()}

    def since(self):
        """{group: seconds} since the start."""
        return {name: after - self.before[name] for name, after in self.read().items()}
