#!/usr/bin/env python3
"""What is lost or wrong on a disk: it is told, and no number leaves on it.

  loss_drills.py [NAME...]   all drills, or these; each has servers of its own
"""
from drill import run_drills


def failover_behind(drill):
    """F52, F87: the standby that takes over lacks numbers that were answered, and issues none."""
    there, both = drill.with_standby()
    left = "select next_ordinal - 1 from gapless.counter"
    with drill.instance(both) as instance:
        assert instance.numbers(3) == [1000, 1001, 1002]
        instance.wait_for(lambda: drill.psql(there, left) == "3")
        drill.stop(drill.folder / "standby")
        assert instance.numbers(2, key="lost") == [1003, 1004]
        drill.stop(mode="immediate")
        there = drill.start(drill.folder / "standby")
        drill.psql(there, "select pg_promote()")
        instance.fenced("lacks issued numbers", "ordinal 3", "ordinal 5")
        status, found = instance.issue(2, key="lost")  # the same key neither
        assert (status, found["executed"]) == (503, "no"), found
    assert drill.psql(there, left) == "3"
    with drill.instance(there, "") as stranger:
        stranger.fenced("lacks issued numbers")


def flipped_bit(drill):
    """F64: on the disk a bit of a page is another one: it is told, and no number leaves."""
    url = drill.stock()
    for turn, table in enumerate(("counter", "ledger")):
        with drill.instance(url) as instance:
            assert instance.numbers(3) == [1000 + 3 * turn + n for n in range(3)]
            where = drill.psql(url, f"select pg_relation_filepath('gapless.{table}')")
            drill.stop()
            file = drill.here / "data" / where
            sound = file.read_bytes()
            file.write_bytes(sound[:8000] + bytes([sound[8000] ^ 1]) + sound[8001:])
            drill.start()

            def told():
                status, found = instance.issue()
                assert (status, found["executed"]) == (503, "no"), found
                return "invalid page" in instance.logged()

            instance.wait_for(told)
            code, _, error = drill.gapless(url, "verify")
            assert code != 0 and "invalid page" in error, (code, error)
            drill.stop()
            file.write_bytes(sound)
            drill.start()
    with drill.instance(url) as instance:
        assert instance.numbers() == [1006]
    drill.clean(url)


drills = [failover_behind, flipped_bit]


if __name__ == "__main__":
    run_drills(drills)
