# T19: more requests than the database can serve, from clients who come again at once.
import time

from harness.crowd import Crowd, Plan
from harness.history import OK
from torturelib.case import case

# The database is made slow, so that a multiple of what it serves can be sent from the same machine:
# each COMMIT waits this long, and takes so many requests with it.
commit_delay_us = 50_000
batch_requests_max = 4

goodput_min = 0.7  # of what few clients are served; many take the processors from it, too
served_ms_max, refused_ms_max = 1_500, 500  # 99 of 100, in Python
MS = 1_000_000


def percentile(values, share=0.99):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class Load:
    """What so many clients met in some seconds, after one to warm up."""

    def __init__(self, rig, clients, seconds):
        crowd = Crowd(rig, Plan(clients=clients, count_max=1, repeat_in_100=0, reuse_in_100=0,
                                read_in_100=0, seed=len(rig.history.attempts)))
        time.sleep(1)
        begin = time.monotonic_ns()
        time.sleep(seconds)
        end = time.monotonic_ns()
        crowd.stop()
        met = [a for a in rig.history.attempts if begin < a.start and a.end < end]
        served = [(a.end - a.start) / MS for a in met if a.fate == OK]
        refused = [(a.end - a.start) / MS for a in met if a.fate != OK]
        self.rate, self.refused = len(served) / seconds, len(refused)
        self.served_ms, self.refused_ms = percentile(served), percentile(refused)
        self.other = [(a.status, a.problem) for a in met
                      if a.fate != OK and (a.problem, a.executed) != ("overloaded", "no")]
        print(f"    {clients} clients: {self.rate:.0f}/s in {self.served_ms:.0f} ms,"
              f" {self.refused} refused in {self.refused_ms:.0f} ms", flush=True)


@case("T19", "overload", "seconds", night=20)
def overloaded(context):
    """What is served stays as much, nobody waits long for a yes or a no, and behind it all is as it
    was."""
    with context.rig(blocks={"hot": [(1, 9_999_999)]},
                     options=["--batch-requests-max", batch_requests_max]) as rig:
        rig.cluster.configure("commit_siblings", 0)
        rig.cluster.configure("commit_delay", commit_delay_us)
        rig.start(1)
        few, many, behind = (Load(rig, clients, context.n) for clients in (8, 120, 8))
        context.expect(many.refused > few.refused, "nobody was refused: it was no overload")
        context.expect(many.rate >= goodput_min * few.rate,
                       f"{many.rate:.0f}/s were served, {few.rate:.0f}/s before")
        context.expect(many.served_ms <= served_ms_max and many.refused_ms <= refused_ms_max,
                       f"a yes took {many.served_ms:.0f} ms, a no {many.refused_ms:.0f} ms")
        context.expect(not many.other, f"other answers: {many.other[:3]}")
        context.expect(behind.rate >= goodput_min * few.rate and behind.refused <= few.refused,
                       f"behind it {behind.rate:.0f}/s were served, {behind.refused} refused")
        rig.history.mark_healed()
        rig.client().issue({"series": "hot", "key": "afterwards", "count": 1})
        context.judge(rig)
