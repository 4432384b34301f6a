# R07 to R14: copies, recalls, keys that are answered twice, a database that only hangs or is slow.
import shutil
import signal
import threading
import time

from harness.history import OK
from torturelib.case import case
from torturelib.pair import PairRig, pair_of
from torturelib.proxy import Pipe
from torturelib.reserve import (
    blocks, crowd_of, drawn, finish, has_full_lease, identity, judge, outage, prepare, reserve_rig,
    set_reserve, settled_seconds_max, start_one, start_with_reserve, wait_drawn,
    wait_settled, wait_taken, wait_until)

lease_time = 5  # seconds, where it has to pass


def held_of(rig, name):
    """How many numbers an instance has on lease, of the database's opinion."""
    return int(rig.sql(
        "select coalesce(sum(gapless.size_of(h.held)), 0) from gapless.lease l"
        f" join gapless.hold h using (series_id, turn, ordinal) where l.instance = '{name}'"))


@case("R07", "the folder of the journal is copied", "copies", 2, commit=1, night=6, release=60)
def copied_folder(context):
    """In an outage; the copy is started as soon as the database is back, before the original."""
    with reserve_rig(context) as rig:
        start_with_reserve(rig, 1)
        crowd = crowd_of(rig, context, reuse_in_100=0)
        for number in range(context.n):
            crowd.wait_for_more(10)
            original = rig.instances[0]
            name = identity(original)
            with outage(rig):
                wait_drawn(rig, 10)
                copied = rig.folder / f"copied-{number}"
                shutil.copytree(original.journal, copied)
                wait_drawn(rig, 10)
                original.signal(signal.SIGSTOP)
            copy = rig.add_instance(rig.url())
            copy.journal = copied
            start_one(copy)
            wait_until(lambda: copy.events("reserve_adopted"), "the copy settles nothing")
            time.sleep(1.5)  # a pass of its lease manager and a half
            context.expect(held_of(rig, name) > 0, "the copy returned what is not its own")
            copy.kill()
            rig.ports.remove(copy.ports[copy.number])
            rig.instances.remove(copy)
            original.signal(signal.SIGCONT)
            context.recover(crowd, 10, limit=settled_seconds_max)
            wait_settled(rig)
        finish(context, rig, crowd)


@case("R08", "an outage that outlasts the lease", "outages", 1, night=1, release=4)
def longer_than_the_lease(context):
    """By turns: the instance lives on, or is started when the database is back."""
    with reserve_rig(context) as rig:
        start_with_reserve(rig, 1, lease_time=f"{lease_time}s")
        for number in range(2 * context.n):
            crowd = crowd_of(rig, context, reuse_in_100=0, seed=context.seed + number)
            crowd.wait_for_more(10)
            instance = rig.instances[0]
            with outage(rig):
                wait_drawn(rig, 10)
                if number % 2:
                    instance.kill()
                time.sleep(5 * lease_time)
                before = drawn(rig)
                time.sleep(1)
                context.expect(drawn(rig) == before, "it draws on a lease that is over")
            if number % 2:
                start_one(instance, f"{lease_time}s")
            context.recover(crowd, 10, limit=settled_seconds_max)
            crowd.stop()
            wait_settled(rig)
        finish(context, rig, crowd_of(rig, context, reuse_in_100=0, seed=context.seed + 999))


@case("R09", "a recall while the instance is cut off", "recalls", 2, commit=1, night=6, release=60)
def recall(context):
    """It does not hear of it, and goes on; when it does it settles, returns, and has nothing more
    to draw on."""
    with reserve_rig(context) as rig:
        line = Pipe(rig.cluster.port)
        start_with_reserve(rig, 1, through=line.port)
        crowd = crowd_of(rig, context)
        for _ in range(context.n):
            set_reserve(rig, rig.reserve)
            wait_taken(rig, rig.instances[0])
            crowd.wait_for_more(10)
            cut(rig, line)
            wait_drawn(rig, 10)
            rig.sql("select gapless.lease_recall_all('hot', 'torture')")
            set_reserve(rig, None)
            wait_drawn(rig, 10)
            line.refusing = False
            context.recover(crowd, 10, limit=settled_seconds_max)
            wait_until(lambda: held_of(rig, identity(rig.instances[0])) == 0,
                       "what was recalled is not returned")
            before = drawn(rig)
            cut(rig, line)
            time.sleep(2)
            context.expect(drawn(rig) == before, "it draws on what was recalled")
            line.refusing = False
        set_reserve(rig, rig.reserve)
        finish(context, rig, crowd)
        line.close()


def cut(rig, line):
    rig.faults.append(time.monotonic_ns())
    line.cut_all(refuse=True)


@case("R10", "a key from yesterday in an outage", "outages", 1, night=2, release=20)
def old_keys(context):
    """At the instance that answered it: the same answer. At one that was started since: another
    number, and it is reported."""
    with reserve_rig(context) as rig:
        start_with_reserve(rig, 2)
        client, wishes = rig.client(), []
        for number in range(20):
            wishes.append({"series": "hot", "key": f"yesterday {context.seed} {number}",
                           "count": 1 + number % 3})
            client.issue(wishes[-1], number % 2)
        rig.instances[1].restart()
        wait_taken(rig, rig.instances[1])
        with outage(rig):
            again = [client.issue_once(wish, number % 2) for number, wish in enumerate(wishes)]
            same = [a for a in again[0::2] if a.fate != OK or a.reserve]
            context.expect(not same, f"{len(same)} keys that the instance had answered got"
                           " something else")
            other = [a for a in again[1::2] if not a.reserve]
            context.expect(not other, f"{len(other)} keys were not answered from the reserve")
        rig.history.mark_healed()
        wait_settled(rig)
        client.issue({"series": "hot", "key": "after it", "count": 1})
        wait_settled(rig)
        rig.faults.clear()
        twice = rig.sql("select count(*) from gapless.lease_record where spent_key is not null")
        context.expect(twice == "10", f"{twice} keys are reported as answered twice, not 10")
        judge(context, rig)


@case("R11", "the synchronous standby hangs", "hangs", 2, commit=1, night=6, release=60)
def hung_standby(context):
    """The primary answers, and no COMMIT ends: after a second numbers come from the reserve."""
    with pair_of(context) as pair, context.counted(PairRig(pair, blocks=blocks)) as rig:
        prepare(rig)
        start_with_reserve(rig, 1)
        crowd = crowd_of(rig, context)
        for _ in range(context.n):
            crowd.wait_for_more(15)
            pair.line.hold()
            rig.faults.append(time.monotonic_ns())
            began = time.monotonic()
            wait_drawn(rig, 10, seconds_max=10)
            took = time.monotonic() - began
            context.expect(took < 5, f"the reserve served after {took:.1f} s")
            pair.line.hold(False)
            context.recover(crowd, 15, limit=settled_seconds_max)
            wait_settled(rig)
        finish(context, rig, crowd)


slow_commit_us = 30_000


@case("R12", "a database that is only slow", "crowds", 3, commit=1, night=6, release=60)
def slow_database(context):
    """A hundred at once, and each COMMIT takes 30 ms: nobody is answered from the reserve."""
    with reserve_rig(context) as rig:
        rig.cluster.configure("commit_siblings", 0)
        rig.cluster.configure("commit_delay", slow_commit_us)
        try:
            start_with_reserve(rig, 1)
            lease = identity(rig.instances[0])
            before = rig.instances[0].metric("gapless_issue_requests_total")
            for number in range(context.n):
                clients = [rig.client() for _ in range(100)]
                wishes = [{"series": "hot", "key": f"at once {context.seed} {number} {n}",
                           "count": 1} for n in range(100)]
                threads = [threading.Thread(target=c.issue, args=(w,), daemon=True)
                           for c, w in zip(clients, wishes)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join(60)
            asked = rig.instances[0].metric("gapless_issue_requests_total") - before
            context.expect(asked >= 100 * context.n, f"only {asked} requests arrived")
            context.expect(drawn(rig) == 0, f"{drawn(rig)} answers came from the reserve")
            context.expect(has_full_lease(rig, rig.instances[0]) and
                           identity(rig.instances[0]) == lease, "the lease was exchanged")
            context.judge(rig)
        finally:
            rig.cluster.configure("commit_delay", 0)


@case("R13", "two instances answer one key", "keys", 20, commit=10, night=60, release=1_000)
def one_key_twice(context):
    with reserve_rig(context) as rig:
        start_with_reserve(rig, 2)
        client, other = rig.client(), rig.client()
        client.issue({"series": "hot", "key": "the first", "count": 1})
        with outage(rig):
            for number in range(context.n):
                wish = {"series": "hot", "key": f"of both {context.seed} {number}",
                        "count": 1 + number % 3}
                both = client.issue(wish, 0), other.issue(wish, 1)
                context.expect(all(a.reserve for a in both), "not answered from the reserve")
        rig.history.mark_healed()
        wait_settled(rig)
        client.issue({"series": "hot", "key": "the last", "count": 1})
        wait_settled(rig)
        twice = rig.sql("select count(*) from gapless.lease_record where spent_key is not null")
        context.expect(twice == str(context.n),
                       f"{twice} keys are reported as answered twice, not {context.n}")
        rig.faults.clear()
        judge(context, rig)


@case("R14", "the memory of an instance is lost in an outage", "kills", 6, commit=1, night=24,
      release=600)
def lost_memory(context):
    """What was flushed is settled, what was not was not answered; no number is missing behind it,
    and the rest leaves first."""
    with reserve_rig(context) as rig:
        start_with_reserve(rig, 1)
        crowd = crowd_of(rig, context, reuse_in_100=0)
        for _ in range(context.n):
            crowd.wait_for_more(5)
            with outage(rig):
                wait_drawn(rig, context.dice.randrange(5, 60))
                time.sleep(context.dice.random() * 0.02)
                rig.instances[0].kill()
            start_one(rig.instances[0])
            context.recover(crowd, 5, limit=settled_seconds_max)
            wait_settled(rig)
        finish(context, rig, crowd)
