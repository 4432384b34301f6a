# What tools/bench can be asked.
import argparse
import os
import pathlib

from benchlib import report
from harness.processes import root

build_folder = pathlib.Path(os.environ.get("GAPLESS_BUILD", root / "build")).absolute()
ledger_rows_max = 10**9


def whole(low, high):
    """A reader of whole numbers within bounds, for argparse."""

    def read(text):
        if not text.isdigit() or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return read


def listed(read):
    return lambda text: [read(part) for part in text.split(",")]


def one_of(*names):
    def read(text):
        if text not in names:
            raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(names)}")
        return text

    return read


def ledger_size(text):
    """ROWS,BLOCKS,SERIES -> them as a dictionary"""
    sizes = listed(whole(1, ledger_rows_max))(text)
    if len(sizes) != 3 or sizes != sorted(sizes, reverse=True):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not ROWS,BLOCKS,SERIES with a row for each block and a block for each"
            " series"
        )
    return dict(zip(("rows", "blocks", "series"), sizes))


def read_options(description):
    parser = argparse.ArgumentParser(
        prog="tools/bench",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_load(parser)
    add_places(parser)
    add_results(parser)
    options = parser.parse_args()
    options.rounds = options.rounds or (1 if options.quick else 5)
    options.seconds = options.seconds or (1 if options.quick else 5)
    options.cold = options.series if len(options.series) > 1 else None
    options.series = options.series[0]
    if options.series > 1000 and not options.cold:
        parser.error("more than 1000 series are made by a list only: --series 64,5000")
    if min(options.clients) < options.instances:
        parser.error("every instance needs a client: more --clients or fewer --instances")
    if (options.standby or options.ledger) and "gapless" not in options.peers:
        parser.error("--standby and --ledger compare with gapless, which --peers leaves out")
    if options.ledger and options.series > options.ledger["series"]:
        parser.error(f"--ledger has only {options.ledger['series']} of the {options.series} series")
    alone = [name for name in ("neighbour", "outage", "cold") if getattr(options, name)]
    more = options.check or options.standby or options.ledger
    if len(alone) > 1 or (alone and more):
        parser.error(f"--{alone[0]} stands alone")
    if options.check and not options.check.is_file():
        parser.error(f"there is no {options.check}")
    return options


def add_load(parser):
    """Who is measured, and under which load."""
    add = parser.add_argument
    add("--quick", action="store_true", help="one round of one second; 90 s at most")
    add("--rounds", type=whole(1, 100), metavar="N", help="how often the peers take turns (5)")
    add("--seconds", type=whole(1, 600), metavar="S", help="of each measurement (5)")
    add("--clients", type=listed(whole(1, 5000)), metavar="LIST", default=[1, 16, 64, 256],
        help="connections, kept alive, one request at a time each (1,16,64,256)")
    usual = [name for name in report.titles if not name.startswith("gapless-")]
    names = usual + ["gapless-format", "gapless-hold"]
    add("--peers", type=listed(one_of(*names)), metavar="LIST", default=usual,
        help=f"of {','.join(names)}; nextval is always there (all without gapless-…)")
    add("--keys", choices=["random", "ordered"], default="random",
        help="ordered: also with keys that are UUIDs ordered by time (version 7)")
    add("--count", type=whole(1, 100000), metavar="N", default=1,
        help="numbers a request asks for (1)")
    add("--no-numbers", action="store_true", help="answers with ranges only")
    add("--series", type=listed(whole(1, 100_000)), metavar="N", default=[1],
        help="series asked in turn (1); a list, as 64,5000,50000, is only this: the first number of"
        " each of so many after a start (cold), and then the next ones (warm)")
    add("--instances", type=whole(1, 16), metavar="N", default=1,
        help="of gaplessd, which share the clients (1); reports their serialization conflicts")
    add("--replays", type=whole(0, 100), metavar="PERCENT", default=0,
        help="share of requests that repeat a recent key (0)")


def add_places(parser):
    """What is measured beside the peers."""
    add = parser.add_argument
    add("--standby", action="store_true",
        help="also gapless with a synchronous standby on this machine, beside gapless without one")
    add("--ledger", type=ledger_size, metavar="ROWS,BLOCKS,SERIES",
        help="also gapless on a ledger that has so many rows already, in so many blocks and series,"
        " beside gapless on an empty one; and the speed of verify on it")
    add("--neighbour", action="store_true",
        help="only this: eight series with a ninth that an SQL transaction has locked, and the same"
        " eight without; prints the ratio of rate and p99")
    add("--outage", action="store_true",
        help="only this: 64 clients of a reserve while PostgreSQL is away, beside the database,"
        " nextval, Redis and /livez; prints the ratios of the rates, and p99 : p50")
    add("--memory", type=whole(1, 5000), metavar="N",
        help="also the memory of gaplessd with N connections, kept alive, idle and issuing")
    add("--start", type=whole(1, 1000), metavar="N", dest="starts",
        help="also the time from starting gaplessd to its first 200 of /readyz, N times")


def add_results(parser):
    """What becomes of the figures, and where things are."""
    add = parser.add_argument
    add("--json", type=pathlib.Path, metavar="FILE",
        help="write every round, the machine and the summary")
    add("--check", type=pathlib.Path, metavar="TABLE",
        help="compare the ratios with the JSON of an earlier run; status 1 if one fell short")
    add("--margin", type=float, metavar="SHARE", default=0.25,
        help="of the ratio that --check lets go (0.25)")
    add("--programs", type=pathlib.Path, metavar="FOLDER",
        help="of gaplessd and gapless (default: builds the preset release)")
    add("--home", type=pathlib.Path, metavar="FOLDER", default=build_folder,
        help="where the database goes until the end (default: the build folder)")
