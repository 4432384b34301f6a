#!/usr/bin/env python3
"""The print station with services, databases and holds that go away, and a journal that is damaged.

  service_drills.py [NAME...]   all drills, or these; each has a server of its own

They are judged as in plug_drills.py.
"""
import contextlib
import json
import os
import sys
import types
from unittest import mock

import crashing
from station import database, problem, run_drills, shop_of, wait_for


def service_away(drill):
    """The service and its database go, answers are lost, the series is used up."""
    with shop_of(drill) as shop:
        station = shop.station("away")
        shop.line.expect("answer lost", "half an answer", "service killed")
        station.order("lost", 2)
        station.start()
        shop.line.wait_met()
        shop.instance.start(ready=False)
        wait_for(lambda: station.is_done("lost"), "the order whose answers were lost")

        shop.drill.stop(mode="immediate")
        station.order("outage", 2)
        station.says("asking waits: 503")
        shop.drill.start()
        wait_for(lambda: station.is_done("outage"), "the order of the outage")

        # What is not settled yet is noted later.
        wait_for(lambda: shop.printed() == 4, "the notes of the outage")
        shop.line.expect("pass", problem(409, "no", "Retry-After: 1"))
        station.order("unsettled")
        wait_for(lambda: station.is_done("unsettled"), "an order whose number is not settled")
        station.says("said so")
        wait_for(lambda: shop.printed() == 5, "the note that was refused for now")

        # Nor does a service that takes no notes, or takes its time, keep labels waiting.
        shop.line.expect("pass", "drip")
        station.order("no-notes", 3)
        wait_for(lambda: station.is_done("no-notes"), "an order whose notes are not taken")
        assert len(shop.line.keys) == 2, "a label waited for the note of another one"
        station.kill()
        station.run()

        # Numbers are there, the service goes: it prints on, and notes that later.
        station.printer.plan = ["jam"]
        station.order("notes", 3)
        station.start()
        station.printer.wait_met()
        shop.instance.kill()
        station.printer.mend()
        wait_for(lambda: station.is_done("notes"), "an order without service")
        station.says("noting waits: no answer")
        station.kill()
        shop.instance.start()
        station.run()
        assert station.steps("noted") or not station.steps("taken")

        database.admin(shop.database, "series", "create", "short", "--carrier", "d")
        database.admin(shop.database, "block", "load", "short", "1", "2", "--yes")
        station.start()
        shop.line.expect()
        station.order("used-up", 3, series="short")
        station.says("gapless block load short")
        wait_for(lambda: len(shop.line.keys) > 4, "pauses that are long")
        station.order("other", 1)
        wait_for(lambda: station.is_done("other"), "an order of another series")
        database.admin(shop.database, "block", "load", "short", "3", "9", "--yes")
        wait_for(lambda: station.is_done("used-up"), "the order of the series that was used up")
        station.stop()
        station.end()
        assert station.done("used-up")["numbers"] == ["1", "2", "3"]
        assert station.printer.paper[-3:] == ["1", "2", "3"]
        del station.printer.paper[-3:]  # of another series than those that are judged
        shop.judge(others=3)
        shop.none_forgotten()


def another_life(drill):
    """The journal is lost: what it knew of is not printed again, whatever the first answer is."""
    with shop_of(drill) as shop:

        def begin(name, *actions):
            station = shop.station(name)
            station.order(name, 3)
            station.crash(6, "after")
            assert len(station.steps("sent")) == 1
            (station.folder / "journal").unlink()
            shop.line.expect(*actions)
            return station

        refused = begin("refused")
        refused.order("long", series="x" * 3000)  # 414, before the one that is good
        refused.order("typo", series="none")
        shop.line.refuse()
        refused.start("--once")
        refused.says("asking waits: no answer")
        shop.line.listen()
        refused.end()
        assert "414" in refused.failed("long")
        assert "404" in refused.failed("typo")
        away = begin("away", problem(503, "no"))
        away.run()
        # In doubt, because nobody knows whether the request of this life was executed.
        doubted = begin("doubted")
        doubted.crash(3, "after")
        journal = crashing.print_station.Journal(doubted.folder / "journal")
        taken, asked = journal.read()
        journal.rewrite([taken, asked | {"at": asked["at"] + 1000}])
        doubted.run()
        for station in (refused, away, doubted):
            assert "issued before" in station.failed(station.folder.name), station.said()
            assert len(station.printer.paper) == 1, station.printer.paper


def holds_end(drill):
    """A hold that is over before its label is printed, and one that is over after it."""
    with shop_of(drill) as shop:
        station = shop.station("holds", "--hold", "4")
        station.order("confirmed", 2)
        station.printer.trouble = "paper out"
        station.start("--once")
        station.says("not ready")
        assert not station.steps("asked"), "a hold that waits for paper"
        station.printer.trouble = None
        station.end()
        number = station.done("confirmed")["numbers"][0]
        kinds_of = [each["kind"] for each in shop.history(number)["history"]]
        assert kinds_of == ["held", "confirmed", "printed"], kinds_of

        station.printer.plan = ["jam"]
        station.order("late", 2)
        station.start("--once")
        station.printer.wait_met()
        sending = station.steps("sending")[-1]["number"]
        wait_for(lambda: shop.state(sending) == "voided", "the end of the hold")
        assert station.said().count("does not print it") == 1, station.said()
        station.printer.mend()
        station.end()
        late = station.done("late")
        assert late["voided"] == [sending] and "is expired" in station.said(), late
        assert len(station.steps("stale")) in (0, 1)
        shop.judge()
        shop.none_forgotten()


def order_withdrawn(drill):
    """An order that is removed while its folder is read is none, and ends nothing."""
    (drill.folder / "orders").mkdir()
    for name in "ab":
        (drill.folder / f"orders/{name}.json").touch()
    scandir = os.scandir

    def removing(folder):
        for entry in [*scandir(folder)]:
            if entry.name == "a.json":
                os.unlink(entry)
            yield entry

    with mock.patch("os.scandir", lambda folder: contextlib.closing(removing(folder))):
        found = crashing.print_station.Station.waiting_files(
            types.SimpleNamespace(folder=drill.folder, orders={}))
    assert [path.name for path in found] == ["b.json"], found


def damaged_journal(drill):
    """A line in the middle that is not what was written: nothing is done, and the user is told."""
    with shop_of(drill) as shop:
        station = shop.station("damaged")
        station.order("d", 2)
        url, shop.line.url = shop.line.url, shop.line.url.removeprefix("http://")
        station.start("--once").end(2)
        assert f"it is '{shop.line.url}'" in station.said(), station.said()
        shop.line.url = url
        station.crash(6, "after")
        journal = station.folder / "journal"
        text = journal.read_text()
        journal.write_text(text.replace('"count": 2', '"count": 3', 1))
        station.start("--once").end(1)
        assert "line 1 is damaged" in station.said() and len(station.printer.paper) <= 1
        journal.write_text(text)
        station.run()
        shop.judge()
        shop.none_forgotten()


def reserve(drill):
    """The database is away: orders are printed on from the reserve; what became of them follows."""
    told = drill.gapless("", "series", "set", "--help")
    if "--reserve" not in told[1] + told[2]:
        print("this gapless has no reserve")
        sys.exit(77)
    with shop_of(drill) as shop:
        database.admin(shop.database, "series", "set", "s", "--reserve", "100")
        station = shop.station("reserve")
        station.order("before", 2)
        station.start()
        wait_for(lambda: station.is_done("before"), "an order with a database")
        assert station.done("before")["reserve"] is False
        shop.instance.wait_for(lambda: has_lease(shop))
        shop.drill.stop(mode="immediate")
        for name in ("one", "two"):
            station.order(name, 2)
        station.printer.plan = ["half"]
        wait_for(lambda: station.is_done("one") and station.is_done("two"), "orders in an outage")
        assert station.done("one")["reserve"] and station.done("two")["reserve"]
        assert len(station.done("one")["voided"]) == 1
        station.kill()  # what it has to tell is in its journal
        station.start()
        station.says("noting waits")
        shop.drill.start()
        shop.instance.wait_ready()
        station.stop()
        station.end()
        station.run()
        shop.judge(held=None)  # the reserve itself is a hold


def has_lease(shop):
    status, told = shop.instance.ask("GET", "/v1/series/s/leases")
    return status == 200 and json.dumps(told).count('"open"') > 0


if __name__ == "__main__":
    run_drills([service_away, another_life, holds_end, order_withdrawn, damaged_journal,
                reserve])
