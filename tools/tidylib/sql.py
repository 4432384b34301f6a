# SQL is written by us, whole: values are parameters, and a file defines what its name says.
import re

from tidylib.tree import line_of, root

# Calls that take SQL, and which of their arguments it is. It has to be one literal, or one of these
# texts, which were looked at: files that are compiled in, and constants.
SQL_CALLS = [
    (re.compile(r"\b(?:query_rows?|(?:query_value|select)<[^;(]*>|execute)\("), 1),
    (re.compile(r"(?:\.|->)exec\w*\("), 0),
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
    "schema_differences.cpp": {"statement"},  # what guard_statements() made of our own notes
    "query.hpp": {"std::string const& sql", "sql"},  # whose callers are looked at
    "sql.hpp": {"sql"},  # likewise
    "connection.cpp": {"session_settings(purpose)"},
    "pipeline_connection.cpp": {"text.c_str()"},  # the settings of a session
    "admission.cpp": {"text", "char const* text"},  # ask(), whose callers are looked at
    "batch_protocol.cpp": {"text.c_str()"}}  # made of constants
SQL_EXECUTE = re.compile(
    r"(?<!grant )(?<!revoke )\bexecute\b(?! (on|function|procedure)\b)[^;]*;", re.IGNORECASE)
SQL_DYNAMIC = {  # in sql/, each was looked at
    "execute format('create role %I nologin', v_role);",
    "execute format( 'revoke all on function %s ' 'from public, gapless_service, gapless_app,"
    " gapless_admin, gapless_audit', v_function);",
    "execute format( 'alter sequence gapless.series_series_id_seq minvalue %s maxvalue %s start"
    " with %1$s restart', p_first, p_first + 9999999 );",
    "execute format('alter sequence gapless.series_series_id_seq restart with %s',"
    " p_series_id + 1);",
}


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
    looked_at = SQL_LOOKED_AT.get(path.name, ())
    for call, place in SQL_CALLS:
        for found in call.finditer(text):
            arguments = arguments_of(text, found.end())
            given = "".join(arguments[place:place + 1])  # empty: another function of that name
            if given and not SQL_LITERAL.match(given) and given not in looked_at:
                line = line_of(text, found.start())
                yield line, f"SQL that is no literal and not looked at: {given}"


def check_dynamic_sql(text):
    """execute runs a text: only those that quote what they put into it, and were looked at."""
    text = re.sub(r"--[^\n]*", "", text)
    for found in SQL_EXECUTE.finditer(text):
        if " ".join(found.group().split()) not in SQL_DYNAMIC:
            yield line_of(text, found.start()), "dynamic SQL not looked at"


def check_sql_name(path, text):
    if not re.match(rf"-- {re.escape(path.stem)}\([^)]*\) (->|on|applied)?", text):
        yield 1, f"first line is `-- {path.stem}(arguments) -> shape`"


def check_sql_folders():
    """Yields (path, line, why) for what is wrong with the names of files."""
    seen = {}  # they are applied in the order of their names, whatever their rooms
    for path in sorted((root / "sql").rglob("*.sql")):
        if seen.setdefault(path.name, path) != path or path.parent.parent != root / "sql":
            yield path, 1, "a file of sql/ is in one room, and no other has its name"
    names = sorted(p.name for p in (root / "migrations").glob("*.sql"))
    for name in names:
        if not re.fullmatch(r"\d{4}_[a-z0-9_]+\.sql", name):
            yield root / "migrations" / name, 1, "a migration is called NNNN_what_it_does.sql"
    numbers = [int(name[:4]) for name in names if name[:4].isdigit()]
    if numbers != list(range(1, len(numbers) + 1)):
        yield root / "migrations", 0, "migrations are numbered 0001, 0002, ... without a gap"
