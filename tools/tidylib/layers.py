# Includes follow the table of layers in ARCHITECTURE.md, and libpq is included where it has to be.
import re

from tidylib.tree import line_of, root

HEADING = "## The layers"

# Who includes libpq itself, and why. Everybody else speaks to the database through src/store.
LIBPQ = {
    "src/store/batch_protocol.hpp": "parameters and results of the lane are PGresult and arrays",
    "src/store/connection.cpp": "errors and sockets that libpqxx 6.4 does not show",
    "src/store/lane_connection.hpp": "the lane: pipeline mode, which libpqxx 6.4 has not",
    "src/store/lane_wire.hpp": "the lane's calls, which failing_wire decorates",
    "tests/harness/database.cpp": "kills and looks at connections behind the code under test",
}

# The words of one version of libpqxx; the files that know them all, and which version this is.
PQXX_FILES = {"src/store/query.hpp", "src/store/pqxx_fwd.hpp"}
PQXX_WORDS = re.compile(
    r"(?:\.|->)\s*(?:exec(?:[01n]|_params|_prepared)?[01n]?|query_value|for_stream)"
    r"\s*[<(]|\bpqxx::(?:binarystring|errorhandler|params|readwrite_policy|write_policy)\b"
    r"|\b(?:inhibit_reactivation|set_notice_handler|as_array|PQXX_VERSION\w*)\b")


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
    for why in wrong_with(table_of(page.read_text(encoding="utf-8")), folders):
        yield page, 1, why


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


def check_libpq(name, text):
    place = re.search(r"^#include <(libpq|postgres).*>$", text, re.MULTILINE)
    if place and name not in LIBPQ:
        yield line_of(text, place.start()), "includes libpq, and is not on the list (layers.py)"
    if not place and name in LIBPQ:
        yield 1, "is on the list of those that include libpq (layers.py), and does not"


def check_pqxx(name, text):
    """Yields a line and why for every call that not every version of libpqxx takes."""
    if name not in PQXX_FILES:
        for found in PQXX_WORDS.finditer(text):
            yield line_of(text, found.start()), (
                f"{found.group().strip('.->( ')} is of one version of libpqxx: say it as "
                "src/store/query.hpp does")
