#!/usr/bin/env python3
"""The print station with a plug that is pulled at a chosen moment.

  crashing.py POINT KIND WORDS...   the station with these words, killed by kill -9

Points are, in their order: each record of the journal, and each file that is renamed or removed.
KIND says when: "before" it, "torn" (half of the record is written) or "after" it. A POINT that
never comes kills nobody.
"""
import os
import pathlib
import signal
import sys

sys.dont_write_bytecode = True
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "examples/print-station"))
import print_station  # noqa: E402


class Plug:
    def __init__(self, point, kind):
        self.left, self.kind = point, kind

    def around(self, act, torn=None):
        """`act`, or a death at the chosen point."""

        def acting(*words, **more):
            self.left -= 1
            if self.left == 0 and self.kind != "after":
                if torn and self.kind == "torn":
                    torn(*words)
                self.pull()
            done = act(*words, **more)
            if self.left == 0:
                self.pull()
            return done

        return acting

    @staticmethod
    def pull():
        os.kill(os.getpid(), signal.SIGKILL)


def half_a_record(journal, record):
    journal.file.write(journal.line(record)[:-20])
    journal.file.flush()


def main():
    plug = Plug(int(sys.argv[1]), sys.argv[2])
    journal = print_station.Journal
    journal.append = plug.around(journal.append, half_a_record)
    os.replace = plug.around(os.replace)
    os.unlink = plug.around(os.unlink)
    return print_station.main(sys.argv[3:])


if __name__ == "__main__":
    sys.exit(main())
