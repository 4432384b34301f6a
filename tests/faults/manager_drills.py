#!/usr/bin/env python3
"""gaplessd under a service manager: sockets it inherits, what it reports, and the health check.

  manager_drills.py [NAME...]   all drills, or these

The drill speaks the manager's side of sd_listen_fds(3) and sd_notify(3).
"""
import contextlib
import http.client
import os
import pathlib
import secrets
import signal
import socket
import threading
import time

from drill import Instance, programs, run_drills  # first: it knows where the harness is
from harness.instance import holdable
from harness.processes import clean_environment, tell

nowhere = "postgresql://127.0.0.1:1/nowhere"  # /livez needs no database
seconds_max = 30
sign_seconds = 0.1


class Manager:
    """The socket of a service manager."""

    def __init__(self, name):
        self.name = name
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + name[1:] if name[0] == "@" else name)

    def told(self, limit=seconds_max):
        """-> the fields of the next message; None: there was none in time"""
        self.socket.settimeout(limit)
        try:
            lines = self.socket.recv(65536).decode().splitlines()
        except TimeoutError:
            return None
        return dict(line.split("=", 1) for line in lines)

    def next(self, name):
        """-> the next message with that field; signs of life come in between"""
        deadline = time.monotonic() + seconds_max
        while time.monotonic() < deadline:
            message = self.told() or {}
            if name in message:
                return message
            assert set(message) <= {"WATCHDOG"}, f"{message} instead of {name}"
        raise AssertionError(f"no {name}")


def instance(drill, url=nowhere, **about):
    return Instance("", url, drill.folder, f"gaplessd-{secrets.token_hex(4)}", None,
                    about.pop("options", ()), (), drill.journals, **about)


def says(*words, environment=None, **options):
    """-> (exit code, standard output, standard error) of a gaplessd that ends by itself"""
    return tell([programs / "gaplessd", *words], "run gaplessd", seconds_max,
                env=clean_environment(GAPLESS_DATABASE_URL=nowhere, **environment or {}), **options)


def live(connection):
    connection.request("GET", "/livez")
    answer = connection.getresponse()
    return answer.status, answer.read(), answer.getheader("Connection")


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("gapless", timeout=seconds_max)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def reports(drill):
    """READY when /livez answers, RELOADING and READY, STOPPING; to a path and an abstract name."""
    for name in str(drill.folder / "notify"), f"@gapless-{secrets.token_hex(8)}":
        manager = Manager(name)
        run = instance(drill, options=["--drain-time-max", "30s", "--stop-time-max", "60s"])
        run.start(ready=False, NOTIFY_SOCKET=name)
        ready = manager.told()
        assert ready["READY"] == "1" and ready["MAINPID"] == str(run.process.pid), ready
        assert ready["STATUS"] == f"serves at 127.0.0.1:{run.port}", ready
        kept = http.client.HTTPConnection("127.0.0.1", run.port, timeout=seconds_max)
        assert live(kept)[0] == 200

        before = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        run.signal(signal.SIGHUP)
        reloading = manager.told()
        after = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
        assert reloading["RELOADING"] == "1", reloading
        assert before <= int(reloading["MONOTONIC_USEC"]) <= after, (before, reloading, after)
        assert manager.told()["READY"] == "1"

        run.signal(signal.SIGTERM)
        assert manager.told()["STOPPING"] == "1"
        # Drained: one more answer, and the last.
        assert live(kept) == (200, b'{"status":"ok"}', "close")
        kept.close()
        assert run.process.wait(seconds_max) == 0
        run.reap()
        # Without WATCHDOG_USEC there are no signs of life, and after the end nothing.
        assert manager.told(0.01) is None


def busy_manager(drill):
    """A manager that does not read holds up nobody, and is told everything in the end."""
    manager = Manager(str(drill.folder / "notify"))
    sender = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    sender.setblocking(False)
    filled = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            sender.sendto(b"X=1", manager.name)
            filled += 1
    run = instance(drill).start(ready=False, NOTIFY_SOCKET=manager.name)
    assert run.call("GET", "/livez")[0] == 200
    assert [manager.told() for _ in range(filled)] == [{"X": "1"}] * filled
    assert manager.told()["READY"] == "1"
    assert run.stop() == 0


def hung_loop(drill):
    """Signs of life come from the thread that serves: when it hangs, they stop."""
    manager = Manager(str(drill.folder / "notify"))
    period = {"NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": int(sign_seconds * 2_000_000)}
    run = instance(drill).start(ready=False, WATCHDOG_PID=1, **period)
    assert manager.told()["READY"] == "1"
    assert manager.told(5 * sign_seconds) is None  # they are meant for another process
    assert run.stop() == 0
    assert manager.told()["STOPPING"] == "1"

    run = instance(drill)
    run.start(ready=False, GAPLESS_FAILPOINT="request_read:delay=6000", **period)
    assert manager.told()["READY"] == "1"
    for _ in range(5):
        assert manager.told() == {"WATCHDOG": "1"}
    hanging = threading.Thread(target=lambda: run.call("POST", "/v1/series/s/numbers", "x", {}))
    hanging.start()
    deadline = time.monotonic() + 6
    while manager.told(2) is not None:  # 20 periods without a sign
        assert time.monotonic() < deadline, "the thread hangs, and signs of life come"
    hanging.join(seconds_max)
    for _ in range(5):
        assert manager.told() == {"WATCHDOG": "1"}
    assert run.stop() == 0


def inherited(drill):
    """LISTEN_FDS replaces `listen`: sockets of IPv4, IPv6 and Unix, which outlive the program."""
    path = str(drill.folder / "service")
    unix = socket.socket(socket.AF_UNIX)
    unix.bind(path)
    unix.listen()
    sockets = [holdable(socket.create_server(("127.0.0.1", 0))),
               holdable(socket.create_server(("::1", 0), family=socket.AF_INET6)), holdable(unix)]
    addresses = [each.getsockname() for each in sockets[:2]]

    def connections():
        return [*(http.client.HTTPConnection(*each[:2], timeout=seconds_max) for each in addresses),
                UnixConnection(path)]

    for _ in range(2):
        run = instance(drill, sockets=sockets).start(ready=False)
        for connection in connections():
            assert live(connection)[0] == 200
            connection.close()
        assert [each["address"] for each in run.events("listening")] == [
            f"127.0.0.1:{addresses[0][1]}", f"[::1]:{addresses[1][1]}", f"unix:{path}"]
        told = run.events("sockets_inherited")[0]
        assert (told["sockets"], told["ignored"]) == (3, "listen = 127.0.0.1:0"), told
        # Nothing of it is inherited further, and the kernel keeps who comes meanwhile.
        variables = pathlib.Path(f"/proc/{run.process.pid}/fdinfo").iterdir()
        flags = {int(each.name): each.read_text().split("flags:")[1].split()[0]
                 for each in variables if int(each.name) in (3, 4, 5)}
        assert all(int(each, 8) & os.O_CLOEXEC for each in flags.values()), flags
        assert run.stop() == 0
    waiting = connections()
    for connection in waiting:
        connection.request("GET", "/livez")
    run = instance(drill, sockets=sockets).start(ready=False)
    assert [each.getresponse().status for each in waiting] == [200] * 3
    assert run.stop() == 0


def handed_wrongly(drill):
    """What is no listening stream socket is refused, and so is plain HTTP to others."""
    script = 'LISTEN_FDS=${1} LISTEN_PID=${2:-$$} exec "$3" 3<&"$4"'

    def start(count, opened, process="", *options):
        number = opened if isinstance(opened, int) else opened.fileno()
        return tell(["bash", "-c", script + ' "${@:5}"', "bash", count, process,
                     programs / "gaplessd", number, "--listen", "127.0.0.1:0", *options],
                    "start gaplessd", seconds_max, pass_fds=[number],
                    env=clean_environment(GAPLESS_DATABASE_URL=nowhere))

    with open(os.devnull, "rb") as file:
        datagrams = holdable(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        silent = holdable(socket.socket())
        everywhere = holdable(socket.create_server(("0.0.0.0", 0)))
        for count, opened, words in (
                ("1", datagrams, "descriptor 3, which is a socket of datagrams or packets"),
                ("1", silent, "descriptor 3, which does not listen"),
                ("1", file, "descriptor 3, which is no socket"),
                ("65", everywhere, "LISTEN_FDS = '65'"), ("x", everywhere, "LISTEN_FDS = 'x'"),
                ("-1", everywhere, "LISTEN_FDS = '-1'"),
                ("1", everywhere, f"the socket 0.0.0.0:{everywhere.getsockname()[1]} of LISTEN")):
            code, _, error = start(count, opened)
            assert code == 2 and words in error, (code, error)

    # Those of another process are not ours.
    run = instance(drill).start(ready=False, LISTEN_FDS=1, LISTEN_PID=1)
    assert run.call("GET", "/livez")[0] == 200
    assert run.events("sockets_not_inherited")[0]["listen_pid"] == "1"
    assert run.stop() == 0


def check(drill):
    """--check is 0 if /readyz is 200, else 1, and says why; --no-journal leaves no folder."""
    url = drill.stock()
    with drill.instance(url, options=["--no-journal"]) as run:
        run.wait_ready()
        address = f"127.0.0.1:{run.port}"
        for words in (["--check", f"http://{address}"], ["--check", f"http://{address}/"],
                      ["--check", address], ["--check", f"http://{address}/readyz"],
                      ["--check", "--listen", address], ["--listen", f":{run.port}", "--check"]):
            code, out, error = says(*words)
            assert code == 0 and out.startswith('ready: {"status":"ok"'), (words, out, error)
        for words, why in (([f"http://{address}/nothing"], "404"),
                           (["http://127.0.0.1:1"], "Connection refused"),
                           ([f"https://{address}"], "the TLS handshake failed"),
                           (["http://:"], "allowed: a URL"),
                           (["--listen", "127.0.0.1:0"], "names no port")):
            code, _, error = says("--check", *words)
            assert code == 1 and why in error, (words, code, error)
        assert not drill.journals.exists()
    silent = socket.create_server(("127.0.0.1", 0))
    code, _, error = says("--check", f"http://127.0.0.1:{silent.getsockname()[1]}")
    assert code == 1 and "no answer within" in error, (code, error)
    with instance(drill) as away:
        code, _, error = says("--check", f"http://127.0.0.1:{away.port}")
        assert code == 1 and 'not ready: 503 {"status":' in error, (code, error)
    code, _, error = says("--no-journal", "--journal", str(drill.folder / "kept"))
    assert code == 2 and "--no-journal" in error, (code, error)
    code, out, _ = says("--no-journal", "--print-config")
    assert code == 0 and 'journal = ""  # option' in out, out


if __name__ == "__main__":
    run_drills([reports, busy_manager, hung_loop, inherited, handed_wrongly, check])
