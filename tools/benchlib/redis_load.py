# The peer outside of PostgreSQL: INCR of a Redis that flushes every command (appendfsync always).
import csv
import io
import shutil
import socket
import subprocess
import time

from benchlib.http_load import reaped_cpu
from benchlib.usage import Usage
from harness.processes import Failure, run, start

ready_seconds_max = 10


def redis_is_installed():
    return bool(shutil.which("redis-server") and shutil.which("redis-benchmark"))


class Redis:
    def __init__(self, folder):
        folder.mkdir()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = ["redis-server", "--port", self.port, "--bind", "127.0.0.1", "--dir", folder]
        command += ["--appendonly", "yes", "--appendfsync", "always", "--save", ""]
        command += ["--auto-aof-rewrite-percentage", "0"]
        self.process = start(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.rates = {}  # by clients: redis-benchmark takes a number of requests, not a time
        self.wait_until_ready()

    def wait_until_ready(self):
        deadline = time.monotonic() + ready_seconds_max
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                    connection.sendall(b"CONFIG GET appendfsync\r\n")
                    if b"always" in connection.recv(200):
                        return
            except OSError:
                time.sleep(0.05)
        raise Failure("redis-server is not ready")

    def increase(self, clients, requests):
        """-> one line of redis-benchmark's CSV, by column"""
        command = ["redis-benchmark", "-h", "127.0.0.1", "-p", self.port, "-c", clients]
        command += ["-n", requests, "--csv", "INCR", "counter"]
        output = run(command, "run redis-benchmark")
        return next(csv.DictReader(io.StringIO(output)))

    def measure(self, clients, seconds):
        if clients not in self.rates:
            self.rates[clients] = float(self.increase(clients, 200 + 50 * clients)["rps"])
        requests = max(clients, int(self.rates[clients] * seconds))
        usage = Usage(service=[self.process.pid])
        client_before = reaped_cpu()
        line = self.increase(clients, requests)
        cpu = usage.since() | {"client": reaped_cpu() - client_before}
        rate = float(line["rps"])
        self.rates[clients] = rate
        return {
            "requests_per_second": rate, "rate": rate,
            "mean_ms": float(line["avg_latency_ms"]), "p50_ms": float(line["p50_latency_ms"]),
            "p99_ms": float(line["p99_latency_ms"]), "max_ms": float(line["max_latency_ms"]),
            "cpu_us": {group: 1e6 * used / requests for group, used in cpu.items()},
        }
