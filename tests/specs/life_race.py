#!/usr/bin/env python3
"""Eight sessions issue, hold, settle, print, void, report, sweep, close, withdraw and recall by
chance; then verify.

  life_race.py [--seconds N]   on the server of GAPLESS_TEST_DATABASE_URL
  life_race.py --kill          on a server of its own, which is killed twice meanwhile

Everything runs as in the service: loads and withdrawals at READ COMMITTED, the rest SERIALIZABLE;
pgbench repeats what fails with 40001. Three more sessions seal meanwhile, a few rows a link and at
read committed, and the chain has to be whole.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from harness import database  # noqa: E402
from harness.cluster import Cluster  # noqa: E402
from harness.processes import pg_bin  # noqa: E402

block_script = r"""\if :act = 4 or :act = 6
begin isolation level read committed;
\else
begin;
\endif
select race_block(:act, :block);
commit"""
# weight, and what a transaction of pgbench does
mix = [
    (20, "select race_issue(:series, :some, null)"),
    (20, "select race_issue(:series, :many, :coin)"),
    (15, "select race_settle(:series, true, :place, :coin = 1)"),
    (15, "select race_settle(:series, false, :place, :coin = 1)"),
    (12, "select race_event(:series, 'printed', :place, :some)"),
    (4, "select race_event(:series, 'reprinted', :place, :coin)"),
    (5, "select race_event(:series, 'voided', :place, :coin)"),
    (3, "select race_event(:series, 'manifested', :place, :some)"),
    (3, "select race_event(:series, 'returned', :place, :coin)"),
    (4, "select race_sweep()"),
    (1, "select race_manifest('s', :day)"),
    (4, block_script),
]
seal_script = r"""
\set chain random(0, 3)
\set rows random(1, 40)
select gapless.seal(:chain, :rows);
"""
variables = r"""
\set series random(1, 3)
\set place random(0, 1000) / 1000.0
\set coin random(1, 2)
\set some random(1, 6)
\set many random(1, 12)
\set day random(0, 400)
\set act random(1, 6)
\set block random(1, 601)
"""
# Each of them has to have succeeded, or the race was none; on a machine that is too slow for
# that many, chance decides.
enough = 1000
expected = [
    "issue", "hold", "confirm", "release", "printed", "reprinted", "voided", "manifested",
    "returned", "sweep", "manifest", "block 1", "block 2", "block 3", "block 4", "block 5",
    "block 6",
]


def start_race(url, folder, seconds):
    scripts = []
    for place, (weight, statement) in enumerate(mix):
        script = pathlib.Path(folder) / f"{place}.sql"
        script.write_text(variables.lstrip() + statement + ";\n")
        scripts += ["-f", f"{script}@{weight}"]
    options = "-c default_transaction_isolation=serializable -c enable_seqscan=off -c jit=off"
    sealing = pathlib.Path(folder) / "seal.sql"
    sealing.write_text(seal_script.lstrip())
    sealers = start_bench(url, seconds, "-c jit=off", "--client=3", "-f", sealing)
    return sealers, start_bench(url, seconds, options, "--client=8", "--jobs=2", *scripts)


def start_bench(url, seconds, options, *arguments):
    return subprocess.Popen(
        [pg_bin / "pgbench", "--no-vacuum", f"--time={seconds}", "--max-tries=1000",
         *arguments, url],
        env=os.environ | {"PGOPTIONS": options},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )


def findings_of_chain(url):
    """What is wrong with the chains, first as they were left, then with the rest sealed."""
    chains = """
        select s.id, f from (select 0 union all select series_id from gapless.series) s (id)
        cross join lateral gapless.verify_chain(s.id) v
        cross join lateral jsonb_array_elements(v.findings) f;"""
    wrong = database.psql(url, chains).splitlines()
    database.psql(url, "select gapless.seal(series_id, 1000000) from gapless.unsealed();")
    wrong += database.psql(url, chains).splitlines()
    left = database.psql(url, "select * from gapless.unsealed();").split()
    return ["chain " + row for row in wrong + [f"{series} is not sealed" for series in left]]


def judge(url):
    """What is wrong after a race, in words."""
    wrong = findings_of_chain(url)
    wrong += database.findings(url).splitlines()
    differing = database.psql(url, "select * from discrepancies();").splitlines()
    wrong += ["told otherwise: " + row for row in differing]
    # Past every deadline nothing is held any more, and that is gapless, too.
    database.psql(url, "select put_back('1 hour'); select gapless.sweep(100000);")
    wrong += database.findings(url).splitlines()
    left = database.psql(url, "select sum(held) from gapless.tally;")
    if left != "0":
        wrong.append(f"{left} numbers are still held after every hold expired")
    return wrong


def acts(url):
    counted = "select what, count(*) from act where outcome = 'done' group by what order by what;"
    return dict(row.split("|") for row in database.psql(url, counted).splitlines())


def count_of_acts(url):
    return int(database.psql(url, "select count(*) from act;"))


def wait_for_acts(url, count, running):
    """Until so many have been committed -> how many; a slow disk makes it take long."""
    while (seen := count_of_acts(url)) < count:
        if running.poll() is not None:
            sys.exit(f"pgbench ended before act {count}:\n{running.communicate()[0]}")
        time.sleep(0.05)
    return seen


def race(seconds):
    with database.new_database("race", ("support.sql", "race.sql")) as url, \
            tempfile.TemporaryDirectory() as folder:
        database.psql(url, "select race_setup();")
        sealers, running = start_race(url, folder, seconds)
        output = running.communicate()[0]
        sealed = sealers.communicate()[0]
        done = acts(url)
        wrong = judge(url)
        if sum(map(int, done.values())) >= enough:
            wrong += [f"nobody succeeded with: {what}" for what in expected if what not in done]
        for bench, said in ((running, output), (sealers, sealed)):
            if bench.returncode != 0 or "number of failed transactions: 0 " not in said:
                wrong.append(said)
        links = int(database.psql(url, "select count(*) from gapless.seal;"))
        if links < 20:
            wrong.append(f"only {links} links were sealed")
        print(" ".join(f"{what}:{count}" for what, count in done.items()))
        return wrong


def race_with_kills():
    wrong = []
    with tempfile.TemporaryDirectory(prefix="gapless-race-") as folder, \
            tempfile.TemporaryDirectory() as scripts:
        os.chmod(folder, 0o755)
        cluster = Cluster(folder + "/cluster")
        try:
            server = cluster.start()
            with database.new_database("race", ("support.sql", "race.sql"), server) as url:
                database.psql(url, "select race_setup();")
                before = 0
                for acts_min in (200, 300):
                    sealers, running = start_race(url, scripts, 60)
                    seen = wait_for_acts(url, before + acts_min, running)
                    cluster.kill_postmaster()
                    running.communicate()
                    sealers.communicate()
                    cluster.start()
                    before = count_of_acts(url)
                    if before < seen:
                        wrong.append(f"{seen} acts were seen before the kill, {before} after it")
                    wrong += database.findings(url).splitlines()
                for bench in start_race(url, scripts, 2):
                    output = bench.communicate()[0]
                    if "number of failed transactions: 0 " not in output:
                        wrong.append(output)
                wrong += judge(url)
                print(" ".join(f"{what}:{count}" for what, count in acts(url).items()))
        finally:
            cluster.remove()
    return wrong


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seconds", type=int, default=8)
    parser.add_argument("--kill", action="store_true", help="kill the server twice meanwhile")
    options = parser.parse_args()
    wrong = race_with_kills() if options.kill else race(options.seconds)
    for finding in wrong[:20]:
        print(finding)
    print("gapless" if not wrong else f"{len(wrong)} things are wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
