#!/usr/bin/env python3
"""House rules that a compiler cannot check. Prints one line per breach; exit status 1 if any."""
import pathlib
import re
import sys

LAYERS = ["base", "domain", "barcode", "store", "service", "http", "app"]  # includes point left
FILE_LINES_MAX = 300
LINE_COLUMNS_MAX = 100
SQL_LINE_COLUMNS_MAX = 160  # signatures, grants and lists read better unbroken
FOLDERS = ["src", "tests", "tools", "cmake", "sql", "migrations", ".ci"]
IGNORED_FOLDERS = {"__pycache__", "corpus"}  # what libFuzzer found is not text
CHECKED_SUFFIXES = {".hpp", ".cpp", ".sql", ".py", ".sh", ".cmake", ".txt", ""}

# What must not stand in C++ of ours, and what to use instead.
FORBIDDEN = [
    (r"\b(std::)?s?rand\s*\(", "guessable: random bytes from OpenSSL, <random> in tests"),
    (r"\b(strcpy|strcat|sprintf|vsprintf|gets|strtok)\s*\(", "unbounded: std::string or fmt"),
    (r"\b(atoi|atol|atoll|atof)\s*\(", "cannot report an error: use std::from_chars"),
    (r"\bstd::(stoi|stol|stoll|stoul|stoull)\s*\(", "accepts trailing text: use std::from_chars"),
    (r"(?<![\w.:>])system\s*\(", "no shell from the programs"),
    (r"\busing namespace std\s*;", "using namespace std"),
    (r"\bassert\s*\(", "assert vanishes in release builds: use ensure"),
    (r"\.detach\s*\(\s*\)", "a detached thread cannot be joined at the end"),
    (r"\brobusttransaction\b", "robusttransaction hides the outcome of a COMMIT"),
]

# In files that make or read tokens: a secret comes from OpenSSL, never from a generator that can be
# guessed.
GUESSABLE = re.compile(r"#include <random>|\b(mt19937|random_device|default_random_engine)")

SQL_VERB = r"\b(select|insert into|update|delete from|create|alter|drop|grant|call|set)\b"
# A literal that starts like SQL and is continued with a value, or has a place for one in it.
SQL_FROM_VALUES = [
    re.compile(r'"\s*' + SQL_VERB + r'\s[^"]*"(s|sv)?\s*\+', re.IGNORECASE),
    re.compile(r'format\(\s*(R"\w*\(|")\s*' + SQL_VERB + r'\s[^"]*\{[^"]*\}', re.IGNORECASE),
]
SQL_FROM_NAMES_ALLOWED = "tidy: a checked name"  # at the end of the line, where $1 cannot stand

# Calls that take SQL, and which of their arguments it is. It has to be one literal, or one of these
# texts, which were looked at: files that are compiled in, and constants.
SQL_CALLS = [
    (re.compile(r"\.\s*(?:exec(?:_params|_prepared)?[01n]?|prepare|query_value)\s*\("), 0),
    (re.compile(r"\bask\("), 1),
    (re.compile(r"\bPQ(?:exec|execParams|sendQuery|sendQueryParams)\s*\("), 1),
    (re.compile(r"\bPQ(?:prepare|sendPrepare)\s*\("), 2)]
SQL_LITERAL = re.compile(r'(\s*("(\\.|[^"\\])*"|R"(\w*)\(.*?\)\4"))+\s*$', re.DOTALL)
SQL_LOOKED_AT = {
    "schema.cpp": {
        "std::string{file.text}", "std::string{grants}", "create_bookkeeping",
        "parts.rest",
        'std::string{"select pg_advisory_lock("} + migration_lock + ")"',
        'std::string{"select pg_advisory_unlock("} + migration_lock + ")"'},
    "schema_triggers.cpp": {"lock", "trigger"},  # of files that are compiled in
    "connection.cpp": {"session_settings(purpose)"},
    "lane_connection.cpp": {"text.c_str()"},  # the settings of a session
    "lane_admission.cpp": {"text", "char const* text"},  # ask(), whose callers are looked at
    "batch_protocol.cpp": {"statement.text"}}  # a table of constants
SQL_EXECUTE = re.compile(
    r"(?<!grant )(?<!revoke )\bexecute\b(?! (on|function|procedure)\b)[^;]*;", re.IGNORECASE)
SQL_DYNAMIC = {"execute format('create role %I nologin', v_role);"}  # in sql/, each was looked at

root = pathlib.Path(__file__).resolve().parent.parent
breaches = []


def breach(path, line, why):
    breaches.append(f"{path.relative_to(root)}:{line}: {why}")


def files_under(folder):
    """The checked files of a folder, by path."""
    for path in sorted((root / folder).rglob("*")):
        if not IGNORED_FOLDERS.isdisjoint(path.relative_to(root).parts):
            continue
        if path.is_file() and path.suffix in CHECKED_SUFFIXES:
            yield path


def check_text(path, lines):
    """What holds for every file, whatever its language."""
    if len(lines) > FILE_LINES_MAX and path.parent.name != "migrations":
        breach(path, len(lines), f"file is longer than {FILE_LINES_MAX} lines")
    columns_max = SQL_LINE_COLUMNS_MAX if path.suffix == ".sql" else LINE_COLUMNS_MAX
    for number, line in enumerate(lines, 1):
        if len(line) > columns_max:
            breach(path, number, f"line is longer than {columns_max} columns")
        if "\t" in line:
            breach(path, number, "tab")
        if line != line.rstrip():
            breach(path, number, "blank at the end of the line")


def layer_of(path):
    """Which layer a file of src belongs to; None for a file directly in src."""
    parts = path.relative_to(root / "src").parts
    return LAYERS.index(parts[0]) if len(parts) > 1 and parts[0] in LAYERS else None


def check_includes(path, lines):
    layer = layer_of(path)
    if layer is None:
        breach(path, 1, "not in one of the layers " + ", ".join(LAYERS))
        return
    for number, line in enumerate(lines, 1):
        included = re.match(r'#include "(\w+)/', line)
        if not included or included.group(1) not in LAYERS:
            continue
        if LAYERS.index(included.group(1)) > layer:
            breach(path, number, f"{LAYERS[layer]} must not include {included.group(1)}")


def check_failpoints(path, lines):
    """What fails on demand stands in decorators, which only builds with failpoints have."""
    for number, line in enumerate(lines, 1):
        if line == '#include "base/failpoint.hpp"' and not path.name.startswith("fail"):
            breach(path, number, "failpoints are for failing_wire and failing_socket only")


def check_cpp(path, lines):
    if path.suffix == ".hpp" and (not lines or lines[0] != "#pragma once"):
        breach(path, 1, "a header starts with #pragma once")
    for number, line in enumerate(lines, 1):
        code = re.sub(r"//.*", "", line)
        code = re.sub(r'"(\\.|[^"\\])*"', '""', code)
        for pattern, why in FORBIDDEN:
            if re.search(pattern, code):
                breach(path, number, why)
        if path.name.startswith("token") and "src" in path.parts and GUESSABLE.search(code):
            breach(path, number, "guessable: secrets are random bytes from OpenSSL")


def check_sql_in_cpp(path, lines):
    """SQL takes its values as $1, $2; this finds the usual ways of pasting them in."""
    for number, line in enumerate(lines, 1):
        joined = line + (lines[number].strip() if number < len(lines) else "")
        for pattern in SQL_FROM_VALUES:
            found = pattern.search(joined)
            if found and found.start() < len(line) and SQL_FROM_NAMES_ALLOWED not in joined:
                breach(path, number, "SQL text is assembled from values: use $1, $2")


def arguments_of(text, start):
    """The arguments of a call whose bracket opens before `start`, split at their commas."""
    token = re.compile(r'//[^\n]*|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\])*"|.', re.DOTALL)
    arguments, depth = [""], 0
    for found in token.finditer(text, start):
        part = found.group()
        if part in (")", "}", "]") and depth == 0:
            break
        if part.startswith("//"):
            continue
        depth += (part in ("(", "{", "[")) - (part in (")", "}", "]"))
        if part == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += part
    return [" ".join(each.split()) for each in arguments]


def check_sql_calls(path, text):
    """What is sent to the database was written by us, whole."""
    if path.relative_to(root).parts[1] not in ("store", "service"):
        return
    looked_at = SQL_LOOKED_AT.get(path.name, ())
    for call, place in SQL_CALLS:
        for found in call.finditer(text):
            arguments = arguments_of(text, found.end())
            given = arguments[place] if place < len(arguments) else ""
            if not SQL_LITERAL.match(given) and given not in looked_at:
                line = text.count("\n", 0, found.start()) + 1
                breach(path, line, f"SQL that is no literal and not looked at: {given}")


def check_dynamic_sql():
    """execute runs a text: only those that quote what they put into it, and were looked at."""
    for path in [*(root / "sql").glob("*.sql"), *(root / "migrations").glob("*.sql")]:
        text = re.sub(r"--[^\n]*", "", path.read_text())
        for found in SQL_EXECUTE.finditer(text):
            if " ".join(found.group().split()) not in SQL_DYNAMIC:
                breach(path, text.count("\n", 0, found.start()) + 1, "dynamic SQL not looked at")


def check_awaits(path, text):
    """g++ 12 destroys captures and aggregates twice when they stand inside a co_await."""
    text = re.sub(r"//[^\n]*", "", text)
    for await_ in re.finditer(r"\bco_await\b", text):
        expression = text[await_.start():text.find(";", await_.start())]
        line = text.count("\n", 0, await_.start()) + 1
        if re.search(r"[(,]\s*\[[^\]&\s][^\]]*\]\s*(\(|\{|mutable)", expression):
            breach(path, line, "a lambda with captures inside co_await: name it on the line above")
        if re.search(r"[(,\w]\s*\{\s*\.\w+\s*=", expression):
            breach(path, line, "an aggregate inside co_await: name it on the line above")


def check_sql_names():
    for path in sorted((root / "sql").glob("*.sql")):
        if not re.match(rf"-- {re.escape(path.stem)}\([^)]*\) (->|on|applied)?", path.read_text()):
            breach(path, 1, f"first line is `-- {path.stem}(arguments) -> shape`")


def check_migration_numbers():
    names = sorted(p.name for p in (root / "migrations").glob("*.sql"))
    for name in names:
        if not re.fullmatch(r"\d{4}_[a-z0-9_]+\.sql", name):
            breach(root / "migrations" / name, 1, "a migration is called NNNN_what_it_does.sql")
    numbers = [int(name[:4]) for name in names if name[:4].isdigit()]
    if numbers != list(range(1, len(numbers) + 1)):
        breach(root / "migrations", 0, "migrations are numbered 0001, 0002, ... without a gap")


def check_script(path, lines):
    """A chore says in its first line what it does."""
    if lines and lines[0].startswith("#!"):
        described = len(lines) > 1 and re.match(r'(# |""")\S', lines[1])
    else:
        described = bool(lines) and lines[0].startswith("# ")
    if not described:
        breach(path, 1, "the first line says what the script does")


def main():
    for folder in FOLDERS:
        for path in files_under(folder):
            text = path.read_text(encoding="utf-8")
            lines = text.splitlines()
            check_text(path, lines)
            if text and not text.endswith("\n"):
                breach(path, len(lines), "no newline at the end of the file")
            if path.suffix in (".hpp", ".cpp"):
                check_awaits(path, text)
                check_cpp(path, lines)
                if folder == "src":
                    check_includes(path, lines)
                    check_failpoints(path, lines)
                    check_sql_in_cpp(path, lines)
                    check_sql_calls(path, text)
            if folder in ("tools", ".ci") and path.suffix in (".sh", ".py", ""):
                check_script(path, lines)
    check_sql_names()
    check_dynamic_sql()
    check_migration_numbers()
    print("\n".join(breaches) if breaches else "no breach of the house rules")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
