# Includes follow the table of layers in ARCHITECTURE.md; a few headers are for a few files.
import re

from tidylib.tree import root

HEADING = "## The layers"

# A header, who may include it, and why nobody else.
RESERVED = [
    ("<(libpq|postgres)", r"src/store/|tests/harness/database\.cpp",
     "everybody else speaks to the database through src/store"),
    ('"base/failpoint', r"src/\w+/fail|tests/unit/base/",
     "failpoints are for decorators, which only test builds have"),
    ("<random>", r"(?!src/(domain|tokens)/)", "guessable: secrets are random bytes from OpenSSL"),
]


def table_of(text):
    """-> {layer: the layers named beside it} of the page's table, in its order"""
    row = re.compile(r"^\| `src/(\w+)` \|[^|]*\|([^|]*)\|$", re.MULTILINE)
    rows = row.findall(text.partition(HEADING)[2])
    return {layer: re.findall(r"`(\w+)`", named) for layer, named in rows}


def closure_of(table):
    """-> {layer: all it may include}: itself, what is named beside it, and what these may"""
    allowed = {}
    for layer, named in table.items():  # lower layers come first
        allowed[layer] = {layer}.union(*(allowed[each] for each in named))
    return allowed


def picture_of(table):
    """The table as Mermaid; layers with the same neighbours above and below are one box."""
    users = {layer: tuple(user for user in table if layer in table[user]) for layer in table}
    alike = {}
    for layer, named in table.items():
        alike.setdefault((tuple(named), users[layer]), []).append(layer)
    first = {layer: group[0] for group in alike.values() for layer in group}
    lines = [f"    {group[0]}[{', '.join(group)}]" for group in alike.values() if group[1:]]
    lines += sorted({f"    {first[layer]} --> {first[each]}" for layer in table
                     for each in table[layer]})
    return "\n".join(["```mermaid", "graph TD", *lines, "```\n"])


def wrong_with(table, folders):
    """What is wrong with the table itself, in words."""
    seen = []
    if not table:
        yield f"no table of layers below {HEADING}"
    for layer, named in table.items():
        for each in named:
            if each not in seen:
                yield f"{layer} may include {each}, which is no layer above it in the table"
        seen.append(layer)
    for folder in folders:
        if folder not in table:
            yield f"src/{folder} is not in the table of layers"


def check_table():
    """Yields (path, line, why)."""
    page = root / "ARCHITECTURE.md"
    folders = sorted(each.name for each in (root / "src").iterdir() if each.is_dir())
    text = page.read_text(encoding="utf-8")
    for why in wrong_with(table_of(text), folders):
        yield page, 1, why
    if picture_of(table_of(text)) not in text:
        yield page, 1, "the picture of the layers is not what tools/tidy --picture prints"


def allowed_includes():
    try:
        return closure_of(table_of((root / "ARCHITECTURE.md").read_text(encoding="utf-8")))
    except KeyError:
        return {}  # the table itself is a breach


def check_includes(layer, text, allowed):
    """Yields a line and why for every include of a file of src/LAYER that points the wrong way."""
    for number, line in enumerate(text.splitlines(), 1):
        included = re.match(r'#include "(\w+)/', line)
        if included and included[1] in allowed and included[1] not in allowed.get(layer, ()):
            yield number, f"{layer} must not include {included[1]} (ARCHITECTURE.md)"


def check_reserved(name, text):
    """Yields a line and why for every include of a header that is for other files."""
    for number, line in enumerate(text.splitlines(), 1):
        yield from ((number, why) for header, who, why in RESERVED
                    if re.match("#include " + header, line) and not re.match(who, name))
