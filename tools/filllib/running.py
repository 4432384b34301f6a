# What tools/fill does with its options.
import dataclasses
import json

from filllib import report
from filllib.acts import measure
from filllib.filling import Size, fill
from filllib.psql import ask
from harness.cluster import Cluster
from harness.database import url_of

young_days = 2
settings = {  # of a private cluster: checkpoints between acts, not within
    "shared_buffers": "1GB", "max_wal_size": "8GB", "min_wal_size": "2GB",
    "checkpoint_timeout": "15min", "maintenance_work_mem": "256MB"}


def database(server, name):
    """-> its URL; made if it is not there"""
    if not ask(server, f"select 1 from pg_database where datname = '{name}'"):
        ask(server, f"create database {name}")
    return url_of(name, server)


def young(size):
    """The same work a day, for two days: what is not there is age."""
    share = young_days / size.days
    return dataclasses.replace(
        size, days=young_days, rows=round(size.rows * share), numbers=round(size.numbers * share),
        blocks=max(2, round(size.blocks * share)))


def size_of(options):
    return Size(**{field.name: getattr(options, field.name) for field in dataclasses.fields(Size)})


def run(options):
    """-> the exit status"""
    size = size_of(options)
    server = None if options.url else Cluster(options.folder, settings=settings).start()
    url = options.url or database(server, "filled")
    seconds = fill(url, size, options.sessions)
    facts = report.facts(url)
    print(f"{facts['numbers']:,} numbers in {facts['rows']:,} ledger rows, {facts['size']},"
          f" after {seconds:.0f} s: {url}", flush=True)
    if not options.measure:
        return 0
    beside = database(server, "young")
    fill(beside, young(size), options.sessions)
    for each in (url, beside):
        ask(each, "vacuum (analyze)")
    ask(url, "checkpoint")
    result = {
        "facts": facts, "young": report.facts(beside), "times": options.times,
        "machine": report.machine(url), "sizes": report.sizes(url),
        "acts": {"young": measure(beside, options.times), "filled": measure(url, options.times)},
        "whole": report.whole(url, options.times)}
    options.measure.write_text(json.dumps(result, indent=1) + "\n")
    print(report.table(result))
    return 0
