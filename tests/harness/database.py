"""Databases of tests: psql, the command line program, a new database with the schema, verify.

GAPLESS_TEST_DATABASE_URL is the server, as a superuser. The schema comes from
$GAPLESS_BIN_DIR/gapless migrate up, so that what is tested is what the program carries; without
one, from migrations/ and sql/ as they are.
"""
import contextlib
import json
import os
import pathlib
import sys
import urllib.parse

from harness.processes import clean_environment, pg_bin, programs, root, run, tell

support = root / "tests/specs"
psql_command = [pg_bin / "psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align",
                "--set=ON_ERROR_STOP=1"]


def url_of(database, server=None):
    """The server's URL with another database."""
    url = server or os.environ["GAPLESS_TEST_DATABASE_URL"]
    if "://" not in url:
        return f"{url} dbname='{database}'"
    return urllib.parse.urlunsplit(urllib.parse.urlsplit(url)._replace(path="/" + database))


def is_shared(url):
    """Whether a URL leads to the server that all tests share. It may run without fsync, so a
    service there has to accept the risk; a server of a test's own is judged as any other."""
    shared = os.environ.get("GAPLESS_TEST_DATABASE_URL", "")
    if "://" not in shared:
        return bool(shared) and url.startswith(shared)

    def address(of):
        return urllib.parse.urlsplit(of).netloc.rpartition("@")[2]

    return address(url) == address(shared)


def psql(url, sql, seconds_max=120, options=""):
    """Runs sql and returns what it answers, a row a line, columns separated by |. `options`: of the
    session, as in PGOPTIONS."""
    environment = clean_environment(
        PGOPTIONS=f"-c client_min_messages=warning {options}", PGCONNECT_TIMEOUT=5)
    return run([*psql_command, url], "ask PostgreSQL", seconds_max, sql, env=environment).strip()


def try_psql(url, sql):
    """The same -> (whether it went well, what it answers or what is wrong)"""
    status, answer, errors = tell([*psql_command, url], "ask PostgreSQL", text=sql,
                                  env=clean_environment(PGCONNECT_TIMEOUT=5))
    return status == 0, (errors if status else answer).strip()


def gapless(url, *words, program=None, seconds_max=120):
    """The command line program -> (exit status, standard output, standard error)"""
    return tell([program or programs / "gapless", *words], f"run gapless {words[0]}", seconds_max,
                env=clean_environment(GAPLESS_DATABASE_URL=url))


def admin(url, *words, folder=programs, seconds_max=120):
    """The command line program of a folder, which has to succeed -> its JSON"""
    told = run([folder / "gapless", *words, "-o", "json"], f"run gapless {words[0]}", seconds_max,
               env=clean_environment(GAPLESS_DATABASE_URL=url))
    return json.loads(told) if told.strip() else None


def create_token(url, name, scopes="issue,read,load,admin", *more, folder=programs):
    made = admin(url, "token", "create", "--name", name, "--scope", scopes, *more, folder=folder)
    return made["token"]


def migrate(url, folder=programs):
    if (folder / "gapless").exists():
        admin(url, "migrate", "up", "--yes", folder=folder)
        apply_mutant(url)
        return
    print(f"{folder}/gapless is not built: taking migrations/ and sql/ as they are",
          file=sys.stderr)
    files = sorted((root / "migrations").glob("*.sql"))
    functions = (root / "sql").rglob("*.sql")
    files += sorted(functions, key=lambda file: (file.stem == "grants", file.name))
    texts = [file.read_text() for file in files]
    texts.append("select gapless.guards_note();")
    psql(url, "begin; set check_function_bodies = off;\n" + "\n".join(texts) + "commit;")
    apply_mutant(url)


def apply_mutant(url):
    """Puts the mutant that tools/mutants tries over the functions of a database just migrated."""
    if mutant := os.environ.get("GAPLESS_TEST_MUTANT"):
        psql(url, f"begin;\n{pathlib.Path(mutant).read_text()}\ncommit;")


def name_of(kind):
    return f"gapless_{kind}_{os.getpid()}"


def create(name, server=None):
    """An empty database -> its URL"""
    psql(url_of("postgres", server), f"create database {name};")
    return url_of(name, server)


def drop(name, server=None):
    psql(url_of("postgres", server), f"drop database if exists {name} with (force);")


@contextlib.contextmanager
def new_database(kind, files=("support.sql",), server=None):
    """The URL of a new database with the schema and these files; dropped afterwards."""
    if server is None and "GAPLESS_TEST_DATABASE_URL" not in os.environ:
        sys.exit("GAPLESS_TEST_DATABASE_URL is not set: tools/test starts a server and sets it")
    url = create(name_of(kind), server)
    try:
        migrate(url)
        for file in files:
            psql(url, (support / file).read_text())
        yield url
    finally:
        drop(name_of(kind), server)


# A copy of a database is fenced; a test's copy is its own.
OWN_COPY = ("set session_replication_role = replica; update gapless.epoch set database_oid ="
            " (select oid from pg_database where datname = current_database());")


def clone(template, name, server=None):
    """A clone of a test's database that may issue."""
    psql(url_of("postgres", server), f"create database {name} template {template};")
    psql(url_of(name, server), OWN_COPY)


def findings(url):
    """What verify finds, a finding a line; empty when gapless."""
    return psql(url, "select series || ' ' || at || ': ' || what from gapless.verify();")
