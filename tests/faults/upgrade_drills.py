#!/usr/bin/env python3
"""Two versions of gapless on one database, and databases that lost what is not in a dump.

  upgrade_drills.py [NAME...]   all drills, or these; each has servers of its own
"""
import subprocess
import threading

from drill import Recorded, pg_bin, programs, run_drills  # first: it knows the harness
from harness import auditor
from harness.crowd import Crowd, Plan
from harness.history import OK

later = programs.parent / "tests"


class People:
    """Clients of instances, and a caller of SQL who goes on calling what he prepared once, as
    applications do: all of them are answered without exception, whatever happens beside them."""

    def __init__(self, drill, url, *instances, clients=6):
        self.url, self.instances = url, instances
        self.recorded = Recorded(drill, [])
        self.crowds = [Crowd(self.recorded, Plan(
            series=("s",), clients=clients, count_max=1, repeat_in_100=0, reuse_in_100=0,
            read_in_100=0, names=("drill",), seed=instance.port), [instance.port])
            for instance in instances]
        self.numbers, self.wrong, self.enough = [], [], threading.Event()
        self.caller = threading.Thread(target=self.call, daemon=True)
        self.caller.start()

    def call(self):
        with subprocess.Popen(["psql", "-qXAt", self.url], text=True, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as session:
            print("prepare one as select number from gapless.issue('s', 1, reference => 'r');",
                  file=session.stdin)
            # Without a pause, this one and two instances make each other try again too often.
            while not (self.enough.wait(0.02) or self.wrong):
                print("execute one;", file=session.stdin, flush=True)
                line = session.stdout.readline().strip()
                if line.isdigit():
                    self.numbers.append(int(line))
                else:
                    self.wrong.append(line)
            session.stdin.close()

    def go_on(self):
        for instance, crowd in zip(self.instances, self.crowds):
            crowd.wait_for_more(100)
            assert instance.readiness()[0] == 200, instance.readiness()
        assert not self.wrong, self.wrong

    def stop(self):
        """-> all numbers"""
        self.enough.set()
        for crowd in self.crowds:
            crowd.stop()
        self.caller.join(60)
        assert not self.caller.is_alive(), "the caller of SQL waits"
        attempts = self.recorded.history.attempts
        refused = [(a.status, a.problem) for a in attempts if a.fate != OK]
        assert not self.wrong and not refused, (self.wrong, refused[:3])
        return self.numbers + [a.ranges[0][1] for a in attempts]


def judge(drill, url, numbers, program):
    """Nothing left twice, nothing is missing, and the proof is whole."""
    wanted = set(range(1000, 1000 + len(numbers)))
    assert set(numbers) == wanted, (len(numbers), sorted(wanted ^ set(numbers))[:5])
    assert drill.psql(url, "select sum(count) from gapless.ledger") == str(len(numbers))
    code, out, error = drill.gapless(url, "verify", "--chain", program=program)
    assert code == 0, out + error
    for series_id in 0, 1:
        drill.psql(url, f"select gapless.seal({series_id}, 1000000)")
        links = auditor.chain(url, series_id)
        assert links and all(computed == stored for computed, stored in links), links


def migrate(drill, url, program):
    code, out, error = drill.gapless(url, "migrate", "up", program=program)
    assert code == 0 and "applied functions" in out, (out, error)


def warnings(instance):
    _, state = instance.ask("GET", "/readyz")
    return [w["check"] for w in state["warnings"]]


def schema_first(drill):
    """N16: the schema expands under the old program, then contracts under the next one."""
    url = drill.stock()
    with drill.instance(url) as old:
        old.wait_ready()
        people = People(drill, url, old)
        people.go_on()
        migrate(drill, url, later / "gapless_next")
        people.go_on()
        old.wait_for(lambda: "schema_version" in warnings(old))
        code, out, _ = drill.gapless(url, "series", "show", "s")
        assert code == 0 and "s" in out, out
        code, _, error = drill.gapless(url, "migrate", "up")
        assert code == 1 and "use the newer gapless" in error, error
        by_hand = int(drill.psql(url, "select number from gapless.issue('s', station => 'x')"))
        numbers = [by_hand, *people.stop()]

        with drill.instance(url, program=later / "gaplessd_next") as following:
            following.wait_ready()
            people = People(drill, url, following)
            people.go_on()
            migrate(drill, url, later / "gapless_last")
            people.go_on()
            # The old one is not served any more, and knows it.
            old.wait_for(lambda: old.ask("GET", "/readyz")[0] == 503)
            assert "use a newer gapless" in old.ask("GET", "/readyz")[1]["detail"]

            def refused():
                status, found = old.issue()
                numbers.extend(map(int, found.get("numbers", ())))
                return status == 503

            old.wait_for(refused)
            status, found = old.issue()
            assert (status, found["executed"]) == (503, "no"), found
            assert "use a newer gapless" in found["detail"], found
            numbers += people.stop()
    code, _, error = drill.gapless(url, "series", "show", "s")
    assert code == 1 and "use a newer gapless" in error, error
    judge(drill, url, numbers, later / "gapless_last")


def program_first(drill):
    """N16: the next program on the old schema, beside the old one; then the schema."""
    url = drill.stock()
    with drill.instance(url) as old:
        with drill.instance(url, program=later / "gaplessd_next") as following:
            for instance in old, following:
                instance.wait_ready()
            people = People(drill, url, old, following, clients=3)
            people.go_on()
            following.wait_for(lambda: "schema_version" in warnings(following))
            migrate(drill, url, later / "gapless_next")
            people.go_on()
            following.wait_for(lambda: "schema_version" not in warnings(following))
            numbers = people.stop()
        with drill.instance(url, program=later / "gaplessd_last") as too_new:
            numbers += too_new.numbers()
    judge(drill, url, numbers, later / "gapless_next")
    # A program whose oldest interface the database does not serve yet says what to do.
    fresh = url.rsplit("/", 1)[0] + "/older"
    drill.psql(url, "create database older")
    assert drill.gapless(fresh, "migrate", "up")[0] == 0
    code, _, error = drill.gapless(fresh, "series", "list", program=later / "gapless_last")
    assert code == 1 and "run: gapless migrate up" in error, error


def dumped(drill):
    """A database with a number, in a server of its own -> its dump."""
    url = drill.stock()
    with drill.instance(url) as instance:
        instance.numbers(3)
    dump = subprocess.run([pg_bin / "pg_dump", url], check=True, stdout=subprocess.PIPE)
    return dump.stdout


def restored(drill, dump, settings=""):
    """The dump in a cluster that has never seen a role of ours -> its URL."""
    url = drill.start(drill.folder / "there")
    drill.psql(url.rsplit("/", 1)[0] + "/postgres", f"{settings} create database gapless")
    subprocess.run(["psql", "-q", url], input=dump, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return url


def restored_without_roles(drill):
    """N23: roles, privileges and guards that a restore or a person lost are made anew."""
    url = restored(drill, dumped(drill))
    code, out, error = drill.gapless(url, "migrate", "check")
    assert code == 6 and "the role gapless_service does not exist" in out, (code, out, error)
    assert "gapless_app has nothing, not EXECUTE, on" in out, out
    code, _, error = drill.gapless(url, "migrate", "up")
    assert code == 0 and "mended: the role gapless_app does not exist" in error, error
    assert drill.gapless(url, "migrate", "check")[0] == 0

    for loss, told in (
            ("alter table gapless.ledger drop constraint range_starts_once",
             "the constraint range_starts_once of gapless.ledger is gone"),
            ("alter table gapless.ledger disable trigger ledger_is_append_only",
             "the trigger ledger_is_append_only of gapless.ledger is switched off"),
            ("drop function gapless.verify(text)",
             "the function gapless.verify(p_series text) is gone"),
            ("revoke execute on all functions in schema gapless from gapless_service",
             "gapless_service has nothing, not EXECUTE, on")):
        assert drill.psql(url, loss) == "", loss
        code, out, error = drill.gapless(url, "migrate", "check")
        assert code == 6 and told in out, (loss, out, error)
        code, out, error = drill.gapless(url, "migrate", "up")
        assert code == 0 and told in error, (loss, out, error)
        code, out, error = drill.gapless(url, "migrate", "check")
        assert code == 0, (loss, out, error)
    drill.clean(url)
    code, _, error = drill.gapless(url, "migrate", "up")
    assert code == 0 and "nothing to do" in error, error

    # What others attached is told, and left to them.
    drill.psql(url, "create rule swallow as on insert to gapless.ledger do instead nothing")
    code, out, _ = drill.gapless(url, "migrate", "check")
    assert code == 6 and "the rule swallow on gapless.ledger is not of gapless" in out, out
    assert drill.gapless(url, "migrate", "up")[0] == 0
    assert drill.gapless(url, "migrate", "check")[0] == 6


def owner_without_createrole(drill):
    """An owner who may not create roles is told what an administrator has to run."""
    url = drill.start()
    server = url.rsplit("/", 1)[0]
    drill.psql(server + "/postgres", "create role keeper login password 'x'")
    drill.psql(server + "/postgres", "create database gapless owner keeper")
    keeper = url.replace(url.split("//")[1].split("@")[0], "keeper:x")
    for verb in "plan", "up":
        code, _, error = drill.gapless(keeper, "migrate", verb)
        assert code == 4, (code, error)
        wanted = [line.strip() for line in error.splitlines() if "create role" in line]
        assert len(wanted) == 4, error
    assert drill.psql(url, "select to_regnamespace('gapless') is null") == "t"
    drill.psql(server + "/postgres", " ".join(wanted))
    code, _, error = drill.gapless(keeper, "migrate", "up")
    assert code == 0, error
    assert drill.gapless(keeper, "migrate", "check")[0] == 0
    for words in (["series", "create", "s", "--carrier", "c"],
                  ["block", "load", "s", "1000", "1999", "--yes"], ["issue", "s"]):
        code, _, error = drill.gapless(keeper, *words)
        assert code == 0, (words, error)
    drill.clean(keeper)


def on_a_standby(drill):
    """migrate status and check only read."""
    there, _ = drill.with_standby()
    for verb, said in (("status", "nothing to do"), ("check", "as the migrations of this program"),
                       ("plan", "nothing to do")):
        code, out, error = drill.gapless(there, "migrate", verb)
        assert code == 0 and said in error, (verb, code, out, error)


if __name__ == "__main__":
    run_drills([schema_first, program_first, restored_without_roles, owner_without_createrole,
                on_a_standby])
