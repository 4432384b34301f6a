# The mutants in tests/mutants: read, and checked against the tree.
import dataclasses
import difflib
import hashlib
import json
import re
import tomllib

from harness.processes import root
from mutantlib import naming

folder = root / "tests/mutants"
mutants_min = 140  # how many there are at least: one that no longer fits is replaced, not deleted
name_format = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A slip: in `file` stands `replace` instead of `find`."""

    name: str
    file: str
    find: str
    replace: str
    killed_by: tuple  # tests; each of them has to fail

    @property
    def cheap(self):
        """Put over the functions of a database; the others are compiled."""
        return self.file.startswith("sql/")

    @property
    def key(self):
        return self.name

    def original(self):
        return (root / self.file).read_text(encoding="utf-8")

    def mutated(self):
        return self.original().replace(self.find, self.replace, 1)

    def digest(self):
        """Of all that its outcome depends on, beside the tree."""
        told = [self.file, self.find, self.replace, *self.killed_by]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:16]


def read(path):
    """-> (mutants of one file, what is wrong with it in words)"""
    fields = {field.name for field in dataclasses.fields(Mutant)} - {"file"}
    mutants, wrong = [], []
    by_file = tomllib.loads(path.read_text(encoding="utf-8"))
    for file, entry in ((file, entry) for file, entries in by_file.items() for entry in entries):
        name = entry.get("name", "?")
        unknown, missing = set(entry) - fields, fields - set(entry)
        wrong += [f"{path.name}: {name}: there is no {key}" for key in sorted(missing)]
        wrong += [f"{path.name}: {name}: what is {key}?" for key in sorted(unknown)]
        if not unknown and not missing:
            entry["killed_by"] = tuple(entry["killed_by"])
            mutants.append(Mutant(file=file, **entry))
    return mutants, wrong


def read_all(where=folder):
    """-> (mutants as they stand there, what is wrong in words)"""
    mutants, wrong = [], []
    for path in sorted(where.glob("*.toml")):
        more, faults = read(path)
        mutants += more
        wrong += faults
    return mutants, wrong


def faults_in_text(mutant):
    if not (root / mutant.file).is_file():
        yield f"there is no {mutant.file}"
    elif (times := mutant.original().count(mutant.find)) != 1:
        yield f"its text stands {times} times in {mutant.file}, not once"
    elif mutant.find == mutant.replace:
        yield "it changes nothing"


def faults_of(mutant, tests):
    if not name_format.fullmatch(mutant.name):
        yield "a name is made of small letters, digits and single hyphens"
    if not mutant.killed_by:
        yield "no test kills it"
    yield from faults_in_text(mutant)
    for test in mutant.killed_by:
        if test not in tests:
            like = difflib.get_close_matches(test, tests, 1)
            yield f"there is no test {test}" + (f"; like it is: {like[0]}" if like else "")


def check_each(mutants):
    """-> what is wrong with one of them, in words"""
    tests = naming.existing()
    return [f"{m.name}: {fault}" for m in mutants for fault in faults_of(m, tests)]


def doubles(mutants):
    names = [m.name for m in mutants]
    return [f"{name}: stands there twice" for name in sorted(set(names)) if names.count(name) > 1]


def check(mutants):
    """-> what is wrong with one or with all of them together, in words"""
    wrong = check_each(mutants) + doubles(mutants)
    if len(mutants) < mutants_min:
        wrong.append(f"there are {len(mutants)} mutants, fewer than {mutants_min}")
    return wrong
