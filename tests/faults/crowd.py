"""Clients and SQL callers who are answered without exception, whatever happens beside them."""
import contextlib
import http.client
import secrets
import subprocess
import threading

answers_each_step = 300
seconds_max = 60


class Crowd:
    """Clients of every instance that is told to it, and SQL callers; who is refused says so."""

    def __init__(self, drill, url):
        self.drill, self.url, self.lock = drill, url, threading.Condition()
        self.numbers, self.wrong, self.threads, self.enough = [], [], [], threading.Event()

    def note(self, number):
        with self.lock:
            self.numbers.append(number)
            self.lock.notify_all()

    def fail(self, what):
        with self.lock:
            self.wrong.append(what)
            self.lock.notify_all()

    def client(self, instance):
        connection = http.client.HTTPConnection("127.0.0.1", instance.port, timeout=20)
        headers = {"Authorization": f"Bearer {self.drill.token}",
                   "Content-Type": "application/json"}
        while not self.enough.is_set():
            connection.request("POST", "/v1/series/s/numbers", '{"reference":"r"}',
                               headers | {"Idempotency-Key": secrets.token_hex(16)})
            answer = connection.getresponse()
            text = answer.read().decode()
            if answer.status != 201:
                return self.fail(f"{answer.status} {text}")
            self.note(int(text.split('"numbers":["')[1].split('"')[0]))

    def watcher(self, instance):
        while not self.enough.is_set():
            status, found = instance.ask("GET", "/readyz")
            if status != 200:
                return self.fail(f"readyz {status} {found}")

    def caller(self):
        """A session that goes on calling what it prepared once, as applications do."""
        script = ("prepare one as select number from gapless.issue('s', 1, reference => 'r');\n"
                  + "execute one;\n" * 200)
        while not self.enough.is_set():
            done = subprocess.run(
                ["psql", "--no-psqlrc", "-qAt", "--set=ON_ERROR_STOP=1", "-f", "-", self.url],
                input=script, text=True, capture_output=True)
            for number in done.stdout.split():
                self.note(int(number))
            if done.returncode != 0:
                return self.fail(done.stderr)

    def begin(self, target, *instances):
        thread = threading.Thread(target=self.guarded, args=(target, *instances), daemon=True)
        self.threads.append(thread)
        thread.start()

    def guarded(self, target, *instances):
        try:
            target(*instances)
        except Exception as error:  # pylint: disable=broad-except
            self.fail(repr(error))

    def clients(self, instance, count=6):
        for _ in range(count):
            self.begin(self.client, instance)
        self.begin(self.watcher, instance)

    def go_on(self):
        """Until everybody has been answered some more."""
        with self.lock:
            wanted = len(self.numbers) + answers_each_step
            served = self.lock.wait_for(
                lambda: self.wrong or len(self.numbers) >= wanted, seconds_max)
        assert served and not self.wrong, self.wrong[:3]

    def stop(self):
        self.enough.set()
        for thread in self.threads:
            thread.join(seconds_max)
        self.threads.clear()
        self.enough.clear()
        assert not self.wrong, self.wrong[:3]


@contextlib.contextmanager
def crowd(drill, url):
    people = Crowd(drill, url)
    try:
        yield people
    finally:
        people.enough.set()
