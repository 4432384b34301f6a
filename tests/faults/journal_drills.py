#!/usr/bin/env python3
"""What the journals know of a database that was put back, where it is easily forgotten.

  journal_drills.py [NAME...]   all drills, or these; each has servers of its own
"""
import os

from drill import Failure, run_drills


def released_again(drill):
    """F82, N16: numbers that came back left again after the copy; no ordinal is new since."""
    url = drill.stock()
    with drill.instance(url) as instance:
        instance.wait_ready()
        held = instance.issue(4, hold_seconds=600)[1]["id"]
        status, _ = instance.ask("POST", f"/v1/issuances/{held}/release")
        assert status == 200, status
        drill.stop()
        drill.copy(drill.folder / "copy")
        drill.start()
        assert instance.numbers(2) == [1000, 1001]
        drill.stop()
        drill.put_back(drill.folder / "copy")
        drill.start()
        instance.fenced("lacks issued numbers", "ordinal 4 in turn 0", "ordinal 4 in turn 1")
    drill.open_epoch(url, "--reason", "disk failed", "--confirm-epoch", "2", "--yes",
                     "--journal", str(drill.journals))
    with drill.instance(url) as instance:
        # Neither those that left again nor those that still waited: nobody knows which is which.
        assert instance.numbers(3) == [1004, 1005, 1006]
    states = drill.psql(url, "select free, held, voided from gapless.tally")
    assert states == "0|0|4", states
    drill.clean(url)


def make_sparse(file):
    with file.open("wb") as opened:
        opened.truncate(200 << 30)


def unfit_folders(drill):
    """P09: a folder that everybody may write to, and files that are no journals and may have no
    end: the service says so and ends, and waits for none of them."""
    url = drill.stock()
    for name, spoil, why in (
            ("open", lambda folder: folder.chmod(0o777), "everybody may write there"),
            ("pipe", lambda folder: os.mkfifo(folder / "a.lease"), "no regular file"),
            ("zero", lambda folder: (folder / "a.lease").symlink_to("/dev/zero"), "no regular"),
            ("sparse", lambda folder: make_sparse(folder / "a.lease"), "214748364800 bytes")):
        folder = drill.folder / name
        folder.mkdir()
        spoil(folder)
        instance = drill.instance(url, folder)
        try:
            instance.start()
            raise AssertionError(f"{name}: it serves")
        except Failure:
            assert instance.process.wait(10) != 0, name
            assert why in instance.logged() and str(folder) in instance.logged(), instance.logged()


drills = [released_again, unfit_folders]


if __name__ == "__main__":
    run_drills(drills)
