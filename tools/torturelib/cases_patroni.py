# A cluster that fails over by itself: Patroni and etcd, three of each. T12, T13.
import contextlib
import signal
import time

from harness.history import OK
from torturelib.case import case
from torturelib.crowd import Crowd, Plan
from torturelib.namespaces import network
from torturelib.patroni import PatroniCluster, ttl_seconds
from torturelib.rig import Ground, Rig

MS = 1_000_000
gap_seconds_max = ttl_seconds + 20  # without numbers
cut_seconds = 12
disturbance_seconds_min = 0.5


@contextlib.contextmanager
def patroni_rig(context):
    """A rig whose instances know all three nodes."""
    with network() as made:
        folder = context.folder / f"patroni-{context.id}-{context.seed}"
        cluster = PatroniCluster(folder, made)
        try:
            cluster.start()
            runs = folder / "runs"
            runs.mkdir()
            ground = Ground(context.ground.programs, cluster, runs)
            with context.counted(Rig(ground)) as rig:
                rig.patience = 4 * gap_seconds_max
                yield rig
                if cluster.restarts:
                    context.result.notes["Patroni restarted by hand"] = cluster.restarts
        except BaseException:
            kept = context.folder / "patroni-logs"
            kept.mkdir(exist_ok=True)
            cluster.keep_logs(kept)
            raise
        finally:
            cluster.remove()


def kill_leader(cluster, leader):
    """The machine of the leader dies; it comes back later."""
    leader.kill()
    cluster.other_leader(leader)
    return leader.start


def lose_etcd(cluster, leader):
    """The leader does not reach etcd: it has to step down by itself."""
    leader.host.cut(cluster.stores)
    cluster.other_leader(leader)
    return leader.host.heal


def lose_standbys(cluster, leader):
    """Nobody confirms: no number leaves until Patroni finds a way, or the lines are back."""
    leader.host.cut([node.host for node in cluster.nodes if node is not leader])
    time.sleep(cut_seconds)
    leader.host.heal()
    return lambda: None


def switch_over(cluster, leader):
    cluster.switch_over(leader)
    cluster.other_leader(leader)
    return lambda: None


def freeze_leader(cluster, leader):
    """Stopped, not dead: its kernel goes on answering. It thaws as an old primary."""
    leader.host.signal(signal.SIGSTOP)
    cluster.other_leader(leader)
    return lambda: leader.host.signal(signal.SIGCONT)


WAYS = (kill_leader, switch_over, lose_etcd, freeze_leader, lose_standbys)


def longest_gap(rig, since):
    """Seconds without a new number, from this moment on."""
    ends = sorted(a.end for a in rig.history.attempts
                  if a.op == "issue" and a.fate == OK and not a.replayed and a.end > since)
    moments = [since, *ends]
    return max((b - a for a, b in zip(moments, moments[1:])), default=0) / MS / 1_000


def note_fault(context, gap):
    """It hit somebody when numbers stopped for a while."""
    hit = gap > disturbance_seconds_min
    context.result.faults += 1
    context.result.hit += hit
    context.result.void += not hit
    context.result.slowest_recovery = max(context.result.slowest_recovery, gap)


@case("T12", "Patroni: leaders die, freeze, are cut off", "failovers", 10, night=10, release=120)
def patroni(context):
    with patroni_rig(context) as rig:
        rig.start(2)
        crowd = Crowd(rig, Plan(clients=6, count_max=5, seed=context.seed, pause=0.05))
        for number in range(context.n):
            way = WAYS[number % len(WAYS)]
            crowd.wait_for_more(20)
            leader = rig.cluster.wait_whole()
            began = time.monotonic_ns()
            undo = way(rig.cluster, leader)
            crowd.wait_for_more(13, 3 * gap_seconds_max)
            undone = time.monotonic_ns()
            undo()
            if way is freeze_leader:
                rig.cluster.wait_whole()
                rig.history.blind.append((undone, time.monotonic_ns()))
            crowd.wait_for_more(13, 3 * gap_seconds_max)
            gap = longest_gap(rig, began)
            context.expect(gap <= gap_seconds_max,
                           f"{way.__name__}: {gap:.1f} s without a number")
            note_fault(context, gap)
            told = context.result.notes
            told[way.__name__] = told.get(way.__name__, "") + f" {gap:.1f} s"
        rig.cluster.wait_whole()
        rig.history.mark_healed()
        crowd.wait_for_more(20)
        crowd.stop()
        context.judge(rig)


@case("T13", "split brain: pinned to the old primary", "thaws", 5, night=5, release=50)
def split_brain(context):
    """One instance knows only the server that was primary. It is frozen, another one takes over,
    it thaws: until it notices, it takes itself for the primary, and may acknowledge nothing."""
    with patroni_rig(context) as rig:
        rig.start(1)
        for number in range(context.n):
            leader = rig.cluster.wait_whole()
            rig.add_instance(rig.cluster.url_of(
                f"{leader.host.address}:5432", rig.database, "gaplessd", rig.ground.password)
            ).start()
            where = [rig.ports[-1]]
            crowd = Crowd(rig, Plan(clients=4, names=("shop",), seed=context.seed + number,
                                    pause=0.05), ports=rig.ports[:1])
            pinned = Crowd(rig, Plan(clients=4, names=("returns",), read_in_100=0, pause=0.05,
                                     seed=context.seed + 500 + number), ports=where)
            pinned.wait_for_more(10)
            crowd.wait_for_more(10)
            leader.host.signal(signal.SIGSTOP)
            frozen = time.monotonic_ns()
            rig.cluster.other_leader(leader)
            crowd.wait_for_more(13, 3 * gap_seconds_max)
            gap = longest_gap(rig, frozen)
            thawed = time.monotonic_ns()
            leader.host.signal(signal.SIGCONT)
            rig.cluster.wait_whole()
            rig.history.blind.append((thawed, time.monotonic_ns()))
            with rig.history.lock:
                tried = [a for a in rig.history.attempts
                         if a.op == "issue" and a.client == "returns" and a.end > thawed]
            early = [a for a in tried if a.fate == OK]
            context.expect(not early, f"{len(early)} answers from the old primary")
            context.expect(gap <= gap_seconds_max, f"{gap:.1f} s without a number")
            note_fault(context, gap if tried else 0)
            where[:] = rig.ports[:1]  # what is still open is resolved where numbers leave
            pinned.wait_for_more(10)
            for each in (pinned, crowd):
                each.stop()
            rig.instances.pop().kill()
            rig.ports.pop()
            told = context.result.notes
            told["tried on the old primary"] = told.get("tried on the old primary", 0) + len(tried)
        rig.history.mark_healed()
        last = Crowd(rig, Plan(clients=2, seed=context.seed + 999))
        last.wait_for_more(10)
        last.stop()
        context.judge(rig)
