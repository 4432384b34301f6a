#!/usr/bin/env python3
"""A standby takes over from a database, and an instance with a reserve issues meanwhile.

  reserve_failover_drills.py [NAME...]   all drills, or these; each has servers of its own
"""
import json

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


drills = [failover_with_reserve, standby_not_synchronous]


if __name__ == "__main__":
    run_drills(drills)
