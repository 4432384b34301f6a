# A large ledger to measure on: filled through the real tables and triggers, verified, sealed.
import statistics
import subprocess
import time

from benchlib.service import Service, first_serial
from benchlib.usage import Usage
from harness.database import psql_command
from harness.processes import Failure, start, stop

fillers = 2  # sessions
series_room = 10**12  # serials from the start of one series to that of the next
open_room = 10**11  # numbers that the last block of a series has left
filling_seconds_max = 7200
report_seconds = 10

LOAD = """
select gapless.series_create('{name}', 'bench', null, null, null, null, null, null, 'bench');
select count(*) from gapless.block_load_many(
    '{name}', array{firsts}, array{lasts}, array_fill(null::text, array[{blocks}]),
    array_fill(null::timestamptz, array[{blocks}]), 'bench') where block_id is not null;
"""

# Every block is filled by one INSERT: the ledger's trigger opens it behind the one before, which
# is used up, and the counter follows; the last one stays open.
FILL = """
set synchronous_commit = off;
create function pg_temp.fill(p_name text, p_rows integer[]) returns void language plpgsql as $$
declare
    v_series integer := (select s.series_id from gapless.series s where s.name = p_name);
    v_owner  integer := gapless.owner_id('bench');
    v_block  record;
begin
    for v_block in
        select b.block_id, b.first_serial, p_rows[b.position] as rows
        from gapless.block b where b.series_id = v_series order by b.position
    loop
        insert into gapless.ledger (
            series_id, count, ordinal, serial, key, issued_at, block_id, owner_id, epoch)
        select v_series, 1, c.next_ordinal + n, v_block.first_serial + n, gen_random_uuid(), now(),
               v_block.block_id, v_owner, c.epoch
        from gapless.counter c
        cross join generate_series(0, v_block.rows - 1) n
        where c.series_id = v_series;
    end loop;
end;
$$;
"""

# As gaplessd would do in its first minutes, which are not what is to be measured.
SEAL = """
set synchronous_commit = off;
do $$
declare
    v_series integer;
begin
    for v_series in select u.series_id from gapless.unsealed() u where u.series_id % {of} = {part}
    loop
        while gapless.seal(v_series) loop
            commit;
        end loop;
        commit;
    end loop;
end;
$$;
"""

BLOCKS = "select state || ' ' || count(*) from gapless.block group by state order by state"


def shares(whole, parts):
    """`whole` in `parts` shares that differ by one at most"""
    return [whole * (n + 1) // parts - whole * n // parts for n in range(parts)]


class FilledService(Service):
    """gaplessd on a database whose ledger has rows already; fill() comes before start(). What is
    issued leaves from the open blocks of the series that were filled."""

    def __init__(self, programs, cluster, folder, size):
        super().__init__(programs, cluster, folder, "filled")
        self.size, self.turn = size, 0

    def name_of(self, number):
        return f"ledger-{number}"

    def create_series(self, count, format_=None):
        """The next `count` of the filled series: they are there already."""
        names = [self.name_of((self.turn + n) % self.size["series"]) for n in range(count)]
        self.turn += count
        return names

    def plan(self):
        """-> for each series the rows of each of its blocks"""
        rows = iter(shares(self.size["rows"], self.size["blocks"]))
        return [[next(rows) for _ in range(blocks)]
                for blocks in shares(self.size["blocks"], self.size["series"])]

    def fill(self, verifications):
        """-> what there is now, and how long it took to make and to verify it, so many times"""
        began = time.monotonic()
        plan = self.plan()
        self.load(plan)
        self.insert(plan)
        filled = time.monotonic()
        # Otherwise autovacuum and gaplessd do so while we measure.
        self.in_parallel([SEAL.format(of=fillers, part=n) for n in range(fillers)], "sealed",
                         "select coalesce(sum(rows), 0) from gapless.seal where kind = 'ledger'")
        unsealed = self.cluster.psql(self.database, "select count(*) from gapless.unsealed()")
        if unsealed != "0":
            raise Failure(f"{unsealed} series are not sealed after they were filled")
        self.say("vacuum and checkpoint")
        self.cluster.psql(self.database, "vacuum (analyze);\ncheckpoint", filling_seconds_max)
        return self.size | {
            "fill_seconds": round(filled - began, 1),
            "prepare_seconds": round(time.monotonic() - began, 1),
            "bytes": int(self.cluster.psql(
                self.database, f"select pg_database_size('{self.database}')")),
            "verify": self.verify_all(verifications),
            "verify_chain": self.verify_all(1, "--chain"),
        }

    def load(self, plan):
        """Series with their blocks, the last of each with room for what is measured."""
        self.say(f"loading {self.size['blocks']:,} blocks into {self.size['series']:,} series")
        script = ""
        for number, rows in enumerate(plan):
            firsts, lasts, first = [], [], first_serial + number * series_room
            for count in rows:
                firsts.append(first)
                first += count
                lasts.append(first - 1)
            lasts[-1] += open_room
            script += LOAD.format(
                name=self.name_of(number), firsts=firsts, lasts=lasts, blocks=len(rows))
        self.cluster.psql(self.database, f"begin;\n{script}commit;", filling_seconds_max)

    def insert(self, plan):
        scripts = [FILL] * fillers
        for number, rows in enumerate(plan):
            scripts[number % fillers] += (
                f"select pg_temp.fill('{self.name_of(number)}', array{rows});\n")
        self.in_parallel(scripts, "filled",
                         "select sum(next_ordinal) - count(*) from gapless.counter")
        used_up = self.size["blocks"] - self.size["series"]
        due = ([f"exhausted {used_up}"] if used_up else []) + [f"open {self.size['series']}"]
        found = self.cluster.psql(self.database, BLOCKS).splitlines()
        if found != due:
            raise Failure(f"blocks after filling: {found}, not {due}")

    def in_parallel(self, scripts, verb, progress):
        """Runs SQL in sessions at once, and tells how many rows are done, by that query."""
        sessions = []
        for number, script in enumerate(scripts):
            file = self.folder / f"{verb}-{number}.sql"
            file.write_text(script)
            sessions.append(start(
                [*psql_command, "--output=/dev/null", f"--file={file}"],
                stdout=subprocess.DEVNULL, stderr=file.with_suffix(".log").open("w"),
                env=self.cluster.environment(self.database)))
        began = told = time.monotonic()
        while any(session.poll() is None for session in sessions):
            now = time.monotonic()
            if now > began + filling_seconds_max:
                raise Failure(f"not all rows are {verb} after {filling_seconds_max} s")
            if now > told + report_seconds:
                told = now
                done = int(self.cluster.psql(self.database, progress))
                self.say(f"{done:,} rows are {verb}, {done / (now - began):,.0f} a second")
            time.sleep(0.05)
        for number, session in enumerate(sessions):
            stop(session)
            if session.returncode != 0:
                words = (self.folder / f"{verb}-{number}.log").read_text()[-600:]
                raise Failure(f"the ledger could not be {verb}:\n{words}")
        self.say(f"all rows are {verb}, after {time.monotonic() - began:.0f} s")

    def verify_all(self, times, *options):
        """The whole ledger by gapless verify -> rows a second of each time, their median, and what
        PostgreSQL computes for a row. Refuses findings, and rows, blocks or series other than what
        was asked for."""
        rates, computed = [], []
        for _ in range(times):
            began, usage = time.monotonic(), Usage(postgres=[self.cluster.pid])
            found = self.admin("verify", *options, seconds_max=filling_seconds_max)
            rates.append(round(self.size["rows"] / (time.monotonic() - began)))
            computed.append(1e6 * usage.since()["postgres"] / self.size["rows"])
            checked = found["checked"]
            seen = {"rows": int(checked["ledger_rows"]), "blocks": int(checked["blocks"]),
                    "series": len(checked["series"])}
            if found["findings"] != [] or seen != self.size:
                raise Failure(f"verify saw {seen} and found {found['findings'][:5]}")
            self.say(f"{' '.join(['verify', *options])}: clean, {rates[-1]:,} rows a second")
        return {"rows_per_second": statistics.median(rates),
                "cpu_us": round(statistics.median(computed), 3), "each": rates}

    def say(self, words):
        print(f"ledger: {words}", flush=True)
