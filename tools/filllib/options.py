# What tools/fill can be asked.
import argparse
import pathlib


def whole(low, high):
    """A reader of whole numbers within bounds, 1e7 among them, for argparse."""

    def read(text):
        try:
            value = int(text) if text.isdigit() else float(text)
        except ValueError:
            value = -1.0
        if value != int(value) or not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(value)

    return read


def read_options(description):
    parser = argparse.ArgumentParser(
        prog="tools/fill", description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path, metavar="FOLDER",
                        help="of a private cluster, which is made, or started, and goes on running")
    parser.add_argument("--url", help="a database instead of a folder, as the owner of the schema")
    size = parser.add_argument_group("how much")
    size.add_argument("--numbers", type=whole(0, 10**12), default=100_000, metavar="N",
                      help="about so many numbers in all (100000); 0: series with a block"
                      " each and nothing else")
    size.add_argument("--rows", type=whole(100, 10**9), metavar="N",
                      help="in about so many ledger rows (a hundredth of the numbers)")
    size.add_argument("--series", type=whole(1, 1_000_000), default=6, metavar="N",
                      help="half of it in the first, the rest in equal shares (6)")
    size.add_argument("--blocks", type=whole(2, 100_000), default=40, metavar="N",
                      help="of each series (40)")
    size.add_argument("--days", type=whole(1, 10_000), default=780, metavar="N",
                      help="of work, the last of them yesterday (780: three years)")
    size.add_argument("--holds", type=whole(0, 100), default=10, metavar="PERCENT",
                      help="of the ledger rows (10)")
    size.add_argument("--seal-rows", type=whole(1, 10**9), default=500, metavar="N",
                      help="that a link of the hash chain covers (500)")
    size.add_argument("--seed", type=whole(0, 10**9), default=1, metavar="N")
    work = parser.add_argument_group("how")
    work.add_argument("--sessions", type=whole(1, 64), default=2, metavar="N")
    work.add_argument("--measure", type=pathlib.Path, metavar="FILE",
                      help="when it is filled: writes to FILE what the acts of every day cost there"
                           " and in a database of two days, and prints the tables; FOLDER only")
    work.add_argument("--times", type=whole(1, 1000), default=9, metavar="N",
                      help="each act is done so often, the best counts (9)")
    options = parser.parse_args()
    if (options.folder is None) == (options.url is None):
        parser.error("either a FOLDER or --url")
    if options.measure and options.url:
        parser.error("--measure needs a FOLDER: it makes an empty database beside")
    options.rows = options.rows or max(options.numbers // 100, 100)
    if options.measure and not options.numbers:
        parser.error("--measure needs --numbers: nothing was issued")
    if options.series > 1000 and options.numbers:
        parser.error("more than 1000 series have no years of work: --numbers 0")
    if options.numbers and options.rows > options.numbers:
        parser.error("a row has one number at least: fewer --rows, or more --numbers")
    return options
