# How long lines and files are, and how many lines the tree has; tools/size.toml has the limits.
import collections
import subprocess
import tomllib

from tidylib.tree import root

PARTS = ("src", "page", "sql", "tests", "tools", "docs")
LIMITS = root / "tools/size.toml"
FILE_LINES_MAX = 700
LINE_COLUMNS_MAX = 100
SQL_LINE_COLUMNS_MAX = {"sql": 110, "migrations": 110}
TEST_SQL_LINE_COLUMNS_MAX = 160  # signatures, grants and lists read better unbroken
PAGE = "src/page/"  # HTML, CSS and modules: a part of its own


def check_lengths(name, text):
    """Yields a line and why it, or the file, is too long."""
    lines, folder = text.splitlines(), name.partition("/")[0]
    columns_max = LINE_COLUMNS_MAX
    if name.endswith(".sql"):
        columns_max = SQL_LINE_COLUMNS_MAX.get(folder, TEST_SQL_LINE_COLUMNS_MAX)
    if len(lines) > FILE_LINES_MAX and folder != "migrations":
        yield len(lines), f"file is longer than {FILE_LINES_MAX} lines"
    for number, line in enumerate(lines, 1):
        if len(line) > columns_max:
            yield number, f"line is longer than {columns_max} columns"


def part_of(name):
    """-> (part, folder below it) of a file; None: it counts nowhere."""
    if name.startswith(PAGE):
        return "page", name[len(PAGE):].rpartition("/")[0].partition("/")[0] or "."
    part, *folders = name.split("/")[:-1] or [""]
    return (part, folders[0] if folders else ".") if part in PARTS else None


def lines_of(sizes):
    """{name of a file: its lines} -> {part: {folder: lines}}, parts and folders in order"""
    counted = {part: collections.Counter() for part in PARTS}
    for name, lines in sorted(sizes.items()):
        if place := part_of(name):
            counted[place[0]][place[1]] += lines
    return counted


def tracked_sizes():
    """{name: lines} of the text files that git has, as wc -l counts them; {} without git"""
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], check=True, text=True,
                                capture_output=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return {}
    sizes = {}
    for name in listed.split("\0"):
        path = root / name
        if name and path.is_file() and b"\0" not in (content := path.read_bytes()):
            sizes[name] = content.count(b"\n")
    return sizes


def read_limits():
    return tomllib.loads(LIMITS.read_text(encoding="utf-8"))["lines"]


def check_sizes(counted, limits):
    """Yields in words what is wrong with the size of a part."""
    for part, folders in counted.items():
        lines = folders.total()
        if part not in limits:
            yield f"{part} has no limit"
        elif lines > limits[part]:
            yield (f"{part} has {lines:,} lines, {lines - limits[part]:,} more than the limit of"
                   f" {limits[part]:,}: look for what can go; raise the limit only with a reason")


def table(counted, limits):
    """Yields the lines of the table that --size prints."""
    for part, folders in counted.items():
        room = limits.get(part, 0) - folders.total()
        yield f"{part:<28}{folders.total():>8,}   limit {limits.get(part, 0):>8,}, room {room:,}"
        yield from (f"  {folder:<26}{lines:>8,}" for folder, lines in sorted(folders.items()))
