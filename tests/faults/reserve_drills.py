#!/usr/bin/env python3
"""The database goes away, and numbers leave from the reserve: what is answered, and what follows.

  reserve_drills.py [NAME...]   all drills, or these; each has a server of its own
"""
import contextlib
import json
import os
import pathlib
import signal
import time

from drill import run_drills
from reserve_parts import (
    Answers, begin, first, nothing_lost, records, reserve, send, set_reserve, stop_database,
    wait_settled, wait_taken, with_reserve)


def outage(drill):
    """A hundred answers in order while PostgreSQL is away, and everything settled behind it."""
    url = drill.stock()
    with begin(drill, url, taken=False) as instance:
        assert instance.numbers(1, key="without a reserve") == [first - 1]
        set_reserve(drill, url, reserve)
        wait_taken(instance)
        before = instance.numbers(3, key="before")
        assert before == [1501, 1502, 1503], before  # above what is on lease
        stop_database(drill, instance)
        answers = Answers(drill)
        answers.draw_many(instance, "away", 100)
        answers.in_order()
        assert answers.places[0] == first, answers.places[0]
        answers.same_again(instance)
        # What became of these numbers meanwhile nobody knows without the database.
        for key, count in (("without a reserve", 1), ("before", 3)):
            status, text = send(drill, instance, key, count)
            assert status == 503, (key, text)
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
        assert data["since"] == json.loads(answers.bodies["away 0"])["issued_at"], data
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


drills = [outage, frozen_while_idle]


if __name__ == "__main__":
    run_drills(drills)
