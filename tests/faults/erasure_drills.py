#!/usr/bin/env python3
"""References that are erased: gone from the database, proved as before, also when it is killed.

  erasure_drills.py [NAME...]   all drills, or these; each has servers of its own
"""
import json
import subprocess
import time

from drill import pg_bin, programs, run_drills

text = "order of Ines Muster"
other = "order of Otto Beispiel"
settled = {"ranges": [{"first": "1005", "last": "1006"}]}


def is_erased(found, reference=None):
    """Whether an answer shows that a reference is gone; with one: that it is still there."""
    if reference is not None:
        return found["reference"] == reference and "reference_erased" not in found
    return found["reference"] is None and found["reference_erased"] is True


def live(instance):
    """Holds and issues with both texts, settles under a key -> what was asked, with its answers."""
    instance.wait_ready()
    asked = {"text": instance.issue(3, "one", reference=text)[1],
             "other": instance.issue(2, "two", reference=other)[1],
             "held": instance.issue(2, "three", reference=text, hold_seconds=600)[1]}
    confirm = f"/v1/issuances/{asked['held']['id']}/confirm"
    status, asked["settled"] = instance.ask("POST", confirm, settled, "settle")
    assert status == 200 and asked["settled"]["reference"] == text, asked
    return asked, confirm


def forgotten(drill):
    """A text is erased: no dump has it, repeats and look-ups say so, chain and anchors prove."""
    url = drill.stock()
    anchors = drill.folder / "anchors"
    with drill.instance(url) as instance:
        asked, confirm = live(instance)
        code, _, error = drill.gapless(url, "anchor", "--file", str(anchors))
        assert code == 0, error
        assert text in dump(url) and other in dump(url)

        command = ["reference", "erase", "s", text, "--reason", "the customer asked"]
        code, out, _ = drill.gapless(url, *command, "--dry-run", "-o", "json")
        assert (code, json.loads(out)["references"]) == (0, "2"), out
        assert text in dump(url)
        code, out, error = drill.gapless(url, *command, "-o", "json")
        assert (code, json.loads(out)["erased"]) == (0, "2"), (out, error)
        assert drill.gapless(url, *command)[0] == 3

        assert text not in dump(url) and other in dump(url)
        told(instance, asked, confirm)
        for words in (["verify"], ["verify", "--chain", "--anchors", str(anchors)]):
            code, out, error = drill.gapless(url, *words)
            assert code == 0, (words, out, error)
        exported = drill.gapless(url, "ledger", "export", "s")[1]
        assert text not in exported and exported.count(",issued,yes\n") == 5, exported

        assert drill.gapless(url, "reference", "erase", "s", "--before",
                             "2100-01-01", "--reason", "too early")[0] == 2
        later = drill.psql(url, "select to_char(clock_timestamp() at time zone 'UTC',"
                           " 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')")
        code, out, error = drill.gapless(
            url, "reference", "erase", "s", "--before", later, "--reason", "old", "-o", "json")
        assert (code, json.loads(out)["erased"]) == (0, "1"), (out, error)
        assert other not in dump(url)
    acts = drill.psql(url, "select after ->> 'references' from gapless.audit_log"
                      " where action = 'reference.erase' order by audit_id")
    assert acts == "2\n1", acts
    assert text not in "".join(log.read_text() for log in drill.folder.glob("*.log"))
    drill.clean(url)


def told(instance, asked, confirm):
    """What repeats and look-ups say of the erased reference, and of the one that is still there."""
    number = asked["text"]["numbers"][0]
    for key, count, more in (("one", 3, {}), ("three", 2, {"hold_seconds": 600})):
        for reference in (text, "any other"):
            status, found = instance.issue(count, key, reference=reference, **more)
            assert status == 201 and is_erased(found), found
        assert instance.issue(count, key, **more)[0] == 422
        assert instance.issue(count + 1, key, reference=text, **more)[0] == 422
    status, found = instance.issue(2, "two", reference=other)
    assert status == 201 and found == asked["other"], found
    status, found = instance.ask("POST", confirm, settled, "settle")
    expected = asked["settled"] | {"reference": None, "reference_erased": True}
    assert status == 200 and found == expected, found
    assert is_erased(instance.ask("GET", f"/v1/issuances/{asked['text']['id']}")[1])
    assert is_erased(instance.ask("GET", f"/v1/series/s/numbers/{number}")[1])
    rows = instance.ask("GET", "/v1/series/s/issuances")[1]["items"]
    assert [is_erased(row) for row in rows] == [True, False, True], rows
    assert is_erased(rows[1], other), rows
    assert instance.ask("GET", "/v1/series/s/issuances?reference=" + text.replace(" ", "%20"))[1][
        "items"] == []


def dump(url):
    done = subprocess.run([pg_bin / "pg_dump", "--no-owner", url],
                          check=True, text=True, stdout=subprocess.PIPE)
    return done.stdout


def killed(drill):
    """The program is killed while it erases: what is erased is on record, the rest is erased by the
    same command, and numbers are issued all the time."""
    url = drill.stock()
    assert drill.psql(url, "select from gapless.issue('s')") == ""
    made = drill.psql(url, "select serial from gapless.issue_plain(1,"
                      " array(select n from generate_series(0, 5998) n),"
                      " array_fill(1, array[5999]), array_fill(1, array[5999]),"
                      " array(select gen_random_uuid() from generate_series(0, 5998)),"
                      f" array(select '{text} ' || n from generate_series(0, 5998) n), false)")
    assert made == "1001", made
    command = [programs / "gapless", "--database-url", url, "reference", "erase", "s",
               "--before", drill.psql(url, "select to_char(clock_timestamp() at time zone 'UTC',"
                                      " 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"),
               "--reason", "a year ago"]
    left = "select count(*) from gapless.ledger where reference is not null"
    # A row in the middle that somebody holds: the program is there and waits when it is killed.
    holder = subprocess.Popen(["psql", "-qXAt", url], text=True, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    holder.stdin.write("begin; select ordinal from gapless.ledger"
                       " where ordinal = 3500 for update;\n")
    holder.stdin.flush()
    assert holder.stdout.readline() == "3500\n"
    with drill.instance(url) as instance:
        started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 60
        while drill.psql(url, left) != "3000":
            assert started.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        assert instance.numbers(2, "new", reference="new") == [7000, 7001]
        started.kill()
        started.wait()
        holder.stdin.close()
        holder.wait()
        assert instance.numbers() == [7002]
    drill.clean(url)
    assert drill.psql(url, "select findings from gapless.verify_chain(1)") == "[]"
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert drill.psql(url, left) == "1"
    acts = drill.psql(url, "select after ->> 'references' from gapless.audit_log"
                      " where action = 'reference.erase' order by audit_id").split()
    assert acts[0] == "5999" and int(acts[1]) in (2000, 3000), acts
    assert text not in dump(url)
    drill.clean(url)
    assert drill.psql(url, "select findings from gapless.verify_chain(1)") == "[]"


drills = [forgotten, killed]


if __name__ == "__main__":
    run_drills(drills)
