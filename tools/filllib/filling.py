# Years of work in a database, day by day.
import dataclasses
import tempfile
import time

from filllib.psql import admin, ask, start
from harness.processes import Failure, root, stop

first_serial = 10**12  # of the first series; each has as much room
open_room = 10**11  # numbers that the last block of a series has beyond what is filled
report_seconds = 10

LOAD = """
select gapless.series_create('{name}', 'years', null, null, null, '{release}', '{expiry}', null,
                             'fill')
where not exists (select from gapless.series s where s.name = '{name}');
select count(*) from gapless.block_load_many(
    '{name}', array(select {first} + n * {size} from generate_series(0, {blocks} - 1) as n),
    array(select {first} + (n + 1) * {size} - 1 + case when n = {blocks} - 1 then {room} else 0 end
          from generate_series(0, {blocks} - 1) as n),
    array_fill('filled until ' || ((now() at time zone 'UTC')::date - 1), array[{blocks}]),
    array_fill(null::timestamptz, array[{blocks}]), 'fill')
where not exists (select from gapless.block b join gapless.series s using (series_id)
                  where s.name = '{name}');
"""
LAST_DAY = """
select min(substr(b.reference, 14)) from gapless.block b join gapless.series s using (series_id)
where s.name = '{name}'
"""
# A day is small: what the planner believes of temporary tables does not matter, with hash joins.
SESSION = "set enable_nestloop = off; set jit = off;\n"
DONE = "select coalesce(sum(next_ordinal) - count(*), 0), count(*) from gapless.counter"


@dataclasses.dataclass
class Size:
    numbers: int
    rows: int
    series: int
    blocks: int  # of each series
    days: int
    holds: int  # per cent of the rows
    seal_rows: int  # that a link covers
    seed: int


def plan(size):
    """-> for each series: its name, the rows of a day, the numbers of a row"""
    names = [f"year-{number}" for number in range(size.series)]
    shares = [1.0] if len(names) == 1 else [0.5] + [0.5 / (len(names) - 1)] * (len(names) - 1)
    mean = size.numbers / size.rows
    return [(name, max(1, round(size.rows * share / size.days)), mean)
            for name, share in zip(names, shares)]


def load(url, size):
    """The schema, the series and their blocks; what is there already stays as it is."""
    admin(url, "migrate", "up")
    script = "begin;\n"
    for number, (name, rows, mean) in enumerate(plan(size)):
        numbers = max(round(rows * mean * size.days), size.blocks)
        script += LOAD.format(
            name=name, first=first_serial * (number + 1), size=-(-numbers // size.blocks),
            blocks=size.blocks, room=open_room,
            release="reissue", expiry="reissue" if number % 2 else "void")
    ask(url, script + "commit;")


def add_series(url, count):
    """So many series with a block each; nothing is issued -> seconds it took"""
    began = time.monotonic()
    ask(url, (root / "tools/filllib/series.sql").read_text()
        + f"call pg_temp.add_series({count});\nvacuum (analyze);")
    return time.monotonic() - began


def fill(url, size, sessions):
    """Brings every series to its last day, in so many sessions -> seconds it took"""
    if size.numbers == 0:
        admin(url, "migrate", "up")
        return add_series(url, size.series)
    load(url, size)
    library = SESSION + "".join((root / "tools/filllib" / file).read_text()
                                for file in ("day.sql", "year.sql", "today.sql"))
    scripts = [library] * sessions
    waits = [0] * sessions  # rows of each session: the largest series goes first
    for number, (name, rows, mean) in enumerate(plan(size)):
        last = ask(url, LAST_DAY.format(name=name))
        session = waits.index(min(waits))
        waits[session] += rows
        scripts[session] += (
            f"set synchronous_commit = off; call pg_temp.fill_days('{name}', {size.days}, '{last}',"
            f" {rows}, {mean}, {size.holds * 100}, {size.seed}, {size.seal_rows});\n"
            "set synchronous_commit = on;\n"  # without, nothing is issued
            f"select pg_temp.today('{name}', {str(number % 3 == 2).lower()});\n")
    began = time.monotonic()
    in_parallel(url, scripts)
    ask(url, "select gapless.seal(u.series_id) from gapless.unsealed() u")
    return time.monotonic() - began


def in_parallel(url, scripts):
    """Runs them in sessions at once, and tells how far they are."""
    logs = [tempfile.TemporaryFile("w+") for _ in scripts]
    with open("/dev/null", "w") as nowhere:
        sessions = [start(url, script, stdout=nowhere, stderr=log)
                    for script, log in zip(scripts, logs)]
    began = told = time.monotonic()
    while any(session.poll() is None for session in sessions):
        if time.monotonic() > told + report_seconds:
            told = time.monotonic()
            numbers, _ = ask(url, DONE).split("|")
            print(f"{int(numbers):,} numbers after {told - began:.0f} s", flush=True)
        time.sleep(0.05)
    for session, log in zip(sessions, logs):
        stop(session)
        if session.returncode != 0:
            log.seek(0)
            raise Failure(f"a session ended early:\n{log.read()[-2000:]}")
