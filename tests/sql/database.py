"""Databases for tests that speak SQL only: psql, a new database with the schema, verify.

GAPLESS_TEST_DATABASE_URL is the server, as a superuser. The schema comes from
$GAPLESS_BIN_DIR/gapless migrate up, so that what is tested is what the program carries; without
one, from migrations/ and sql/ as they are.
"""
import contextlib
import os
import pathlib
import subprocess
import sys
import urllib.parse

root = pathlib.Path(__file__).resolve().parents[2]
support = root / "tests/sql"


def url_of(database, server=None):
    """The server's URL with another database."""
    url = server or os.environ["GAPLESS_TEST_DATABASE_URL"]
    if "://" not in url:
        return f"{url} dbname='{database}'"
    return urllib.parse.urlunsplit(urllib.parse.urlsplit(url)._replace(path="/" + database))


def psql(url, sql):
    """Runs sql and returns what it answers, a row a line, columns separated by |."""
    environment = os.environ | {"PGOPTIONS": "-c client_min_messages=warning"}
    command = ["psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "-At", url]
    done = subprocess.run(
        command, input=sql, text=True, env=environment, check=True, stdout=subprocess.PIPE
    )
    return done.stdout.strip()


def migrate(url):
    build = root / os.environ.get("GAPLESS_BUILD", "build")
    program = pathlib.Path(os.environ.get("GAPLESS_BIN_DIR", build / "dev/bin")) / "gapless"
    if program.exists():
        command = [program, "--database-url", url, "migrate", "up"]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        apply_mutant(url)
        return
    print(f"{program} is not built: taking migrations/ and sql/ as they are", file=sys.stderr)
    files = sorted((root / "migrations").glob("*.sql"))
    functions = (root / "sql").glob("*.sql")
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


def drop(name, server=None):
    psql(url_of("postgres", server), f"drop database if exists {name} with (force);")


@contextlib.contextmanager
def new_database(kind, files=("support.sql",), server=None):
    """The URL of a new database with the schema and these files; dropped afterwards."""
    if server is None and "GAPLESS_TEST_DATABASE_URL" not in os.environ:
        sys.exit("GAPLESS_TEST_DATABASE_URL is not set: tools/test starts a server and sets it")
    name = name_of(kind)
    psql(url_of("postgres", server), f"create database {name};")
    try:
        migrate(url_of(name, server))
        for file in files:
            psql(url_of(name, server), (support / file).read_text())
        yield url_of(name, server)
    finally:
        drop(name, server)


def clone(template, name):
    """A clone of a test's database that may issue: a copy is fenced, this one is the test's own."""
    psql(url_of("postgres"), f"create database {name} template {template};")
    psql(url_of(name), "set session_replication_role = replica; update gapless.epoch set"
         " database_oid = (select oid from pg_database where datname = current_database());")


def findings(url):
    """What verify finds, a finding a line; empty when gapless."""
    return psql(url, "select series || ' ' || at || ': ' || what from gapless.verify();")
