#!/usr/bin/env python3
"""The print station with printers that fail, and a plug that is pulled.

  plug_drills.py [NAME...]   all drills, or these; each has a server of its own

After each: an order has as many numbers as labels, each once on paper and printed in the ledger;
every other number on paper is voided; no issued number is neither; verify finds nothing.
"""
import argparse
import concurrent.futures
import json
import os
import signal
import socket
from unittest import mock

import crashing
from station import run_drills, shop_of, wait_for

kinds = ("torn", "after")
points_min = 12  # of an order with two labels


def prints(drill):
    """Orders that are well, and files that are none."""
    with shop_of(drill) as shop:
        station = shop.station("well")
        station.order("4711", 3)
        station.order("a.b_c-9", 1)
        station.order("nowhere", series="none")
        for name, text in {"torn": '{"order":"torn"', "other": '{"order":"4711","series":"s"}',
                           "count": '{"order":"count","series":"s","count":0}',
                           "more": '{"order":"more","series":"s","colour":"red"}',
                           "list": "[]", "surrogate": '{"order":"surrogate","\\ud83d":1}',
                           "series": '{"order":"series","series":"\\ud83d"}', "n" * 246: "[]",
                           "binary": "\\udcff"}.items():
            data = text.encode("utf-8", "surrogateescape").replace(b"\\udcff", b"\xff")
            (station.folder / "orders" / f"{name}.json").write_bytes(data)
        station.run()
        for name, why in {"nowhere": "404", "torn": "delimiter", "other": "name of the file",
                          "count": "1 to 1000", "more": "no colour", "list": "no JSON object",
                          "surrogate": "no \\ud83d", "series": "name of a series",
                          "binary": "utf-8"}.items():
            assert why in station.failed(name), (name, station.failed(name))
        assert "no JSON" in (station.folder / f"failed/{'n' * 200}.txt").read_text()
        assert (station.folder / "journal").stat().st_mode & 0o777 == 0o600
        text = station.printer.texts[0]
        assert "^FD_5EXZ _7EJA Stra_C3_9Fe 1^FS" in text and "12345 _7Bnumber_7D" in text, text
        assert text.count("^XA") == 1 and "^FD4711 1/3^FS" in text, text

        # The same order again prints nothing; another one of its name fails.
        station.order("4711", 3)
        station.run()
        assert not (station.folder / "failed/4711.json").exists(), station.said()
        station.order("4711", 4)
        station.run()
        assert "printed before" in station.failed("4711")
        station.expected["4711"] = 3
        # Another journal: the service knows the order, nobody knows what is on paper.
        other = shop.station("other")
        other.order("4711", 3)
        other.run()
        assert "issued before" in other.failed("4711") and not other.printer.paper
        del other.expected["4711"]

        station.order("last")
        station.start()
        station.says("order last: printed")
        second = shop.station("second")
        second.options[0] = station.folder
        second.start().end(1)
        assert "another station uses" in second.said(), second.said()
        station.stop()
        station.end()
        shop.judge()
        shop.none_forgotten()


def printer_fails(drill):
    """Each way to fail: what is in doubt is voided and replaced, the rest is printed once."""
    with shop_of(drill) as shop:
        stations = {}
        for action in ("slow", "jam", "paper out", "half", "lost", "printed", "silent"):
            station = stations[action] = shop.station(action.replace(" ", "-"),
                                                      "--answer-seconds", "1")
            station.printer.plan = ["print", action]
            station.order(f"o-{station.folder.name}", 3)
            station.start("--once")
        for action in ("jam", "paper out"):
            station = stations[action]
            station.printer.wait_met()
            station.says("has a label and does not print it")
            assert len(station.printer.paper) == 1 and len(station.steps("sending")) == 2
            station.printer.mend()
        for action, station in stations.items():
            station.end()
            voided = station.done(f"o-{station.folder.name}")["voided"]
            expected = 0 if action in ("slow", "jam", "paper out") else 1
            assert len(voided) == expected, (action, voided)
            assert (voided[0] in station.printer.paper if action == "printed" else
                    not set(voided) & set(station.printer.paper)), (action, voided)
            if voided:
                assert f"^FDvoid: {voided[0]}^FS" in station.printer.texts[-1]
                reason = shop.history(voided[0])["history"][-1]
                assert reason["kind"] == "voided" and "in doubt" in reason["reason"], reason

        # Before a label is sent, nothing is in doubt: it waits for the paper.
        station = shop.station("waits")
        station.printer.trouble = "paper out"
        station.order("w", 2)
        station.start("--once")
        station.says("not ready: paper out")
        assert not station.steps("sending")
        station.order("w", 3)  # comes too late: that name has begun
        station.printer.trouble = None
        station.end()
        assert "printed before" in (station.folder / "failed/w.txt").read_text()
        station.expected["w"] = 2
        assert not station.done("w")["voided"]
        # A label that does not come out in time is in doubt.
        station = shop.station("stuck", "--label-seconds", "1")
        station.printer.plan = ["jam"]
        station.order("stuck")
        station.start("--once")
        station.printer.wait_met()
        station.says("is voided")
        station.printer.mend()
        station.end()
        assert len(station.done("stuck")["voided"]) == 1 and len(station.printer.paper) == 2
        shop.judge()
        shop.none_forgotten()


def without_status(drill):
    """A printer that answers nothing: used when that is wanted, and what it cuts is in doubt."""
    with shop_of(drill) as shop:
        silent = shop.station("asked", "--answer-seconds", "0.5", answers=False)
        silent.order("asked")
        silent.start()
        silent.says("the printer does not answer")
        assert not silent.printer.paper and not silent.steps("sending")
        silent.stop()
        silent.end()
        station = shop.station("unasked", "--no-status", answers=False)
        # The first is the one that is cut: without ~HS, a label that the printer has and has not
        # printed yet counts as printed, and would be lost with its power.
        station.printer.plan = ["half", "slow"]
        station.order("unasked", 4)
        station.run()
        assert len(station.done("unasked")["voided"]) == 1
        wait_for(lambda: len(station.printer.paper) == 4, "paper")
        silent.options.append("--no-status")
        silent.run()
        assert silent.is_done("asked")
        wait_for(lambda: silent.printer.paper, "paper")
        hears_silence()
        shop.judge()
        shop.none_forgotten()


def hears_silence():
    """A label is printed in Python 3.9, too, whose socket.timeout is no TimeoutError."""

    class Timeout(OSError):
        pass

    class Socket(socket.socket):
        def recv(self, *words):
            try:
                return super().recv(*words)
            except TimeoutError as error:
                raise Timeout from error

    options = argparse.Namespace(status=False, answer_seconds=0.5, label_seconds=60)
    with mock.patch("socket.timeout", Timeout), Socket() as connection, \
            socket.create_server(("127.0.0.1", 0)) as silent:
        connection.connect(silent.getsockname())
        printer = crashing.print_station.Printer(options)
        printer.socket = connection
        printer.put(b"^XA^XZ", print)


def pull_plugs(shop, *options):
    """At each point of an order's life, then at a point of the life after that."""

    def pull(point, kind):
        station = shop.station(f"{kind}-{point}", *options)
        station.order(f"{kind}-{point}", 2)
        came = station.crash(point, kind)
        if came and point % 2 and station.crash(1 + point * 7 % 5, "after"):
            came = 2
        station.run()
        return came

    came, point = {}, 0
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        while not came or any(came[point, kind] for kind in kinds):
            points = range(point + 1, point + 4)
            runs = {(each, kind): pool.submit(pull, each, kind)
                    for each in points for kind in kinds}
            came |= {about: run.result() for about, run in runs.items()}
            point = points[-1]
    crashes = sum(map(int, came.values()))
    assert sum(map(bool, came.values())) >= len(kinds) * points_min, came
    _, paper = shop.judge()
    shop.none_forgotten()
    print(f"{crashes} crashes, {len(paper)} labels on paper", flush=True)


def plug_pulled(drill):
    with shop_of(drill) as shop:
        pull_plugs(shop)
        voided = [number for station in shop.stations
                  for number in station.done(station.folder.name)["voided"]]
        reasons = {shop.history(number)["history"][-1]["reason"] for number in voided}
        assert reasons == {"in doubt: the station stopped while printing"}, reasons


def plug_pulled_holding(drill):
    with shop_of(drill) as shop:
        pull_plugs(shop, "--hold", "600")


def plug_pulled_in_a_label(drill):
    """Half of a label is in the printer; then, a SIGTERM comes while one is."""
    with shop_of(drill) as shop:
        station = shop.station("half")
        station.printer.plan = ["print", "call"]
        station.printer.called = lambda: os.kill(station.child.pid, signal.SIGKILL)
        station.order("half", 3)
        station.start("--once").end(-signal.SIGKILL)
        station.run()
        assert len(station.done("half")["voided"]) == 1

        # Whoever gave the order has removed it: what was printed is told all the same.
        for point in range(5, 11):
            name = f"removed-{point}"
            station.order(name)
            station.printer.plan = ["call"]
            station.printer.called = (station.folder / f"orders/{name}.json").unlink
            station.crash(point, "after")
            station.run()
            station.done(name)

        station.printer.met.clear()
        station.printer.plan = ["jam"]
        station.order("stopped", 2)
        station.start()
        station.printer.wait_met()
        station.stop()
        station.printer.mend()
        station.end()
        assert len(station.steps("sent")) == 1 and not station.is_done("stopped")
        station.run()
        assert not station.done("stopped")["voided"]
        shop.judge()
        shop.none_forgotten()


if __name__ == "__main__":
    run_drills([prints, printer_fails, without_status, plug_pulled, plug_pulled_holding,
                plug_pulled_in_a_label])
