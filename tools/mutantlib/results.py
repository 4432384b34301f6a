# What became of each mutant, kept beside the build, so that runs of one tree add up.
import dataclasses
import hashlib
import json
import pathlib
import subprocess

from harness.processes import root

counted = ("CMakeLists.txt", "CMakePresets.json", "cmake", "migrations", "sql", "src", "tests",
           "tools")
# A mutant's own text counts for its result alone.
left_out = {"mutants", "mutantlib", "fuzz", "__pycache__"}


@dataclasses.dataclass
class Result:
    outcome: str  # killed, survived, error; of an operator also: none, when it is no mutant
    told: str  # by whom, or why
    seconds: float
    digest: str
    about: str = ""  # of an operator: where it is and what it does


def identity_of_tree():
    """A hash of all that programs and tests are made of."""
    summed = hashlib.sha256()
    for place in counted:
        files = [root / place] if (root / place).is_file() else sorted((root / place).rglob("*"))
        for file in files:
            if file.is_file() and left_out.isdisjoint(file.relative_to(root).parts):
                summed.update(f"{file.relative_to(root)}\n".encode() + file.read_bytes())
    return summed.hexdigest()[:16]


def name_of_commit(kind):
    """Of the file of a commit's results; a tree with changes has a file of its own."""
    def git(*words):
        return subprocess.run(["git", "-C", root, *words], text=True, check=True,
                              capture_output=True).stdout
    changed = git("status", "--porcelain", "--", "migrations", "sql", "src", "tests",
                  ":!tests/mutants")
    commit = git("rev-parse", "--short=12", "HEAD").strip()
    return f"{kind}-{commit}" + (f"-{identity_of_tree()[:8]}" if changed else "")


class Results:
    def __init__(self, file, resume):
        self.file = file
        self.tree = identity_of_tree()
        self.kept = {}
        self.tests = {}  # seconds of a test without a mutant; null: it fails
        if resume and self.file.exists():
            text = json.loads(self.file.read_text())
            if text["tree"] == self.tree:
                self.kept = {name: Result(**result) for name, result in text["results"].items()}
                self.tests = text.get("tests", {})

    def of(self, mutant):
        """What an earlier run of the same tree found about the same mutant, or None."""
        result = self.kept.get(mutant.key)
        return result if result and result.digest == mutant.digest() else None

    def add(self, mutant, outcome, told, seconds, about=""):
        self.kept[mutant.key] = Result(outcome, told, round(seconds, 1), mutant.digest(), about)
        self.write()

    def write(self):
        results = {name: dataclasses.asdict(result) for name, result in self.kept.items()}
        text = {"tree": self.tree, "tests": self.tests, "results": results}
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps(text, indent=1) + "\n")
        new.replace(self.file)


def compare(before, after):
    """Two files of results: tells what was killed before and is not after -> the exit status"""
    first, second = (json.loads(pathlib.Path(file).read_text())["results"]
                     for file in (before, after))
    killed = {key: result for key, result in first.items() if result["outcome"] == "killed"}
    lost = [key for key in killed if second.get(key, {}).get("outcome") == "survived"]
    untold = [key for key in killed
              if second.get(key, {}).get("outcome") not in ("killed", "survived")]
    for kind, keys in (("survives now", lost), ("was not tried", untold)):
        for key in keys:
            print(f"{kind}: {first[key]['about']}; was killed by {first[key]['told']}")
    print(f"{len(killed)} killed before: {len(killed) - len(lost) - len(untold)} killed after,"
          f" {len(lost)} survive, {len(untold)} not tried")
    return 1 if lost else 0
