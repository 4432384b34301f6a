# Clients in threads: a random mix of new requests, repeats, wrong reuse, reads and releases.
import random
import threading
import time
import uuid

from harness.history import OK
from harness.processes import Failure


class Plan:
    """What each client does; "in 100" are shares of its turns."""

    def __init__(self, series=("hot",), clients=6, count_max=10, repeat_in_100=10, reuse_in_100=3,
                 read_in_100=5, hold_in_100=0, contiguous_in_100=0, names=("shop", "returns"),
                 seed=1, same_keys=False, pause=0.0):
        self.series, self.clients, self.count_max = tuple(series), clients, count_max
        self.repeat, self.reuse, self.read = repeat_in_100, reuse_in_100, read_in_100
        self.hold, self.names, self.seed, self.same_keys = hold_in_100, names, seed, same_keys
        self.pause, self.contiguous = pause, contiguous_in_100


class Crowd:
    """Starts at once; each client sees each of its keys through to a definite outcome. `rig` gives
    a client(name, ports); `over` is set when nobody is interested any more, `patience` is how
    many seconds may pass without what is waited for."""

    def __init__(self, rig, plan, ports=None):
        self.rig, self.plan, self.ports = rig, plan, ports
        self.stopping, self.lock = threading.Event(), threading.Lock()
        self.issued, self.failure = 0, None
        self.known = {name: [] for name in plan.names}  # wishes sent, newest last
        self.spent = {name: [] for name in plan.names}
        self.threads = [
            threading.Thread(target=self.work, args=(n,), daemon=True) for n in range(plan.clients)]
        for thread in self.threads:
            thread.start()

    def work(self, number):
        name = self.plan.names[number % len(self.plan.names)]
        dice = random.Random(self.plan.seed * 1_000_003 + number)
        client = self.rig.client(name, self.ports)
        try:
            while not (self.stopping.is_set() or self.rig.over.is_set()):
                self.take_turn(client, name, number, dice)
                if self.plan.pause:
                    time.sleep(dice.random() * self.plan.pause)
        except Exception as error:  # the case sees it in wait_for_more or stop
            self.failure = self.failure or error
            self.stopping.set()
        finally:
            client.connection.close()

    def new_wish(self, dice, number):
        if self.plan.same_keys:  # every owner uses the same names for its requests
            key = f"order-{len(self.known[self.plan.names[number % len(self.plan.names)]])}"
        elif dice.random() < 0.3:
            key = f"order {dice.getrandbits(64):x}"
        else:
            key = str(uuid.UUID(int=dice.getrandbits(128), version=4))
        wish = {"series": dice.choice(self.plan.series), "key": key,
                "count": dice.randint(1, self.plan.count_max),
                "reference": key[:20] if dice.random() < 0.5 else None}
        if dice.random() * 100 < self.plan.hold:
            wish["hold"] = 600
        wish["contiguous"] = dice.random() * 100 < self.plan.contiguous
        return wish

    def pick(self, wishes, dice):
        with self.lock:
            if not wishes:
                return None
            return dict(wishes[-1] if dice.random() < 0.5 else dice.choice(wishes))

    def take_turn(self, client, name, number, dice):
        share = dice.random() * 100
        instance = number if dice.random() < 0.9 else number + 1
        for limit, turn in ((self.plan.repeat, self.repeat), (self.plan.reuse, self.reuse)):
            if share < limit:
                return turn(client, name, instance, dice)
            share -= limit
        if share < self.plan.read:
            return client.read_issued(dice.choice(self.plan.series), instance)
        with self.lock:
            wish = self.new_wish(dice, number)
            self.known[name].append(wish)
        done = client.issue(wish, instance)
        if done.fate != OK:
            return None
        if wish.get("hold") and dice.random() < 0.5:
            client.release(done, instance)
        with self.lock:
            self.issued += 1
            self.spent[name].append(wish)
        return done

    def repeat(self, client, name, instance, dice):
        """A key that this or another client of the name has sent, maybe at this moment."""
        wish = self.pick(self.known[name], dice)
        if wish:
            client.issue(wish, instance)

    def reuse(self, client, name, instance, dice):
        """A spent key for another request: to be refused."""
        wish = self.pick(self.spent[name], dice)
        if wish and dice.random() < 0.5:
            client.issue_once(wish | {"count": wish["count"] + 1}, instance, op="reuse")
        elif wish:
            client.issue_once(wish | {"reference": "another"}, instance, op="reuse")

    def wait_for_more(self, issuances, seconds_max=None):
        seconds_max = seconds_max or self.rig.patience
        wanted, deadline = self.issued + issuances, time.monotonic() + seconds_max
        while self.issued < wanted and not self.stopping.is_set():
            if time.monotonic() > deadline:
                raise Failure(f"the service issued nothing for {seconds_max} s")
            time.sleep(0.005)
        if self.failure:
            raise self.failure

    def stop(self):
        """Lets each client finish its present request."""
        self.stopping.set()
        for thread in self.threads:
            thread.join(120)
        if self.failure:
            raise self.failure
