# A network of its own inside this machine: a bridge with hosts on it, each a network namespace, and
# the lines between them in our hand. We stand on the bridge, too, and see nothing else meanwhile.
import contextlib
import ctypes
import os
import shutil
import signal
import subprocess

from harness.processes import Failure, run
from torturelib.case import Impossible

CLONE_NEWNET = 0x40000000
NETWORK = "10.77.0"
OUR_ADDRESS = f"{NETWORK}.254"


class Host:
    """A namespace with one address; what runs in it is a machine of its own, but for its disk."""

    def __init__(self, name, number):
        self.name, self.address = f"gapless-{os.getpid()}-{name}", f"{NETWORK}.{number}"
        self.network, self.reached_at = f"{NETWORK}.0/24", self.address
        self.inside = ["ip", "netns", "exec", self.name]
        line = f"gl{number}"
        run(["ip", "netns", "add", self.name], "make a network namespace")
        for command in (
                ["ip", "link", "add", line, "type", "veth", "peer", "name", "eth0", "netns",
                 self.name],
                ["ip", "link", "set", line, "master", "bridge0", "up"],
                [*self.inside, "ip", "address", "add", f"{self.address}/24", "dev", "eth0"],
                [*self.inside, "ip", "link", "set", "eth0", "up"],
                [*self.inside, "ip", "link", "set", "lo", "up"]):
            run(command, "connect a network namespace")

    def pids(self):
        told = subprocess.run(["ip", "netns", "pids", self.name], capture_output=True, text=True)
        return [int(pid) for pid in told.stdout.split()]

    def signal(self, number):
        """Everything that runs on this host: its death, its freezing, its thawing."""
        for pid in self.pids():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def cut(self, others):
        """Packets between it and these hosts are lost, in both directions."""
        rules = "".join(f"add rule inet cut {way} ip {side} {other.address} drop\n"
                        for other in others for way, side in (("out", "daddr"), ("in", "saddr")))
        run([*self.inside, "nft", "-f", "-"], "cut a line", text=(
            "add table inet cut\n"
            "add chain inet cut out { type filter hook output priority 0; }\n"
            "add chain inet cut in { type filter hook input priority 0; }\n" + rules))

    def heal(self):
        subprocess.run([*self.inside, "nft", "delete", "table", "inet", "cut"],
                       capture_output=True)

    def way_to(self, stores):
        """The line of patroni.yml that says where etcd is."""
        return "hosts: " + ",".join(f"{store.address}:2379" for store in stores)

    def remove(self):
        self.signal(signal.SIGCONT)
        self.signal(signal.SIGKILL)
        subprocess.run(["ip", "netns", "delete", self.name], capture_output=True)


class Network:
    etcd_apart = True  # on hosts of its own

    def __init__(self):
        self.hosts = []

    def add(self, name, number):
        added = Host(name, number)
        self.hosts.append(added)
        return added


def need(*programs):
    """Where they are looked for: Debian keeps some where only root looks."""
    places = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    missing = [name for name in programs if not shutil.which(name, path=places)]
    if missing:
        raise Impossible(f"{', '.join(missing)} missing; tools/install_night installs them")


def switch(handle_or_flag, function):
    libc = ctypes.CDLL(None, use_errno=True)
    if function == "unshare":
        failed = libc.unshare(handle_or_flag)
    else:
        failed = libc.setns(handle_or_flag, CLONE_NEWNET)
    if failed:
        raise Impossible("this machine does not permit network namespaces: "
                         + os.strerror(ctypes.get_errno()))


@contextlib.contextmanager
def network():
    """Moves this thread, and every thread and process it starts meanwhile, onto a bridge of its
    own."""
    if os.geteuid() != 0:
        raise Impossible("network namespaces take root")
    need("ip", "nft")
    home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    switch(CLONE_NEWNET, "unshare")
    made = Network()
    try:
        try:
            for command in (["ip", "link", "set", "lo", "up"],
                            ["ip", "link", "add", "bridge0", "type", "bridge"],
                            ["ip", "address", "add", f"{OUR_ADDRESS}/24", "dev", "bridge0"],
                            ["ip", "link", "set", "bridge0", "up"]):
                run(command, "make a bridge")
        except Failure as failure:
            raise Impossible(f"this machine does not permit a bridge: {failure}") from failure
        yield made
    finally:
        for host in made.hosts:
            host.remove()
        switch(home, "setns")
        os.close(home)
