# Machines on the loopback, which take no rights: each has addresses in 127.77.0.0/16, a folder in
# which everything of it works, and a line, which is HAProxy in front of what goes in and to etcd.
import contextlib
import os
import pathlib
import signal
import socket
import time

from harness.processes import Failure, as_server, clean_environment, start
from torturelib.patroni import make_folder

# The ways to its PostgreSQL and Patroni, and from there to each member of etcd.
LINE = """
defaults
    mode tcp
    timeout connect 2s
    timeout client 1h
    timeout server 1h
"""


class Machine:
    inside, network = (), "127.0.0.0/8"

    def __init__(self, folder, name, prefix, number):
        self.folder, self.name = folder / name, name
        self.address, self.reached_at = f"{prefix}.{number}", f"{prefix}.{number + 100}"
        self.line = None

    def way_to(self, stores):
        """The line of patroni.yml that says where etcd is: at the end of ours, which stands from
        now on."""
        ways = {port: f"{self.address}:{port}" for port in (5432, 8008)}
        etcd = {2300 + n: f"{store.address}:2379" for n, store in enumerate(stores)}
        file = make_folder(self.folder.with_suffix(".line")) / "haproxy.cfg"
        file.write_text(LINE + "".join(
            f"listen to-{port}\n    bind {self.reached_at}:{port}\n    server there {end}\n"
            for port, end in (ways | etcd).items()))
        self.line = start_haproxy(file)
        ours = ",".join(f"{self.reached_at}:{port}" for port in etcd)
        return f"use_proxies: true\n  hosts: {ours}"

    def pids(self):
        """What works in our folder; PostgreSQL is nobody's child, and hides its environment."""
        for entry in pathlib.Path("/proc").iterdir():
            with contextlib.suppress(OSError, ValueError):
                if f"{os.readlink(entry / 'cwd')}/".startswith(f"{self.folder}/"):
                    yield int(entry.name)

    def signal(self, number):
        """Everything that runs on this machine: its death, its freezing, its thawing."""
        deadline = time.monotonic() + 10
        while found := list(self.pids()):
            for pid in found:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
            if number != signal.SIGKILL or time.monotonic() > deadline:
                break  # else until nothing is left, and nothing new was started meanwhile

    def cut(self, _):
        """Nothing that is sent arrives; nobody is told."""
        self.line.send_signal(signal.SIGSTOP)

    def heal(self):
        self.line.send_signal(signal.SIGCONT)

    def remove(self):
        self.signal(signal.SIGKILL)


class Loopback:
    etcd_apart = False

    def __init__(self, folder):
        self.folder, self.hosts = folder, []
        self.prefix, self.claim = claim_prefix()

    def add(self, name, number):
        added = Machine(self.folder, name, self.prefix, number)
        self.hosts.append(added)
        return added


def claim_prefix():
    """-> 127.77.N, which nobody else of us has, and the socket that says so"""
    for number in range(1, 255):
        claim = socket.socket()
        try:
            claim.bind((f"127.77.{number}.1", 2380))
            return f"127.77.{number}", claim
        except OSError:
            claim.close()
    raise Failure("each network of 127.77.0.0/16 is taken")


def start_haproxy(file):
    with file.with_suffix(".log").open("w") as log:
        return start(as_server(["/usr/sbin/haproxy", "-db", "-f", file]), stdout=log, stderr=log,
                     cwd=file.parent, env=clean_environment())
