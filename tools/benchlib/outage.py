# Issuing from the reserve while PostgreSQL is away, beside what else writes a number to a disk: the
# database itself, nextval, Redis; and beside HTTP alone.
import statistics
import time

from benchlib.http_load import figures, refuse_errors
from benchlib.one_service import OneServiceBench
from benchlib.redis_load import Redis, redis_is_installed
from benchlib.sql_load import measure_pgbench
from harness.processes import Failure

clients = 64
reserve_max = 1_000_000  # numbers on lease at most
settled_seconds_max = 300  # a million answers at 10,000 a second, and as long again
ways = {
    "outage": "the reserve, PostgreSQL is away",
    "gapless": "the database",
    "nextval": "nextval (has gaps)",
    "redis": "Redis INCR, appendfsync always",
    "livez": "HTTP alone (/livez)",
}


class OutageBench(OneServiceBench):
    load = {"count": 1, "numbers": True, "series": 1, "instances": 1, "replays": 0}
    connections_max = 200

    def run(self):
        """-> the result, as it is printed and written"""
        result = self.start()
        self.cluster.create_peers()
        self.redis = Redis(self.folder / "redis") if redis_is_installed() else None
        (self.series,) = self.service.create_series(1)
        self.service.admin("series", "set", self.series, "--reserve", reserve_max)
        rounds = []
        for number in range(1, self.options.rounds + 1):
            self.cluster.refill_wal(2 * self.options.seconds)
            for way in ways:
                if way != "redis" or self.redis:
                    rounds.append({"round": number, "way": way} | self.measure(way))
        return result | {"load": self.load, "clients": clients, "seconds": self.options.seconds,
                         "rounds": rounds, "outage": summarize(rounds)}

    def measure(self, way):
        seconds = self.options.seconds
        if way == "outage":
            return self.measure_outage(seconds)
        if way == "gapless":
            return self.http.measure_issuing(clients, seconds)
        if way == "nextval":
            return measure_pgbench(self.cluster, self.folder, way, clients, seconds)
        if way == "redis":
            return self.redis.measure(clients, seconds)
        return self.http.measure_livez(clients, seconds)

    def ask(self, question):
        return self.cluster.psql("gapless", question)

    def measure_outage(self, seconds):
        """Every answer of it is in the ledger afterwards, and no more than was asked."""
        self.wait_for(self.has_full_lease, "there is no reserve")
        before = int(self.ask("select coalesce(sum(count), 0) from gapless.lease_record"))
        self.cluster.stop("immediate")
        try:
            instance = self.service.instances[0]
            self.wait_for(lambda: instance.readiness()[0] == 503, "the outage is not noticed")
            told = [self.issue(1), self.issue(seconds)]  # the first one warms up
        finally:
            self.cluster.start(self.connections_max)
        began = time.monotonic()
        self.wait_for(lambda: instance.readiness()[0] == 200
                      and instance.metric("gapless_lease_unsettled") == 0, "it is not settled")
        took = time.monotonic() - began
        after = int(self.ask("select coalesce(sum(count), 0) from gapless.lease_record"))
        answers = sum(result["answers"] for result, _ in told)
        asked = sum(result["fresh"] for result, _ in told)
        if not answers <= after - before <= asked:
            raise Failure(f"{answers} answers to {asked} requests, and {after - before} numbers of"
                          " the reserve are settled")
        self.service.verify([self.series])
        (result, cpu) = told[1]
        return figures([result], cpu, 1) | {
            "settled_per_second": (after - before) / took,
            "proof": {"answers": answers, "settled": after - before, "verify": "clean"}}

    def issue(self, seconds):
        """-> (what wrk tells, CPU seconds by group)"""
        results, cpu = self.http.run_wrk(
            lambda port: self.http.requests_to_issue(port, [self.series], {}),
            self.service.ports, clients, seconds)
        refuse_errors(results, lambda: self.service.instances[0].readiness())
        return results[0], cpu

    def has_full_lease(self):
        return self.ask(
            "select count(*) = 1 from gapless.lease l join gapless.hold h"
            " using (series_id, turn, ordinal) where l.status = 'open'"
            f" and gapless.size_of(h.held) = {reserve_max}") == "t" and (
                self.service.instances[0].metric("gapless_lease_unsettled") == 0)

    def wait_for(self, holds, what):
        deadline = time.monotonic() + settled_seconds_max
        while not holds():
            if time.monotonic() > deadline:
                raise Failure(f"{what}: not within {settled_seconds_max} s")
            time.sleep(0.1)


def summarize(rounds):
    """Medians of each way, and round by round the rate of the reserve to those of the others."""
    of = {way: [r for r in rounds if r["way"] == way] for way in ways}
    summary = {way: {name: statistics.median(r[name] for r in rows)
                     for name in ("rate", "p50_ms", "p99_ms") if all(name in r for r in rows)}
               for way, rows in of.items() if rows}
    for way, rows in of.items():
        ratios = [a["rate"] / b["rate"] for a, b in zip(of["outage"], rows)]
        if way != "outage" and ratios:
            summary[way]["ratio"] = {"median": statistics.median(ratios), "min": min(ratios),
                                     "max": max(ratios)}
    tails = [r["p99_ms"] / r["p50_ms"] for r in of["outage"]]
    summary["outage"]["p99_to_p50"] = statistics.median(tails)
    summary["outage"]["settled_per_second"] = statistics.median(
        r["settled_per_second"] for r in of["outage"])
    return summary


def print_summary(summary):
    for way, words in ways.items():
        if way not in summary:
            print(f"{words:32} is not installed and stays out")
            continue
        of = summary[way]
        tail = (f"  p50 / p99 ms {of['p50_ms']:.2f} / {of['p99_ms']:.2f}" if "p50_ms" in of else "")
        print(f"{words:32} {of['rate']:>9,.0f}/s{tail}")
    for way, of in summary.items():
        if way != "outage":
            ratio = of["ratio"]
            print(f"the reserve : {ways[way]:32} {ratio['median']:.2f} ({ratio['min']:.2f}–"
                  f"{ratio['max']:.2f})")
    print(f"p99 : p50 of the reserve {summary['outage']['p99_to_p50']:.1f}; afterwards"
          f" {summary['outage']['settled_per_second']:,.0f} answers a second were settled;"
          " verify is clean")
