# Load over HTTP: wrk against the service, and what has to be true of the ledger afterwards.
import json
import re
import resource
import secrets
import subprocess

from benchlib.usage import Usage
from harness.processes import Failure, root, start, stop, time_limit

empty_key = "00000000-0000-0000-0000-000000000000"
answer_seconds_max = 10
conflicts_counter = "gapless_issue_conflicts_total"  # transactions that were rolled back for others


def request_text(method, target, port, token, body="", key=empty_key):
    """A whole request."""
    lines = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{port}"]
    lines += [f"Idempotency-Key: {key}", f"Authorization: Bearer {token}"]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines) + "\r\n\r\n" + body


class HttpLoad:
    def __init__(self, service, cluster, folder, load):
        self.service, self.cluster, self.folder, self.load = service, cluster, folder, load
        self.ledger_rows = 0  # of all series: the index of keys grows with them

    def requests_to_issue(self, port, names, also):
        """What the clients of one instance send in turn, one request for each series."""
        body = json.dumps({"count": self.load["count"], **also}, separators=(",", ":"))
        query = "" if self.load["numbers"] else "?numbers=false"
        targets = [f"/v1/series/{name}/numbers{query}" for name in names]
        return [request_text("POST", t, port, self.service.token, body) for t in targets]

    def start_wrk(self, number, port, requests, clients, seconds, keys, replays):
        file = self.folder / f"requests-{number}"
        file.write_text("\0".join(requests))
        command = ["wrk", "-t1", f"-c{clients}", f"-d{seconds}s", "--latency"]
        command += [f"--timeout={answer_seconds_max}s", "-s", root / "tools/bench.lua"]
        command += [f"http://127.0.0.1:{port}", "--", file, keys, replays, secrets.randbits(50)]
        command += [clients]
        return start(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run_wrk(self, requests_of, ports, clients, seconds, keys="random", replays=0):
        """One wrk for each instance, all at once -> (their results, CPU seconds by group)"""
        usage = Usage(service=self.service.pids, postgres=[self.cluster.pid])
        client_before = reaped_cpu()
        shares = [clients // len(ports) + (n < clients % len(ports)) for n in range(len(ports))]
        loads = [
            self.start_wrk(n, port, requests_of(port), share, seconds, keys, replays)
            for n, (port, share) in enumerate(zip(ports, shares))
            if share
        ]
        results = []
        for load in loads:
            with time_limit(load, seconds + 2 * answer_seconds_max):
                output = load.communicate()[0]
            stop(load)
            found = re.search(r"^result (\{.*\})$", output, re.MULTILINE)
            if load.returncode != 0 or not found:
                raise Failure(f"wrk failed with status {load.returncode}:\n{output[-1000:]}")
            results.append(json.loads(found.group(1)))
        cpu = usage.since()
        cpu["client"] = reaped_cpu() - client_before
        return results, cpu

    def measure_livez(self, clients, seconds):
        """The ceiling of HTTP: requests of the same shape that ask nothing of the database."""
        port = self.service.ports[0]
        requests = [request_text("GET", "/livez", port, self.service.token)]
        results, cpu = self.run_wrk(lambda _: requests, [port], clients, seconds)
        refuse_errors(results, lambda: self.service.instances[0].call("GET", "/livez"))
        return figures(results, cpu, numbers_each=1)

    def measure_issuing(self, clients, seconds, keys="random", format_=None, also=None):
        """`format_`: of the series, plain without; `also`: more fields of each request."""
        names = self.service.create_series(self.load["series"], format_)
        ports, replays = self.service.ports, self.load["replays"]

        def requests_of(port):
            return self.requests_to_issue(port, names, also or {})

        def sample():
            body = {"count": self.load["count"]}
            return self.service.instances[0].call(
                "POST", f"/v1/series/{names[0]}/numbers", self.service.token, body)

        results, _ = self.run_wrk(requests_of, ports, clients, 1, keys, replays)  # warms up
        refuse_errors(results, sample)
        before = self.service.ledger(names)
        conflicts, wal = self.service.metric(conflicts_counter), self.cluster.wal_bytes()
        results, cpu = self.run_wrk(requests_of, ports, clients, seconds, keys, replays)
        refuse_errors(results, sample)
        measured = figures(results, cpu, self.load["count"])
        conflicts = self.service.metric(conflicts_counter) - conflicts
        measured["conflicts_per_second"] = conflicts / max(r["seconds"] for r in results)
        numbers = sum(r["answers"] for r in results) * self.load["count"]
        measured["wal_bytes"] = (self.cluster.wal_bytes() - wal) / numbers
        self.ledger_rows += before[0]
        measured["ledger_rows_before"] = self.ledger_rows
        measured["proof"] = self.prove(names, before, results, clients)
        self.ledger_rows += measured["proof"]["issuances"]
        return measured

    def prove(self, names, before, results, clients):
        """That the ledger holds what was answered, and no more than was asked. A request that the
        end of wrk cut off may have been issued without an answer: at most one for each client."""
        issuances, numbers = (a - b for a, b in zip(self.service.ledger(names), before))
        answers = sum(r["answers"] for r in results)
        fresh = sum(r["fresh"] for r in results)
        repeated = sum(r["repeated"] for r in results)
        least = max(answers - repeated, fresh - clients)
        if not least <= issuances <= fresh:
            raise Failure(
                f"{answers} answers to {fresh} new and {repeated} repeated requests, {clients} of"
                f" them possibly unanswered, but the ledger has {issuances} issuances:"
                f" not {least} to {fresh}"
            )
        if numbers != issuances * self.load["count"]:
            count = self.load["count"]
            raise Failure(f"{issuances} issuances of {count} hold {numbers} numbers")
        self.service.verify(names)
        return {
            "answers": answers, "repeated": repeated, "issuances": issuances, "numbers": numbers,
            # With replays nobody knows how many of the cut-off requests were repeats.
            "unanswered": None if repeated else issuances - answers, "verify": "clean",
        }


def reaped_cpu():
    """CPU seconds of all our children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def refuse_errors(results, sample):
    for result in results:
        if result["not_2xx"] or result["socket_errors"] or result["timeouts"]:
            raise Failure(
                f"{result['not_2xx']} of {result['answers']} answers were not 2xx,"
                f" {result['socket_errors']} socket errors, {result['timeouts']} requests took"
                f" longer than {answer_seconds_max} s; one more request: {sample()}"
            )
        if not result["answers"]:
            raise Failure("no request was answered")


def figures(results, cpu, numbers_each):
    """With several instances: rates add up, the slowest instance's latency counts."""
    answers = sum(r["answers"] for r in results)
    rate = sum(r["answers"] / r["seconds"] for r in results)
    measured = {"requests_per_second": rate, "rate": rate * numbers_each}
    for name in ("p50_ms", "p99_ms", "mean_ms", "max_ms"):
        measured[name] = max(r[name] for r in results)
    numbers = answers * numbers_each
    measured["cpu_us"] = {group: 1e6 * used / numbers for group, used in cpu.items()}
    return measured
