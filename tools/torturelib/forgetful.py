# A disk that forgets at a power failure what was not flushed: tests/faults/torture/forgetful_disk.
import contextlib
import os
import shutil
import subprocess
import time

from harness.processes import Failure, forget, root, start
from torturelib.case import Impossible

sources = [root / "tests/faults/torture" / name
           for name in ("forgetful_disk.cpp", "unsynced_files.cpp")]
mount_seconds_max = 10


def build(folder):
    """The program that serves such a disk, compiled once a case."""
    program = folder / "forgetful_disk"
    if os.geteuid() != 0 or not os.access("/dev/fuse", os.R_OK | os.W_OK):
        raise Impossible("mounting with FUSE takes root and /dev/fuse")
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "fuse3"], text=True,
                           capture_output=True)
    if flags.returncode != 0:
        raise Impossible("libfuse3-dev is not installed (tools/install_night)")
    command = ["g++", "-std=c++20", "-O1", "-Wall", "-Wextra", "-o", program, *sources,
               *flags.stdout.split()]
    made = subprocess.run(command, text=True, capture_output=True)
    if made.returncode != 0:
        raise Failure(f"the forgetful disk was not compiled:\n{made.stderr}")
    return program


class ForgetfulDisk:
    """What is in `folder` shows `below`, as far as it was flushed and in between."""

    def __init__(self, program, folder):
        self.program, self.folder, self.process = program, folder, None
        self.below = folder.with_suffix(".below")
        for made in (self.folder, self.below):
            made.mkdir()
            made.chmod(0o755)
        self.power_on()

    def power_on(self):
        self.process = start([self.program, self.below, self.folder])
        deadline = time.monotonic() + mount_seconds_max
        while not os.path.ismount(self.folder):
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise Impossible("this machine does not permit to mount with FUSE")
            time.sleep(0.02)

    def unsynced(self):
        """How many bytes the power would take with it now."""
        return int(os.getxattr(self.folder, "user.unsynced"))

    def power_off(self):
        """What was in its memory is gone. Who still uses it meets errors."""
        self.process.kill()
        self.process.wait()
        forget(self.process)
        subprocess.run(["umount", "--lazy", self.folder], check=True)

    def remove(self):
        with contextlib.suppress(OSError, subprocess.CalledProcessError):
            self.power_off()
        shutil.rmtree(self.below, ignore_errors=True)


@contextlib.contextmanager
def forgetful_disk(context):
    """For one case."""
    made = ForgetfulDisk(build(context.folder), context.folder / "power")
    try:
        yield made
    finally:
        made.remove()
