# Issuing beside 64 streams of notices that get a thousand notices a second, and without: what those
# who look on cost those who print.
import json
import statistics
import subprocess
import threading
import time

from benchlib import facts
from benchlib.cluster import Cluster
from benchlib.http_load import HttpLoad
from benchlib.service import Service
from benchlib.sql_session import SqlSession
from harness.database import psql_command
from harness.processes import Failure, clean_environment, root, start, stop, stop_all, time_limit

streams = 64
clients = 64
notices_a_second = 1_000
bursts_a_second = 10
connections_max = 200
catch_up_seconds_max = 30
load = {"count": 1, "numbers": True, "series": 1, "instances": 1, "replays": 0}
ways = {"alone": "issuing, 64 clients", "beside": f"the same beside {streams} streams"}

WRITE = ("select count(gapless.notice_add('series.paused', {series}, null,"
         " '{{\"actor\":\"bench\"}}')) from generate_series(1, {count});")


class Writer(threading.Thread):
    """Writes notices at an even pace, until it has written `count`."""

    def __init__(self, session, series, count):
        super().__init__()
        self.session, self.count = session, count
        self.sql = WRITE.format(series=series, count=notices_a_second // bursts_a_second)
        self.wrong = []

    def run(self):
        begun = time.monotonic()
        for burst in range(self.count * bursts_a_second // notices_a_second):
            time.sleep(max(0.0, begun + burst / bursts_a_second - time.monotonic()))
            self.wrong += [line for line in self.session.ask(self.sql) if "ERROR" in line]


class StreamsBench:
    """Starts everything; close() ends it."""

    def __init__(self, options, programs, folder):
        self.options, self.programs, self.folder = options, programs, folder
        self.cluster = Cluster(folder / "postgres")

    def run(self):
        """-> the result, as it is printed and written"""
        self.cluster.start(connections_max)
        self.service = Service(self.programs, self.cluster, self.folder, "gapless")
        self.service.start(1, connections_max)
        self.http = HttpLoad(self.service, self.cluster, self.folder, load)
        result = facts.collect(self.cluster, self.programs, self.folder)
        self.cluster.warm_up_wal(600)
        rounds = []
        for number in range(1, self.options.rounds + 1):
            self.cluster.refill_wal(2 * self.options.seconds)
            for way, measure in (("alone", self.measure), ("beside", self.measure_beside)):
                rounds.append({"round": number, "way": way} | measure(self.options.seconds))
        return result | {"load": load, "seconds": self.options.seconds, "rounds": rounds,
                         "notices_a_second": notices_a_second, "open_streams": streams,
                         "streams": summarize(rounds)}

    def measure(self, seconds):
        measured = self.http.measure_issuing(clients, seconds)
        return {name: measured[name] for name in ("rate", "p50_ms", "p99_ms", "proof")}

    def last_notice(self):
        return int(self.cluster.psql("gapless", "select last from gapless.notice_bounds()"))

    def measure_beside(self, seconds):
        """With readers that get every notice, each of them once and in order."""
        time.sleep(3)  # what creating series tells is published by then
        after = self.last_notice()
        count = notices_a_second * (seconds + 3)  # from before it warms up to behind its end
        program = root / "tools/benchlib/stream_reader.py"
        reader = start(
            [program, self.service.ports[0], streams, after, count], stdout=subprocess.PIPE,
            text=True, env=clean_environment(BENCH_TOKEN=self.service.token))
        session = SqlSession(psql_command, self.cluster.environment("gapless"))
        try:
            if reader.stdout.readline() != "ready\n":
                raise Failure("the streams did not begin")
            series = self.cluster.psql("gapless", "select min(series_id) from gapless.series")
            writer = Writer(session, series, count)
            writer.start()
            measured = self.measure(seconds)
            writer.join()
            if writer.wrong:
                raise Failure(f"notices were not written: {writer.wrong[0]}")
            with time_limit(reader, catch_up_seconds_max):
                told = json.loads(reader.communicate()[0])
        finally:
            stop(reader)
            session.end()
        each_once = [last - after for last in told["last"]]
        if min(told["events"]) < count or told["events"] != each_once:
            raise Failure(f"{count} notices behind {after}, and the streams had {told}")
        return measured

    def close(self):
        stop_all()
        self.cluster.remove()


def summarize(rounds):
    """Medians of each way, and ratios round by round: beside to alone."""
    of = {way: [r for r in rounds if r["way"] == way] for way in ways}
    summary = {way: {name: statistics.median(r[name] for r in rows)
                     for name in ("rate", "p50_ms", "p99_ms")} for way, rows in of.items()}
    for name in ("rate", "p99_ms"):
        ratios = [b[name] / max(a[name], 1e-9) for a, b in zip(of["alone"], of["beside"])]
        summary[f"{name}_ratio"] = {"median": statistics.median(ratios), "min": min(ratios),
                                    "max": max(ratios)}
    return summary


def print_summary(summary):
    for way, words in ways.items():
        of = summary[way]
        print(f"{words:32} {of['rate']:>9,.0f}/s  p50 / p99 ms {of['p50_ms']:.2f} /"
              f" {of['p99_ms']:.2f}")
    for name, words in (("rate_ratio", "rate"), ("p99_ms_ratio", "p99")):
        ratio = summary[name]
        print(f"{words}, beside : alone  {ratio['median']:.3f} ({ratio['min']:.3f}–"
              f"{ratio['max']:.3f})")
    print(f"every stream had {notices_a_second:,} notices a second, each once; verify is clean")
