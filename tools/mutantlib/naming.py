# The tests as mutants name them, and how each is run:
#
#   database_tests: a refusal takes no numbers  a doctest program and one of its cases
#   specs issue_issue                         tests/specs: specs, or a script
#   torture T08                               tools/torture
import dataclasses
import functools
import re

from harness.processes import root
from torturelib.all_cases import CASES

programs = ("gaplessd", "gapless")
specs = "tests/specs"


@dataclasses.dataclass(frozen=True)
class Test:
    targets: tuple  # what has to be built
    command: tuple  # from the root of the tree; {build} is the build folder
    seconds_max: int
    name: str = ""
    whole: bool = False  # of a program as it is run, not of its parts


KIND = re.compile(r"_(threads|database|race|http|cli|process)_test\.cpp$")


def doctest_files():
    """[(program, whether it starts the programs, file)], as tests/CMakeLists.txt makes them"""
    for path in sorted((root / "tests").glob("*/*_test.cpp")):
        kind = (KIND.search(path.name) or [0, "unit"])[1]
        yield f"{kind}_tests", kind in ("cli", "process"), path


def doctest_cases():
    """[(program, case)]"""
    return [(program, case) for program, _, path in doctest_files() for case in cases_in(path)]


def cases_in(path):
    text = re.sub(r'"\s*\n\s*"', "", path.read_text())
    return re.findall(r'TEST_CASE\w*\(\s*(?:[\w:<>]+,\s*)?"([^"]*)"', text)


def run_by_case(program, case):
    named = case.replace(",", "\\,")
    return Test((program,), (f"{{build}}/tests/{program}", f"--test-case={named}"), 120)


def registered(text, kind, folder):
    """Those that tests/CMakeLists.txt registers with a command of their own in a folder."""
    pattern = rf'NAME "{kind}/(\w+)" COMMAND \$\{{\w+\}}((?:/\w+)*/\w+\.py)((?: --?\w+)*)\)'
    for name, path, options in re.findall(pattern, text):
        script = f"{folder}/{path.rpartition('/')[2]}"
        yield f"{kind} {name}", Test(programs, (script, *options.split()), 120)


@functools.cache
def existing():
    """{name: Test}"""
    tests = {f"{program}: {case}": run_by_case(program, case) for program, case in doctest_cases()}
    lists = (root / "tests/CMakeLists.txt").read_text()
    tests |= dict(registered(lists, "specs", "tests/specs"))
    for file in (root / specs).glob("*.spec"):
        tests[f"specs {file.stem}"] = Test(programs, ("tools/run_specs", file.stem), 120)
    for name in CASES:
        command = ("tools/torture", "--only", name, "--state", "{build}/torture/mutant")
        tests[f"torture {name}"] = Test(programs, command, 600)
    return {name: dataclasses.replace(test, name=name) for name, test in tests.items()}


NIGHTLY = {"specs years", "specs cluster_killed"}


@functools.cache
def by_file():
    """{file: Test} of the tests that run with a commit, by what they are written in"""
    tests = {}
    for program, whole, path in doctest_files():
        source = str(path.relative_to(root))
        command = (f"{{build}}/tests/{program}", f"--source-file=*/{source}", "--abort-after=1")
        targets = (program, *programs) if whole else (program,)
        tests[source] = Test(targets, command, 300, f"{program} {path.name}", whole)
    for name, test in existing().items():
        kind, _, rest = name.partition(" ")
        if kind == "specs" and name not in NIGHTLY:
            written = test.command[0] if len(test.command) == 1 else f"{specs}/{rest}.spec"
            if (root / written).is_file():
                tests[written] = dataclasses.replace(test, targets=("gapless",))
    return tests
