# What holds for every file, whatever its language. A rule takes a path and its text, and yields a
# line and why it is a breach.
from tidylib.tree import root

FILE_LINES_MAX = 700
LINE_COLUMNS_MAX = 100
SQL_LINE_COLUMNS_MAX = 110  # in sql/ and migrations/
TEST_SQL_LINE_COLUMNS_MAX = 160  # signatures, grants and lists read better unbroken


def check_text(path, text):
    lines = text.splitlines()
    if len(lines) > FILE_LINES_MAX and path.parent.name != "migrations":
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
