#!/usr/bin/env python3
"""The database is put back while an instance with a reserve is cut off: it forgot the lease.

  reserve_restore_drills.py [NAME...]   all drills, or these; each has a server of its own
"""
import json
import uuid

from drill import run_drills
from reserve_parts import (
    Answers, begin, identity, journals, records, set_reserve, stop_database, with_reserve)


def stock_and_copy(drill):
    """A series of which three numbers left, then a copy of the data -> its URL."""
    url = drill.stock()
    with drill.instance(url) as instance:
        assert instance.numbers(3) == [1000, 1001, 1002]
    drill.stop()
    drill.copy(drill.folder / "copy")
    drill.start()
    return url


def restored_before_grant(drill):
    """Fenced, by the mark that the lease left; an epoch needs the journal of that instance, and
    what it answered is found then. Nothing can be settled, which is told and is an end."""
    url = stock_and_copy(drill)
    set_reserve(drill, url, 500)
    with begin(drill, url) as instance:
        stop_database(drill, instance)
        answers = Answers(drill)
        answers.draw_many(instance, "away", 20)
        drill.put_back(drill.folder / "copy")
        drill.start()
        instance.wait_for(lambda: "lacks issued numbers" in instance.readiness()[1])
        instance.fenced("lacks issued numbers", "ordinal 3")
    assert records(drill, url) == 0
    with drill.instance(url, "") as stranger:
        stranger.fenced("lacks issued numbers")
    journal = ["--journal", str(drill.journals)]
    code, _, error = drill.gapless(
        url, "epoch", "reconcile", "--reason", "disk failed", *journal)
    assert code == 0, error
    opening = ["epoch", "open", "--reason", "disk failed", "--confirm-epoch", "2", "--yes"]
    for person, expected in (("anna", 4), ("berta", 0)):
        code, _, error = drill.gapless(drill.person(url, person), *opening, *journal)
        assert code == expected, (person, code, error)
    code, out, error = drill.gapless(url, "lease", "recover", str(drill.journals), "-o", "json")
    assert code == 0 and "has forgotten lease" in error, (code, error)
    assert sum(int(file["forgotten"]) for file in json.loads(out)) == 20, out
    with drill.instance(url) as instance:
        # Not one of those on lease: nobody knows which of them left.
        assert instance.numbers()[0] >= 1503
        for number in answers.places:
            status, found = instance.ask("GET", f"/v1/series/s/numbers/{number}")
            assert status == 200 and found["state"] in ("voided", "issued"), found
        instance.wait_for(lambda: drill.psql(
            url, "select bool_or(contact - registered_at > '5 s') from gapless.instance") == "t")
        waits = [event for event in instance.events("reserve_adopted") if event["waits"]]
        assert len(waits) == 1 and "has forgotten" in waits[0]["waits"], waits
        assert not instance.events("reserve_not_kept"), instance.last_words()
    drill.clean(url)


def forgotten_instance(drill):
    """An instance came after the backup: the journal of another one is what tells that it was."""
    url = with_reserve(drill)
    with begin(drill, url) as here:
        drill.stop()
        drill.copy(drill.folder / "copy")
        drill.start()
        here.wait_ready()
        with begin(drill, url, drill.folder / "far away") as other:
            name = identity(other)
            here.wait_for(lambda: is_named(drill, name))
            here.numbers()  # else nothing of this host would tell that the database was put back
            stop_database(drill, here, other)
            other.kill()
        drill.put_back(drill.folder / "copy")
        drill.start()
        here.wait_for(lambda: "lacks issued numbers" in here.readiness()[1])
    near = ["--journal", str(drill.journals)]
    code, _, error = drill.gapless(url, "epoch", "reconcile", "--reason", "disk failed", *near)
    assert code == 0, error
    opening = ["epoch", "open", "--reason", "disk failed", "--confirm-epoch", "2", "--yes", *near]
    people = [drill.person(url, name) for name in ("anna", "berta")]
    code, _, error = drill.gapless(people[0], *opening)
    assert code == 5 and f"{name}, which the database has forgotten" in error, (code, error)
    for person, expected in zip(people, (4, 0)):
        code, _, error = drill.gapless(person, *opening, "--leases", str(drill.folder / "far away"))
        assert code == expected, (person, code, error)
    drill.clean(url)


def is_named(drill, instance):
    """In a journal of this host."""
    return any(uuid.UUID(instance).bytes in file.read_bytes() for file in journals(drill.journals))


drills = [restored_before_grant, forgotten_instance]


if __name__ == "__main__":
    run_drills(drills)
