# docs/reference/cli.md: what `gapless --help` says, noun by noun and verb by verb.
import re

from referencelib.page import must, said_by, table


def commands_of(text):
    """The commands that a help text lists, with what they do."""
    listed = re.search(r"^Commands:\n((?:  .*\n)+)", text, re.MULTILINE)
    return re.findall(r"^  (\S+) {2,}(.*)$", listed.group(1), re.MULTILINE) if listed else []


def shown(text):
    """A help text without what every command has."""
    text = re.sub(r"^Global options .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^Options:\n  -h,--help .*\n(?!  )", "", text, flags=re.MULTILINE)
    text = re.sub(r"^  -h,--help .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^(Usage: .*?) \[OPTIONS\]", r"\1", text, flags=re.MULTILINE) \
        if "Options:" not in text else text
    return "```text\n" + re.sub(r"\n{3,}", "\n\n", text).strip() + "\n```\n"


def walk(program, *words):
    """Yields (words, help text) of a command and of all below it."""
    text = said_by(program, *words, "--help")
    yield words, text
    for name, _ in commands_of(text):
        yield from walk(program, *words, name)


def places(program):
    helps = list(walk(program))
    must(len(helps) > 10, "the list of commands in gapless --help")
    rows, parts = [], []
    for words, text in helps[1:]:
        heading = "gapless " + " ".join(words)
        if len(words) == 1:
            parts.append(f"### {heading}\n")
        if commands_of(text):
            parts.append(text.splitlines()[0] + ".\n")
            continue
        # A noun without verbs is linked by its own heading.
        rows.append([f"[`{heading}`](#gapless-{words[0]})", text.splitlines()[0]])
        parts.append(shown(text))
    return {"commands": table(["Command", "Does"], rows),
            "options": shown(helps[0][1]),
            "help": "\n".join(parts)}
