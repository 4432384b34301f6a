#!/usr/bin/env python3
"""The database goes away, and numbers leave from the reserve: what is answered, and what follows.

  reserve_drills.py [NAME...]   all drills, or these; each has a server of its own
"""
import contextlib
import json
import os
import pathlib
import signal
import string
import subprocess
import time
import zlib

from drill import programs, run_drills
from harness import database
from harness.processes import clean_environment
from reserve_parts import (
    Answers, begin, first, held, identity, is_cut, journals, line_to, nothing_lost, records,
    reserve, send, stop_database, wait_database, wait_settled, wait_taken, with_reserve)


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


def other_secret(token):
    """A token of that id as somebody would make it up: well-formed, with another secret."""
    letters = string.digits + string.ascii_uppercase + string.ascii_lowercase
    head, number, secret = token[:-6].split("_")
    text = f"{head}_{number}_{secret[1:]}{secret[0]}"
    rest, check = zlib.crc32(text.encode()), ""
    for _ in range(6):
        check = letters[rest % 62] + check
        rest //= 62
    return text + check


def token_revoked_while_cut(drill):
    """Cut off it is trusted as it was; at the next contact it is not, and what it took is told."""
    url = with_reserve(drill)
    with line_to(url) as line, begin(drill, line.url) as instance:
        line.cut(instance)
        other = database.create_token(url, "made meanwhile", "issue")
        answers = Answers(drill)
        answers.draw_many(instance, "before", 3)
        number = drill.token.split("_")[1]
        code, _, error = drill.gapless(url, "token", "revoke", number, "--yes")
        assert code == 0, error
        answers.draw_many(instance, "behind", 3)
        for token, expected in ((other, 503), (other_secret(drill.token), 401)):
            status, text = instance.call("POST", "/v1/series/s/numbers", token, {"count": 1})
            assert status == expected, (expected, status, text)
        line.mend()
        wait_database(drill, url, "select count(*) = 6 from gapless.lease_record")
        wait_database(drill, url, "select data ->> 'tokens_revoked' from gapless.notice"
                      " where kind = 'reserve.settled'", "1")
        status, text = send(drill, instance, "much later")
        assert status == 401, (status, text)
        status, text = instance.call("POST", "/v1/series/s/numbers", other, {"count": 1})
        assert status == 201, (status, text)
    nothing_lost(drill, url)


def practised(drill):
    """gapless lease drill: that series goes to the reserve alone, and everybody sees it."""
    url = with_reserve(drill)
    for words in (["series", "create", "t", "--carrier", "d"],
                  ["block", "load", "t", "5000", "5999", "--yes"]):
        assert drill.gapless(url, *words)[0] == 0
    with begin(drill, url) as instance:
        instance.numbers()
        child = subprocess.Popen(
            [programs / "gapless", "lease", "drill", "s", "--yes"],
            env=clean_environment(GAPLESS_DATABASE_URL=url), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        try:
            answers, tried = Answers(drill), 0

            def drawn():
                nonlocal tried
                tried += 1
                status, text = send(drill, instance, f"practice {tried}")
                assert status == 201, (status, text)
                return json.loads(text).get("reserve")

            instance.wait_for(drawn)
            answers.draw_many(instance, "practising", 10)
            answers.in_order()
            assert instance.numbers(series="t") == [5000]
            assert not is_cut(instance)
        finally:
            child.terminate()
            told = child.communicate(timeout=20)[0]
        instance.wait_for(lambda: not drawn(), 75)
        wait_settled(instance)
        answers.same_again(instance)
        assert "Traceback" not in told
    nothing_lost(drill, url)


drills = [outage, ended_in_peace, frozen_while_idle, token_revoked_while_cut, practised]


if __name__ == "__main__":
    run_drills(drills)
