"""What the drills of the reserve share: a series with a reserve, answers of an outage, and what the
database says of leases."""
import json
import pathlib
import re
import secrets

import drill  # first: it knows where the harness is

reserve = 500
first = 1001  # of the numbers on lease


def with_reserve(drill):
    """A new server with a series that has a reserve -> its URL. A number has left: with it a block
    opens, of which there may be a lease."""
    url = drill.stock()
    code, _, error = drill.gapless(url, "issue", "s")
    assert code == 0, error
    set_reserve(drill, url, reserve)
    return url


def set_reserve(drill, url, numbers):
    code, _, error = drill.gapless(url, "series", "set", "s", "--reserve", str(numbers))
    assert code == 0, error


class Leasing(drill.Instance):
    """One that runs already where a block begins."""

    def __enter__(self):
        return self


def begin(ours, url, journal=None, taken=True, **environment):
    """An instance that is ready, and has its lease when `taken`."""
    made = Leasing(ours.token, url, ours.folder, f"gaplessd-{secrets.token_hex(4)}",
                   journal=ours.journals if journal is None else journal,
                   options=["--lease-time", "8h"])
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

    def same_again(self, instance):
        """Every key gives the body it gave, to the byte."""
        for key, body in self.bodies.items():
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


def send(drill, instance, key, count=1, **also):
    """-> (status, text)"""
    return instance.call("POST", "/v1/series/s/numbers", drill.token,
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


def records(drill, url):
    return int(drill.psql(url, "select count(*) from gapless.lease_record"))


def nothing_lost(drill, url):
    """verify is clean, and each ordinal has left, is free, or on lease."""
    drill.clean(url)
    gone = drill.psql(url, "select gapless.tally.held - coalesce(sum(gapless.size_of(h.held)), 0)"
                      " from gapless.tally left join gapless.hold h using (series_id)"
                      " group by gapless.tally.held")
    assert gone == "0", gone
