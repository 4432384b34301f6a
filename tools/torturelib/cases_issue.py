# T02: no fault at all. Concurrency, rollovers, repeated and misused keys, holds.
from harness.crowd import Crowd, Plan
from harness.history import OK
from torturelib.case import case

# One crowd after the other.
PLANS = (
    {"clients": 12, "repeat_in_100": 20, "reuse_in_100": 10, "contiguous_in_100": 5},
    {"clients": 12, "repeat_in_100": 0, "reuse_in_100": 0},  # batches of new keys alone
    {"clients": 4, "same_keys": True, "reuse_in_100": 0},  # two clients with the same keys
    {"clients": 8, "hold_in_100": 60, "count_max": 2, "read_in_100": 0},
)


@case("T02", "crowds at three instances, tiny blocks first", "issuances", quick=400, night=20_000)
def crowds(context):
    tiny = [(n * 10, n * 10 + 3 + n % 5) for n in range(1, 9 + context.n // 50)]
    with context.rig(blocks={"hot": [*tiny, (1_000_000, 99_999_999)]}) as rig:
        rig.start(3)
        rig.history.mark_healed()
        for number, plan in enumerate(PLANS):
            crowd = Crowd(rig, Plan(**{"count_max": 3, "seed": context.seed + number} | plan))
            crowd.wait_for_more(context.n // len(PLANS), rig.patience + context.n / 50)
            crowd.stop()
        rig.create_series("short", [(900_000, 900_004)])
        for key, count in (("the first", 3), ("more than is left", 5)):
            rig.client().issue({"series": "short", "key": key, "count": count}, seconds_max=5)
        attempts = rig.history.attempts
        reused = [a for a in attempts if a.op == "reuse" and a.status != 422]
        context.expect(not reused, f"{len(reused)} reused keys were not answered with 422")
        for what, found in (("repeats", lambda a: a.replayed), ("holds", lambda a: a.hold),
                            ("answers over several blocks", lambda a: len(a.ranges) > 1)):
            context.told[what] = sum(1 for a in attempts if a.fate == OK and found(a))
        context.judge(rig)
