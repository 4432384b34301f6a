"""A gaplessd with what a clerk finds on an ordinary day, and what the page is checked against."""
import contextlib
import json
import pathlib
import tempfile

from harness import database
from harness.instance import Instance
from harness.processes import Failure

LETTER = ("4901214213705250000", "4901214213705500000")  # of the next block
BLOCKS = [("4901214213405250000", "4901214213405500000", "letter of 2026-10-21"),
          ("4901214213505250000", "4901214213505500000", "letter of 2026-11-02"),
          ("4901214213605250000", "4901214213605500000", "letter of 2026-11-12"),
          ("4901214213805250000", "4901214213805500000", "a slip")]
PROPOSED = [("7001", "7999"), ("8001", "8999")]
PEOPLE = {"anna": "read,issue,load,admin", "ben": "read,issue,load", "wall": "read",
          "clerk": "read,load", "packer": "read,issue", "printer": "issue"}
# Notices are sent to this machine alone.
OPTIONS = ["--failed-tokens-per-minute-max", "0", "--webhook-networks", "127.0.0.0/8"]


class Desk:
    """One instance of the service on a database of its own."""

    def __init__(self, url, folder):
        self.url, self.folder = url, pathlib.Path(folder)
        self.tokens = {name: database.create_token(url, name, scopes)
                       for name, scopes in PEOPLE.items()}
        self.instance = Instance(url, folder, options=OPTIONS)

    @property
    def page(self):
        return f"http://127.0.0.1:{self.instance.port}/"

    def ask(self, method, path, body=None, who="anna"):
        """-> what the service answers, which has to be a success"""
        status, text = self.instance.call(method, path, self.tokens[who], body)
        if status >= 300:
            raise Failure(f"{method} {path}: {status} {text}")
        return json.loads(text) if text else None

    def stock(self):
        """The series dhl-paket with blocks, holds and printed numbers; letters with proposals."""
        admin = lambda *words: database.admin(self.url, *words)  # noqa: E731
        admin("series", "create", "dhl-paket", "--carrier", "dhl", "--low-water", "50000")
        for first, last, reference in BLOCKS:
            admin("block", "load", "dhl-paket", first, last, "--reference", reference, "--yes")
        admin("series", "create", "pallets", "--carrier", "gs1", "--format", "gs1-sscc",
              "--param", "ext=3", "--param", "gcp=4012345")
        admin("block", "load", "pallets", "340123450000000017", "340123450000010009", "--yes")
        admin("series", "create", "letters", "--carrier", "post")
        admin("carrier", "set", "post", "--four-eyes", "on")
        admin("database", "time-zone", "Europe/Berlin")
        admin("database", "environment", "test")
        self.printed = self.issue(5, reference="order-4711")
        self.held = [self.issue(2, hold_seconds=3600), self.issue(3, hold_seconds=7200)]
        self.ask("POST", "/v1/series/dhl-paket/events", {
            "kind": "printed",
            "ranges": [{"first": each, "last": each} for each in self.printed["numbers"][:3]]})
        self.pallet = self.issue(1, "pallets")["numbers"][0]
        for first, last in PROPOSED:
            self.ask("POST", "/v1/series/letters/blocks", {"first": first, "last": last}, "ben")

    def issue(self, count, series="dhl-paket", **more):
        return self.ask("POST", f"/v1/series/{series}/numbers", {"count": count, **more})

    def blocks(self, series="dhl-paket"):
        return self.ask("GET", f"/v1/series/{series}/blocks?limit=1000")["items"]

    def states(self, series="dhl-paket"):
        """The states of its blocks, in the order of the queue."""
        return [block["state"] for block in self.blocks(series)]

    def find(self, number, series="dhl-paket"):
        return self.ask("GET", f"/v1/series/{series}/numbers/{number}")

    def state_of(self, number, series="dhl-paket"):
        return self.find(number, series)["state"]

    def use_up(self, days=60, numbers=8000):
        """As if the series had been used for weeks: for its forecast."""
        database.psql(self.url, f"""
            set session_replication_role = replica;
            insert into gapless.consumption (series_id, day, numbers, next_ordinal)
            select c.series_id, d::date,
                   case when extract(isodow from d) > 5 then 0
                        else {numbers} * (80 + extract(day from d)::integer % 40) / 100 end,
                   c.next_ordinal
            from gapless.counter c
            join gapless.series s on s.series_id = c.series_id and s.name = 'dhl-paket',
                 generate_series(gapless.day_of(now()) - {days}, gapless.day_of(now()) - 1,
                                 interval '1 day') d""")

    def go_away(self):
        """The database refuses everybody."""
        name = self.url.split("/")[-1].split("?")[0]
        database.psql(database.url_of("postgres"), f"""
            alter database {name} with allow_connections false;
            select pg_terminate_backend(pid) from pg_stat_activity where datname = '{name}'""")

    def come_back(self):
        name = self.url.split("/")[-1].split("?")[0]
        database.psql(database.url_of("postgres"),
                      f"alter database {name} with allow_connections true")

    def findings(self):
        return database.findings(self.url)


@contextlib.contextmanager
def new_desk(kind="page"):
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(database.new_database(kind, files=()))
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="gapless-page-"))
        desk = Desk(url, folder)
        stack.enter_context(desk.instance)
        desk.instance.wait_ready()
        desk.stock()
        yield desk
