#!/usr/bin/env python3
"""Restores, copies, clones and failovers: nothing is issued on a database that has forgotten.

  restore_drills.py [NAME...]   all drills, or these; each has servers of its own
"""
import json
import shutil
import subprocess
import tempfile
import time

from drill import database, pg_bin, run_drills


def copy_put_back(drill):
    """F82: the data directory of an earlier moment; same system, same timeline."""
    url = drill.stock()
    with drill.instance(url) as instance:
        assert instance.numbers(3) == [1000, 1001, 1002]
        held = instance.numbers(2, hold_seconds=600)
        drill.stop()
        drill.copy(drill.folder / "copy")
        drill.start()
        lost = instance.numbers(5, key="lost")
        assert lost == [1005, 1006, 1007, 1008, 1009], lost
        drill.stop()
        drill.put_back(drill.folder / "copy")
        drill.start()
        instance.fenced("lacks issued numbers", "ordinal 5", "ordinal 10")
    # Nobody else issues either: the fence is in the database.
    assert "GL019" in drill.psql(url, "do $$ begin perform gapless.issue('s'); exception when "
                                 "sqlstate 'GL019' then raise exception 'GL019'; end $$")
    code, out, _ = drill.gapless(url, "epoch", "show", "--journal", str(drill.journals))
    assert code == 6 and "lacks issued numbers" in out and "10" in out, out
    with drill.instance(url, "") as other:
        other.fenced("lacks issued numbers")

    opening = ["epoch", "open", "--reason", "disk failed", "--confirm-epoch", "2", "--yes",
               "--journal", str(drill.journals)]
    code, _, error = drill.gapless(url, *opening)
    assert code == 5 and "lacks 5 issued numbers" in error, error
    code, _, error = drill.gapless(
        url, "epoch", "reconcile", "--reason", "disk failed", "--journal", str(drill.journals))
    assert code == 0 and error.startswith("5 missing numbers"), error
    wrong = [w if w != "2" else "3" for w in opening]
    assert drill.gapless(url, *wrong)[0] == 5
    assert drill.gapless(url, *opening)[0] == 4  # the one who reconciled proposes it as well
    code, _, error = drill.gapless(drill.person(url, "anna"), *opening)
    assert code == 0, error
    with drill.instance(url) as instance:
        assert instance.numbers(2) == [1010, 1011]
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


def copies_on_one_server(drill):
    """N17: a dump restored beside the original, createdb --template, and the names exchanged."""
    url = drill.stock()
    server = url.rsplit("/", 1)[0]
    with drill.instance(url) as instance:
        instance.numbers(3)
    dump = subprocess.run([pg_bin / "pg_dump", url], check=True, stdout=subprocess.PIPE)
    drill.psql(server + "/postgres", "create database dumped")
    subprocess.run(["psql", "-qX", "-o", "/dev/null", server + "/dumped"], input=dump.stdout,
                   check=True)
    drill.psql(server + "/postgres", "create database cloned template gapless")

    def issues_nothing(copy):
        for journal in (drill.journals, drill.folder / f"new-{copy[-6:]}", ""):
            with drill.instance(copy, journal) as instance:
                instance.fenced()
        refused = drill.psql(copy, "select gapless.issue('s')")
        assert "fenced" in refused and "copy" in refused, refused
        code, _, error = drill.gapless(copy, "issue", "s")
        assert code != 0 and "fenced" in error, (code, error)
        assert drill.psql(copy, "select sum(count) from gapless.ledger") == "3"

    for copy in ("dumped", "cloned"):
        issues_nothing(f"{server}/{copy}")
    with drill.instance(url) as instance:
        assert instance.numbers() == [1003]
    # Under the name of the original a copy is still a copy, and the original what it was.
    drill.psql(server + "/postgres", "alter database gapless rename to before")
    drill.psql(server + "/postgres", "alter database dumped rename to gapless")
    issues_nothing(url)
    with drill.instance(f"{server}/before") as instance:
        assert instance.numbers() == [1004]
    drill.clean(f"{server}/before")
    # What is to become something else gets an epoch of its own, by two people.
    drill.open_epoch(url, "--reason", "a test system", "--confirm-epoch", "2", "--skip", "100",
                     "--yes")
    with drill.instance(url, "") as instance:
        assert instance.numbers() == [1103]
    drill.clean(url)


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


def on_another_host():
    """A command that starts another one under another name of the host; none: not allowed here."""
    for unshare in (["unshare", "--uts"], ["unshare", "--user", "--map-root-user", "--uts"]):
        command = [*unshare, "sh", "-c", 'hostname clone-of-it && exec "$@"', "sh"]
        if subprocess.run([*command, "true"], capture_output=True).returncode == 0:
            return command
    return None


def machine_clone(drill):
    """N29: a machine that is put back, or cloned, with its journals: what tells, and what does not.

    Nothing inside can tell; anchors and journals of other machines can, a name for the environment
    keeps a clone from issuing, and another name of the host is told in the log."""
    url = drill.stock()
    assert drill.gapless(url, "database", "environment", "production")[0] == 0
    machine = drill.folder / "machine"
    with drill.instance(url) as instance:
        assert instance.numbers(3) == [1000, 1001, 1002]
    drill.stop()
    drill.copy(drill.folder / "copy")
    shutil.copytree(drill.journals, machine)
    drill.start()
    other, anchors = drill.folder / "other", str(drill.folder / "anchors")
    with drill.instance(url, other) as instance:  # on another machine, which is not put back
        assert instance.numbers(3) == [1003, 1004, 1005]
        assert drill.gapless(url, "anchor", "--file", anchors)[0] == 0
    drill.stop()

    drill.put_back(drill.folder / "copy")
    shutil.rmtree(drill.journals)
    shutil.copytree(machine, drill.journals)
    drill.start()
    code, out, _ = drill.gapless(url, "epoch", "show", "--journal", str(drill.journals))
    assert code == 0, out  # from inside it looks like the original
    code, out, _ = drill.gapless(
        url, "epoch", "show", "--journal", str(other), "-o", "json")
    assert json.loads(out)["series"][0]["missing"] == "3", out
    code, out, _ = drill.gapless(url, "verify", "--anchors", anchors)
    assert code == 6, out
    # The clone of a machine gets another word before its service starts.
    assert drill.gapless(url, "database", "environment", "staging")[0] == 0
    with drill.instance(url, options=["--environment", "production"]) as instance:
        status, found = instance.issue()
        assert (status, found["executed"]) == (503, "no"), found
        instance.wait_for(lambda: "'staging'" in instance.logged())
    if before := on_another_host():
        with drill.instance(url, before=before) as instance:
            instance.wait_for(lambda: "journal_from_another_host" in instance.logged())
    else:
        print("skipped: no namespace allowed in which the host has another name", flush=True)
    # Without any of these the same numbers leave once more: docs/operations/backup.md.
    with drill.instance(url) as instance:
        assert instance.numbers() == [1003]
    # One machine that was not put back is enough: nobody issues any more.
    with drill.instance(url, other) as instance:
        instance.fenced("lacks issued numbers")


def failover(drill):
    """F87: a promoted standby that has everything goes on; one that nobody can vouch for not."""
    there, both = drill.with_standby("--setting", "synchronous_standby_names=*")
    with drill.instance(both) as instance:
        assert instance.numbers(3) == [1000, 1001, 1002]
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


def point_in_time(drill):
    """F80: a backup recovered to an earlier moment has a new timeline and lacks numbers."""
    url = drill.stock()
    with drill.instance(url) as instance:
        instance.numbers(3)
        drill.stop()
        drill.copy(drill.folder / "copy")
        drill.start()
        instance.numbers(2)
        drill.stop()
        drill.put_back(drill.folder / "copy")
        (drill.here / "data/recovery.signal").touch()
        with open(drill.here / "data/postgresql.auto.conf", "a") as settings:
            settings.write("restore_command = 'false'\n")
        drill.start()
        instance.fenced("lacks issued numbers")
    with drill.instance(url, drill.folder / "new") as stranger:
        stranger.fenced("lacks issued numbers")


def forced_open(drill):
    """F85, F86: without proof it takes two; a stretch is skipped, recorded and never issued."""
    url = drill.stock()
    with drill.instance(url) as instance:
        instance.numbers(3)
    assert drill.psql(url, "select gapless.fence_raise('the auditor says so', 'drill')") == ""
    opening = ["epoch", "open", "--reason", "no proof left", "--confirm-epoch", "2", "--yes"]
    assert drill.gapless(url, *opening)[0] == 2
    people = {person: drill.person(url, person) for person in ("anna", "berta")}
    with tempfile.TemporaryDirectory() as empty:  # a folder without a journal is no proof
        code, _, error = drill.gapless(url, *opening, "--journal", empty)
        assert code == 5 and "holds no journal of this database" in error, error
    skip = [*opening, "--skip", "100"]
    code, _, error = drill.gapless(people["anna"], *skip, "-n")
    assert code == 0 and "takes two" in error, error
    for _ in range(2):  # who asks twice is still one
        code, _, error = drill.gapless(people["anna"], *skip)
        assert code == 4 and "proposed, not open" in error, error
    # Another one has to want the same, and nobody opens it by a call of the function alone.
    code, _, error = drill.gapless(people["berta"], *opening, "--skip", "50")
    assert code == 4, error
    refused = drill.psql(people["anna"], "select gapless.epoch_open(2, 'r', '{\"journals\": [], "
                         "\"skip\": 100, \"without_proof\": false}', 'me')")
    assert "another administrator" in refused, refused
    with drill.instance(url) as instance:
        instance.fenced("the auditor says so")
    code, _, error = drill.gapless(people["berta"], *skip)
    assert code == 0 and "100 numbers" in error and "proposed by anna" in error, error
    with drill.instance(url) as instance:
        assert instance.numbers() == [1103]
        assert instance.ask("GET", "/v1/series/s/numbers/1050")[1]["state"] == "voided"
    audited = drill.psql(url, "select string_agg(action, ' ' order by audit_id) from "
                         "gapless.audit_log where action like 'epoch%' or action like 'fence%'")
    proposed = "epoch.propose " * 3  # anna's two, and berta's other one
    assert audited == f"fence.raise {proposed}epoch.quarantine epoch.open", audited
    two = drill.psql(url, "select after ->> 'proposed_by', after ->> 'role' from gapless.audit_log "
                     "where action = 'epoch.open'")
    assert two == "anna|berta", two
    drill.clean(url)


drills = [copy_put_back, dump_elsewhere, copies_on_one_server, clone_beside,
          documented_rights, machine_clone, failover, old_primary_back, point_in_time, forced_open]


if __name__ == "__main__":
    run_drills(drills)
