# Places of a page that a tool writes, and tables whose last column a person writes.
import difflib
import re
import subprocess


class SourceFailure(Exception):
    """A source cannot be read; the text says which and why."""


PLACE = re.compile(r"(<!-- tools/reference (\S+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def cell(text):
    return text.replace("|", "\\|")


def table(columns, rows):
    """-> a Markdown table; rows are lists of cells"""
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    lines += ["| " + " | ".join(cell(each) for each in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


class KeyedTable:
    """Rows from a source, by their first cell; the last column is written by hand."""

    def __init__(self, columns, rows):
        self.columns = columns
        self.rows = rows

    def text(self, old):
        """-> the table with the words of the old one, and the rows that have none"""
        kept = {}
        for line in old.splitlines():
            cells = re.split(r"(?<!\\)\|", line)
            if len(cells) > 3:
                kept[cells[1].strip()] = cells[-2].strip().replace("\\|", "|")
        rows = [[*row, kept.get(cell(row[0]), "")] for row in self.rows]
        return table(self.columns, rows), [row[0] for row in rows if not row[-1]]


def rewritten(text, places):
    """-> the page with its places written anew, and what is missing in words"""
    missing = [f"no place for {name}" for name in places if f"reference {name} -->" not in text]

    def written(found):
        name = found.group(2)
        if name not in places:
            missing.append(f"nothing is known of the place {name}")
            return found.group()
        new = places[name]
        if isinstance(new, KeyedTable):
            new, without = new.text(found.group(3))
            missing.extend(f"no words for {each}" for each in without)
        return found.group(1) + new + found.group(4)

    return PLACE.sub(written, text), missing


def agree(old, new):
    """-> the lines in which a page differs from its sources"""
    changes = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
    return [each for each in changes if not each.startswith(("---", "+++", "@@"))]


def said_by(program, *words, environment=None):
    """-> what a program prints"""
    try:
        done = subprocess.run([program, *words], text=True, capture_output=True, env=environment)
    except OSError as failure:
        raise SourceFailure(f"{program} cannot be run: {failure.strerror}") from failure
    if done.returncode != 0:
        raise SourceFailure(f"{program} {' '.join(words)} ended with {done.returncode}")
    return done.stdout


def must(found, what):
    """-> what was found in a source, which has changed its form where nothing was"""
    if not found:
        raise SourceFailure(f"{what} is not where tools/reference looks for it")
    return found
