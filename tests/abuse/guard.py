#!/usr/bin/env python3
"""Holds the service against the corpus: exact answers, whole and split at every byte.

  guard.py http|json|idle          requests/, json/, 10,000 idle connections
  guard.py injections              payloads.py in every field
  guard.py http --only REGEX       only cases whose name matches; their splits too
  guard.py http --splits 3         each split at three places only
"""
import argparse
import re
import sys
import time

import corpus
import crowd
import injections
from crew import Crew
from service import new_service

every_byte_max = 1000  # longer requests are split at some places only
places_of_long = 64


def cuts_of(case, splits):
    """Where a case is split: everywhere, or at so many places; a long one at its end and here and
    there."""
    size = len(case.request) + (0 if case.ends else 1)
    if splits is not None:
        return sorted({size * (part + 1) // (splits + 1) for part in range(splits)} - {0})
    if size <= every_byte_max:
        return range(1, size)
    step = size // places_of_long
    return sorted({*range(1, size, step), *range(size - 8, size)})


def run_corpus(kind, only, splits):
    with new_service(kind) as service:
        begun = time.monotonic()
        read = corpus.read_requests if kind == "http" else corpus.read_json_texts
        cases = [case for case in read(service.token) if re.search(only, case.name)]
        crew = Crew(service.port)
        crew.send(cases, lambda case: [0])
        crew.send(cases, lambda case: cuts_of(case, splits))
        wrong = crew.report()
        answered = sum(crew.issued.values())
        service.check(answered)
        took = time.monotonic() - begun
        print(f"{len(cases)} cases, sent {crew.runs} times in {took:.1f} s; "
              f"{answered} numbers left; {wrong} cases deviate")
    return 1 if wrong else 0


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("kind", choices=["http", "json", "injections", "idle"])
    options.add_argument("--only", default="")
    options.add_argument("--splits", type=int, help="places; default: every byte")
    chosen = options.parse_args()
    if chosen.kind in ("http", "json"):
        return run_corpus(chosen.kind, chosen.only, chosen.splits)
    if chosen.kind == "injections":
        return injections.run()
    return crowd.run_idle()


if __name__ == "__main__":
    sys.exit(main())
