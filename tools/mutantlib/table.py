# docs/reports/mutants.md: every mutant with the tests that kill it, below what is written there
# by hand.
from harness.processes import root

page = root / "docs/reports/mutants.md"
marker = "<!-- tools/mutants --table -->\n"


def cell(text):
    return text.replace("|", "\\|")


def told(mutant):
    if mutant.equivalent:
        return "equivalent: " + mutant.equivalent
    return ", ".join(f"`{test}`" for test in mutant.killed_by)


def text_of(mutants):
    equivalent = sum(1 for m in mutants if m.equivalent)
    lines = [f"{len(mutants)} mutants, {equivalent} of them equivalent."]
    for area in dict.fromkeys(m.area for m in mutants):
        lines += ["", f"## {area}", "", "| Mutant | Broken file | Killed by |", "|---|---|---|"]
        lines += [f"| {m.name} | `{m.file}` | {cell(told(m))} |" for m in mutants if m.area == area]
    return "\n".join(lines) + "\n"


def agrees(mutants):
    return page.read_text(encoding="utf-8").partition(marker)[2] == text_of(mutants)


def write(mutants):
    by_hand = page.read_text(encoding="utf-8").partition(marker)[0]
    page.write_text(by_hand + marker + text_of(mutants), encoding="utf-8")
