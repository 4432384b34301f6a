#!/usr/bin/env python3
"""Webhooks of real services to real receivers that fail: nothing is lost, and all is in order.

  webhook_drills.py [NAME...]   all drills, or these; each has a server of its own

What a receiver accepted is held against the notices in the database: every one came, in the order
of their numbers, and what came twice came under the same id.
"""
import contextlib
import random
import signal
import threading
import time

from drill import run_drills  # first: it knows where the harness is
from harness import database
from harness.receiver import Receiver, slow

networks = ["--webhook-networks", "127.0.0.0/8"]
series = ["s", "t", "u", "v"]
seconds_max = 90
ALL_NOTICES = "select id from gapless.notice where seq > {after} order by seq"
NOT_NUMBERED = "select count(*) from gapless.notice where seq is null"


class Office:
    """Somebody who loads blocks into four series, one after the other: each load is a notice."""

    def __init__(self, drill, url):
        self.url, self.blocks, self.after = url, 0, 0
        for name in series[1:]:
            database.admin(url, "series", "create", name, "--carrier", f"c-{name}")
        drill.token = database.create_token(url, "office")

    def begin(self):
        """What happened before is nobody's."""
        self.after = self.published()

    def published(self):
        """Waits until all that was done has its number -> the last one"""
        wait_for(lambda: self.ask(NOT_NUMBERED) == "0", "numbers of notices")
        return int(self.ask("select last from gapless.notice_bounds()") or 0)

    def ask(self, sql):
        return database.psql(self.url, sql)

    def load(self, instance, count):
        for _ in range(count):
            self.blocks += 1
            first = 10_000_000 + 100 * self.blocks
            block = {"first": str(first), "last": str(first + 9),
                     "confirm_warnings": ["short-validity", "other-length", "other-prefix",
                                          "other-size", "neighbour", "much-stock"]}
            target = f"/v1/series/{series[self.blocks % len(series)]}/blocks"
            status, said = instance.ask("POST", target, block, f"block {self.blocks}")
            assert status == 201, said

    def notices(self):
        """The ids of what was published since it began, in their order."""
        self.published()
        return self.ask(ALL_NOTICES.format(after=self.after)).split()


def wait_for(condition, what, limit=seconds_max):
    deadline = time.monotonic() + limit
    while not condition():
        assert time.monotonic() < deadline, f"waited {limit} s for {what}"
        time.sleep(0.05)


def hook(instance, receiver, **about):
    """Has notices delivered there -> the webhook's path"""
    status, made = instance.ask("POST", "/v1/webhooks", {"url": receiver.url, **about})
    assert status == 201 and made["secret"].startswith("whsec_"), made
    receiver.secrets.append(made["secret"])
    return f"/v1/webhooks/{made['id']}"


def arrived(receiver, office):
    """Waits until all is there, and looks at how it came -> how many came again"""
    expected = set(office.notices())
    wait_for(lambda: receiver.ids() >= expected, f"{len(expected)} notices at {receiver.url}")
    found = receiver.faults(office.notices())
    assert not found, found[:5]
    return len(receiver.accepted) - len(receiver.ids())


def sends(instance):
    """How often this process got the turn to send, and has it no more."""
    return len(instance.events("webhooks_sent_here")) > len(
        instance.events("webhooks_not_sent_here"))


@contextlib.contextmanager
def two_instances(drill):
    """The office of a new database, and two services of it."""
    url = drill.stock()
    office = Office(drill, url)
    with contextlib.ExitStack() as stack:
        both = [drill.instance(url, options=networks) for _ in range(2)]
        for each in both:
            stack.callback(lambda running=each: running.alive and running.stop())
            each.start()
        office.begin()
        yield office, both


def sender_killed(drill):
    """kill -9 of whoever sends, again and again, in the middle of deliveries."""
    with two_instances(drill) as (office, both):
        dice = random.Random(4711)

        def moody(_):
            """Mostly well, after a moment in which the sender may die."""
            time.sleep(dice.random() / 10)
            return dice.choices([204, 500, None], [200, 1, 1])[0]

        receiver = Receiver(moody)
        hook(both[0], receiver)
        kills = 0
        for _ in range(8):
            before = len(receiver.accepted)
            office.load(both[0], 30)
            wait_for(lambda: sum(map(sends, both)) == 1, "a sender")
            wait_for(lambda wanted=before + 3: len(receiver.accepted) > wanted, "deliveries")
            next(filter(sends, both)).restart()
            kills += 1
        again = arrived(receiver, office)
        print(f"{kills} kills, {len(receiver.ids())} notices, {again} came twice", flush=True)


def sender_frozen(drill):
    """A sender that is frozen loses its turn, and does no harm when it wakes."""
    with two_instances(drill) as (office, both):
        receiver = Receiver(lambda _: time.sleep(0.2) or 204)
        hook(both[0], receiver)
        office.load(both[0], 20)
        wait_for(lambda: sum(map(sends, both)) == 1, "a sender")
        sender = next(filter(sends, both))
        other = next(each for each in both if each is not sender)
        wait_for(lambda: len(receiver.accepted) > 3, "deliveries")
        sender.signal(signal.SIGSTOP)
        office.load(other, 20)
        arrived(receiver, office)
        assert sends(other)
        sender.signal(signal.SIGCONT)
        wait_for(lambda: not sends(sender), "the frozen one to see that its turn is over")
        office.load(other, 20)
        arrived(receiver, office)
        other.kill()
        office.load(sender, 20)
        arrived(receiver, office)
        assert sends(sender)


def slow_host(drill):
    """Sixty webhooks at a host that takes nine seconds for each hold up nobody else."""
    with two_instances(drill) as (office, both):
        late, good = Receiver(lambda _: slow(_, 9), "127.0.0.2"), Receiver()
        for _ in range(60):
            hook(both[0], late)
        hook(both[0], good)
        office.load(both[0], 1)
        arrived(good, office)
        for _ in range(3):
            begun = time.monotonic()
            office.load(both[0], 10)
            arrived(good, office)
            took = time.monotonic() - begun
            print(f"ten notices took {took:.1f} s", flush=True)
            assert took < 9, "the good receiver waited for the slow host"


if __name__ == "__main__":
    threading.stack_size(256 * 1024)  # a receiver has one for each connection
    run_drills([sender_killed, sender_frozen, slow_host])
