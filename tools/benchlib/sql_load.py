# The peers in SQL: what pgbench gets out of the same PostgreSQL.
import os
import re
import subprocess
import time

from benchlib.usage import Usage
from harness.processes import Failure, pg_bin, start, stop, time_limit

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
PROGRESS = re.compile(
    r"progress: ([\d.]+) s, ([\d.]+) tps, lat ([\d.]+|NaN) ms.* (\d+) failed(?:.* (\d+) retries)?"
)


def measure_pgbench(cluster, folder, name, clients, seconds):
    """Rate and CPU over so many seconds, after a first one that does not count: in it the sessions
    prepare their statements. Connecting counts as time for pgbench, hence the generous limit."""
    script, options = peers[name]
    file = folder / f"{name}.sql"
    file.write_text(script)
    limit = seconds + connect_seconds_max
    command = [pg_bin / "pgbench", "--no-vacuum", "--protocol=prepared", f"--client={clients}"]
    command += [f"--jobs={min(clients, os.cpu_count())}", f"--time={limit}", "--progress=1"]
    pgbench = start(
        [*command, *options, f"--file={file}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env=cluster.environment("peers"),
    )
    with time_limit(pgbench, limit):
        measured, words = read_progress(pgbench, cluster, seconds)
    if measured and pgbench.poll() is not None:
        measured = None
    stop(pgbench)
    if measured is None:
        raise Failure(f"pgbench ({name}, {clients} clients) ended early:\n{words[-600:]}")
    wait_until_gone(cluster)
    return measured


def read_progress(pgbench, cluster, seconds):
    """-> (figures, other words); no figures when it ended too early or a transaction failed"""
    usage, last, words = None, 0.0, ""
    transactions = window = latency_sum = retries = 0.0
    for line in pgbench.stderr:
        found = PROGRESS.match(line)
        if not found:
            words += line
            continue
        at, rate, latency, failed, retried = (float(group or 0) for group in found.groups())
        if failed:
            return None, line
        done = rate * (at - last)
        if usage is not None:
            transactions += done
            window += at - last
            latency_sum += latency * done if done else 0  # it is NaN where nothing was done
            retries += retried
        elif done:
            usage = Usage(postgres=[cluster.pid], client=[pgbench.pid])
        last = at
        if window > seconds - 0.1:
            break
    if not transactions:
        return None, words
    return {
        "requests_per_second": transactions / window,
        "rate": transactions / window,
        "mean_ms": latency_sum / transactions,
        "retries": retries,
        "cpu_us": {group: 1e6 * used / transactions for group, used in usage.since().items()},
    }, words


def wait_until_gone(cluster):
    """The sessions of a pgbench that was stopped must not disturb the next measurement."""
    question = "select count(*) from pg_stat_activity where datname = 'peers'"
    for _ in range(100):
        if cluster.psql("postgres", question) == "0":
            return
        time.sleep(0.1)
    raise Failure("the sessions of pgbench do not end")
