# A gaplessd of a run: started with failpoints, killed, started again.
import http.client
import json
import os
import pathlib
import re
import signal
import time

from benchlib.processes import BenchFailure, clean_environment, forget, start

ready_seconds_max = 30


class Instance:
    """One process at a time; its port stays in `ports` at `number`, where clients look."""

    def __init__(self, programs, folder, number, database_url, ports, options=()):
        self.programs, self.folder, self.number = programs, pathlib.Path(folder), number
        self.database_url, self.ports, self.options = database_url, ports, list(options)
        self.process, self.starts = None, 0

    def start(self, ready=True, **environment):
        """With GAPLESS_FAILPOINT …; waits until it is ready."""
        self.starts += 1
        self.log = self.folder / f"gaplessd-{self.number}-{self.starts}.log"
        # A process dies with the thread that started it: only the main thread starts one.
        with self.log.open("w") as log:
            self.process = start(
                [self.programs / "gaplessd", "--listen", "127.0.0.1:0", *self.options],
                stdout=log, stderr=log,
                env=clean_environment(
                    GAPLESS_DATABASE_URL=self.database_url,
                    GAPLESS_JOURNAL=self.folder / "journal", **environment))
        self.ports[self.number] = self.wait_for_port()
        if ready:
            self.wait_ready()

    def wait_for_port(self):
        deadline = time.monotonic() + ready_seconds_max
        while time.monotonic() < deadline and self.process.poll() is None:
            found = re.search(r'"event": *"listening".*?"address": *"[^"]*:(\d+)"',
                              self.log.read_text())
            if found:
                return int(found.group(1))
            time.sleep(0.02)
        raise BenchFailure(f"gaplessd does not listen:\n{self.last_words()}")

    def readiness(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[self.number], timeout=5)
        try:
            connection.request("GET", "/readyz")
            answer = connection.getresponse()
            text = answer.read().decode()
            return answer.status, text
        except (OSError, http.client.HTTPException) as error:
            return 0, str(error)
        finally:
            connection.close()

    def wait_ready(self, seconds_max=ready_seconds_max):
        deadline = time.monotonic() + seconds_max
        status, text = 0, ""
        while time.monotonic() < deadline and self.process.poll() is None:
            status, text = self.readiness()
            if status == 200:
                return
            time.sleep(0.02)
        raise BenchFailure(f"gaplessd is not ready: {status} {text}\n{self.last_words()}")

    def last_words(self):
        return "\n".join(f"    {line}" for line in self.log.read_text().splitlines()[-4:])

    def events(self, name):
        """The lines of its present log that are this event."""
        lines = [line for line in self.log.read_text().splitlines() if line.startswith("{")]
        return [line for line in map(json.loads, lines) if line.get("event") == name]

    @property
    def alive(self):
        return self.process is not None and self.process.poll() is None

    def signal(self, number):
        if self.alive:
            os.kill(self.process.pid, number)

    def kill(self):
        """kill -9, and the end of it"""
        self.signal(signal.SIGKILL)
        self.reap()

    def stop(self, seconds_max=20):
        """SIGTERM -> its exit status"""
        self.signal(signal.SIGTERM)
        status = self.process.wait(seconds_max)
        forget(self.process)
        return status

    def reap(self):
        if self.process is not None:
            self.process.wait(10)
            forget(self.process)

    def restart(self, ready=True, **environment):
        self.kill()
        self.start(ready, **environment)
