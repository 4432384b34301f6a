# Every link in a document leads to a file, and to a heading where it names one.
import re

FENCED = re.compile(r"^( *)```.*?^\1```", re.DOTALL | re.MULTILINE)


def blanked(found):
    """As many lines as before, without their words."""
    return re.sub(r"[^\n]", "", found.group())


def prose_of(text):
    """A document without code, line for line."""
    return re.sub(r"`[^`\n]*`", "", FENCED.sub(blanked, text))


def anchors_of(text):
    """What links can name in a document, as GitHub makes it of headings."""
    headings = re.findall(r"^#{1,6} (.*)$", FENCED.sub(blanked, text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", each.lower()).strip().replace(" ", "-") for each in headings}


def check_links(path, text):
    for number, line in enumerate(prose_of(text).splitlines(), 1):
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            there = path.parent / file if file else path
            if not there.exists():
                yield number, f"the link {target} leads nowhere"
            elif anchor and anchor not in anchors_of(there.read_text(encoding="utf-8")):
                yield number, f"the link {target} names no heading"


# What a document calls a file or folder: from the root, or from src without its name.
FROM_ROOT = re.compile(r"^(?:\./)?((?:src|tests|tools|sql|docs|migrations|share|cmake)/[\w./*-]*)$")
FROM_SOURCE = re.compile(r"^(\w+)/[\w/]+(?:\.[a-z]+)?$")


def check_paths(root, text):
    """A path that a document names in code exists. root is the repository's."""
    for number, line in enumerate(FENCED.sub(blanked, text).splitlines(), 1):
        for named in re.findall(r"`([^`\n]+)`", line):
            if found := FROM_ROOT.match(named.split(" ")[0]):
                there = list(root.glob(found[1].rstrip("/")))
            elif (found := FROM_SOURCE.match(named)) and (root / "src" / found[1]).is_dir():
                # A module, a file, or the suite of its tests.
                there = [*root.glob(f"src/{named}*"), *root.glob(f"tests/**/{named}*")]
            else:
                continue
            if not there and "NAME" not in named:
                yield number, f"there is no {named}"
