# Processes of a benchmark: started, stopped by their id, and the CPU time they take.
import contextlib
import os
import pathlib
import signal
import subprocess
import threading

ticks_per_second = os.sysconf("SC_CLK_TCK")
children = []  # what we started and have not seen end


class BenchFailure(Exception):
    """What makes a figure impossible or worthless; the text is for the user."""


def clean_environment(**additions):
    """Ours without what configures gapless or libpq: a bench must not reach another database."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GAPLESS_", "PG")) or name in ("GAPLESS_BUILD", "GAPLESS_PG_BIN")
    }
    return kept | {name: str(value) for name, value in additions.items()}


def as_server(command):
    """In front of what has to run as the server's user, which is not root."""
    if os.geteuid() != 0:
        return list(command)
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups", *command]


def start(command, **options):
    """Starts a process that ends with us and that the terminal's Ctrl-C does not reach."""
    child = subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM", *map(str, command)],
        start_new_session=True,
        **{"stdin": subprocess.DEVNULL, **options},
    )
    children.append(child)
    return child


def stop(child, seconds_max=15):
    """Asks it and what it started to end, and insists after a while."""
    if child.poll() is None:
        os.killpg(child.pid, signal.SIGTERM)
        try:
            child.wait(seconds_max)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
    forget(child)


def forget(child):
    if child in children:
        children.remove(child)


def stop_all():
    for child in reversed(list(children)):
        stop(child)


@contextlib.contextmanager
def time_limit(child, seconds):
    """Kills the child when the block takes longer, so that whoever reads from it sees an end."""
    timer = threading.Timer(seconds, child.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def run(command, purpose, seconds_max=120, text="", **options):
    """Runs a program with a text as standard input -> its standard output. A failure shows its
    last words."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    child = start(command, **pipes, text=True, **options)
    try:
        output, errors = child.communicate(text, timeout=seconds_max)
    except subprocess.TimeoutExpired as expired:
        raise BenchFailure(f"could not {purpose} within {seconds_max} s") from expired
    finally:
        stop(child)
    if child.returncode != 0:
        words = (errors.strip() or output.strip()).splitlines()[-5:]
        shown = "\n".join(f"    {line}" for line in words)
        raise BenchFailure(f"could not {purpose} (status {child.returncode})\n{shown}")
    return output


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
