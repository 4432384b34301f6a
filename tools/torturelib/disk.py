# A disk so small that it can be filled: ext4 on a loop device, else a tmpfs of limited size.
import contextlib
import os
import shutil
import subprocess

from torturelib.case import Impossible


class SmallDisk:
    """Mounted at `folder` until remove(); fill() leaves no room on it."""

    def __init__(self, folder, megabytes):
        self.folder, self.image = folder, folder.with_suffix(".img")
        folder.mkdir()
        if os.geteuid() != 0:
            raise Impossible("mounting a small disk takes root")
        with self.image.open("wb") as image:
            image.truncate(megabytes << 20)
        made = (self.call("mkfs.ext4", "-q", "-m", "0", self.image)
                and self.call("mount", "-o", "loop", self.image, folder))
        self.kind = "ext4" if made else "tmpfs"
        if not made and not self.call(
                "mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder):
            raise Impossible("this machine does not permit to mount a small disk")
        folder.chmod(0o755)

    def call(self, *command):
        with contextlib.suppress(OSError):
            return subprocess.run(command, capture_output=True).returncode == 0
        return False

    def new_folder(self, name):
        """One that belongs to the server's user."""
        made = self.folder / name
        made.mkdir()
        made.chmod(0o700)
        shutil.chown(made, "postgres", "postgres")
        return made

    def fill(self):
        """Writes until nothing fits any more."""
        with contextlib.suppress(OSError), (self.folder / "filler").open("ab", 0) as filler:
            for size in (1 << 20, 1 << 12, 1 << 9, 1):
                with contextlib.suppress(OSError):
                    while filler.write(b"\0" * size):
                        pass
        os.sync()

    def free(self):
        (self.folder / "filler").unlink()

    def remove(self):
        if not self.call("umount", self.folder):
            self.call("umount", "--lazy", self.folder)
        self.image.unlink(missing_ok=True)


@contextlib.contextmanager
def small_disk(context, megabytes):
    """For one case."""
    made = SmallDisk(context.folder / "disk", megabytes)
    try:
        yield made
    finally:
        made.remove()
