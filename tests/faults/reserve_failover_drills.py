#!/usr/bin/env python3
"""A standby takes over from a database, and an instance with a reserve issues meanwhile.

  reserve_failover_drills.py [NAME...]   all drills, or these; each has servers of its own
"""
import concurrent.futures
import contextlib
import json
import subprocess
import time

from drill import run_drills
from reserve_parts import (
    Answers, begin, first, nothing_lost, records, reserve, send, set_reserve, stop_database,
    wait_settled, wait_taken)

synchronous = ("--setting", "synchronous_standby_names=*")


def failover_with_reserve(drill):
    """Nothing is refused between primary and standby, and afterwards every answer is as it was."""
    there, both = drill.with_standby(*synchronous)
    code, _, error = drill.gapless(both, "issue", "s")
    assert code == 0, error
    set_reserve(drill, both, reserve)
    with begin(drill, both) as instance:
        before = instance.numbers(2)
        assert before[0] == first + reserve, before
        stop_database(drill, instance)
        answers = Answers(drill)
        answers.draw_many(instance, "away", 20)
        answers.draw(instance, "referred", 3, reference="order 7")
        answers.in_order()
        assert answers.places[0] == first, answers.places
        drill.psql(there, "alter system set synchronous_standby_names = ''")
        drill.psql(there, "select pg_promote()")
        wait_settled(instance)
        assert records(drill, there) == 21
        # Answered in the epoch of the lease; what leaves now is of the next.
        for key in ("away 0", "away 19"):
            status, text = send(drill, instance, key)
            assert (status, text) == (201, answers.bodies[key]), (text, answers.bodies[key])
        answers.found_by_id(instance)
        assert instance.issue()[1]["epoch"] == "2"
        known_by_number(instance, answers)
        wait_taken(instance, 2)
    nothing_lost(drill, there)


def known_by_number(instance, answers):
    """A number, and a list of those of a reference, name the issuance as it was answered."""
    answered = json.loads(answers.bodies["referred"])
    for number in answered["numbers"]:
        status, found = instance.ask("GET", f"/v1/series/s/numbers/{number}")
        assert (status, found["issuance"]) == (200, answered["id"]), (found, answered)
    status, found = instance.ask("GET", "/v1/series/s/issuances?reference=order%207")
    assert status == 200, found
    (listed,) = found["items"]
    assert listed["issuance"] == answered["id"] and listed["epoch"] == "1", (listed, answered)


def standby_not_synchronous(drill):
    """A standby that COMMIT does not wait for would forget a lease: none is taken, and it is told;
    issuing goes on."""
    _, both = drill.with_standby()
    code, _, error = drill.gapless(both, "issue", "s")
    assert code == 0, error
    set_reserve(drill, both, reserve)
    with begin(drill, both, taken=False) as instance:
        assert instance.numbers(2) == [first, first + 1]
        instance.wait_for(lambda: instance.events("reserve_not_kept"))
        assert "standby" in instance.events("reserve_not_kept")[0]["why"]
        assert drill.psql(both, "select count(*) from gapless.lease") == "0"
        assert instance.metric("gapless_lease_unsettled") == 0
        drill.psql(both, "alter system set synchronous_standby_names = '*'")
        drill.psql(both, "select pg_reload_conf()")
        wait_taken(instance)
    nothing_lost(drill, both)


@contextlib.contextmanager
def two_instances(drill):
    """Each with a lease, and a standby that every COMMIT waits for -> the URL, both."""
    _, url = drill.with_standby(*synchronous)
    code, _, error = drill.gapless(url, "issue", "s")
    assert code == 0, error
    set_reserve(drill, url, reserve)
    options = {"GAPLESS_ISSUE_TIME_MAX": "3s"}
    with begin(drill, url, drill.folder / "one", **options) as one, begin(
            drill, url, drill.folder / "two", **options) as two:
        yield url, one, two


def says_why(instance):
    """The standby is named wherever somebody may look."""
    status, found = instance.ask("GET", "/readyz")
    assert status == 503 and "waits for the standby" in found["detail"], found
    assert "standby_wait" in {each["check"] for each in found["warnings"]}, found
    assert instance.metric('gapless_database_warning{check="standby_wait"}') == 1
    assert instance.ask("GET", "/readyz?series=s")[1]["status"] == "degraded"


def standby_away(drill):
    """A COMMIT waits for it: what is part of it stays unknown, all else is served, everywhere and
    for as long as it lasts."""
    standby = drill.folder / "standby"
    with two_instances(drill) as (url, one, two):
        drill.stop(standby, "immediate")
        with concurrent.futures.ThreadPoolExecutor() as crowd:
            under_way = crowd.submit(send, drill, one, "in doubt")
            mine, theirs = Answers(drill), Answers(drill)
            two.wait_for(lambda: two.metric("gapless_reserve_draws") == 1)
            # Beyond the time of a batch, as the connections are new then, and within the reserve.
            for number in range(80):
                mine.draw(one, f"one {number}")
                theirs.draw(two, f"two {number}")
                time.sleep(0.1)
            mine.in_order()
            theirs.in_order()
            status, text = under_way.result()
            assert (status, json.loads(text)["executed"]) == (503, "unknown"), text
            assert send(drill, one, "in doubt")[0] == 503
            for each in (one, two):
                says_why(each)
            drill.start(standby)
        for each, answers in ((one, mine), (two, theirs)):
            wait_settled(each)
            answers.same_again(each)
        status, text = send(drill, one, "in doubt")
        assert status == 201 and "reserve" not in json.loads(text), text
    nothing_lost(drill, url)


def caller_waits_for_standby(drill):
    """A series that an SQL caller has locked is served while his COMMIT waits for the standby, and
    never while he thinks."""
    standby = drill.folder / "standby"
    with two_instances(drill) as (url, one, two):
        caller = subprocess.Popen(["psql", "-qXAt", url], text=True, stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
        caller.stdin.write("begin; select number from gapless.issue('s', 1);\n")
        caller.stdin.flush()
        assert caller.stdout.readline().strip(), "he has one"
        status, text = send(drill, one, "while he thinks")
        assert (status, json.loads(text)["executed"]) == (503, "no"), text
        assert "end it" in json.loads(text)["detail"], text
        drill.stop(standby, "immediate")
        caller.stdin.write("commit;\n")
        caller.stdin.close()
        answers = Answers(drill)
        two.wait_for(lambda: two.metric("gapless_reserve_draws") == 1)
        answers.draw_many(two, "two", 5)
        one.wait_for(lambda: one.metric("gapless_reserve_draws") == 1)
        answers = Answers(drill)
        answers.draw_many(one, "one", 5)
        drill.start(standby)
        assert caller.wait(30) == 0
        for each in (one, two):
            wait_settled(each)
    nothing_lost(drill, url)


drills = [failover_with_reserve, standby_not_synchronous, standby_away, caller_waits_for_standby]


if __name__ == "__main__":
    run_drills(drills)
