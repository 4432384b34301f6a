"""Programs that a test or a benchmark starts: ended by their id, and with us at the latest."""
import contextlib
import os
import pathlib
import signal
import subprocess
import threading

root = pathlib.Path(__file__).resolve().parents[2]
pg_bin = pathlib.Path(subprocess.check_output([root / "tools/lib/postgres_bin"], text=True).strip())
build_folder = root / os.environ.get("GAPLESS_BUILD", "build")
programs = pathlib.Path(os.environ.get("GAPLESS_BIN_DIR", build_folder / "check/bin"))
KEPT = ("GAPLESS_BUILD", "GAPLESS_CLUSTER_CACHE", "GAPLESS_PG_BIN")  # they configure the tools
children = []  # what we started and have not seen end


class Failure(Exception):
    """What makes a test or a figure impossible or worthless; the text is for the user."""


def clean_environment(**additions):
    """Ours without what configures gapless or libpq: nobody must reach another database."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("GAPLESS_", "PG")) or name in KEPT
    }
    return kept | {name: str(value) for name, value in additions.items()}


def as_server(command):
    """In front of what has to run as the server's user, which is not root."""
    if os.geteuid() != 0:
        return list(command)
    # Whoever changes who he is does not hear of his parent's end any more, unless he asks again.
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups",
            "--pdeathsig", "TERM", *command]


def start(command, **options):
    """Starts a process that ends with the thread that started it, and that the terminal's Ctrl-C
    does not reach."""
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


def tell(command, purpose, seconds_max=120, text="", **options):
    """Runs a program with a text as standard input -> (exit status, standard output, standard
    error)"""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    child = start(command, **pipes, text=True, **options)
    try:
        output, errors = child.communicate(text, timeout=seconds_max)
    except subprocess.TimeoutExpired as expired:
        raise Failure(f"could not {purpose} within {seconds_max} s") from expired
    finally:
        stop(child)
    return child.returncode, output, errors


def run(command, purpose, seconds_max=120, text="", **options):
    """The same -> its standard output. A failure shows its last words."""
    status, output, errors = tell(command, purpose, seconds_max, text, **options)
    if status != 0:
        words = (errors.strip() or output.strip()).splitlines()[-5:]
        shown = "\n".join(f"    {line}" for line in words)
        raise Failure(f"could not {purpose} (status {status})\n{shown}")
    return output
