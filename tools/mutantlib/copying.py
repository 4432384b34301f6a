# The copy of the tree that is broken: the same folder, seen through an overlay that only our own
# processes have. What they write is in memory and gone with them, so nothing broken can survive,
# and because nothing has another name there, what was built before need not be built again.
import os
import pathlib
import subprocess
import sys
import tempfile

from harness.processes import root

CANNOT_RUN = 3  # the exit status
INSIDE = "--inside"  # the option with which this program calls itself in there


preset = "check"  # whose programs are tried
_chosen = None


def choose_build(folder):
    """Another folder than that of the preset; None: that one"""
    global _chosen
    _chosen = folder and folder.resolve()


def build_folder():
    folder = pathlib.Path(os.environ.get("GAPLESS_BUILD", root / "build")).resolve()
    return _chosen or folder / preset


def kept_folder():
    """Where results stay, beside the build: the one folder that is not a copy."""
    return build_folder().parent / "mutants"


def refuse(why):
    """Ends this program: it cannot break a copy of the tree here."""
    print(f"tools/mutants cannot make its copy of the tree: {why}", file=sys.stderr)
    sys.exit(CANNOT_RUN)


def run_inside(words):
    """This program once more, in a copy -> its exit status"""
    unshare = ["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child",
               "--mount-proc"]
    if os.geteuid() != 0 or subprocess.run([*unshare, "true"], capture_output=True).returncode:
        refuse("it needs root and a kernel that allows namespaces")
    kept_folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="gapless-mutants-") as folder:
        os.chmod(folder, 0o755)  # the server runs as somebody else
        return subprocess.run([*unshare, sys.executable, *words, INSIDE, folder]).returncode


def mount(*words):
    done = subprocess.run(["mount", *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        refuse(done.stderr.strip())


def enter(folder):
    """In the namespace of run_inside: covers the tree with its copy."""
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", folder)
    (folder / "kept").mkdir()
    mount("--bind", kept_folder(), folder / "kept")
    originals = [root]
    if not build_folder().is_relative_to(root):
        originals.append(build_folder())  # kept_folder() lies beside it
    for place, original in enumerate(originals):
        upper, work = folder / f"written-{place}", folder / f"work-{place}"
        upper.mkdir()
        work.mkdir()
        layers = f"lowerdir={original},upperdir={upper},workdir={work}"
        mount("-t", "overlay", "-o", layers, "overlay", original)
    mount("--bind", folder / "kept", kept_folder())
    os.chdir(root)
