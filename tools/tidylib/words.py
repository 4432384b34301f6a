# The glossary is law: words with two meanings, or beside the glossary's, and what to write.
import re

from tidylib.links import prose_of

# In documents and in what users are told. A pattern, and what to write instead.
EVERYWHERE = [
    (r"\b(number|serial)s? left\b", "remaining: can still be issued; issued: was"),
    (r"\bnothing left twice\b", "issued twice"),
    (r"\b(that|which) (had )?(ever )?left\b", "issued"),
    (r"\b(was|were|be|are|is) asked for\b", "requested"),
    (r"\b(the|a|carrier's) bill\b", "invoice: what a carrier charges"),
    (r"\b[Ww]hoever\b", "name who it is: an instance, a client, a role"),
    (r"\bat it\b", "say what is done"),
    (r"\bsequence of numbers\b", "series: PostgreSQL's sequences have gaps"),
]
# In documents only.
DOCUMENTS = [
    (r"(?<![-_])\b(left|leaves?|leaving)\b(?! out\b)", "issued, remaining, or another verb"),
    (r"\b(come|comes|came|coming) back\b", "free: released or expired; or repeat, of a request"),
    (r"\b(is|are|was|were) told\b", "name who says what"),
    (r"\bstands?\b", "is"),
]
# What is written about their day, and texts of others.
NOT_CHECKED = ("CHANGELOG.md", "docs/reports/")
ALLOWED = ("from the left", "left and right")

CPP_LITERAL = re.compile(r'"((?:\\.|[^"\\])*)"')
SQL_LITERAL = re.compile(r"'((?:[^']|'')*)'")


def found_in(line, words):
    for allowed in ALLOWED:
        line = line.replace(allowed, "")
    for pattern, instead in words:
        for found in re.finditer(pattern, line):
            yield f"'{found.group()}' is no word of the glossary here: {instead}"


def check_document(name, text):
    if name.startswith(NOT_CHECKED):
        return
    for number, line in enumerate(prose_of(text).splitlines(), 1):
        for why in found_in(line, EVERYWHERE + DOCUMENTS):
            yield number, why


def check_messages(path, text):
    """Texts of several words in literals: what a user may see."""
    literal, comment = (SQL_LITERAL, "--") if path.suffix == ".sql" else (CPP_LITERAL, "//")
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip().startswith(comment):
            continue
        for words in literal.findall(line):
            if " " in words:
                yield from ((number, why) for why in found_in(words, EVERYWHERE))
