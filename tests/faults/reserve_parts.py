"""What the drills of the reserve share: a series with a reserve, answers of an outage, the line to
the database, and what the database says of leases."""
import contextlib
import json
import pathlib
import re
import secrets
import select
import socket
import threading
import time

import drill  # first: it knows where the harness is

seconds_max = 30
reserve = 500
first = 1001  # of the numbers on lease


def with_reserve(drill, numbers=reserve):
    """A new server with a series that has a reserve -> its URL. A number has left: with it a block
    opens, of which there may be a lease."""
    url = drill.stock()
    code, _, error = drill.gapless(url, "issue", "s")
    assert code == 0, error
    set_reserve(drill, url, numbers)
    return url


def set_reserve(drill, url, numbers):
    """None: no reserve any more."""
    code, _, error = drill.gapless(url, "series", "set", "s", "--reserve", str(numbers or "off"))
    assert code == 0, error


class Leasing(drill.Instance):
    """One that runs already where a block begins."""

    def __enter__(self):
        return self


def begin(ours, url, journal=None, lease_time="8h", before=(), taken=True,
          **environment):
    """An instance that is ready, and has its lease when `taken`."""
    made = Leasing(ours.token, url, ours.folder, f"gaplessd-{secrets.token_hex(4)}", before=before,
                   journal=ours.journals if journal is None else journal,
                   options=["--lease-time", lease_time])
    made.start(**environment)
    if taken:
        wait_taken(made)
    return made


def wait_taken(instance, times=1):
    instance.wait_for(lambda: len(instance.events("reserve_taken")) >= times)


def identity(instance):
    """The id under which this process has its leases."""
    return re.search(r"([0-9a-f-]{36})\.lease$", instance.events("reserve_journal")[-1]["file"])[1]


def journals(folder):
    return sorted(pathlib.Path(folder).glob("*.lease"))


class Answers:
    """What was answered from the reserve: each body as it was, by its key."""

    def __init__(self, drill):
        self.drill, self.bodies, self.places = drill, {}, []

    def draw(self, instance, key, count=1, **also):
        """One answer from the reserve -> its first number."""
        status, text = send(self.drill, instance, key, count, **also)
        assert status == 201, (status, text)
        found = json.loads(text)
        assert found["reserve"] is True, text
        self.bodies[key] = text
        self.places += [int(n) for n in found["numbers"]]
        return int(found["numbers"][0])

    def draw_many(self, instance, name, count):
        return [self.draw(instance, f"{name} {n}") for n in range(count)]

    def in_order(self):
        """No gap, each above the one before."""
        first = self.places[0]
        wanted = list(range(first, first + len(self.places)))
        assert self.places == wanted, self.places

    def same_again(self, instance, only=None):
        """Every key gives the body it gave, to the byte."""
        for key, body in self.bodies.items():
            if only and key not in only:
                continue
            count = json.loads(body)["count"]
            status, text = send(self.drill, instance, key, count)
            assert (status, text) == (201, body), (key, body, status, text)

    def found_by_id(self, instance):
        """What it shows of the issuance is what was answered."""
        for key, body in self.bodies.items():
            answered = json.loads(body)
            status, shown = instance.ask("GET", f"/v1/issuances/{answered['id']}")
            assert status == 200, (key, status, shown)
            differs = {n for n in answered if shown.get(n, answered[n]) != answered[n]}
            missing = set(answered) - set(shown) - {"numbers"}
            assert not differs and not missing, (key, answered, shown)


def send(drill, instance, key, count=1, series="s", **also):
    """-> (status, text)"""
    return instance.call("POST", f"/v1/series/{series}/numbers", drill.token,
                         {"count": count, **also}, key)


def is_cut(instance):
    return instance.readiness()[0] == 503


def stop_database(drill, *instances):
    """At once, and until each instance knows."""
    drill.stop(mode="immediate")
    for instance in instances:
        instance.wait_for(lambda: is_cut(instance))


def unsettled(instance):
    return instance.metric("gapless_lease_unsettled")


def wait_settled(instance):
    """Everything that it answered is told, and it has a lease again."""
    instance.wait_ready()
    instance.wait_for(lambda: unsettled(instance) == 0)


def records(drill, url, where="true"):
    return int(drill.psql(url, f"select count(*) from gapless.lease_record where {where}"))


def held(drill, url, name):
    """How many numbers an instance has on lease."""
    return int(drill.psql(
        url, "select coalesce(sum(gapless.size_of(h.held)), 0) from gapless.lease l"
        f" join gapless.hold h using (series_id, turn, ordinal) where l.instance = '{name}'"))


def wait_database(drill, url, question, answer="t"):
    """Until the database says so."""
    deadline = time.monotonic() + seconds_max
    while (told := drill.psql(url, question)) != answer:
        assert time.monotonic() < deadline, (question, told)
        time.sleep(0.05)


def nothing_lost(drill, url):
    """verify is clean, and each ordinal has left, is free, or on lease."""
    drill.clean(url)
    gone = drill.psql(url, "select gapless.tally.held - coalesce(sum(gapless.size_of(h.held)), 0)"
                      " from gapless.tally left join gapless.hold h using (series_id)"
                      " group by gapless.tally.held")
    assert gone == "0", gone


class Line:
    """Between an instance and its database: cut and mended without the database noticing more."""

    def __init__(self, url):
        host = re.search(r"@([^:/]+):(\d+)/", url)
        self.target = int(host[2])
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.url = url.replace(f":{self.target}/", f":{self.port}/")
        self.refusing, self.open, self.lock = False, set(), threading.Lock()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.server.accept()
                if self.refusing:
                    near.close()
                    continue
                threading.Thread(target=self.carry, args=(near,), daemon=True).start()

    def carry(self, near):
        with contextlib.suppress(OSError):
            with near, socket.create_connection(("127.0.0.1", self.target)) as far:
                with self.lock:
                    self.open |= {near, far}
                pump(near, far)
        with self.lock:
            self.open.discard(near)

    def cut(self, *instances):
        self.refusing = True
        with self.lock:
            for each in self.open:
                with contextlib.suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)
            self.open.clear()
        for instance in instances:
            instance.wait_for(lambda: is_cut(instance))

    def mend(self):
        self.refusing = False

    def close(self):
        self.cut()
        self.server.close()


def pump(near, far):
    """Until one of both ends."""
    while True:
        ready, _, _ = select.select([near, far], [], [], 60)
        for one in ready:
            data = one.recv(65536)
            if not data:
                return
            (far if one is near else near).sendall(data)


@contextlib.contextmanager
def line_to(url):
    made = Line(url)
    try:
        yield made
    finally:
        made.close()
