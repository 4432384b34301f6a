#!/usr/bin/env python3
"""An instance that is cut off with its reserve: what ends it, and what is found when it is back.

  reserve_more_drills.py [NAME...]   all drills, or these; each has a server of its own
"""
import contextlib
import json
import pathlib
import resource
import signal
import string
import subprocess
import time
import zlib

from drill import programs, run_drills
from harness import database
from harness.processes import clean_environment
from reserve_parts import (
    Answers, audited, begin, first, held, identity, is_cut, journals, line_to, nothing_lost,
    records, reserve, send, set_reserve, stop_database, wait_database, wait_settled, wait_taken,
    with_reserve)

lease_seconds = 5


def recalled_while_cut(drill):
    """It does not hear of it and goes on; back again it settles, returns and draws no more."""
    url = with_reserve(drill)
    with line_to(url) as line, begin(drill, line.url) as instance:
        name = identity(instance)
        line.cut(instance)
        answers = Answers(drill)
        answers.draw_many(instance, "before", 5)
        assert drill.psql(url, "select gapless.lease_recall_all('s', 'operator')") == "1"
        set_reserve(drill, url, None)
        answers.draw_many(instance, "behind", 5)
        answers.in_order()
        line.mend()
        wait_database(drill, url, "select count(*) = 10 from gapless.lease_record")
        wait_database(drill, url, "select status from gapless.lease"
                      f" where instance = '{name}'", "closed")
        assert held(drill, url, name) == 0
        answers.same_again(instance)
        line.cut(instance)
        for number in range(5):
            status, text = send(drill, instance, f"too late {number}")
            assert (status, json.loads(text)["executed"]) == (503, "no"), text
        status, found = instance.ask("GET", "/readyz?series=s")
        assert status == 503, found
        line.mend()
        assert instance.numbers() == [first + 10]
    assert audited(drill, url, "lease.recall") == 1
    nothing_lost(drill, url)


def other_secret(token):
    """A token of that id as somebody would make it up: well-formed, with another secret."""
    letters = string.digits + string.ascii_uppercase + string.ascii_lowercase
    head, number, secret = token[:-6].split("_")
    text = f"{head}_{number}_{secret[1:]}{secret[0]}"
    rest, check = zlib.crc32(text.encode()), ""
    for _ in range(6):
        check = letters[rest % 62] + check
        rest //= 62
    return text + check


def token_revoked_while_cut(drill):
    """Cut off it is trusted as it was; at the next contact it is not, and what it took is told."""
    url = with_reserve(drill)
    with line_to(url) as line, begin(drill, line.url) as instance:
        line.cut(instance)
        other = database.create_token(url, "made meanwhile", "issue")
        answers = Answers(drill)
        answers.draw_many(instance, "before", 3)
        number = drill.token.split("_")[1]
        code, _, error = drill.gapless(url, "token", "revoke", number, "--yes")
        assert code == 0, error
        answers.draw_many(instance, "behind", 3)
        for token, expected in ((other, 503), (other_secret(drill.token), 401)):
            status, text = instance.call("POST", "/v1/series/s/numbers", token, {"count": 1})
            assert status == expected, (expected, status, text)
        line.mend()
        wait_database(drill, url, "select count(*) = 6 from gapless.lease_record")
        wait_database(drill, url, "select data ->> 'tokens_revoked' from gapless.notice"
                      " where kind = 'reserve.settled'", "1")
        status, text = send(drill, instance, "much later")
        assert status == 401, (status, text)
        status, text = instance.call("POST", "/v1/series/s/numbers", other, {"count": 1})
        assert status == 201, (status, text)
    nothing_lost(drill, url)


def lease_is_over(drill):
    """Its time passes in the outage: no more numbers. Neither after a freeze that outlasts it."""
    url = with_reserve(drill)
    with begin(drill, url, lease_time=f"{lease_seconds}s") as instance:
        stop_database(drill, instance)
        began = time.monotonic()
        answers = Answers(drill)
        answers.draw_many(instance, "in time", 5)
        instance.wait_for(lambda: send(drill, instance, f"try {time.monotonic_ns()}")[0] == 503)
        took = time.monotonic() - began
        assert lease_seconds - 2.5 < took < lease_seconds + 1, took
        assert instance.ask("GET", "/readyz?series=s")[0] == 503
        drill.start()
        wait_settled(instance)
        wait_taken(instance, 2)
        settled = records(drill, url)
        stop_database(drill, instance)
        answers.draw(instance, "awake")
        instance.signal(signal.SIGSTOP)
        time.sleep(lease_seconds + 0.5)
        instance.signal(signal.SIGCONT)
        for number in range(5):
            status, text = send(drill, instance, f"woke up {number}")
            assert (status, json.loads(text)["executed"]) == (503, "no"), text
        drill.start()
        wait_settled(instance)
        wait_database(drill, url, f"select count(*) = {settled} + 1 from gapless.lease_record")
        answers.same_again(instance)
    nothing_lost(drill, url)


def written_off_and_found(drill):
    """An operator gives the lease up, its instance comes back: what it answered is found."""
    url = with_reserve(drill)
    instance = begin(drill, url, lease_time="5s")
    name = identity(instance)
    stop_database(drill, instance)
    answers = Answers(drill)
    answers.draw_many(instance, "away", 8)
    instance.kill()
    drill.start()
    lease = drill.psql(url, f"select lease from gapless.lease where instance = '{name}'")
    wait_database(drill, url, "select bool_and(draw_until < clock_timestamp()) from gapless.lease")
    code, out, error = drill.gapless(url, "lease", "write-off", lease, "--reason", "burnt", "--yes")
    assert code == 0, (out, error)
    assert held(drill, url, name) == 0
    state = "select gapless.state_at(series_id, 2) from gapless.series where name = 's'"
    assert drill.psql(url, state) == "voided"
    with begin(drill, url) as again:
        wait_database(drill, url, "select count(*) = 8 from gapless.lease_record")
        answers.same_again(again)
        found = drill.psql(url, "select sum(last_ordinal - first_ordinal + 1) from"
                           " gapless.number_event where kind = 'found'")
        assert found == "8", found
        for number, state in ((first, "issued"), (first + 7, "issued"), (first + 8, "voided")):
            assert again.ask("GET", f"/v1/series/s/numbers/{number}")[1]["state"] == state
        assert again.numbers(2)[0] >= first + reserve  # the rest never leaves
    nothing_lost(drill, url)


def used_bytes(file):
    """Of a journal whose space is taken beforehand: up to the last byte that is not zero."""
    return len(pathlib.Path(file).read_bytes().rstrip(b"\0"))


def journal_cannot_be_written(drill):
    """The kernel refuses to let it grow: outcome-unknown, and settled from memory."""
    url = with_reserve(drill)
    ignoring = ["bash", "-c", "trap '' XFSZ; exec \"$@\"", "bash"]  # else the limit ends it
    with begin(drill, url, before=ignoring) as instance:
        stop_database(drill, instance)
        (journal,) = journals(drill.journals)
        answers, number = Answers(drill), 0
        while used_bytes(journal) < 2 * instance.log.stat().st_size + 2_000:
            answers.draw(instance, f"away {number}")
            number += 1
        resource.prlimit(instance.process.pid, resource.RLIMIT_FSIZE,
                         (used_bytes(journal), resource.RLIM_INFINITY))
        status, text = send(drill, instance, "not written")
        assert (status, json.loads(text)["executed"]) == (503, "unknown"), text
        status, text = send(drill, instance, "not drawn")
        assert (status, json.loads(text)["executed"]) == (503, "no"), text
        answers.in_order()
        resource.prlimit(instance.process.pid, resource.RLIMIT_FSIZE,
                         (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        drill.start()
        instance.wait_ready()
        wait_database(drill, url, f"select count(*) = {number + 1} from gapless.lease_record")
        answers.same_again(instance)
        status, text = send(drill, instance, "not written")
        assert status == 201 and json.loads(text)["numbers"] == [str(first + number)], text
    with begin(drill, url) as again:  # a new journal
        answers.same_again(again)
        assert records(drill, url) == number + 1
    nothing_lost(drill, url)


@contextlib.contextmanager
def small_disk(folder, megabytes):
    """None where nothing may be mounted."""
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", folder],
                          capture_output=True)
    try:
        yield folder if made.returncode == 0 else None
    finally:
        if made.returncode == 0:
            subprocess.run(["umount", "--lazy", folder], check=True)


def disk_is_full(drill):
    """Space for the reserve was taken before it was: a full disk is in nobody's way. Where there is
    no space there is no reserve, and numbers leave as ever."""
    with small_disk(drill.folder / "small", 8) as disk:
        if disk is None:
            print("nothing may be mounted here", flush=True)
            raise SystemExit(77)
        url = with_reserve(drill)
        with begin(drill, url, disk) as instance:
            with contextlib.suppress(OSError), open(disk / "filler", "ab", 0) as filler:
                while True:
                    filler.write(b"\0" * 4096)
            stop_database(drill, instance)
            answers = Answers(drill)
            answers.draw_many(instance, "away", 50)
            drill.start()
            wait_settled(instance)
            wait_database(drill, url, "select count(*) = 50 from gapless.lease_record")
            answers.same_again(instance)
            set_reserve(drill, url, 100_000)  # 16 MB of records: not on this disk
            instance.wait_for(lambda: instance.events("reserve_not_kept"))
            instance.numbers()
            (disk / "filler").unlink()
            set_reserve(drill, url, reserve)
            wait_database(drill, url, "select count(*) = 1 from gapless.lease where status = 'open'"
                          f" and count = {reserve}")
        nothing_lost(drill, url)


def practised(drill):
    """gapless lease drill: that series goes to the reserve alone, and everybody sees it."""
    url = with_reserve(drill)
    for words in (["series", "create", "t", "--carrier", "d"],
                  ["block", "load", "t", "5000", "5999", "--yes"]):
        assert drill.gapless(url, *words)[0] == 0
    with begin(drill, url) as instance:
        instance.numbers()
        child = subprocess.Popen(
            [programs / "gapless", "lease", "drill", "s", "--yes"],
            env=clean_environment(GAPLESS_DATABASE_URL=url), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        try:
            answers, tried = Answers(drill), 0

            def drawn():
                nonlocal tried
                tried += 1
                status, text = send(drill, instance, f"practice {tried}")
                assert status == 201, (status, text)
                return json.loads(text).get("reserve")

            instance.wait_for(drawn)
            answers.draw_many(instance, "practising", 10)
            answers.in_order()
            assert instance.numbers(series="t") == [5000]
            assert not is_cut(instance)
        finally:
            child.terminate()
            told = child.communicate(timeout=20)[0]
        instance.wait_for(lambda: not drawn(), 75)
        wait_settled(instance)
        answers.same_again(instance)
        assert "Traceback" not in told
    nothing_lost(drill, url)


drills = [recalled_while_cut, token_revoked_while_cut, lease_is_over, written_off_and_found,
          journal_cannot_be_written, disk_is_full, practised]


if __name__ == "__main__":
    run_drills(drills)
