# What was measured, as facts and as the tables of docs/reports/years.md.
import datetime
import os
import platform
import subprocess
import time

from filllib.acts import ACTS
from filllib.psql import ask
from harness.processes import programs

FACTS = """
select (select sum(next_ordinal) - count(*) from gapless.counter),
       (select count(*) from gapless.ledger),
       (select count(*) from gapless.hold), (select count(*) from gapless.number_event),
       (select count(*) from gapless.block), (select count(*) from gapless.seal),
       pg_size_pretty(pg_database_size(current_database()))
"""
SIZES = """
select c.relname, greatest(c.reltuples, 0)::bigint, pg_table_size(c.oid), pg_indexes_size(c.oid)
from pg_class c
where c.relnamespace = 'gapless'::regnamespace and c.relkind = 'r'
  and pg_total_relation_size(c.oid) > 200000
order by pg_total_relation_size(c.oid) desc
"""


def facts(url):
    names = ("numbers", "rows", "holds", "events", "blocks", "links", "size")
    return {name: int(value) if value.isdigit() else value
            for name, value in zip(names, ask(url, FACTS).split("|"))}


def sizes(url):
    """-> of each table that counts: rows, bytes of it, bytes of its indexes"""
    return {name: [int(value) for value in values]
            for name, *values in (line.split("|") for line in ask(url, SIZES).splitlines())}


def machine(url):
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="minutes"),
        "processors": os.cpu_count(), "load": os.getloadavg()[0], "kernel": platform.release(),
        "postgresql": ask(url, "show server_version"),
        "shared_buffers": ask(url, "show shared_buffers")}


def whole(url, times):
    """-> seconds of what reads everything, the best of a few times"""
    found = {}
    for name, words in (("verify", ["verify"]), ("verify --chain", ["verify", "--chain"]),
                        ("export of the largest series",
                         ["ledger", "export", "year-0", "-o", "csv"])):
        took = []
        for _ in range(min(times, 3)):
            began = time.monotonic()
            subprocess.run([programs / "gapless", "--database-url", url, *words], check=True,
                           stdout=subprocess.DEVNULL)
            took.append(time.monotonic() - began)
        found[name] = min(took)
    found["start of gaplessd"] = start_of_service(url, times)
    return found


def start_of_service(url, times):
    """-> seconds until its first connection may issue"""
    took = []
    for _ in range(times):
        began = time.monotonic()
        child = subprocess.Popen(
            [programs / "gaplessd", "--listen", "127.0.0.1:0", "--journal", ""],
            env=os.environ | {"GAPLESS_DATABASE_URL": url}, stderr=subprocess.PIPE, text=True)
        for line in child.stderr:
            if "database_connected" in line:
                took.append(time.monotonic() - began)
                break
        child.terminate()
        child.communicate()
    return min(took) if took else None


def table(result):
    """-> the tables of docs/reports/years.md, as Markdown"""
    young, filled = result["acts"]["young"], result["acts"]["filled"]
    lines = ["| Act | two days old | three years old | pages then | pages now |",
             "|---|---|---|---|---|"]
    for name, _, _ in ACTS:
        lines.append(f"| {name} | {young[name]['ms']:.2f} ms | {filled[name]['ms']:.2f} ms"
                     f" | {young[name]['pages']:,} | {filled[name]['pages']:,} |")
    lines += ["", "| The whole of it | |", "|---|---|"]
    lines += [f"| {name} | {seconds:.2f} s |"
              for name, seconds in result["whole"].items() if seconds]
    lines += ["", "| Table | rows | MB | its indexes, MB |", "|---|---|---|---|"]
    lines += [f"| `{name}` | {rows:,} | {heap / 1e6:,.0f} | {indexes / 1e6:,.0f} |"
              for name, (rows, heap, indexes) in result["sizes"].items()]
    return "\n".join(lines)
