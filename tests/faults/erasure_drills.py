#!/usr/bin/env python3
"""References that are erased: gone from the database, proved as before, also when it is killed.

  erasure_drills.py [NAME...]   all drills, or these; each has servers of its own
"""
import subprocess
import time

from drill import pg_bin, programs, run_drills

text = "order of Ines Muster"


def dump(url):
    done = subprocess.run([pg_bin / "pg_dump", "--no-owner", url],
                          check=True, text=True, stdout=subprocess.PIPE)
    return done.stdout


def killed(drill):
    """The program is killed while it erases: what is erased is on record, the rest is erased by the
    same command, and numbers are issued all the time."""
    url = drill.stock()
    assert drill.psql(url, "select from gapless.issue('s')") == ""
    made = drill.psql(url, "select serial from gapless.issue_plain(1,"
                      " array(select n from generate_series(0, 5998) n),"
                      " array_fill(1, array[5999]), array_fill(1, array[5999]),"
                      " array(select gen_random_uuid() from generate_series(0, 5998)),"
                      f" array(select '{text} ' || n from generate_series(0, 5998) n), false)")
    assert made == "1001", made
    command = [programs / "gapless", "--database-url", url, "reference", "erase", "s",
               "--before", drill.psql(url, "select to_char(clock_timestamp() at time zone 'UTC',"
                                      " 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"),
               "--reason", "a year ago"]
    left = "select count(*) from gapless.ledger where reference is not null"
    # A row in the middle that somebody holds: the program is there and waits when it is killed.
    holder = subprocess.Popen(["psql", "-qXAt", url], text=True, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    holder.stdin.write("begin; select ordinal from gapless.ledger"
                       " where ordinal = 3500 for update;\n")
    holder.stdin.flush()
    assert holder.stdout.readline() == "3500\n"
    with drill.instance(url) as instance:
        started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while drill.psql(url, left) != "3000":
            assert started.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        assert instance.numbers(2, "new", reference="new") == [7000, 7001]
        started.kill()
        started.wait()
        holder.stdin.close()
        holder.wait()
        assert instance.numbers() == [7002]
    drill.clean(url)
    assert drill.psql(url, "select findings from gapless.verify_chain(1)") == "[]"
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert drill.psql(url, left) == "1"
    acts = drill.psql(url, "select after ->> 'references' from gapless.audit_log"
                      " where action = 'reference.erase' order by audit_id").split()
    assert acts[0] == "5999" and int(acts[1]) in (2000, 3000), acts
    assert text not in dump(url)
    drill.clean(url)
    assert drill.psql(url, "select findings from gapless.verify_chain(1)") == "[]"


drills = [killed]


if __name__ == "__main__":
    run_drills(drills)
