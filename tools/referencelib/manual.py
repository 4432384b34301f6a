# Manual pages in troff, from what the programs' --help and docs/reference say.
import re

from referencelib.command_line import walk
from referencelib.configuration import settings_of
from referencelib.page import must, said_by

SECTIONS = re.compile(r"^(Arguments|Options|Commands):\n((?:  .*\n|\n(?=  ))+)", re.MULTILINE)
EXIT_STATUS = "Exit codes: "


def troff(text):
    """Text in which nothing is a request of troff; `words` of Markdown are bold."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"`([^`]*)`", r"\\fB\1\\fR", text)
    return re.sub(r"^(?=[.'])", r"\\&", text, flags=re.MULTILINE)


def items_in(lines):
    """Of a part of a help text -> (head, text) of each item, whose text may go on below it"""
    items = []
    for line in lines.splitlines():
        found = re.match(r"  (\S.*?)(?: {2,}(\S.*))?$", line)
        if found:
            items.append([found[1], found[2] or ""])
        elif line.strip():
            items[-1][1] += (" " if items[-1][1] else "") + line.strip()
    return [tuple(each) for each in items]


def tagged(items):
    return "".join(f".TP\n.B {troff(head)}\n{troff(text)}\n" for head, text in items)


def part(name, text):
    return f".SH {name}\n{text}" if text else ""


def page(name, section, version, summary, parts):
    """-> a manual page; the parts in their order, empty ones left out"""
    # No date, so that the same sources make the same page.
    summary = summary[0].lower() + summary[1:] if summary[1:2].islower() else summary
    return (f'.TH {troff(name.upper())} {section} "" "gapless {version}" gapless\n'
            f".SH NAME\n{troff(name)} \\- {troff(summary.rstrip('.'))}\n"
            + "".join(part(*each) for each in parts))


def version_of(program):
    return must(re.search(r"\d+\.\d+\.\d+", said_by(program, "--version")), "the version")[0]


def paragraphs(text):
    parts = [troff(each.strip()) for each in re.split(r"\n{2,}", text.strip()) if each.strip()]
    return "\n.PP\n".join(parts) + "\n" if parts else ""


def command_page(words, text, version):
    """The page of `gapless` or one of its commands -> (name, troff)"""
    name = "-".join(("gapless", *words))
    lead, rest = re.split(r"^Usage: ", text, maxsplit=1, flags=re.MULTILINE)
    summary, more = lead.strip().partition("\n")[::2]
    usage, rest = rest.split("\n", 1)
    parts = {title: items_in(found) for title, found in SECTIONS.findall(rest)}
    last, status = SECTIONS.sub("", rest).partition(EXIT_STATUS)[::2]
    commands = [(f"{name}-{verb}(1)", what) for verb, what in parts.get("Commands", [])]
    above = "gapless" if len(words) < 2 else "-".join(("gapless", *words[:-1]))
    also = f".BR {troff(above)} (1),\n" if words else ""
    return name, page(name, 1, version, summary, [
        ("SYNOPSIS", f".B {troff(usage)}\n"),
        ("DESCRIPTION", paragraphs(f"{more}\n\n{last}")),
        ("ARGUMENTS", tagged(parts.get("Arguments", []))),
        ("OPTIONS", tagged(parts.get("Options", []))),
        ("COMMANDS", tagged(commands)),
        ("EXIT STATUS", paragraphs(status)),
        ("SEE ALSO", f"{also}.BR gaplessd (8)\n"),
    ])


def service_page(program):
    settings = settings_of(program)
    names = {f"--{option}" for option, *_ in settings}
    text = said_by(program, "--help")
    plain = [each for _, found in SECTIONS.findall(text) for each in items_in(found)
             if re.split(r"[ ,={]", each[0])[0] not in names]
    must(plain, "the options of gaplessd that are no settings")
    return page("gaplessd", 8, version_of(program), "issues parcel numbers over HTTP, gapless and"
                " in order", [
        ("SYNOPSIS", ".B gaplessd [OPTIONS]\n"),
        ("DESCRIPTION", paragraphs(
            "Serves until SIGTERM or SIGINT, then lets running requests finish. SIGHUP reads the"
            " TLS certificate again. Each setting is an option, an environment variable and a line"
            " of the configuration file; the first of these wins.")),
        ("OPTIONS", tagged(plain)),
        ("SETTINGS", tagged(
            (f"--{option}, {variable}", f"{meaning}{f' (default {value})' if value else ''}")
            for option, value, meaning, variable in settings)),
        ("FILES", tagged([
            ("/etc/gapless/gaplessd.toml", "settings"),
            ("/etc/gapless/gaplessd.env", "the environment of the service, with the password of the"
             " database in GAPLESS_DATABASE_URL; the service starts only where this file is"),
            ("/var/lib/gapless/journal", "what this instance answered, to tell a database that was"
             " put back; these files are proof")])),
        ("EXIT STATUS", paragraphs("0 ok, 1 failure, 2 usage or a setting that cannot be taken.")),
        ("SEE ALSO", ".BR gaplessd.toml (5),\n.BR gapless (1)\n"),
    ])


def settings_page(program, reference):
    """`reference`: the text of docs/reference/configuration.md, whose first words it takes"""
    lead = must(re.match(r"# .*\n+((?:.+\n)+)", reference), "the lead of configuration.md")[1]
    return page("gaplessd.toml", 5, version_of(program), "settings of gaplessd", [
        ("DESCRIPTION", paragraphs(lead)),
        ("SETTINGS", tagged(
            (option.replace("-", "_"), f"{meaning}{f'; default: {value}' if value else ''}")
            for option, value, meaning, _ in settings_of(program))),
        ("FILES", tagged([("/etc/gapless/gaplessd.toml", "with each setting, commented out")])),
        ("SEE ALSO", ".BR gaplessd (8)\n"),
    ])


def pages(programs, reference):
    """-> {file name: troff} of every manual page"""
    version = version_of(programs / "gapless")
    made = {}
    for words, text in walk(programs / "gapless"):
        name, made_page = command_page(words, text, version)
        made[f"{name}.1"] = made_page
    made["gaplessd.8"] = service_page(programs / "gaplessd")
    made["gaplessd.toml.5"] = settings_page(programs / "gaplessd", reference)
    return made
