# docs/reference/configuration.md: the settings of gaplessd, from its --help and --print-config.
import os
import re
import textwrap

from referencelib.page import SourceFailure, must, said_by, table

HOME = "/home/anna"  # whose defaults are shown
STATE = "/var/lib/gapless"  # what systemd gives the service
FILE_HEAD = """\
# Settings of gaplessd: each one with its default, commented out. See gaplessd.toml(5).
#
# GAPLESS_DATABASE_URL, which has a password, belongs into gaplessd.env beside this file, mode 600.
# Values of the environment win over those of this file. Durations: 250ms, 10s, 5min, 1h, 90d.
"""
OPTION = re.compile(
    r"^  --([a-z-]+)(?:,--no-[a-z-]+)?(?: VALUE)?(?:=(\S+)|\{(\w+)\})?\s+(.*?) ?\((GAPLESS_\w+)\)$")


def settings_in(text):
    """-> (option, default, meaning, environment variable) of each setting, in order"""
    joined = re.sub(r"\n {20,}", "  ", text)
    found = [OPTION.match(line) for line in joined.splitlines()]
    return [(each[1], each[2] or each[3] or "", each[4], each[5]) for each in found if each]


def asked(program, word, **more):
    """What gaplessd says in an environment that has none of its settings, but what is told here."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("GAPLESS_")
                   and name not in ("XDG_STATE_HOME", "STATE_DIRECTORY")}
    return said_by(program, word, environment=environment | more)


def settings_of(program):
    """As settings_in, of the service that systemd starts"""
    return must(settings_in(asked(program, "--help", STATE_DIRECTORY=STATE)),
                "a setting in gaplessd --help")


def settings_file(program):
    """/etc/gapless/gaplessd.toml: each setting with its meaning and default, commented out"""
    values = dict(re.findall(r"^(\w+) = (.*)  # default$",
                             asked(program, "--print-config", STATE_DIRECTORY=STATE), re.MULTILINE))
    text = FILE_HEAD
    for option, _, meaning, _ in settings_of(program):
        name = option.replace("-", "_")
        if name == "config":
            continue  # this file
        said = textwrap.wrap(meaning, 97)
        text += "\n" + "".join(f"# {line}\n" for line in said) + f"#{name} = {values[name]}\n"
    return text


def places(program):
    settings = must(settings_in(asked(program, "--help", HOME=HOME)),
                    "a setting in gaplessd --help")
    printed = asked(program, "--print-config", HOME=HOME)
    keys = re.findall(r"^(\w+) = ", printed, re.MULTILINE)
    names = [option.replace("-", "_") for option, *_ in settings]
    if sorted(keys) != sorted(names):
        raise SourceFailure("gaplessd --help and --print-config name different settings: "
                            f"{sorted(set(keys) ^ set(names))}")
    wrong = [each for each in settings if each[3] != "GAPLESS_" + each[0].replace("-", "_").upper()]
    if wrong:
        raise SourceFailure(f"not called by the rule: {wrong}")
    rows = [[f"`{option.replace('-', '_')}`",
             f"`{default.replace(HOME, '~')}`" if default else "–", meaning]
            for option, default, meaning, _ in settings]
    return {"settings": table(["Setting", "Default", "Meaning"], rows)}
