"""What each page needs beside its own words: what is there before it, between its commands, and
how commands end that are to fail. A page that is not named here gets what tools/up leaves."""
import dataclasses
import subprocess
from collections.abc import Callable

from documents.stage import Stage
from harness.processes import pg_bin, start


@dataclasses.dataclass
class Page:
    set_up: Callable[[Stage], object] = Stage.after_up
    follows: str = ""  # the page on whose stage this one goes on
    # Words of a block -> shell commands before it.
    before: dict[str, str] = dataclasses.field(default_factory=dict)
    # Words of the page -> what they are here.
    replaced: dict[str, str] = dataclasses.field(default_factory=dict)
    # Words of a command -> its exit status, where the page says that it is not 0.
    ends: dict[str, int] = dataclasses.field(default_factory=dict)
    # Words of a block that two administrators give one after the other.
    by_two: tuple[str, ...] = ()
    # Words of an answer that no command of the page brings -> commands that do.
    shown_by: dict[str, str] = dataclasses.field(default_factory=dict)
    # Chapters that a drill of tests/faults runs -> its file.
    drills: dict[str, str] = dataclasses.field(default_factory=dict)


def two_administrators(stage):
    stage.stock()
    stage.environment["FIRST"] = stage.as_person("berta")
    stage.environment["SECOND"] = stage.as_person("clara")
    for name in ("app1", "app2", "worm"):
        (stage.folder / name).mkdir()


def ben_and_others(stage):
    """What tools/up leaves, and a second administrator."""
    stage.after_up()
    stage.environment["BEN"] = stage.as_person("ben")


def empty_service(stage):
    stage.create_database()
    stage.serve()
    stage.token()


def worm(stage):
    stage.stock()
    (stage.folder / "worm").mkdir()


def new_server(stage):
    """A server without roles, and the password of those that the page makes."""
    stage.environment |= {
        "PGHOSTADDR": "127.0.0.1", "PGPORT": str(stage.cluster.port), "PGPASSWORD": "…",
        "SQL_URL": stage.cluster.url(), "IN_DATABASE": stage.cluster.url("gapless")}
    stage.url = stage.cluster.url("gapless", "gapless_owner", "%E2%80%A6")
    stage.psql(f"create database {stage.name}_empty", "postgres")
    stage.environment["UNMIGRATED"] = stage.serve(stage.cluster.url(f"{stage.name}_empty"), False)


def locked_series(stage):
    """A session holds the series; PID is its process."""
    stage.after_up()
    holder = start([pg_bin / "psql", "-qXAt", stage.url], stdin=subprocess.PIPE,
                   stdout=subprocess.PIPE, text=True)
    stage.opened.callback(holder.wait)
    stage.opened.callback(holder.stdin.close)
    holder.stdin.write("begin;\nselect 'held' from gapless.issue('dhl-paket', key => 'k');\n"
                       "select pg_backend_pid();\n")
    holder.stdin.flush()
    assert holder.stdout.readline() == "held\n"
    stage.replaced["PID"] = holder.stdout.readline().strip()


POST = """curl -sS "$GAPLESS_URL/v1/series/dhl-paket/numbers" -d '{}' \\
    -H "Authorization: Bearer $GAPLESS_TOKEN" -H "Idempotency-Key: $RANDOM" \\
    -H 'Content-Type: application/json'
"""

PAGES = {
    # First, while the server has no roles.
    "docs/operations/install.md": Page(
        set_up=new_server,
        before={
            "create role gapless_service nologin":
                "psql -Xq -v ON_ERROR_STOP=1 \"$IN_DATABASE\" -c 'drop owned by "
                "gapless_service, gapless_app, gapless_admin, gapless_audit' -c 'drop role "
                "gapless_service, gapless_app, gapless_admin, gapless_audit'\n",
            "grant gapless_service to gaplessd":
                "gapless --database-url postgresql://gapless_owner@db/gapless migrate up\n"
                "psql -Xq \"$SQL_URL\" -c 'create role anna'\n"},
        shown_by={"has no schema of gapless": "curl -sS \"$UNMIGRATED/readyz\"\n"}),
    "README.md": Page(),
    "docs/guide/label.md": Page(follows="README.md", ends={"gapless reconcile": 6}),
    "docs/guide/clients.md": Page(follows="README.md"),
    "docs/guide/clerk.md": Page(
        set_up=empty_service,
        before={
            "block move 7": "for n in 1 2 3 4 5 6; do gapless block load dhl-paket "
                            "490121421340600000$n 490121421340600000$n --yes; done\n",
            "number show": "gapless block load pallets 340123450000000017 340123450000010009\n"
                           "gapless issue pallets --count 2\n",
            "number void": "gapless issue dhl-paket --count 5 --reference 'Mrs Miller'\n",
            "reconcile": "printf '%s\\n' number 4901214213405250003 >invoice.csv\n",
            "reference erase": "printf '%s' 'Mrs Miller' >reference.txt\n"}),
    "docs/guide/day.md": Page(
        set_up=ben_and_others,
        before={
            "proposal confirm": "export GAPLESS_DATABASE_URL=\"$BEN\"\n",
            "block recall": "for n in 1 2 3; do gapless issue dhl-paket --count 90000 "
                            ">numbers.txt; done\n",
            "reconcile": "{ echo 'Rechnungsnr;Sendungsnummer;Betrag'; "
                         "for n in 0 0 1; do echo \"100;490121421340525000$n;4,50\"; done; "
                         "} >invoice.csv\n"},
        ends={"4091214213705250000": 5, "letter of 2026-12-02": 4,
              "gapless reconcile": 6}),
    "docs/guide/notices.md": Page(
        before={"gapless notice list":
                "until gapless notice list | grep -q block.loaded; do sleep 0.2; done\n"}),
    "docs/guide/reserve.md": Page(
        before={"gapless lease list":
                "until gapless lease list | grep -q open; do sleep 0.2; done\n"}),
    "docs/guide/page.md": Page(),
    "docs/guide/coming_from.md": Page(set_up=empty_service),
    "docs/guide/integrator.md": Page(
        shown_by={"0 numbers remaining":
                  "for block in 1 2; do gapless block close $block --reason used; done "
                  "&>/dev/null\n" + POST}),
    "docs/operations/backup.md": Page(
        set_up=worm, replaced={"/mnt/worm": "worm"},
        ends={"series_identify": 1},  # here nothing was restored
        drills={"A backup with pgBackRest": "backup_drills.py"}),
    "docs/operations/monitoring.md": Page(set_up=Stage.stock),
    "docs/operations/moves.md": Page(
        set_up=two_administrators, replaced={"/mnt/worm": "worm"},
        ends={"gapless epoch show": 6, "gapless epoch move": 4}, by_two=("gapless epoch move",)),
    "docs/operations/runbooks.md": Page(
        set_up=locked_series,
        before={"reference erase": "gapless series resume dhl-paket\n"
                                   "gapless issue dhl-paket --reference 'Mrs Miller'\n"
                                   "printf '%s' 'Mrs Miller' >reference.txt\n"}),
    "docs/operations/upgrades.md": Page(set_up=lambda stage: stage.create_database(False)),
}
