#!/usr/bin/env python3
"""Two clusters behind one HAProxy: a series is where the map says, an issuance where its id says.

Ends with 77 where HAProxy is not installed (package haproxy): CTest then says "skipped".
"""
import contextlib
import os
import shutil
import socket
import sys
import time

from drill import run_drills  # first: it knows where the harness is
from harness import database
from harness.instance import call
from harness.processes import Failure, root, start, stop

program = shutil.which("haproxy", path=os.environ.get("PATH", "") + ":/usr/sbin")
skipped = 77
start_seconds_max = 20


@contextlib.contextmanager
def balancer(folder, ports):
    """HAProxy with the files of examples/ha, before an instance of either cluster -> its port"""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    files = root / "examples/ha"
    head, _, rest = (files / "haproxy.cfg").read_text().partition("frontend numbers")
    text = head + (files / "two_clusters.cfg").read_text()
    text += rest[rest.index("\n# Series without"):]
    for old, new in {
            "10.0.0.2": "127.0.0.2", "10.0.0.3": "127.0.0.3", "bind :80": f"bind 127.0.0.1:{port}",
            "    log /dev/log local0\n    user haproxy\n    group haproxy\n": "",
            "/etc/haproxy": str(folder)}.items():
        assert old in text, old
        text = text.replace(old, new)
    for address, port_of in {"127.0.0.2": ports[0], "127.0.0.3": ports[1]}.items():
        for last in "12":
            text = text.replace(f"{address}{last}:8080", f"127.0.0.1:{port_of}")
    (folder / "haproxy.cfg").write_text(text)
    (folder / "series.map").write_text("far second\n")
    with (folder / "haproxy.log").open("w") as log:
        process = start([program, "-db", "-f", folder / "haproxy.cfg"], stdout=log, stderr=log)
    deadline = time.monotonic() + start_seconds_max
    try:
        while process.poll() is None:
            with contextlib.suppress(OSError):
                if call(port, "GET", "/readyz")[0] == 200:
                    break
            if time.monotonic() > deadline:
                raise Failure("HAProxy is not ready")
            time.sleep(0.05)
        yield port
    finally:
        stop(process)


def serve(drill, name, *ids):
    """A cluster with a series of that name, and an instance on it -> the instance"""
    url = drill.start(drill.folder / name)
    database.create("gapless", url)
    database.migrate(url)
    for first in ids:
        database.admin(url, "database", "series-ids", first, "--yes")
    database.admin(url, "series", "create", name, "--carrier", "c")
    database.admin(url, "block", "load", name, "1000", "1999", "--yes")
    drill.token = database.create_token(url, "shop", "issue,read")
    served = drill.instance(url)
    served.series = name
    return served


def routed(drill):
    """Both clusters issue, settle and look up through one address, and no id is in both."""
    with serve(drill, "near") as near, serve(drill, "far", "20000000") as far:
        near.wait_ready()
        far.wait_ready()
        with balancer(drill.folder, [near.port, far.port]) as port:
            for instance, first in ((near, "11"), (far, "820000000")):
                instance.port = port
                for start_of_id, end in ((first, "release"), (f"911{first}", "confirm")):
                    status, held = instance.issue(series=instance.series, hold_seconds=600)
                    assert status == 201 and held["numbers"] == ["1000"], (status, held)
                    assert held["id"].startswith(start_of_id), held
                    where = f"/v1/issuances/{held['id']}"
                    assert instance.ask("GET", where)[0] == 200, where
                    status, told = instance.ask("POST", f"{where}/{end}", {})
                    assert status == 200, (status, told)
                status, told = instance.ask("GET", f"/v1/series/{instance.series}/numbers/1000")
                assert status == 200, (status, told)


if __name__ == "__main__":
    if not program:
        sys.exit(skipped)
    run_drills([routed])
