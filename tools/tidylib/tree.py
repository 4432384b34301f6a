# The tree that is checked: its files, and the breaches found in them.
import pathlib

root = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDERS = ["src", "tests", "tools", "clients", "examples", "cmake", "sql", "migrations", ".ci"]
IGNORED_FOLDERS = {"__pycache__", "corpus"}  # what libFuzzer found is not text
CHECKED_SUFFIXES = {".hpp", ".cpp", ".sql", ".py", ".sh", ".cmake", ".txt", ".ts", ".mjs", ".java",
                    ""}


def files_under(folder):
    """The checked files of a folder, by path."""
    for path in sorted((root / folder).rglob("*")):
        if not IGNORED_FOLDERS.isdisjoint(path.relative_to(root).parts):
            continue
        if path.is_file() and path.suffix in CHECKED_SUFFIXES:
            yield path


def line_of(text, place):
    """The number of the line in which a place of a text is."""
    return text.count("\n", 0, place) + 1
