# Operators: the classic slips, made from the tokens of the tree itself. None of their text is kept.
#
# An operator is found again in another version of its file by its identity: file, function, what
# it does, the tokens around it, and which of several alike. Neither lines nor white space count.
import collections
import dataclasses
import hashlib

from harness.processes import root
from mutantlib import cpp_operators, sql_operators
from mutantlib.tokens import cpp_tokens, sql_tokens

CONTEXT = 3  # tokens on each side that belong to an operator's identity
CONTEXT_LETTERS = 30  # of each of them


@dataclasses.dataclass(frozen=True)
class Edit:
    """What generators yield: tokens[first:last] become `text`."""

    first: int
    last: int
    text: str
    what: str  # bound, equality, arithmetic, logic, negated, removed, constant, swapped


@dataclasses.dataclass(frozen=True)
class Operator:
    file: str
    function: str  # the innermost named one; "" for a constant outside of all
    what: str
    context: str
    replace: str
    occurrence: int  # among those that are alike otherwise
    begin: int
    end: int
    line: int
    last_line: int

    @property
    def identity(self):
        return (self.file, self.function, self.what, self.context, self.replace, self.occurrence)

    @property
    def key(self):
        return self.digest()

    @property
    def name(self):
        return f"{self.file}:{self.line}"

    @property
    def cheap(self):
        return self.file.startswith("sql/")

    def original(self):
        return (root / self.file).read_text(encoding="utf-8")

    def mutated(self):
        text = self.original()
        return text[:self.begin] + self.replace + text[self.end:]

    def told(self):
        """In words and as code: for whoever has to look at a survivor."""
        code = " ".join(self.original()[self.begin:self.end].split())
        instead = " ".join(self.replace.split()) or "nothing"
        return f"{self.name} {self.function}: {self.what}: {code[:90]} -> {instead[:90]}"

    def digest(self):
        return hashlib.sha256(repr(self.identity).encode()).hexdigest()[:16]


def context_of(tokens, edit):
    before = tokens[max(edit.first - CONTEXT, 0):edit.first]
    parts = (before, tokens[edit.first:edit.last][:CONTEXT],
             tokens[edit.last:edit.last + CONTEXT])
    return " @ ".join(" ".join(t.text[:CONTEXT_LETTERS] for t in part) for part in parts)


def operators_of(file, text):
    """Those of one file, in the order in which they stand there."""
    if file.endswith(".sql"):
        tokens, functions = sql_tokens(text), sql_operators.functions
    else:
        tokens, functions = cpp_tokens(text), cpp_operators.functions
    alike, found = collections.Counter(), set()
    for function, edits in functions(tokens):
        for edit in (Edit(*each) for each in edits):
            begin, end = tokens[edit.first].begin, tokens[edit.last - 1].end
            if (begin, end, edit.text) in found or text[begin:end] == edit.text:
                continue
            found.add((begin, end, edit.text))
            key = (file, function, edit.what, context_of(tokens, edit), edit.text)
            line = text.count("\n", 0, begin) + 1
            yield Operator(*key, alike[key], begin, end, line, line + text.count("\n", begin, end))
            alike[key] += 1


def in_tree(folders=("sql", "src"), endings=(".sql", ".cpp")):
    """All of the tree. Not those of headers: each would compile half of it."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in endings and path.name != "grants.sql":
                yield from operators_of(str(path.relative_to(root)), path.read_text("utf-8"))
