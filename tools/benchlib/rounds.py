# The rounds: who takes turns, where each is measured, and how long that may take.
import signal
import time

from benchlib import facts, footprint, report
from benchlib.cluster import Cluster
from benchlib.filling import FilledService
from benchlib.http_load import HttpLoad
from benchlib.redis_load import Redis, redis_is_installed
from benchlib.service import Service
from benchlib.sql_load import measure_pgbench, peers as sql_peers
from benchlib.standby import Standby
from harness.processes import Failure, stop_all

quick_seconds_max = 90
closing_seconds = 6  # of these, to stop everything and to report
settling_seconds = 5  # of each load that brings a large ledger back to its everyday state
settling_loads_max = 24
settled_wal_bytes = 1000  # of a request: three times what it writes without whole pages

# What sets the other measurements of gapless apart from the plain one.
variants = {
    "gapless": {},
    "gapless-ordered": {"keys": "ordered"},
    "gapless-format": {"format_": {"format": "gs1-sscc", "params": {"ext": "3", "gcp": "4012345"}}},
    "gapless-hold": {"also": {"hold_seconds": 600}},
    "gapless-standby": {},
    "gapless-ledger": {},
    "gapless-ledger-ordered": {"keys": "ordered"},
}


class TimeIsUp(Exception):
    """What --quick had is used up."""


def chosen_peers(options):
    """In the order in which they take turns: each right beside what it is compared with."""
    chosen = ["gapless"] if "gapless" in options.peers else []
    if options.standby:
        chosen.append("gapless-standby")
    if options.ledger:
        chosen.append("gapless-ledger")
    if chosen and options.keys == "ordered":
        chosen.append("gapless-ordered")
        if options.ledger:
            chosen.append("gapless-ledger-ordered")
    chosen += [name for name in ("gapless-format", "gapless-hold") if name in options.peers]
    chosen.append("nextval")
    chosen += [name for name in ("locked", "serializable", "livez") if name in options.peers]
    if "redis" in options.peers:
        if redis_is_installed():
            chosen.append("redis")
        else:
            print("Redis is not installed and stays out")
    return chosen


def seconds_of(peer, options, clients):
    """About how long one measurement takes, with what goes around it."""
    if peer.startswith("gapless"):
        around = 3 if peer == "gapless-standby" or options.ledger else 0
        return options.seconds + 3 + around + 0.1 * options.series
    if peer in sql_peers:
        return options.seconds + 1.5 + clients * 0.01
    return options.seconds + 0.5


class Bench:
    """Everything that a run starts; close() ends it, also when the constructor failed."""

    def __init__(self, options, programs, folder):
        self.options, self.programs, self.folder = options, programs, folder
        self.peers = chosen_peers(options)
        self.load = {
            "count": options.count, "numbers": not options.no_numbers, "series": options.series,
            "instances": options.instances, "replays": options.replays,
        }
        self.connections_max = max(options.clients) + 100
        self.deadline = time.monotonic() + 10**9
        if options.quick:
            self.limit_time(quick_seconds_max - closing_seconds)
        self.print_estimate()
        self.cluster = Cluster(folder / "postgres", options.ledger)
        self.standby = Standby(self.cluster, folder / "standby")
        self.fresh = 0  # databases that were made for one measurement
        try:
            self.start()
        except TimeIsUp:
            self.close()
            raise Failure(f"the preparations alone take {quick_seconds_max} s here") from None
        except BaseException:
            self.close()
            raise

    def limit_time(self, seconds):
        """Whatever takes longer is cut off, so that --quick keeps its word on a busy machine."""

        def stop(*_):
            raise TimeIsUp()

        signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        self.deadline = time.monotonic() + seconds

    def start(self):
        options = self.options
        services = 3 if options.ledger else 2
        self.cluster.start(max(options.clients) + 40 + 10 * services * options.instances)
        self.cluster.create_peers()
        self.service = Service(self.programs, self.cluster, self.folder, "gapless")
        self.service.start(options.instances, self.connections_max)
        self.http = HttpLoad(self.service, self.cluster, self.folder, self.load)
        self.redis = Redis(self.folder / "redis") if "redis" in self.peers else None
        self.result = facts.collect(self.cluster, self.programs, self.folder)
        if options.ledger:
            self.filled = FilledService(self.programs, self.cluster, self.folder, options.ledger)
            self.result["ledger"] = self.filled.fill(1 if options.quick else 3)
            self.filled.start(options.instances, self.connections_max)
            self.filled_http = HttpLoad(self.filled, self.cluster, self.folder, self.load)
            self.filled_http.ledger_rows = options.ledger["rows"]
        if options.standby:
            self.standby.create()
        self.cluster.warm_up_wal(600 if options.quick else 2000)
        if options.standby:
            self.standby.rest()
        if options.ledger:
            self.result["ledger"]["after_checkpoint"] = self.settle_ledger()

    def settle_ledger(self):
        """After a checkpoint, with which the preparations end, nearly every random key writes a
        whole page of the index of keys to the WAL. A server at work is in that state for seconds
        in the minutes from one checkpoint to the next. Issues until it is over -> how fast that
        went, from the first seconds on."""
        seen = []
        for _ in range(settling_loads_max):
            clients = max(self.options.clients)
            measured = self.filled_http.measure_issuing(clients, settling_seconds)
            seen.append({name: measured[name] for name in ("rate", "wal_bytes", "proof")})
            print(f"ledger: after the checkpoint {measured['rate']:,.0f}/s,"
                  f" {measured['wal_bytes']:,.0f} bytes of WAL a number", flush=True)
            if measured["wal_bytes"] * self.options.count < settled_wal_bytes:
                break
        return seen

    def print_estimate(self):
        options = self.options
        turn = sum(seconds_of(p, options, c) for p in self.peers for c in options.clients)
        about = options.rounds * turn + (15 if options.quick else 25)
        about += (options.ledger or {"rows": 0})["rows"] / 40_000
        about += (options.memory or 0) / 100 + (options.starts or 0)
        limit = f", {quick_seconds_max} s at most" if options.quick else ""
        print(
            f"{options.rounds} round(s) of {len(self.peers)} peers at"
            f" {', '.join(map(str, options.clients))} clients: about {about / 60:.1f} min{limit}",
            flush=True,
        )

    def measure(self, peer, clients):
        seconds = self.options.seconds
        if peer in sql_peers:
            return measure_pgbench(self.cluster, self.folder, peer, clients, seconds)
        if peer == "redis":
            return self.redis.measure(clients, seconds)
        if peer == "livez":
            return self.http.measure_livez(clients, seconds)
        if peer == "gapless-standby":
            with self.standby.required() as standby:
                self.cluster.refill_wal(seconds)
                measured = self.http.measure_issuing(clients, seconds, **variants[peer])
                measured["proof"]["standby"] = standby.prove("gapless")
            return measured
        self.standby.prove_absence()
        self.cluster.refill_wal(seconds)
        if peer.startswith("gapless-ledger"):
            return self.filled_http.measure_issuing(clients, seconds, **variants[peer])
        if self.options.ledger:
            return self.measure_on_empty(clients, variants[peer])
        return self.http.measure_issuing(clients, seconds, **variants[peer])

    def measure_on_empty(self, clients, variant):
        """On a database of its own, which stays until the end: dropping it would be a checkpoint,
        after which the next measurement writes whole pages."""
        self.fresh += 1
        service = Service(self.programs, self.cluster, self.folder, f"empty_{self.fresh}")
        service.start(self.options.instances, self.connections_max)
        try:
            http = HttpLoad(service, self.cluster, self.folder, self.load)
            return http.measure_issuing(clients, self.options.seconds, **variant)
        finally:
            service.stop()

    def run(self):
        """All rounds, or as many as the time allows."""
        rounds = []
        try:
            self.take_turns(rounds)
        except TimeIsUp:
            print("the time is up: what is missing was not measured")
        return rounds

    def take_turns(self, rounds):
        for number in range(1, self.options.rounds + 1):
            for clients in self.options.clients:
                for peer in self.peers:
                    if time.monotonic() + seconds_of(peer, self.options, clients) > self.deadline:
                        raise TimeIsUp()
                    measured = self.measure(peer, clients)
                    rounds.append({"round": number, "clients": clients, "peer": peer} | measured)
                    print(
                        f"round {number}  {clients:>4} clients  {report.titles[peer]:36}"
                        f" {measured['rate']:>12,.0f}/s",
                        flush=True,
                    )
        if self.options.memory:
            self.result["memory"] = footprint.measure_memory(
                self.programs, self.cluster, self.folder, self.options.memory,
                self.options.seconds)
        if self.options.starts:
            self.result["starts"] = footprint.measure_starts(self.service, self.options.starts)

    def close(self):
        """Everything of ours ends; a second Ctrl-C does not leave half of it behind."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        for signal_ in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(signal_, signal.SIG_IGN)
        stop_all()
        self.standby.remove()
        self.cluster.remove()
