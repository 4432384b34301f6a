#!/usr/bin/env python3
"""The service's database role: its password is changed, its grants are lost.

  role_drills.py [NAME...]   all drills, or these; each has a server of its own
"""
import json
import re
import signal

from drill import run_drills


def of_service(drill, url, password_file):
    """The URL with which a role that may do what the service needs logs in, by a passfile."""
    drill.psql(url, "create role fitter login password 'old' in role gapless_service")
    write_password(password_file, "old")
    return re.sub("//[^@]*@", "//fitter@", url) + f"?passfile={password_file}"


def write_password(password_file, password):
    password_file.write_text(f"*:*:*:fitter:{password}\n")
    password_file.chmod(0o600)


def password_changed(drill):
    """Sessions that stand go on, and it is told that new ones fail; the file with the new password
    is read without a restart."""
    url = drill.stock()
    password_file = drill.folder / "pass"
    with drill.instance(of_service(drill, url, password_file)) as instance:
        def status():
            return instance.ask("GET", "/readyz")[1]["status"]

        assert instance.numbers()
        instance.wait_for(lambda: status() == "ok")
        drill.psql(url, "alter role fitter password 'new'")
        instance.signal(signal.SIGHUP)
        instance.wait_for(lambda: status() == "degraded")
        assert "new sessions fail" in instance.ask("GET", "/readyz")[1]["detail"]
        instance.wait_for(lambda: "new_sessions" in {
            each["check"] for each in instance.ask("GET", "/readyz")[1]["warnings"]})
        assert instance.metric('gapless_database_warning{check="new_sessions"}') == 1
        assert instance.numbers()  # ready, and served
        write_password(password_file, "new")
        instance.wait_for(lambda: status() == "ok")
        assert instance.numbers()
    drill.clean(url)


def grants_lost(drill):
    """As after a restore without roles: no token is to blame, clients are told to come again, and a
    person at the command line is told that the role may not."""
    url = drill.stock()
    theirs = of_service(drill, url, drill.folder / "pass")
    with drill.instance(theirs) as instance:
        assert instance.numbers()
        drill.psql(url, "revoke execute on all functions in schema gapless from gapless_service")
        for method, target, body in (("POST", "/v1/series/s/numbers", {}),
                                     ("GET", "/v1/series/s/blocks", None)):
            key = "lost" if method == "POST" else None
            status, text = instance.call(method, target, drill.token, body, key)
            found = json.loads(text)
            assert (status, found["executed"]) == (503, "no"), text
            assert found["type"] == "/problems/database-unavailable", text
            assert "permission" not in text and "function" not in text, text
        instance.wait_for(lambda: instance.ask("GET", "/readyz")[0] == 503)
        assert instance.events("grant_lost"), instance.logged()
        code, _, error = drill.gapless(theirs, "series", "list")
        assert code == 4, (code, error)
        code, _, error = drill.gapless(url, "migrate", "up", "--yes")
        assert code == 0, error
        instance.wait_ready()
        assert instance.numbers(key="lost")
    drill.clean(url)


drills = [password_changed, grants_lost]


if __name__ == "__main__":
    run_drills(drills)
