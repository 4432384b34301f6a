#!/usr/bin/env python3
"""All faults in one run, judged by what clients were answered alone: no number is valid for two
keys at one time.

  client_ledger_drills.py [NAME...]   all drills, or these

Two instances with a reserve, a standby that every COMMIT waits for, and clients that issue, hold,
confirm, release and repeat keys without a break: while the database is away, an instance is
killed, a copy of it runs beside it, an older dump is restored into it, and the standby takes over.
"""
import collections
import contextlib
import json
import math
import random
import secrets
import threading
import time

from drill import run_drills
from live_restore_drills import dump, restored
from reserve_parts import begin, set_reserve, stop_database, wait_settled

answers_each_phase = 150
repeated_max = 5000
seconds_max = 90


class Ledger:
    """What clients were told of each number: by key, when the key was answered with it, and when
    its holder asked to release it."""

    def __init__(self):
        self.answered = collections.defaultdict(list)  # (number, key): (sent, received)
        self.given_up = collections.defaultdict(list)  # the same, unless the release was refused
        self.lock = threading.Lock()

    def answer(self, key, numbers, sent, received):
        with self.lock:
            for number in numbers:
                self.answered[number, key].append((sent, received))

    def release(self, key, numbers, sent, received):
        with self.lock:
            for number in numbers:
                self.given_up[number, key].append((sent, received))

    def span(self, number, key):
        """From when until when the number was certainly the key's."""
        answers = self.answered[number, key]
        last_sent = max(sent for sent, _ in answers)
        ends = [sent for sent, received in self.given_up.get((number, key), ())
                if received > last_sent]
        return min(received for _, received in answers), min(ends, default=math.inf)

    def doubles(self):
        """The numbers that were two keys' at one time -> {number: the keys}"""
        keys = collections.defaultdict(list)
        for number, key in self.answered:
            keys[number].append(key)
        found = {}
        for number, owners in keys.items():
            spans = sorted((*self.span(number, key), key) for key in owners)
            for (_, end, one), (begun, _, other) in zip(spans, spans[1:]):
                if begun < end:
                    found[number] = (one, other)
        return found


def judge(_):
    """The judge itself: a number that came back may be issued again, any other not."""
    ledger = Ledger()
    ledger.answer("a", [1, 2, 3], 0, 1)
    ledger.answer("b", [4], 0, 1)
    assert not ledger.doubles()
    ledger.release("a", [2, 3], 2, 3)
    ledger.answer("c", [2], 2.5, 4)
    assert not ledger.doubles()
    ledger.answer("d", [1], 5, 6)
    assert ledger.doubles() == {1: ("a", "d")}, ledger.doubles()
    ledger.answer("a", [3], 7, 8)  # its release was not carried out
    ledger.answer("e", [3], 9, 10)
    assert set(ledger.doubles()) == {1, 3}, ledger.doubles()


class Clients:
    """Threads that go on whatever comes, until the end."""

    def __init__(self, instances):
        self.instances, self.ledger = instances, Ledger()
        self.held, self.keys, self.told = {}, [], collections.Counter()
        self.lock, self.over = threading.Condition(), threading.Event()
        self.wrong = []

    def told_so(self, what, status):
        with self.lock:
            self.told[what, status] += 1
            self.lock.notify_all()

    def issue(self, instance, key, count, hold):
        also = {"hold_seconds": 3600} if hold else {}
        sent = time.monotonic()
        status, found = instance.issue(count, key, **also)
        if status == 201:
            self.ledger.answer(key, found["numbers"], sent, time.monotonic())
            with self.lock:
                if found.get("state") == "held":
                    self.held[key] = found
        self.told_so("reserve" if found.get("reserve") else "issue", status)
        return status

    def settle(self, instance, chance):
        """Confirms or releases what a key holds, all of it or its first number."""
        with self.lock:
            if not self.held:
                return
            key, found = self.held.popitem()
        body = {}
        if chance.random() < 0.5:
            body = {"ranges": [{"first": found["numbers"][0], "last": found["numbers"][0]}]}
        how = chance.choice(["confirm", "release", "release"])
        sent, status, why = time.monotonic(), 0, {}
        try:
            status, why = instance.ask("POST", f"/v1/issuances/{found['id']}/{how}", body)
        finally:
            refused = 400 <= status < 500 or why.get("executed") == "no"
            if how == "release" and not refused:
                numbers = found["numbers"][:1] if body else found["numbers"]
                self.ledger.release(key, numbers, sent, time.monotonic())
        self.told_so(how, status)

    def work(self, seed):
        chance = random.Random(seed)
        while not self.over.is_set():
            instance = chance.choice(self.instances)
            try:
                with contextlib.suppress(OSError, json.JSONDecodeError):
                    self.act(instance, chance)
            except Exception as error:  # pylint: disable=broad-except
                self.wrong.append(repr(error))
                return

    def act(self, instance, chance):
        what = chance.random()
        if what < 0.3:
            return self.settle(instance, chance)
        if what < 0.55 and self.keys:
            return self.issue(instance, *chance.choice(self.keys))
        request = secrets.token_hex(16), chance.randint(1, 3), chance.random() < 0.5
        with self.lock:
            self.keys.append(request)
        return self.issue(instance, *request)

    def answered(self, what="issue", wanted=answers_each_phase):
        """Until so many more were answered with 201."""
        with self.lock:
            wanted += self.told[what, 201]
            served = self.lock.wait_for(
                lambda: self.wrong or self.told[what, 201] >= wanted, seconds_max)
        assert served and not self.wrong, (what, self.wrong[:3], self.told)

    @contextlib.contextmanager
    def at_work(self, count=6):
        threads = [threading.Thread(target=self.work, args=(seed,)) for seed in range(count)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.over.set()
            for thread in threads:
                thread.join()
        assert not self.wrong, self.wrong[:3]

    def nothing_twice(self):
        found = self.ledger.doubles()
        assert not found, (len(found), list(found.items())[:5])


def away(drill, instances, clients):
    """The database is gone: the reserve answers, and all of it is settled."""
    stop_database(drill, *instances)
    clients.answered("reserve")
    drill.start()
    for each in instances:
        wait_settled(each)
    clients.answered()


def beside(drill, instances, clients):
    """A copy of the whole cluster runs while the original goes on: it issues nothing."""
    stop_database(drill, *instances)
    clone = drill.copy_cluster("clone")
    drill.start()
    with open(clone / "data/postgresql.auto.conf", "a") as alone:
        alone.write("synchronous_standby_names = ''\n")
    copy = drill.start(clone)
    with drill.instance(copy, drill.folder / "of the clone") as stranger:
        stranger.fenced("clone")
        for _ in range(20):
            assert clients.issue(stranger, secrets.token_hex(16), 1, False) == 503
    drill.stop(clone, "immediate")
    for each in instances:
        wait_settled(each)
    clients.answered()


def older_dump(drill, url, instances, clients):
    """It is restored into the database in use: everybody is fenced, until two people open an
    epoch with what the journals say."""
    tries = 0
    while not restored(url, drill.folder, "--clean", "--if-exists", "--single-transaction"):
        tries += 1  # a deadlock with somebody at work took all of it back
        assert tries < 20, "the restore was taken back each time"
    for each in instances:
        each.wait_for(lambda each=each: each.ask("GET", "/readyz")[1]["fenced"])
        each.stop()
    folders = [str(each.journal) for each in instances]
    journals = [word for folder in folders for word in ("--journal", folder)]
    leases = [word for folder in folders for word in ("--leases", folder)]
    epoch = drill.psql(url, "select max(epoch) + 1 from gapless.epoch")
    code, _, error = drill.gapless(url, "epoch", "reconcile", "--reason", "restored", *journals)
    assert code == 0, error
    drill.open_epoch(url, "--reason", "restored", "--confirm-epoch", epoch, "--yes", *journals,
                     *leases)
    for each in instances:
        code, _, error = drill.gapless(url, "lease", "recover", str(each.journal))
        assert code == 0, error
        for file in each.journal.glob("*.lease"):  # a forgotten lease's would wait there for ever
            file.rename(drill.folder / file.name)
        each.start()
    clients.answered()


def all_faults(drill):
    there, url = drill.with_standby("--setting", "synchronous_standby_names=*")
    code, _, error = drill.gapless(url, "issue", "s")
    assert code == 0, error
    set_reserve(drill, url, 5000)
    with begin(drill, url, drill.folder / "one") as one, begin(
            drill, url, drill.folder / "two") as two:
        instances, clients = [one, two], Clients([one, two])
        with clients.at_work():
            clients.answered()
            dump(drill, url, "-Fc")
            clients.answered()
            away(drill, instances, clients)
            one.kill()
            clients.answered()
            one.start()
            beside(drill, instances, clients)
            older_dump(drill, url, instances, clients)
            stop_database(drill, *instances)
            clients.answered("reserve")
            drill.psql(there, "alter system set synchronous_standby_names = ''")
            drill.psql(there, "select pg_promote()")
            for each in instances:
                wait_settled(each)
            clients.answered()
        # What they are told now belongs to the ledger, too.
        for request in random.Random(0).sample(clients.keys, min(repeated_max, len(clients.keys))):
            clients.issue(two, *request)
    clients.nothing_twice()
    print(f"{len(clients.keys)} keys, {dict(sorted(clients.told.items()))}", flush=True)
    drill.clean(there)


drills = [judge, all_faults]


if __name__ == "__main__":
    run_drills(drills)
