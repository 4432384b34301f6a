# Eight series beside a ninth that an SQL transaction has locked, and without it: what one neighbour
# costs everybody else.
import statistics

from benchlib.one_service import OneServiceBench
from benchlib.sql_session import SqlSession
from harness.database import psql_command
from harness.processes import Failure, stop

eight = 8
ways = {"alone": "eight series, a client each", "beside": "the same beside a locked ninth"}


class NeighbourBench(OneServiceBench):
    load = {"count": 1, "numbers": True, "series": eight, "instances": 1, "replays": 0}
    connections_max = 100

    def run(self):
        """-> the result, as it is printed and written"""
        result = self.start()
        names = self.service.create_series(eight + 1)
        self.names, self.locked = names[:eight], names[eight]
        rounds = []
        self.measure(1)  # warms up
        for number in range(1, self.options.rounds + 1):
            self.cluster.refill_wal(2 * self.options.seconds)
            for way, measure in (("alone", self.measure), ("beside", self.measure_beside)):
                rounds.append({"round": number, "way": way} | measure(self.options.seconds))
        self.service.verify(names)
        return result | {"load": self.load, "seconds": self.options.seconds, "rounds": rounds,
                         "neighbour": summarize(rounds)}

    def measure(self, seconds):
        """The eight, for so long; the ledger then has what was answered, and no more than asked."""
        before, _ = self.service.ledger(self.names)
        (told,), _ = self.http.run_wrk(
            lambda port: self.http.requests_to_issue(port, self.names, {}), self.service.ports,
            eight, seconds)
        issued = self.service.ledger(self.names)[0] - before
        served = told["answers"] - told["not_2xx"]
        if not served <= issued <= told["fresh"]:
            raise Failure(f"{served} answers with a number to {told['fresh']} requests, but"
                               f" the ledger has {issued} issuances")
        return {"rate": served / told["seconds"], "p50_ms": told["p50_ms"],
                "p99_ms": told["p99_ms"],
                "refused": told["not_2xx"] + told["timeouts"] + told["socket_errors"]}

    def measure_beside(self, seconds):
        """With an application that issued from the ninth and does not COMMIT, and a client that
        asks for the ninth."""
        session = SqlSession(psql_command, self.cluster.environment("gapless"))
        session.ask(f"begin; select gapless.issue('{self.locked}');")
        port = self.service.ports[0]
        client = self.http.start_wrk(
            eight, port, self.http.requests_to_issue(port, [self.locked], {}), 1, seconds + 60,
            "random", 0)
        try:
            return self.measure(seconds)
        finally:
            stop(client)
            session.end()


def summarize(rounds):
    """Medians of each way, and ratios round by round: beside to alone."""
    of = {way: [r for r in rounds if r["way"] == way] for way in ways}
    summary = {way: {name: statistics.median(r[name] for r in rows)
                     for name in ("rate", "p50_ms", "p99_ms")} for way, rows in of.items()}
    for name in ("rate", "p99_ms"):
        ratios = [b[name] / max(a[name], 1e-9) for a, b in zip(of["alone"], of["beside"])]
        summary[f"{name}_ratio"] = {"median": statistics.median(ratios), "min": min(ratios),
                                    "max": max(ratios)}
    summary["refused"] = {way: sum(r["refused"] for r in rows) for way, rows in of.items()}
    return summary


def print_summary(summary):
    for way, words in ways.items():
        of = summary[way]
        print(f"{words:32} {of['rate']:>9,.0f}/s  p50 / p99 ms {of['p50_ms']:.2f} /"
              f" {of['p99_ms']:.2f}, {summary['refused'][way]} not served")
    for name, words in (("rate_ratio", "rate"), ("p99_ms_ratio", "p99")):
        ratio = summary[name]
        print(f"{words}, beside : alone  {ratio['median']:.2f} ({ratio['min']:.2f}–"
              f"{ratio['max']:.2f})")
    print("verify is clean")
