"""The fenced blocks of a page, with their chapter and what a comment in front of them says.

A comment that readers do not see stands on the line before a fence:
  <!-- not run: REASON -->       a block of commands that no test can run; its syntax is checked
  <!-- not compared: REASON -->  an answer that is another one each time
"""
import pathlib
import re
import textwrap
from dataclasses import dataclass

root = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = {"python": "python3 issue.py", "js": "node issue.mjs", "java": "java Issue.java",
            "php": "php issue.php"}
COMMANDS = ("sh", "sql", *PROGRAMS)
ANSWERS = ("text", "json")
FENCE = re.compile(r"^ *```")
MARK = re.compile(r"^ *<!-- (not run|not compared): (\S.*) -->$")
HEADING = re.compile(r"^#+ (.*)$")


@dataclass
class Block:
    page: str
    line: int  # of its fence
    kind: str  # what the fence says: sh, sql, text …
    text: str
    chapter: str
    mark: str | None  # "not run", "not compared"
    reason: str | None

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def pages():
    """The pages whose commands are run, as paths from the root."""
    found = [root / "README.md", *(root / "docs/guide").glob("*.md"),
             *(root / "docs/operations").glob("*.md")]
    return sorted(str(page.relative_to(root)) for page in found)


def blocks_of(page, text=None):
    """-> [Block] of a page, in their order."""
    lines = (text if text is not None else (root / page).read_text()).splitlines()
    found, chapter, n = [], "", 0
    while n < len(lines):
        if heading := HEADING.match(lines[n]):
            chapter = heading[1]
        if not FENCE.match(lines[n]):
            n += 1
            continue
        last = next(m for m in range(n + 1, len(lines)) if FENCE.match(lines[m]))
        mark = MARK.match(lines[n - 1]) if n else None
        found.append(Block(
            page, n + 1, lines[n].strip().removeprefix("```"),
            textwrap.dedent("\n".join(lines[n + 1:last])) + "\n", chapter,
            mark and mark[1], mark and mark[2]))
        n = last + 1
    return found


def prose_of(text):
    """A page without its fenced blocks, line for line."""
    inside, lines = False, []
    for line in text.splitlines():
        fence = bool(FENCE.match(line))
        lines.append("" if fence or inside else line)
        inside ^= fence
    return lines
