# The operators on lines that changed since a commit, and what was never committed.
import re
import subprocess
import sys

from harness.processes import root
from mutantlib import operators

folders = ("sql", "src")
endings = (".sql", ".cpp", ".hpp")
HUNK = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")


def git(*words):
    done = subprocess.run(["git", "-C", root, *words], text=True, capture_output=True)
    return done.stdout if done.returncode == 0 else None


def base_of(asked):
    """The commit to compare with: the asked one, or where this branch left origin/main, or the
    commit before this one."""
    if asked:
        if git("rev-parse", "--verify", asked + "^{commit}") is None:
            sys.exit(f"there is no commit {asked}")
        return asked
    head = git("rev-parse", "HEAD")
    fork = git("merge-base", "origin/main", "HEAD")
    return fork.strip() if fork and fork != head else "HEAD~1"


def lines_of_diff(text):
    """{file: the numbers of its lines that are new or changed} of what git diff -U0 says"""
    changed, file = {}, None
    for line in text.splitlines():
        if line.startswith("+++ "):
            file = line[6:] if line.startswith("+++ b/") else None
        elif file and (found := HUNK.match(line)):
            begin, count = int(found.group(1)), int(found.group(2) or 1)
            changed.setdefault(file, set()).update(range(begin, begin + count))
    return changed


def changed_lines(base):
    changed = lines_of_diff(git("diff", "-U0", "--no-color", "--no-ext-diff", base, "--",
                                *folders) or "")
    for file in (git("ls-files", "--others", "--exclude-standard", "--", *folders) or "").split():
        changed[file] = set(range(1, len((root / file).read_text("utf-8").splitlines()) + 1))
    return changed


def operators_since(asked):
    """Those that touch a changed line, in the order of the files."""
    found = []
    for file, lines in sorted(changed_lines(base_of(asked)).items()):
        if file.endswith(endings) and (root / file).name != "grants.sql":
            text = (root / file).read_text("utf-8")
            found += [each for each in operators.operators_of(file, text)
                      if lines.intersection(range(each.line, each.last_line + 1))]
    return found
