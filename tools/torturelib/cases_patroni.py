# A cluster that fails over by itself: Patroni and etcd, three of each. T12.
import contextlib
import signal
import time

from harness.crowd import Crowd, Plan
from torturelib.case import case
from torturelib.namespaces import network
from torturelib.patroni import PatroniCluster, ttl_seconds
from torturelib.rig import Ground

gap_seconds_max = ttl_seconds + 20  # without numbers
cut_seconds = 12
disturbance_seconds_min = 0.5


@contextlib.contextmanager
def patroni_rig(context):
    """A rig whose instances know all three nodes."""
    with network() as made:
        own, cluster = context.ground, PatroniCluster(context.folder / "patroni", made)
        try:
            context.ground = Ground(own.programs, own.folder, cluster)
            context.ground.prepare()
            with context.rig() as rig:
                rig.patience = 4 * gap_seconds_max
                yield rig
                context.told["Patroni restarted by hand"] += cluster.restarts
        finally:
            cluster.remove()
            context.ground = own


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


@case("T12", "Patroni: leaders die, freeze, are cut off", "failovers", night=10)
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
            gap = rig.history.longest_pause(began)
            context.expect(gap <= gap_seconds_max,
                           f"{way.__name__}: {gap:.1f} s without a number")
            context.faults += 1
            context.void += gap <= disturbance_seconds_min  # it hit nobody
            context.slowest_recovery = max(context.slowest_recovery, gap)
            context.told[way.__name__] += 1
        rig.cluster.wait_whole()
        context.finish(rig, crowd)
