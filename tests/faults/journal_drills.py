#!/usr/bin/env python3
"""What the journals know of a database that was put back, where it is easily forgotten.

  journal_drills.py [NAME...]   all drills, or these; each has servers of its own
"""
import concurrent.futures
import json
import os
import subprocess

from drill import Failure, run_drills


def released_again(drill):
    """F82, N16: numbers that came back left again after the copy; no ordinal is new since."""
    url = drill.stock()
    with drill.instance(url) as instance:
        instance.wait_ready()
        held = instance.issue(4, hold_seconds=600)[1]["id"]
        status, _ = instance.ask("POST", f"/v1/issuances/{held}/release")
        assert status == 200, status
        drill.stop()
        drill.copy(drill.folder / "copy")
        drill.start()
        assert instance.numbers(2) == [1000, 1001]
        drill.stop()
        drill.put_back(drill.folder / "copy")
        drill.start()
        instance.fenced("lacks issued numbers", "ordinal 4 in turn 0", "ordinal 4 in turn 1")
    drill.open_epoch(url, "--reason", "disk failed", "--confirm-epoch", "2", "--yes",
                     "--journal", str(drill.journals))
    with drill.instance(url) as instance:
        # Neither those that left again nor those that still waited: nobody knows which is which.
        assert instance.numbers(3) == [1004, 1005, 1006]
    states = drill.psql(url, "select free, held, voided from gapless.tally")
    assert states == "0|0|4", states
    drill.clean(url)


def hold_commits(drill, url):
    """Every COMMIT of the ledger waits for the lock 42 -> what is called to let them go."""
    drill.psql(url, "create function public.wait() returns trigger language plpgsql"
               " set lock_timeout = 0 as"
               " $$ begin perform pg_advisory_xact_lock_shared(42); return null; end $$;"
               " create constraint trigger held_up after insert on gapless.ledger deferrable"
               " initially deferred for each row execute function public.wait()")
    holder = subprocess.Popen(["psql", "-qXAt", url], text=True, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    holder.stdin.write("select pg_advisory_lock(42);\n\\echo held\n")
    holder.stdin.flush()
    while holder.stdout.readline() != "held\n":
        assert holder.poll() is None

    def release():
        holder.stdin.close()
        holder.wait()

    return release


def two_series(drill):
    """F82: what left last left as one batch of two series, and both are known to lack it."""
    url = drill.stock()
    for words in (["series", "create", "t", "--carrier", "d"],
                  ["block", "load", "t", "5000", "5999", "--yes"]):
        code, _, error = drill.gapless(url, *words)
        assert code == 0, error
    with drill.instance(url) as instance:
        instance.numbers(2)
        assert instance.numbers(series="t") == [5000]
        instance.wait_for(lambda: instance.logged().count("database_connected") >= 2)
        drill.stop()
        drill.copy(drill.folder / "copy")
        drill.start()
        # Both connections stand again: while one does alone it takes everything, batch by batch.
        instance.wait_for(lambda: all(
            instance.logged().count(f'"database_connected","lane":"{connection}"') >= 2
            for connection in ("quick", "patient")))
        release = hold_commits(drill, url)
        with concurrent.futures.ThreadPoolExecutor() as crowd:
            asked, sent = [], instance.metric("gapless_issue_requests_total")
            # Two batches are under way, then two requests wait, which share the next one.
            for series, under_way, waiting in (("s", 1, 0), ("s", 2, 0), ("s", 2, 1), ("t", 2, 2)):
                asked.append(crowd.submit(instance.issue, series=series))
                instance.wait_for(
                    lambda: instance.metric("gapless_issue_requests_total") == sent + under_way
                    and instance.metric("gapless_issue_waiting") == waiting)
            release()
            assert [one.result()[0] for one in asked] == [201] * 4
        shared = drill.psql(url, "select count(*) from gapless.ledger a join gapless.ledger b "
                            "on a.xmin = b.xmin and a.series_id < b.series_id")
        assert shared == "1", shared
        drill.stop()
        drill.put_back(drill.folder / "copy")
        drill.start()
        instance.fenced("lacks issued numbers")
    journal = ["--journal", str(drill.journals)]
    _, out, _ = drill.gapless(url, "epoch", "show", *journal, "-o", "json")
    lacks = {one["series"]: one["missing"] for one in json.loads(out)["series"]}
    assert lacks == {"s": "3", "t": "1"}, lacks
    code, _, error = drill.gapless(url, "epoch", "reconcile", "--reason", "disk failed", *journal)
    assert code == 0 and error.startswith("4 missing numbers"), error
    drill.open_epoch(url, "--reason", "disk failed", "--confirm-epoch", "2", "--yes", *journal)
    with drill.instance(url) as instance:
        assert instance.numbers() == [1005]
        assert instance.numbers(series="t") == [5002]
    drill.clean(url)


def make_sparse(file):
    with file.open("wb") as opened:
        opened.truncate(200 << 30)


def unfit_folders(drill):
    """P09: a folder that everybody may write to, and files that are no journals and may have no
    end: the service says so and ends, and waits for none of them."""
    url = drill.stock()
    for name, spoil, why in (
            ("open", lambda folder: folder.chmod(0o777), "everybody may write there"),
            ("pipe", lambda folder: os.mkfifo(folder / "a.lease"), "no regular file"),
            ("zero", lambda folder: (folder / "a.lease").symlink_to("/dev/zero"), "no regular"),
            ("sparse", lambda folder: make_sparse(folder / "a.lease"), "214748364800 bytes")):
        folder = drill.folder / name
        folder.mkdir()
        spoil(folder)
        instance = drill.instance(url, folder)
        try:
            instance.start()
            raise AssertionError(f"{name}: it serves")
        except Failure:
            assert instance.process.wait(10) != 0, name
            assert why in instance.logged() and str(folder) in instance.logged(), instance.logged()


drills = [released_again, two_series, unfit_folders]


if __name__ == "__main__":
    run_drills(drills)
