# T19: more requests than the service can serve, at a rate that does not care how it fares.
import os

from torturelib.case import case
from torturelib.load import MS, Load, percentile, resident_megabytes

# The database is made slow, so that ten times of what it serves can be sent from the same machine:
# each COMMIT waits this long, and takes so many requests with it.
commit_delay_us = 20_000
batch_requests_max = 16

goodput_min = 0.8  # of the peak
accepted_p99_ms_max = 1_000
refused_p99_ms_max = 50
normal_seconds_max = 10
resident_megabytes_max = 150
FACTORS = (10, 2, 5)


def overload(context, rig, peak, factor, seconds, connections):
    """-> when the last request arrived"""
    load = Load(rig, peak * factor, connections, seconds, context.seed + factor)
    seen = load.wait()
    over = max(a.due for a in seen)
    served = [a for a in seen if a.status == 201]
    refused = [a for a in seen if a.status == 503]
    others = [a for a in seen if a.status not in (201, 503)]
    in_time = [a for a in served if a.end <= over]
    goodput = len(in_time) / seconds
    accepted_p99 = percentile([a.took_ms for a in served], 0.99)
    refused_p99 = percentile([a.took_ms for a in refused], 0.99)
    resident = resident_megabytes(rig.instances[0].process.pid)
    told = (f"{factor} x: {goodput:.0f}/s = {100 * goodput / peak:.0f} %, accepted p99"
            f" {accepted_p99:.0f} ms, {len(refused)} refused p99 {refused_p99:.0f} ms,"
            f" {load.unsent} never sent, {len(others)} without an answer, {resident:.0f} MB")
    context.expect(goodput >= goodput_min * peak, told)
    context.expect(accepted_p99 <= accepted_p99_ms_max, told)
    context.expect(refused_p99 <= refused_p99_ms_max, told)
    context.expect(resident <= resident_megabytes_max, told)
    dishonest = [a for a in refused if a.executed != "no" or not 1 <= a.retry_after <= 3]
    context.expect(not dishonest, f"{len(dishonest)} refusals lack executed or Retry-After")
    context.expect(len(refused) < 100 or len({a.retry_after for a in refused}) > 1,
                   "Retry-After is the same for everybody")
    context.faults += 1
    context.void += not (refused or load.unsent)
    print(f"    {told}", flush=True)
    return over


def back_to_normal(context, rig, peak, over, seconds):
    """Seconds from the end of the overload until a light load is served at once, all of it."""
    light = Load(rig, peak * 0.3, 100, seconds, context.seed + 77).wait()
    late = [a for a in light if a.status != 201 or a.took_ms > accepted_p99_ms_max / 2]
    normal = max((a.end for a in late), default=light[0].end)
    took = (normal - over) / MS / 1_000
    context.expect(len(late) < len(light) and took <= normal_seconds_max,
                   f"back to normal after {took:.1f} s")
    context.slowest_recovery = max(context.slowest_recovery, took)


@case("T19", "overload", "loads", night=3)
def overloaded(context):
    seconds = 10 if context.n > 1 else 5
    with context.rig(blocks={"hot": [(1, 9_999_999)]},
                     options=["--batch-requests-max", batch_requests_max]) as rig:
        rig.cluster.configure("commit_siblings", 0)
        rig.cluster.configure("commit_delay", commit_delay_us)
        rig.start(1)
        Load(rig, 0, 64, 1, context.seed).wait()  # warms up
        peak = sum(a.status == 201 for a in Load(rig, 0, 64, 3, context.seed + 1).wait()) / 3
        # Whoever else uses the processors takes from the figures.
        print(f"    load average {os.getloadavg()[0]:.1f}, peak {peak:.0f}/s", flush=True)
        for number in range(context.n):
            over = overload(context, rig, peak, FACTORS[number % len(FACTORS)], seconds, 1_000)
            back_to_normal(context, rig, peak, over, 3)
        rig.history.mark_healed()
        rig.client().issue({"series": "hot", "key": "afterwards", "count": 1})
        context.judge(rig)
