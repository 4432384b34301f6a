#!/usr/bin/env python3
"""House rules that a compiler cannot check. Prints one line per breach; exit status 1 if any."""
import subprocess
import sys

sys.dont_write_bytecode = True

from tidylib import cpp, layers, lengths, links, sql, text as texts, words
from tidylib.tree import FOLDERS, files_under, root


def is_python(path, text):
    return path.suffix == ".py" or text.startswith("#!/usr/bin/env python3\n")


def check_source(path, text, allowed):
    """The rules for a file of src."""
    layer = path.relative_to(root / "src").parts[0]
    yield from layers.check_includes(layer, text, allowed)
    yield from cpp.check_failpoints(path, text)
    yield from sql.check_sql_in_cpp(path, text)
    yield from words.check_messages(path, text)
    if layer in ("store", "service", "cases"):
        yield from sql.check_sql_calls(path, text)


def check_file(folder, path, text, allowed):
    """Yields a line and why for every breach of a file."""
    name = str(path.relative_to(root))
    yield from texts.check_text(path, text)
    if path.suffix in (".hpp", ".cpp"):
        yield from cpp.check_awaits(path, text)
        yield from cpp.check_cpp(path, text)
        yield from layers.check_libpq(name, text)
        yield from layers.check_pqxx(name, text)
        yield from lengths.check_lengths(lengths.cpp_functions(text))
        if folder == "src":
            yield from check_source(path, text, allowed)
    if is_python(path, text):
        yield from lengths.check_lengths(lengths.python_functions(text))
    if folder in ("tools", ".ci") and path.suffix in (".sh", ".py", ""):
        yield from texts.check_script(path, text)
    if folder in ("sql", "migrations"):
        yield from sql.check_dynamic_sql(path, text)
        yield from words.check_messages(path, text)
    if folder == "sql":
        yield from sql.check_sql_name(path, text)


def documents():
    """The Markdown of the repository; everything below the root where there is no git."""
    try:
        listed = subprocess.run(
            ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard",
             "--", "*.md"], check=True, text=True, capture_output=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        return sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")])
    return [root / name for name in listed if name and (root / name).exists()]


def breaches():
    """Yields (path, line, why) for every breach."""
    allowed = layers.allowed_includes()
    yield from layers.check_table()
    yield from sql.check_sql_folders()
    for folder in FOLDERS:
        for path in files_under(folder):
            text = path.read_text(encoding="utf-8")
            yield from ((path, *each) for each in check_file(folder, path, text, allowed))
    for path in documents():
        text = path.read_text(encoding="utf-8")
        name = str(path.relative_to(root))
        yield from ((path, *each) for each in links.check_links(path, text))
        yield from ((path, *each) for each in words.check_document(name, text))
        if not name.startswith(words.NOT_CHECKED):
            yield from ((path, *each) for each in links.check_paths(root, text))


def main():
    found = [f"{path.relative_to(root)}:{line}: {why}" for path, line, why in breaches()]
    print("\n".join(found) if found else "no breach of the house rules")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
