# The peers in SQL: what pgbench gets out of the same PostgreSQL.
import os
import re
import subprocess

from benchlib.cluster import pg_bin
from benchlib.processes import BenchFailure, Usage, start, stop, time_limit

TAKE_AND_RECORD = """
update counter set next = next + 1 where id = 1 returning next \\gset
insert into ledger (ordinal, key) values (:next, gen_random_uuid());
commit;
"""

# name -> (script, further options)
peers = {
    # Has gaps by design, and writes WAL for every 32nd value only: the yardstick, not an equal.
    "nextval": ("select nextval('numbers');", []),
    "locked": ("begin;" + TAKE_AND_RECORD, []),
    "serializable": ("begin isolation level serializable;" + TAKE_AND_RECORD, ["--max-tries=0"]),
}

connect_seconds_max = 60


def measure_pgbench(cluster, folder, name, clients, seconds):
    """Rate and CPU from the second second on, once every session has prepared its statements."""
    script, options = peers[name]
    file = folder / f"{name}.sql"
    file.write_text(script)
    command = [pg_bin / "pgbench", "--no-vacuum", "--protocol=prepared", f"--client={clients}"]
    command += [f"--jobs={min(clients, os.cpu_count())}", f"--time={seconds + 1}", "--progress=1"]
    pgbench = start(
        [*command, *options, f"--file={file}"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=cluster.environment("peers"),
    )
    usage = None
    words = []
    transactions = window = latency_sum = last = 0.0
    cpu = {}
    with time_limit(pgbench, seconds + connect_seconds_max):
        for line in pgbench.stderr:
            found = re.match(r"progress: ([\d.]+) s, ([\d.]+) tps, lat ([\d.]+|NaN) ms", line)
            if not found:
                words.append(line)
                continue
            at, rate, latency = (float(group) for group in found.groups())
            if usage is None:
                usage = Usage(postgres=[cluster.pid], client=[pgbench.pid])
            elif at > last and rate > 0:
                transactions += rate * (at - last)
                latency_sum += latency * rate * (at - last)
                window += at - last
                cpu = usage.since()
            last = at
        output = pgbench.communicate()[0]
        # Sessions that end while they are looked at are missing in one look, not in both.
        cpu = {group: max(used, cpu[group]) for group, used in usage.since().items()} if cpu else {}
    stop(pgbench)
    failed = re.search(r"number of failed transactions: (\d+)", output)
    if pgbench.returncode != 0 or not failed or failed.group(1) != "0":
        raise BenchFailure(f"pgbench ({name}) failed:\n{output[-600:]}\n{''.join(words)[-600:]}")
    measured = whole_run(output) if not transactions else {
        "requests_per_second": transactions / window,
        "rate": transactions / window,
        "mean_ms": latency_sum / transactions,
        "cpu_us": {group: 1e6 * used / transactions for group, used in cpu.items()},
    }
    retried = re.search(r"total number of retries: (\d+)", output)
    if retried:
        measured["retries"] = int(retried.group(1))
    return measured


def whole_run(output):
    """The figures of a run so short or slow that it showed no progress: with the first second."""
    rate = re.search(r"^tps = ([\d.]+)", output, re.MULTILINE)
    mean = re.search(r"^latency average = ([\d.]+) ms", output, re.MULTILINE)
    if not rate or not float(rate.group(1)):
        raise BenchFailure(f"pgbench finished nothing:\n{output[-600:]}")
    return {
        "requests_per_second": float(rate.group(1)), "rate": float(rate.group(1)),
        "mean_ms": float(mean.group(1)) if mean else None, "cpu_us": {},
    }
