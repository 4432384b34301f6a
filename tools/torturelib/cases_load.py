# Cases without faults: concurrency, rollovers, races, repeats. T02, T03, T04, T05, T22.
import threading
import time

from harness.history import FAIL, OK
from harness.processes import Failure
from torturelib.case import case
from torturelib.crowd import Crowd, Plan

remaining_max = 250  # numbers of a series that is loaded as it is used up


def run_crowd(context, rig, plan, issuances):
    """So many issuances, then the verdict."""
    rig.history.mark_healed()
    crowd = Crowd(rig, plan)
    crowd.wait_for_more(issuances, 600)
    crowd.stop()
    context.judge(rig)
    return crowd


@case("T02", "instances at once", "numbers", 20_000, commit=3_000, night=60_000, release=1_000_000)
def instances_at_once(context):
    many = {f"s{n}": [(n * 10**6, n * 10**6 + 99), (n * 10**6 + 200, n * 10**6 + 900_000)]
            for n in range(1, 9)}
    with context.rig(blocks=many) as rig:
        rig.start(3)
        plan = Plan(series=many, clients=24, count_max=20, repeat_in_100=5, contiguous_in_100=5,
                    seed=context.seed)
        run_crowd(context, rig, plan, context.n // 10)


@case("T03", "one hot series", "numbers", 20_000, commit=2_000, night=40_000, release=500_000)
def one_hot_series(context):
    with context.rig() as rig:
        rig.start(4)
        plan = Plan(clients=16, count_max=10, seed=context.seed)
        run_crowd(context, rig, plan, context.n // 5)


def load_as_needed(rig, crowd, blocks):
    """Loads blocks over HTTP, each when the series has nearly run dry; before the first somebody
    was turned away."""
    client, loaded = rig.client(), 0
    while not rig.history.count(FAIL) and not crowd.stopping.is_set():
        time.sleep(0.01)
    for number, (first, last) in enumerate(blocks):
        # As the service says: a repeated key may be the first of its name that is answered.
        while loaded - client.read_issued("hot").issued > remaining_max:
            if crowd.stopping.is_set():
                break
            time.sleep(0.005)
        crowd.wait_for_more(0)  # raises what a client failed with
        if not client.load_block("hot", first, last, number):
            raise Failure(f"the block {first}-{last} was not loaded")
        loaded += last - first + 1


@case("T04", "rollover storm", "rollovers", 1_000, commit=200, night=4_000, release=100_000)
def rollover_storm(context):
    sizes = [context.dice.choice((1, 2, 3, 10, 100)) for _ in range(context.n)]
    blocks, first = [], 1
    for size in sizes + [1_000_000]:
        blocks.append((first, first + size - 1))
        first += size + context.dice.choice((0, 1, 50))
    with context.rig(blocks={"hot": []}) as rig:
        rig.start(2)
        rig.history.mark_healed()
        plan = Plan(clients=8, count_max=30, contiguous_in_100=5, pause=0.01, seed=context.seed)
        crowd = Crowd(rig, plan)
        load_as_needed(rig, crowd, blocks)
        crowd.wait_for_more(20)
        crowd.stop()
        exhausted = [a for a in rig.history.attempts if a.problem == "series-exhausted"]
        context.expect(exhausted, "nobody was told that the series is exhausted")
        spans = sum(1 for a in rig.history.attempts if a.fate == OK and len(a.ranges) > 1)
        context.result.notes["answers over several blocks"] = spans
        context.judge(rig)


@case("T05", "race for the last number", "races", 100, commit=20, night=400, release=5_000)
def last_number(context):
    racers = 16
    left = [context.dice.randrange(racers) for _ in range(context.n)]
    blocks = {f"race{n}": [(1, rest)] if rest else [] for n, rest in enumerate(left)}
    with context.rig(blocks=blocks) as rig:
        rig.start(2)
        for number, rest in enumerate(left):
            race(context, rig, f"race{number}", rest, racers)
        context.judge(rig)


def race(context, rig, series, rest, racers):
    """Exactly as many win as there are numbers."""
    together, wins = threading.Barrier(racers), []

    def run(number):
        client = rig.client(("shop", "returns")[number % 2])
        client.connection.open(rig.ports[number % 2])
        together.wait()
        wish = {"series": series, "key": f"{series}-{number}", "count": 1}
        done = client.issue(wish, number)
        wins.append((done.fate, done.problem))
        client.connection.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(racers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    won = sum(1 for fate, _ in wins if fate == OK)
    lost = sum(1 for _, problem in wins if problem == "series-exhausted")
    context.expect(won == rest and lost == racers - rest,
                   f"{series}: {rest} numbers left, {won} won, {lost} were told it is exhausted")


@case("T22", "idempotency storm", "issuances", 2_000, commit=500, night=10_000, release=200_000)
def idempotency_storm(context):
    with context.rig() as rig:
        rig.start(2)
        plan = Plan(clients=16, repeat_in_100=35, reuse_in_100=10, seed=context.seed)
        run_crowd(context, rig, plan, context.n)
        reuses = [a for a in rig.history.attempts if a.op == "reuse"]
        wrong = [a for a in reuses if a.status != 422]
        context.expect(not wrong, f"{len(wrong)} reused keys were not answered with 422")
        context.result.notes["reused keys answered with 422"] = len(reuses) - len(wrong)


@case("T22-owners", "two clients, the same keys", "issuances", 2_000, commit=200, night=2_000,
      release=20_000)
def same_keys_of_two_owners(context):
    with context.rig() as rig:
        rig.start(2)
        plan = Plan(clients=4, same_keys=True, repeat_in_100=20, reuse_in_100=0, seed=context.seed)
        run_crowd(context, rig, plan, context.n)


@case("T22-holds", "holds released, numbers reissued", "issuances", 1_000, commit=200, night=2_000,
      release=20_000)
def holds(context):
    with context.rig() as rig:
        rig.start(2)
        plan = Plan(clients=8, hold_in_100=40, read_in_100=0, seed=context.seed)
        run_crowd(context, rig, plan, context.n)
        again = [a for a in rig.history.attempts if a.op == "release" and a.fate == OK]
        context.result.notes["holds released"] = len(again)
