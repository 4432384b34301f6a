# What holds for every file, whatever its language. A rule takes a path and its text, and yields a
# line and why it is a breach.
import re

from tidylib.tree import root

FILE_LINES_MAX = 300
LINE_COLUMNS_MAX = 100
ONE_FILE = {"examples/print-station/print_station.py"}  # to be copied as it is, however long
SQL_LINE_COLUMNS_MAX = 110  # in sql/ and migrations/
TEST_SQL_LINE_COLUMNS_MAX = 160  # signatures, grants and lists read better unbroken


def check_text(path, text):
    lines = text.splitlines()
    short = path.parent.name != "migrations" and str(path.relative_to(root)) not in ONE_FILE
    if len(lines) > FILE_LINES_MAX and short:
        yield len(lines), f"file is longer than {FILE_LINES_MAX} lines"
    columns_max = LINE_COLUMNS_MAX
    if path.suffix == ".sql":
        ours = path.relative_to(root).parts[0] in ("sql", "migrations")
        columns_max = SQL_LINE_COLUMNS_MAX if ours else TEST_SQL_LINE_COLUMNS_MAX
    for number, line in enumerate(lines, 1):
        if len(line) > columns_max:
            yield number, f"line is longer than {columns_max} columns"
        if "\t" in line:
            yield number, "tab"
        if line != line.rstrip():
            yield number, "blank at the end of the line"
    if text and not text.endswith("\n"):
        yield len(lines), "no newline at the end of the file"


def check_script(_, text):
    """A chore says in its first line what it does."""
    lines = text.splitlines()
    if lines and lines[0].startswith("#!"):
        described = len(lines) > 1 and re.match(r'(# |""")\S', lines[1])
    else:
        described = bool(lines) and lines[0].startswith("# ")
    if not described:
        yield 1, "the first line says what the script does"
