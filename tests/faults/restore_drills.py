#!/usr/bin/env python3
"""Restores, copies, clones and failovers: nothing is issued on a database that has forgotten.

  restore_drills.py [NAME...]   all drills, or these; each has servers of its own
"""
import json
import subprocess
import time

from drill import database, pg_bin, run_drills


def copy_put_back(drill):
    """F82: the data directory of an earlier moment; same system, same timeline. The block that was
    open then was closed since, and numbers of the next one left."""
    url = drill.stock()
    drill.gapless(url, "block", "load", "s", "2000000", "2000999", "--yes")
    with drill.instance(url) as instance:
        assert instance.numbers(3) == [1000, 1001, 1002]
        held = instance.numbers(2, hold_seconds=600)
        drill.stop()
        drill.copy(drill.folder / "copy")
        drill.start()
        lost = instance.numbers(5, key="lost")
        assert lost == [1005, 1006, 1007, 1008, 1009], lost
        assert drill.gapless(url, "block", "close", "1", "--reason", "recalled", "--yes")[0] == 0
        assert instance.numbers(2) == [2000000, 2000001]
        drill.stop()
        drill.put_back(drill.folder / "copy")
        drill.start()
        instance.fenced("lacks issued numbers", "ordinal 5", "ordinal 12")
    # Nobody else issues either: the fence is in the database.
    assert "GL019" in drill.psql(url, "do $$ begin perform gapless.issue('s'); exception when "
                                 "sqlstate 'GL019' then raise exception 'GL019'; end $$")
    code, out, _ = drill.gapless(url, "epoch", "show", "--journal", str(drill.journals))
    assert code == 6 and "lacks issued numbers" in out and "12" in out, out
    with drill.instance(url, "") as other:
        other.fenced("lacks issued numbers")

    opening = ["epoch", "open", "--reason", "disk failed", "--confirm-epoch", "2", "--yes",
               "--journal", str(drill.journals)]
    code, _, error = drill.gapless(url, *opening)
    assert code == 5 and "lacks 7 issued numbers" in error, error
    code, _, error = drill.gapless(
        url, "epoch", "reconcile", "--reason", "disk failed", "--journal", str(drill.journals))
    assert code == 0 and error.startswith("7 missing numbers"), error
    wrong = [w if w != "2" else "3" for w in opening]
    assert drill.gapless(url, *wrong)[0] == 5
    assert drill.gapless(url, *opening)[0] == 4  # the one who reconciled proposes it as well
    code, _, error = drill.gapless(drill.person(url, "anna"), *opening)
    assert code == 0, error
    with drill.instance(url) as instance:
        assert instance.numbers(2) == [2000002, 2000003]
        for number in lost:
            assert instance.ask("GET", f"/v1/series/s/numbers/{number}")[1]["state"] == "issued"
        # What was held when the copy was made may have been printed since.
        for number in held:
            assert instance.ask("GET", f"/v1/series/s/numbers/{number}")[1]["state"] == "voided"
        assert instance.issue()[1]["epoch"] == "2"
    drill.clean(url)


def dump_elsewhere(drill):
    """F81: a dump restored into another cluster."""
    url = drill.stock()
    with drill.instance(url) as instance:
        instance.numbers(3)
    dump = subprocess.run([pg_bin / "pg_dump", url], check=True, stdout=subprocess.PIPE)
    there = drill.folder / "there"
    copy = drill.start(there)
    drill.psql(copy.rsplit("/", 1)[0] + "/postgres", "create database gapless; ")
    for role in ("service", "app", "admin", "audit"):
        drill.psql(copy, f"create role gapless_{role}")
    subprocess.run(["psql", "-qX", "-o", "/dev/null", copy], input=dump.stdout, check=True)
    for journal in (drill.journals, drill.folder / "new"):
        with drill.instance(copy, journal) as instance:
            instance.fenced("system")
    drill.open_epoch(copy, "--reason", "moved", "--confirm-epoch", "2",
                     "--journal", str(drill.journals), "--yes")
    with drill.instance(copy) as instance:
        assert instance.numbers() == [1003]
    # The one it came from is in an epoch that is over for this instance.
    with drill.instance(url) as instance:
        instance.fenced("epoch 2")
    drill.clean(copy)


def clone_beside(drill):
    """F83: a copy that is started while the original goes on."""
    url = drill.stock()
    with drill.instance(url) as instance:
        instance.numbers(3)
    drill.stop()
    clone = drill.copy_cluster("clone")
    drill.start()
    copy = drill.start(clone)
    with drill.instance(copy, drill.folder / "new") as beside, drill.instance(url) as instance:
        beside.fenced("clone")
        assert instance.numbers() == [1003]


def documented_rights(drill):
    """P04: an owner as docs/operations/install.md makes it; whether it may know the data directory
    decides whether a clone is noticed, and granting it later is enough."""
    server = drill.start().rsplit("/", 1)[0]
    drill.psql(f"{server}/postgres", "create role gapless_owner login createrole password 'x'")
    drill.psql(f"{server}/postgres", "create database gapless owner gapless_owner")
    url = f"{server}/gapless"
    owner = url.replace(url.split("//")[1].split("@")[0], "gapless_owner:x")
    code, _, error = drill.gapless(owner, "migrate", "up", "--yes")
    assert code == 0 and "grant pg_read_all_settings to gapless_owner" in error, error
    for words in (["series", "create", "s", "--carrier", "c"],
                  ["block", "load", "s", "1000", "999999", "--yes"]):
        assert drill.gapless(owner, *words)[0] == 0
    drill.token = database.create_token(owner, "drill", "issue,read")

    def clone_detection():
        rows = json.loads(drill.gapless(owner, "database", "check", "-o", "json")[1])
        return next(row["value"] for row in rows if row["check"] == "clone_detection")

    assert clone_detection() == "off"
    drill.psql(url, "grant pg_read_all_settings to gapless_owner")
    with drill.instance(url) as instance:
        assert instance.numbers(3) == [1000, 1001, 1002]
        instance.wait_for(lambda: clone_detection() == "on")
    drill.stop()
    clone = drill.copy_cluster("clone")
    drill.start()
    copy = drill.start(clone)
    with drill.instance(copy, drill.folder / "new") as beside, drill.instance(url) as instance:
        beside.fenced("clone")
        assert "clone" in drill.psql(copy, "select gapless.issue('s')")
        assert instance.numbers() == [1003]


def failover(drill):
    """F87: a promoted standby that has everything goes on; one that nobody can vouch for not."""
    there, both = drill.with_standby("--setting", "synchronous_standby_names=*")
    with drill.instance(both) as instance:
        assert instance.numbers(3) == [1000, 1001, 1002]
        with drill.instance(there, "") as early:  # on a standby nobody issues, and it is told
            status, found = early.issue()
            assert (status, found["executed"]) == (503, "no"), found
            assert early.ask("GET", "/readyz")[0] == 503
        drill.stop(mode="immediate")
        drill.psql(there, "alter system set synchronous_standby_names = ''")
        begun = time.monotonic()
        drill.psql(there, "select pg_promote()")
        with drill.instance(there, "") as stranger:
            # Without a journal nobody knows; with one the first connection opens the epoch.
            assert instance.numbers() == [1003]
            print(f"issued {time.monotonic() - begun:.1f} s after the promotion")
            stranger.wait_ready()
        assert instance.issue()[1]["epoch"] == "2"
    assert drill.psql(there, "select opened_by from gapless.epoch_state()") == "instance"
    drill.clean(there)


def old_primary_back(drill):
    """An asynchronous failover, and the old primary writes on: nothing inside it can tell. The
    first instance that connects to it fences it, and names what was issued there meanwhile."""
    there, _ = drill.with_standby()
    here = drill.start()
    with drill.instance(here) as instance:
        assert instance.numbers(3) == [1000, 1001, 1002]
        instance.wait_for(lambda: drill.psql(
            there, "select next_ordinal - 1 from gapless.counter") == "3")
    drill.psql(there, "select pg_promote()")
    with drill.instance(there) as instance:
        assert instance.numbers(2) == [1003, 1004]
    # The limit that SECURITY.md names: a caller of SQL gets the same numbers from the old one.
    issued = drill.psql(here, "select string_agg(number, ' ') from gapless.issue('s', 2)")
    assert issued == "1003 1004", issued
    with drill.instance(here) as instance:
        instance.fenced("epoch 2", "series s: 1003 to 1004 (2 numbers in all)")
    assert "fenced" in drill.psql(here, "select gapless.issue('s')")
    with drill.instance(there) as instance:
        assert instance.numbers() == [1005]


drills = [copy_put_back, dump_elsewhere, clone_beside, documented_rights, failover,
          old_primary_back]


if __name__ == "__main__":
    run_drills(drills)
