# What became of each mutant, kept in build/mutants, so that runs of one tree add up (--resume).
import dataclasses
import hashlib
import json

from harness.processes import root

counted = ("CMakeLists.txt", "CMakePresets.json", "cmake", "migrations", "sql", "src", "tests",
           "tools")
# A mutant's own text counts for its result alone.
left_out = {"mutants", "mutantlib", "fuzz", "__pycache__"}


@dataclasses.dataclass
class Result:
    outcome: str  # killed, survived, error
    told: str  # by whom, or why
    seconds: float
    digest: str


def identity_of_tree():
    """A hash of all that programs and tests are made of."""
    summed = hashlib.sha256()
    for place in counted:
        files = [root / place] if (root / place).is_file() else sorted((root / place).rglob("*"))
        for file in files:
            if file.is_file() and left_out.isdisjoint(file.relative_to(root).parts):
                summed.update(f"{file.relative_to(root)}\n".encode() + file.read_bytes())
    return summed.hexdigest()[:16]


class Results:
    def __init__(self, folder, resume):
        self.file = folder / "results.json"
        self.tree = identity_of_tree()
        self.kept = {}
        if resume and self.file.exists():
            text = json.loads(self.file.read_text())
            if text["tree"] == self.tree:
                self.kept = {name: Result(**result) for name, result in text["results"].items()}

    def of(self, mutant):
        """What an earlier run of the same tree found about the same mutant, or None."""
        result = self.kept.get(mutant.name)
        return result if result and result.digest == mutant.digest() else None

    def add(self, mutant, outcome, told, seconds):
        self.kept[mutant.name] = Result(outcome, told, round(seconds, 1), mutant.digest())
        results = {name: dataclasses.asdict(result) for name, result in self.kept.items()}
        new = self.file.with_suffix(".new")
        new.write_text(json.dumps({"tree": self.tree, "results": results}, indent=1) + "\n")
        new.replace(self.file)
