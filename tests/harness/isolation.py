"""What isolationtester prints, shortened to what its spec does not say itself: the steps with their
rows, one a line, their waits and errors. What it says beyond that stays as it is.

A step that says nothing is left out, unless it ends the wait of another; so is a verify that finds
nothing, and what the setup says, unless it differs from what it said before.

  permutation: a_begin a_issue b_issue a_commit verify
  a_issue     100 | 1
              101 | 2
  b_issue     waits
  a_commit
  b_issue     ERROR:  could not serialize access due to concurrent update
"""
import re

COUNT = re.compile(r"\(\d+ rows?\)")
RULE = re.compile(r"[-+]+")
STEP = re.compile(r"step (\w+): ?(.*)")
name_width = 12


def read_table(lines, place):
    """The table whose column names stand there -> (its rows, the place behind it)"""
    ends = [at.start() for at in re.finditer(r"\+|$", lines[place + 1])]
    begins = [0, *(end + 1 for end in ends)]
    rows, place = [], place + 2
    while not COUNT.fullmatch(lines[place]):
        cells = [lines[place][begin:end].strip() for begin, end in zip(begins, ends)]
        rows.append(" | ".join(cells) or "null")
        place += 1
    return rows or ["no rows"], place + 1


def words_of(line, spec):
    """What a line outside of tables says; nothing for the text of a step."""
    if line.endswith("<waiting ...>"):
        return "waits"
    text = line.strip()
    known = text in spec or text == "<... completed>" or text.startswith("Parsed test spec")
    return "" if known else text


def parts_of(output, spec):
    """-> [a permutation, or the name of a step, or "setup"; what it says, in lines]"""
    lines, place, name, said = output.splitlines(), 0, "", []
    while place < len(lines):
        line = lines[place]
        if RULE.fullmatch("".join(lines[place + 1:place + 2])):
            rows, place = read_table(lines, place)
            said += rows
            continue
        place += 1
        permutation = line.startswith("starting permutation: ")
        step = STEP.fullmatch(line)
        if permutation or step:
            yield name, said
            name, said = step[1] if step else "setup", []
        if permutation:
            yield "\n" + line.removeprefix("starting "), []
        elif words := words_of(step[2] if step else line, spec):
            said.append(words)
    yield name, said


def matters(name, said):
    return bool(said) and not (name.endswith("verify") and set(said) == {"no rows"})


def shorten(output, spec):
    """`spec`: its text"""
    told, waiting, setup = [], set(), []
    parts = [*parts_of(output, spec), ("", [])]
    for (name, said), (next_name, _) in zip(parts, parts[1:]):
        if name == "setup":
            setup, said = said, said if said != setup else []
        is_permutation = name.startswith("\n")
        ends_a_wait = next_name in waiting
        if not (is_permutation or ends_a_wait or name in waiting or matters(name, said)):
            continue
        waiting = waiting | {name} if said == ["waits"] else waiting - {name}
        told.append(f"{name:{name_width}}{said[0]}" if said else name)
        told += [" " * name_width + words for words in said[1:]]
    text = "".join(line.rstrip() + "\n" for line in told).lstrip()
    return re.sub(r"\b\d{4}-\d\d-\d\dT[\d:.]+Z", "that time", text)
