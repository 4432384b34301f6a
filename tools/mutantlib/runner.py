# Tries the mutants of tests/mutants one after the other: the tests without any, then each mutant
# with its own tests, all of which have to fail.
import contextlib
import re
import time

from harness.processes import root
from mutantlib import naming
from mutantlib.ground import Unfit, last_lines, sql_of

# A statement that PostgreSQL does not understand was never tried: a slip has to mean something.
NO_SLIP = re.compile(r"\b42(601|702|703|725|883|804|P01|P02)\b|column \S+ does not exist")


@contextlib.contextmanager
def put_in(ground, mutant, targets):
    """While a mutant is in the tree or over its databases: the SQL that tests take, or None."""
    if mutant.cheap:
        ground.check_sql(mutant)
        try:
            yield sql_of(mutant)
        finally:
            ground.drop_left_databases()
        return
    # Written anew each time: younger than all that was made of the other text.
    path, before = root / mutant.file, mutant.original()
    path.write_text(mutant.mutated(), encoding="utf-8")
    try:
        went_well, said = ground.compile(targets)
        if not went_well:
            raise Unfit("it does not compile:\n" + last_lines(said))
        yield None
    finally:
        ground.drop_left_databases()
        path.write_text(before, encoding="utf-8")


class Runner:
    def __init__(self, ground, results, verbose):
        self.ground, self.results, self.verbose = ground, results, verbose
        self.broken = set()  # tests that fail without any mutant: they prove nothing

    def prepare(self, mutants):
        """Builds what they need and runs their tests as the tree is -> whether it compiles"""
        names = sorted({name for mutant in mutants for name in mutant.killed_by})
        tests = [naming.existing()[name] for name in names]
        targets = {target for test in tests for target in test.targets} | set(naming.programs)
        went_well, said = self.ground.compile(targets)
        if not went_well:
            print("the tree does not compile:\n" + last_lines(said), flush=True)
            return False
        for name, test in zip(names, tests):
            outcome, output = self.ground.run_test(test)
            if outcome != "passed":
                self.broken.add(name)
                print(f"{name} without any mutant: {outcome}\n{last_lines(output, 30)}", flush=True)
        passed = len(names) - len(self.broken)
        print(f"{passed} of {len(names)} tests pass without any mutant", flush=True)
        return True

    def try_all(self, mutants):
        # Cheap ones first: they are tried with programs that nothing was compiled into.
        ordered = sorted(mutants, key=lambda m: (not m.cheap, m.file))
        for place, mutant in enumerate(ordered, 1):
            began = time.monotonic()
            try:
                outcome, told = self.try_one(mutant)
            except Unfit as why:
                outcome, told = "error", str(why)
            seconds = time.monotonic() - began
            self.results.add(mutant, outcome, told, seconds)
            print(f"[{place:3}/{len(ordered)}] {outcome:8} {mutant.name} ({mutant.file}): {told},"
                  f" {seconds:.1f} s", flush=True)

    def try_one(self, mutant):
        """-> (killed or survived, by whom)"""
        if broken := self.broken.intersection(mutant.killed_by):
            raise Unfit("without it fails " + ", ".join(sorted(broken)))
        tests = [naming.existing()[name] for name in mutant.killed_by]
        targets = {target for test in tests for target in test.targets}
        with put_in(self.ground, mutant, targets) as sql:
            ends = {name: self.ended(name, sql) for name in mutant.killed_by}
        missed = [name for name, end in ends.items() if not end]
        if missed:
            return "survived", "not noticed by " + ", ".join(missed)
        return "killed", ", ".join(f"{name} ({end})" for name, end in ends.items())

    def ended(self, name, sql):
        """Of a test beside a mutant: failed, or nothing when the mutant escapes it."""
        outcome, output = self.ground.run_test(naming.existing()[name], sql)
        if self.verbose:
            print(last_lines(output, 40), flush=True)
        if outcome == "passed":
            return ""
        if outcome == "timeout":
            self.unfit(f"{name} does not end", output)
        if sql is not None and NO_SLIP.search(output):
            self.unfit(f"{name} ends because of SQL that cannot be", output)
        return outcome

    @staticmethod
    def unfit(why, output):
        raise Unfit(why + ":\n" + last_lines(output))
