# Tries operators, each with the tests nearest to its file until one fails.
import dataclasses
import re
import time

from mutantlib import nearest
from mutantlib.ground import Unfit, last_lines
from mutantlib.runner import NO_SLIP, put_in

NOT_SQL = re.compile("|".join((
    NO_SLIP.pattern, "syntax error at or near", "(operator|function) .* does not exist",
    "missing FROM-clause", r"argument of \S+ must be", r"of type \w+ but expression",
    "could not (determine|identify)", "is ambiguous")))
COUNTED = ("killed", "survived")


@dataclasses.dataclass(frozen=True)
class Bounds:
    """How much is tried before an operator counts as a survivor."""

    tests: int
    seconds: float  # of the tests' own time, without the mutant
    programs: int = 4  # that are linked anew for a mutant of C++


class Search:
    def __init__(self, ground, results, bounds, verbose):
        self.ground, self.results, self.bounds = ground, results, bounds
        self.verbose = verbose
        self.built = set()  # of the tree as it is

    def tests_of(self, operator):
        """The nearest that pass without it, one after the other, up to the bounds"""
        count, targets, seconds = 0, set(), 0.0
        for test in nearest.ranked(operator.file):
            if not operator.cheap and len(targets.union(test.targets)) > self.bounds.programs:
                continue
            if count == self.bounds.tests or seconds > self.bounds.seconds:
                break
            spent = self.seconds_of(test)
            if spent is not None:
                count, seconds = count + 1, seconds + spent
                targets.update(test.targets)
                if operator.cheap:
                    self.build(test.targets)
                yield test

    def seconds_of(self, test):
        """Without any mutant; None when it fails"""
        if test.name not in self.results.tests:
            self.build(test.targets)
            began = time.monotonic()
            outcome, output = self.ground.run_test(test)
            passed = outcome == "passed"
            self.results.tests[test.name] = round(time.monotonic() - began, 1) if passed else None
            self.results.write()
            if not passed:
                told = f"{test.name} without any mutant: {outcome}\n{last_lines(output)}"
                print(told, flush=True)
        return self.results.tests[test.name]

    def build(self, targets):
        """As the tree is"""
        if not self.built.issuperset(targets):
            went_well, said = self.ground.compile(targets)
            if not went_well:
                raise SystemExit("the tree does not compile:\n" + last_lines(said))
            self.built.update(targets)

    def try_until(self, operators, count):
        """Until so many of them are killed or survive -> the operators that count"""
        counted = []
        for operator in operators:
            if len(counted) == count:
                break
            result = self.results.of(operator)
            if result is None:
                self.try_one(operator)
                result = self.results.of(operator)
                print(f"[{len(counted) + 1:3}/{count}] {result.outcome:8} {result.about}:"
                      f" {result.told}, {result.seconds:.1f} s", flush=True)
            if result.outcome in COUNTED:
                counted.append(operator)
        return counted

    def try_one(self, operator):
        about = operator.told()
        tests, targets = self.tests_of(operator), set()
        if not operator.cheap:  # all of them are built and run as the tree is first
            tests = list(tests)
            targets = {target for test in tests for target in test.targets}
            self.built.difference_update(targets)
        began = time.monotonic()
        try:
            with put_in(self.ground, operator, targets) as sql:
                outcome, told = self.first_that_fails(tests, sql)
        except Unfit as why:
            outcome, told = "none", str(why).partition("\n")[0]
        self.results.add(operator, outcome, told, time.monotonic() - began, about)

    def first_that_fails(self, tests, sql):
        """-> (killed or survived, by whom)"""
        count = 0
        for count, test in enumerate(tests, 1):
            outcome, output = self.ground.run_test(test, sql)
            if self.verbose:
                print(last_lines(output, 40), flush=True)
            if outcome != "passed" and sql is not None and NOT_SQL.search(output):
                raise Unfit(f"{test.name} ends because of SQL that cannot be")
            if outcome != "passed":
                case = re.search(r"^TEST CASE:\s+(.*)", output, re.MULTILINE)
                told = f"{test.name}: {case.group(1)}" if case else test.name
                return "killed", f"{told} ({outcome})"
        return "survived", f"not noticed by the {count} nearest"
