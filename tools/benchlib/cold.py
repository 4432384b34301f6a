# The first number of each of many series after a start of gaplessd, and the next ones: what it
# costs that the service has not met a series yet, and what that the database has to open its block.
from benchlib.http_load import refuse_errors
from benchlib.one_service import OneServiceBench
from filllib.filling import add_series
from harness.processes import Failure

clients = 64
slowest_rate = 200  # first numbers a second that a run has time for


class ColdBench(OneServiceBench):
    load = {"count": 1, "numbers": True, "series": 0, "instances": 1, "replays": 0}
    connections_max = 100

    def run(self):
        """-> the result, as it is printed and written"""
        result = self.start()
        add_series(self.cluster.url("gapless"), sum(self.options.cold))
        self.cluster.refill_wal(60)
        rows, first = [], 1
        for count in self.options.cold:
            rows.append(self.measure([f"wide-{first + n:06}" for n in range(count)]))
            first += count
        return result | {"load": self.load | {"clients": clients}, "cold": rows}

    def measure(self, names):
        """-> the rates of series that are new, and of the same ones after another start"""
        new = self.first_numbers(names)
        again = self.first_numbers(names)
        self.service.verify(names[::-(-len(names) // 5)])
        return new | {"again_rate": again["cold_rate"], "again_warm_rate": again["warm_rate"]}

    def first_numbers(self, names):
        """One series after the other, each for the first time since a start; then again until the
        time is up."""
        self.service.stop()
        self.service.start(1, self.connections_max)
        before = self.issued()
        (told,), cpu = self.http.run_wrk(
            lambda port: self.http.requests_to_issue(port, names, {}), self.service.ports, clients,
            self.options.seconds + -(-len(names) // slowest_rate))
        refuse_errors([told], lambda: "none was made")
        issued = self.issued() - before
        if not told["answers"] <= issued <= told["fresh"]:
            raise Failure(f"{told['answers']} answers to {told['fresh']} requests, but the ledger"
                          f" has {issued} issuances")
        if told["fresh"] < 2 * len(names):
            raise Failure(f"{told['fresh']} requests: {len(names)} series were not asked twice each"
                          "; give it more --seconds")
        cold = told["first_seconds"]
        return {"series": len(names), "cold_rate": len(names) / cold,
                "warm_rate": (told["answers"] - len(names)) / (told["seconds"] - cold),
                "p50_ms": told["p50_ms"], "p99_ms": told["p99_ms"], "max_ms": told["max_ms"],
                "cpu_us": {of: 1e6 * used / told["answers"] for of, used in cpu.items()}}

    def issued(self):
        """Issuances in the ledger, whose numbers the counters have to count, and no others."""
        found = self.cluster.psql("gapless", """
            select count(l.key), coalesce(sum(l.count), 0), (
                       select sum(c.next_ordinal - 1) from gapless.counter c)
            from gapless.ledger l""")
        issuances, numbers, counted = map(int, found.split("|"))
        if numbers != counted:
            raise Failure(f"the ledger has {numbers} numbers, the counters {counted}")
        return issuances


def print_summary(rows):
    print(f"{clients} clients; first: the first number of each series after a start")
    for row in rows:
        for what, cold, warm in (("new", row["cold_rate"], row["warm_rate"]),
                                 ("open", row["again_rate"], row["again_warm_rate"])):
            print(f"{row['series']:>8,} series, block {what:>4}: first {cold:>8,.0f}/s, then"
                  f" {warm:>8,.0f}/s: {cold / warm:.2f}")
        print(f"{'':>8} p50 / p99 / max ms {row['p50_ms']:.1f} / {row['p99_ms']:.1f} /"
              f" {row['max_ms']:.0f}")
    print("the ledger has what was answered; five series of each are verified")
