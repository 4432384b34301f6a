"""Commands between words: `gapless epoch show`, `select pg_promote()`. They are not run, because
they name what a reader has to fill in; that they exist is checked."""
import functools
import re
import shlex
import subprocess

from documents.blocks import prose_of, root
from harness import database
from harness.processes import Failure, programs

SPAN = re.compile(r"`([^`]+)`", re.DOTALL)
SQL = re.compile(r"^(select|grant|alter|revoke) .* ", re.IGNORECASE)
OPTION = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)")
TOOL = re.compile(r"^(?:\./)?(tools/\w+)$")


def spans_of(page, text=None):
    """-> [(line, text)] of what stands in code among the words of a page."""
    text = "\n".join(prose_of(text if text is not None else (root / page).read_text()))
    return [(text.count("\n", 0, found.start()) + 1, " ".join(found[1].split()))
            for found in SPAN.finditer(text)]


@functools.cache
def help_of(*words):
    """What a program says of itself; empty where it does not know the words."""
    try:
        done = subprocess.run([*words, "--help"], text=True, capture_output=True, timeout=20)
    except FileNotFoundError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def words_of(command):
    """The words of a command, up to what is another one; none for what is no command."""
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        return []
    while words and re.match(r"^\w+=", words[0]):
        words = words[1:]
    ends = [n for n, word in enumerate(words) if re.match(r"^(\||\|\||&&|;|>.*|<.*)$", word)]
    return words[:ends[0]] if ends else words


def fault_of(command):
    """What is wrong with a command of ours; None for none, and for those of others."""
    words = words_of(command)
    if not words:
        return None
    if tool := TOOL.match(words[0]):
        path = [root / tool[1]]
    elif words[0] in ("gapless", "gaplessd"):
        path = [programs / words[0]]
    else:
        return None
    known = help_of(*map(str, path))
    if not known:
        return f"{words[0]} has no --help"
    options = set(OPTION.findall(known))
    plain = [word for word in words[1:] if not word.startswith("-")]
    # Nouns and verbs are listed; where the list ends, arguments begin.
    while plain and (listed := re.findall(r"^Commands:\n((?:  .*\n)+)", known, re.MULTILINE)):
        if plain[0] not in re.findall(r"^  (\S+)", listed[0], re.MULTILINE):
            # An option with a value may stand before the noun.
            if len(path) == 1 and len(plain) > 1 and words[1].startswith("-"):
                plain = plain[1:]
                continue
            return f"{' '.join(map(str, [words[0], *path[1:]]))} has no '{plain[0]}'"
        path.append(plain.pop(0))
        known = help_of(*map(str, path))
        options |= set(OPTION.findall(known))
    unknown = [word for word in words[1:] if word.startswith("-") and word != "-"
               and word.split("=")[0] not in options]
    return f"{' '.join(map(str, [words[0], *path[1:]]))} has no {unknown[0]}" if unknown else None


def run_sql(pages, stages):
    """Yields what PostgreSQL does not understand of the statements between the words. Two pages
    make the tables and the roles they name; without them nothing is looked at."""
    if not {"README.md", "docs/operations/install.md"} <= stages.keys():
        return
    url = stages["README.md"].url
    for page in pages:
        for line, text in spans_of(page):
            text = text.replace("'…'", "'x'")
            if not SQL.match(text + " ") or "…" in text:
                continue
            said = (f"begin; prepare inline as {text}; rollback;"
                    if text.lower().startswith("select") else f"begin; {text}; rollback;")
            try:
                database.psql(url, said)
            except Failure as failure:
                yield f"{page}:{line}: {text}\n{failure}"
