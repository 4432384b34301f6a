#!/usr/bin/env python3
"""The database goes away, and numbers leave from the reserve: what is answered, and what follows.

  reserve_drills.py [NAME...]   all drills, or these; each has a server of its own
"""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import shutil
import signal
import time

from drill import run_drills
from reserve_parts import (
    Answers, audited, begin, first, held, identity, journals, nothing_lost, records, reserve, send,
    stop_database, wait_database, wait_settled, wait_taken, with_reserve)


def outage(drill):
    """A hundred answers in order while PostgreSQL is away, and everything settled behind it."""
    url = with_reserve(drill)
    with begin(drill, url) as instance:
        before = instance.numbers(3, key="before")
        assert before == [1501, 1502, 1503], before  # above what is on lease
        stop_database(drill, instance)
        answers = Answers(drill)
        answers.draw_many(instance, "away", 100)
        answers.in_order()
        assert answers.places[0] == first, answers.places[0]
        answers.same_again(instance)
        # What became of these numbers meanwhile nobody knows without the database.
        status, text = send(drill, instance, "before", 3)
        assert status == 503, text
        nothing_else_works(drill, instance)
        drill.start()
        wait_settled(instance)
        answers.found_by_id(instance)
        answers.same_again(instance)
        assert records(drill, url) == 100
        # What was not needed came back, and leaves before anything else.
        wait_taken(instance, 2)
        assert instance.numbers(2) == [first + 100, first + 101]
        told = drill.psql(url, "select data from gapless.notice where kind = 'reserve.settled'")
        data = json.loads(told)
        assert (data["issued"], data["returned"], data["answered_twice"]) == ("100", "400", 0), data
        nothing_lost(drill, url)


def nothing_else_works(drill, instance):
    """Beside plain requests for numbers of that series."""
    status, found = instance.ask("GET", "/readyz?series=s")
    assert (status, found["status"]) == (200, "degraded"), found
    assert instance.readiness()[0] == 503
    for also in ({"hold_seconds": 60}, {"contiguous": True}):
        status, text = send(drill, instance, f"not from a reserve {also}", 2, **also)
        assert (status, json.loads(text)["executed"]) == (503, "no"), text
    status, found = instance.ask("POST", "/v1/issuances/111000/release", {})
    assert status == 503, (status, found)
    status, text = send(drill, instance, "away 1", 2)  # another request under a key of before
    assert (status, json.loads(text)["type"]) == (422, "/problems/idempotency-key-reused"), text
    status, text = send(drill, instance, "more than there is", reserve)
    assert (status, json.loads(text)["executed"]) == (503, "no"), text


def killed_in_an_outage(drill):
    """kill -9 of the instance, then the database is back: settled from the journal, not twice."""
    url = with_reserve(drill)
    instance = begin(drill, url)
    stop_database(drill, instance)
    answers = Answers(drill)
    answers.draw_many(instance, "away", 30)
    instance.kill()
    with drill.instance(url) as waiting:  # without a database nobody draws after a start
        status, found = waiting.issue(key="away 1")
        assert (status, found["executed"]) == (503, "no"), found
        assert waiting.readiness()[0] == 503
        waiting.kill()
    drill.start()
    with begin(drill, url) as again:
        wait_database(drill, url, "select count(*) = 30 from gapless.lease_record")
        told = "select data from gapless.notice where kind = 'reserve.settled'"
        wait_database(drill, url, f"select count(*) = 1 from ({told}) told")
        data = json.loads(drill.psql(url, told))
        assert (data["issued"], data["returned"]) == ("30", "470"), data
        answers.same_again(again)
        answers.found_by_id(again)
        assert records(drill, url) == 30
        again.wait_for(lambda: len(journals(drill.journals)) == 1)
        assert again.numbers() == [first + 30]
    with begin(drill, url) as later:  # and once more: there is nothing left to settle
        assert records(drill, url) == 30
        answers.same_again(later)
    nothing_lost(drill, url)


def repeated_before_settled(drill):
    """After a start the database would issue anew under a key that was answered: until it knows,
    whoever repeats it is told so, and others are served."""
    url = with_reserve(drill)
    instance = begin(drill, url)
    stop_database(drill, instance)
    answers = Answers(drill)
    answers.draw_many(instance, "away", 5)
    instance.kill()
    drill.start()
    with begin(drill, url, taken=False,
               GAPLESS_FAILPOINT="lease_settling:delay=4000@1") as again:
        for count in (1, 2):
            status, text = send(drill, again, "away 1", count)
            assert (status, json.loads(text)["executed"]) == (503, "unknown"), text
        assert again.issue()[0] == 201
        assert records(drill, url) == 0  # it is as early as it was meant to be
        wait_database(drill, url, "select count(*) = 5 from gapless.lease_record")
        again.wait_for(lambda: send(drill, again, "away 1")[0] == 201)
        answers.same_again(again)
        assert records(drill, url, "spent_key is not null") == 0
    nothing_lost(drill, url)


def ended_in_peace(drill):
    """SIGTERM: the lease is returned. In an outage: the journal is left, for the next start."""
    url = with_reserve(drill)
    instance = begin(drill, url)
    name = identity(instance)
    assert held(drill, url, name) == reserve
    assert instance.stop() == 0
    assert held(drill, url, name) == 0
    status = drill.psql(url, f"select status from gapless.lease where instance = '{name}'")
    assert status == "closed", status
    instance = begin(drill, url)
    assert instance.numbers() == [first]  # what came back leaves first
    stop_database(drill, instance)
    answers = Answers(drill)
    answers.draw_many(instance, "away", 5)
    assert instance.stop() == 0
    assert journals(drill.journals)
    drill.start()
    with begin(drill, url) as again:
        wait_database(drill, url, "select count(*) = 5 from gapless.lease_record")
        answers.same_again(again)
    nothing_lost(drill, url)


def one_key_two_instances(drill):
    """Both answer it in the outage: both numbers are on record, and somebody is told."""
    url = with_reserve(drill)
    with begin(drill, url, drill.folder / "one") as one, begin(
            drill, url, drill.folder / "two") as two:
        stop_database(drill, one, two)
        ours, theirs = Answers(drill), Answers(drill)
        numbers = ours.draw(one, "both"), theirs.draw(two, "both")
        assert numbers[0] != numbers[1], numbers
        ours.draw(one, "ours")
        theirs.draw(two, "theirs")
        drill.start()
        wait_settled(one)
        wait_settled(two)
        wait_database(drill, url, "select count(*) = 4 from gapless.lease_record")
        assert records(drill, url, "spent_key is not null") == 1
        assert audited(drill, url, "lease.key_answered_twice") == 1
        # Whoever settled first owns the key, for everybody.
        bodies = {send(drill, each, "both")[1] for each in (one, two)}
        assert len(bodies) == 1 and bodies <= {ours.bodies["both"], theirs.bodies["both"]}, bodies
        wait_database(drill, url, "select sum((data ->> 'answered_twice')::int) from gapless.notice"
                      " where kind = 'reserve.settled'", "1")
        for number in numbers:
            state = one.ask("GET", f"/v1/series/s/numbers/{number}")[1]["state"]
            assert state == "issued", (number, state)
    nothing_lost(drill, url)


def copied_folder(drill):
    """A copy of the journals, started beside the original: it may settle, and returns nothing."""
    url = with_reserve(drill)
    instance = begin(drill, url)
    name = identity(instance)
    stop_database(drill, instance)
    answers = Answers(drill)
    answers.draw_many(instance, "away", 10)
    shutil.copytree(drill.journals, drill.folder / "copied")
    answers.draw_many(instance, "away still", 10)
    instance.signal(signal.SIGSTOP)  # the copy comes first
    drill.start()
    with begin(drill, url, drill.folder / "copied") as copy:
        wait_database(drill, url, "select count(*) = 10 from gapless.lease_record")
        copy.wait_for(lambda: copy.events("reserve_adopted"))
        assert identity(copy) != name
        assert held(drill, url, name) == reserve - 10  # what it cannot know to be free
        answers.same_again(copy, [f"away {n}" for n in range(10)])
        instance.signal(signal.SIGCONT)
        wait_settled(instance)
        wait_database(drill, url, "select count(*) = 20 from gapless.lease_record")
        answers.same_again(copy)
        answers.same_again(instance)
    assert instance.stop() == 0
    nothing_lost(drill, url)
    assert drill.psql(url, "select sum(gapless.size_of(held)) from gapless.hold") == "0"


def frozen_database(drill):
    """Every process of PostgreSQL stops: who is under way is in doubt, others are drawn for."""
    url = with_reserve(drill)
    with begin(drill, url) as instance, concurrent.futures.ThreadPoolExecutor() as crowd:
        instance.numbers()
        answers = Answers(drill)
        with frozen(drill):
            began = time.monotonic()
            under_way = crowd.submit(send, drill, instance, "in doubt")  # it leaves with a batch
            instance.wait_for(lambda: instance.metric("gapless_reserve_draws") == 1)
            took = time.monotonic() - began
            assert 0.9 < took < 4, took
            for number in range(10):
                answers.draw(instance, f"others {number}")
            status, text = send(drill, instance, "in doubt")
            assert (status, json.loads(text)["executed"]) == (503, "unknown"), text
        wait_settled(instance)
        status, text = under_way.result()
        assert status == 201 or json.loads(text)["executed"] == "unknown", text
        status, again = send(drill, instance, "in doubt")
        assert status == 201 and "reserve" not in json.loads(again), again
        assert records(drill, url) == len(answers.bodies)
        answers.same_again(instance)
    nothing_lost(drill, url)


def frozen_while_idle(drill):
    """Nobody wants anything for longer than a token is believed; then the database freezes, and the
    first request comes: it is served, and readiness and metric know it in time."""
    url = with_reserve(drill)
    with begin(drill, url, GAPLESS_TOKEN_LIFE="200ms") as instance:
        before = instance.numbers(1)
        assert before == [first + reserve], before
        time.sleep(1)  # the token is forgotten
        with frozen(drill):
            began = time.monotonic()
            answers = Answers(drill)
            answers.draw(instance, "first of the night")
            took = time.monotonic() - began
            assert took < 3.5, took
            instance.wait_for(lambda: instance.ask("GET", "/readyz")[1]["database"] is False)
            took = time.monotonic() - began
            assert took < 4, took
            assert instance.ask("GET", "/readyz")[1]["lane"] is False
            assert instance.metric("gapless_database_connected") == 0
            answers.draw_many(instance, "next", 10)
            answers.in_order()
        wait_settled(instance)
        answers.same_again(instance)
    nothing_lost(drill, url)


@contextlib.contextmanager
def frozen(drill):
    """The postmaster and all its children: alive, connected, and silent."""
    postmaster = drill.cluster().postmaster
    os.kill(postmaster, signal.SIGSTOP)  # it starts nobody meanwhile
    children = pathlib.Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    pids = [postmaster, *map(int, children)]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


drills = [outage, killed_in_an_outage, repeated_before_settled, ended_in_peace,
          one_key_two_instances, copied_folder, frozen_database, frozen_while_idle]


if __name__ == "__main__":
    run_drills(drills)
