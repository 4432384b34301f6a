# The table at the end: for people, as Markdown and as JSON.
import dataclasses
import json

from torturelib.case import CASES

HEADS = ("case", "n", "faults", "hit", "void", "operations", "unknown", "refused", "violations",
         "95 % bound", "recovery s", "seconds")


def bound_text(result):
    if result.violations:
        return "–"
    bound = result.bound
    return "void" if bound is None else f"≤ {bound:.2g}"


def row_of(name, result):
    case = CASES[name]
    return (
        f"{name} {case.title}", f"{result.n:,} {case.unit}", f"{result.faults:,}",
        f"{result.hit:,}", f"{result.void:,}", f"{result.operations:,}", f"{result.unknown:,}",
        f"{result.refused:,}", f"{len(result.violations)}", bound_text(result),
        f"{result.slowest_recovery:.2f}" if result.slowest_recovery else "–",
        f"{result.seconds:.1f}")


def lines_of(results):
    rows = [row_of(name, results[name]) for name in CASES if name in results]
    widths = [max(len(row[n]) for row in [HEADS, *rows]) for n in range(len(HEADS))]

    def line(row):
        first, *others = row
        cells = [first.ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(others, widths[1:])]
        return "| " + " | ".join(cells) + " |"
    return [line(HEADS), "|" + "|".join("-" * (width + 2) for width in widths) + "|",
            *map(line, rows)]


def notes_of(results):
    for name in CASES:
        if name in results and results[name].notes:
            told = ", ".join(f"{what} {value}" for what, value in results[name].notes.items())
            yield f"{name}: {told}"


def write(folder, facts, results):
    """table.md and table.json in the folder -> the Markdown"""
    words = [f"tier {facts['tier']}, seed {facts['seed']}, {facts['commit']}, {facts['date']}"]
    text = "\n".join([*words, "", *lines_of(results), "", *notes_of(results), ""])
    (folder / "table.md").write_text(text)
    data = facts | {"results": {
        name: dataclasses.asdict(result) | {"bound": result.bound, "title": CASES[name].title}
        for name, result in results.items()}}
    (folder / "table.json").write_text(json.dumps(data, indent=1) + "\n")
    return text
