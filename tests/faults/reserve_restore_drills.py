#!/usr/bin/env python3
"""The database is put back while an instance with a reserve is cut off: it forgot the lease.

  reserve_restore_drills.py [NAME...]   all drills, or these; each has a server of its own
"""
import json
import uuid

from drill import run_drills
from reserve_parts import (
    Answers, begin, first, identity, journals, nothing_lost, records, reserve, set_reserve,
    stop_database, wait_database, with_reserve)


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
        wait_database(
            drill, url, "select bool_or(contact - registered_at > '5 s') from gapless.instance")
        waits = [event for event in instance.events("reserve_adopted") if event["waits"]]
        assert len(waits) == 1 and "has forgotten" in waits[0]["waits"], waits
        assert not instance.events("reserve_not_kept"), instance.last_words()
    drill.clean(url)


def opened_without_journals(drill):
    """An instance is cut off, the database put back to after the grant: refused until its journal
    is read, or it may not draw any more, or somebody answers for the numbers."""
    url = with_reserve(drill)
    instance = begin(drill, url, drill.folder / "far away", lease_time="60s")
    instance.numbers()  # the journal of ordinals begins with it
    stop_database(drill, instance)
    answers = Answers(drill)
    answers.draw_many(instance, "away", 10)
    instance.kill()
    drill.start()
    assert drill.psql(url, "select gapless.fence_raise('the auditor says so', 'auditor')") == ""
    opening = ["epoch", "open", "--reason", "disk failed", "--confirm-epoch", "2", "--yes"]
    (drill.folder / "empty").mkdir()
    people = [drill.person(url, name) for name in ("anna", "berta")]
    for person in people:
        code, _, error = drill.gapless(person, *opening, "--journal", str(drill.folder / "empty"))
        if code != 4:
            break
    assert code not in (0, 4) and "lease" in error, (code, error)
    assert drill.psql(url, "select max(epoch) from gapless.epoch") == "1"
    (journal,) = drill.folder.glob("far away/*.lease")
    for person, expected in zip(people, (4, 0)):
        code, _, error = drill.gapless(
            person, *opening, "--journal", str(journal.parent), "--leases", str(journal))
        assert code == expected, (person, code, error)
    with drill.instance(url, drill.folder / "far away") as again:
        again.wait_ready()
        wait_database(drill, url, "select count(*) = 10 from gapless.lease_record")
        found = drill.psql(url, "select sum(last_ordinal - first_ordinal + 1) from"
                           " gapless.number_event where kind = 'found'")
        assert found == "10", found
        assert again.numbers()[0] >= first + reserve
    nothing_lost(drill, url)


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


drills = [restored_before_grant, opened_without_journals, forgotten_instance]


if __name__ == "__main__":
    run_drills(drills)
