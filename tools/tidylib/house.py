# Includes follow the table of the house in ARCHITECTURE.md; a few headers are for a few files.
import re

from tidylib.tree import root

HEADING = "## The house"
FLOORS = "the floors"  # in the last column: what is in the table above the first room

# A header, who may include it, and why nobody else.
RESERVED = [
    ("<(libpq|postgres)", r"src/(postgres|issuing)/|tests/harness/database\.cpp",
     "everybody else speaks to the database through src/postgres"),
    ('"base/failpoint', r"src/\w+/fail|tests/base/",
     "failpoints are for decorators, which only test builds have"),
    ("<random>", r"(?!src/access/)", "guessable: secrets are random bytes from OpenSSL"),
]


def table_of(text):
    """-> {folder: those named beside it, FLOORS among them} of the page's table, in its order"""
    row = re.compile(r"^\| `src/(\w+)` \|[^|]*\|([^|]*)\|$", re.MULTILINE)
    rows = row.findall(text.partition(HEADING)[2])
    return {name: [FLOORS] * (FLOORS in named) + re.findall(r"`(\w+)`", named)
            for name, named in rows}


def floors_of(table):
    return [name for name, named in table.items() if FLOORS not in named]


def closure_of(table):
    """-> {folder: all it may include}: itself and those beside it; of a floor also what these may,
    of a room every floor"""
    allowed, floors = {}, floors_of(table)
    for name, named in table.items():  # lower ones come first
        allowed[name] = {name}.union(*(allowed[each] for each in named if name in floors))
        allowed[name].update(floors if FLOORS in named else (), set(named) - {FLOORS})
    return allowed


def picture_of(table):
    """The rooms of the table as Mermaid. Left out: app, which may include all, and what a room
    reaches through another one anyway."""
    floors, below, lines = floors_of(table), {}, []
    for name, named in table.items():
        if name in floors or name == "app":
            continue
        rooms = set(named) - {FLOORS}
        further = set().union(*(below[each] for each in rooms))
        below[name] = rooms | further
        lines += [f"    {name} --> {each}" for each in sorted(rooms - further) or ["floors"]]
    return "\n".join(["```mermaid", "graph TD", f"    floors[{', '.join(floors)}]",
                      *sorted(lines), "```\n"])


def wrong_with(table, folders):
    """What is wrong with the table itself, in words."""
    seen = []
    if not table:
        yield f"no table below {HEADING}"
    for name, named in table.items():
        for each in named:
            if each not in seen and each != FLOORS:
                yield f"{name} may include {each}, which is not above it in the table"
        seen.append(name)
    for folder in folders:
        if folder not in table and folder != "page":  # includes no C++
            yield f"src/{folder} is not in the table of the house"


def check_table():
    """Yields (path, line, why)."""
    page = root / "ARCHITECTURE.md"
    folders = sorted(each.name for each in (root / "src").iterdir() if each.is_dir())
    text = page.read_text(encoding="utf-8")
    for why in wrong_with(table_of(text), folders):
        yield page, 1, why
    if picture_of(table_of(text)) not in text:
        yield page, 1, "the picture of the house is not what tools/tidy --picture prints"


def allowed_includes():
    try:
        return closure_of(table_of((root / "ARCHITECTURE.md").read_text(encoding="utf-8")))
    except KeyError:
        return {}  # the table itself is a breach


def check_includes(folder, text, allowed):
    """Yields a line and why for every include of a file of src/FOLDER that the table has not."""
    for number, line in enumerate(text.splitlines(), 1):
        included = re.match(r'#include "(\w+)/', line)
        if included and included[1] in allowed and included[1] not in allowed.get(folder, ()):
            yield number, f"{folder} must not include {included[1]} (ARCHITECTURE.md)"


def check_reserved(name, text):
    """Yields a line and why for every include of a header that is for other files."""
    for number, line in enumerate(text.splitlines(), 1):
        yield from ((number, why) for header, who, why in RESERVED
                    if re.match("#include " + header, line) and not re.match(who, name))
