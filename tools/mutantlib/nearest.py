# The tests that are nearest to a file, for operators, which name none.
#
# A file uses another when it includes its header, or has the name of an SQL function that the other
# makes (as gapless.name); who writes a table uses the functions of its triggers; a .cpp is used by
# who includes a header beside it that it includes, too, and that shares a word of its name. The
# nearest test is the one with the file's own
# name; then the one that uses it through the fewest others; among equals the one whose name shares
# most words with the file's; then the one that uses most. Behind those come tests that use nothing
# of it: those of its folder and of whole programs, first those that share a word.
import collections
import functools
import pathlib
import re

from harness.processes import root
from mutantlib import naming

MADE = re.compile(r"create (?:or replace )?(?:function|procedure)\s+gapless\.(\w+)", re.IGNORECASE)
TRIGGER = re.compile(r"create or replace trigger \w+\s[^;]*?\son\s+gapless\.(\w+)[^;]*?"
                     r"execute function gapless\.(\w+)", re.IGNORECASE)
WRITTEN = re.compile(r"(?:insert into|update|delete from|truncate)\s+gapless\.(\w+)", re.IGNORECASE)
NAMED = re.compile(r"gapless\.(\w+)")
INCLUDED = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
LOADED = re.compile(r"\b(\w+\.sql)\b")
NO_WORDS = {"test", "core", "handlers", "commands", "command", "store", "service", "cli", "sql",
            "json", "report", "of", "the", "lists", "list"}
distance_max = 8


def words_of(file):
    words = pathlib.PurePath(file).stem.replace("-", "_").split("_")
    return {word.rstrip("s") for word in words} - NO_WORDS


def sources():
    """{file: text} of all that uses or is used."""
    places = [("sql", "*.sql"), ("src", "*.?pp"), ("tests", "*.?pp"), ("tests/specs", "*.*")]
    found = {path for folder, name in places for path in (root / folder).rglob(name)
             if "expected" not in path.parts and path.is_file()}
    return {str(path.relative_to(root)): path.read_text("utf-8", "replace")
            for path in sorted(found)}


def uses_of(texts):
    """{file: [the files that it uses, with repetitions]}"""
    maker = {name: file for file, text in texts.items() if file.startswith("sql/")
             for name in MADE.findall(text)}
    on_write = collections.defaultdict(set)
    for text in texts.values():
        for table, function in TRIGGER.findall(text):
            on_write[table].add(maker.get(function))
    uses = {}
    for file, text in texts.items():
        text = re.sub(r"^\s*(--|//).*$", "", text, flags=re.MULTILINE)
        used = [maker.get(name) for name in NAMED.findall(text)]
        used += [each for table in WRITTEN.findall(text) for each in on_write[table]]
        beside = pathlib.PurePath(file).parent
        used += [found for name in INCLUDED.findall(text)
                 for found in sorted({f"src/{name}", f"tests/{name}", f"{beside}/{name}"})
                 if found in texts]
        used += [each for each in (f"tests/specs/{name}" for name in LOADED.findall(text))
                 if file.startswith("tests/specs/") and each in texts]
        uses[file] = [each for each in used if each and each != file]
    return uses


def own_headers(file, text):
    """What a .cpp implements: the header of its name, or those like it."""
    headers = [f"src/{name}" for name in INCLUDED.findall(text)]
    same = file.removesuffix(".cpp") + ".hpp"
    if same in headers:
        return [same]
    return [each for each in headers if words_of(each) & words_of(file)
            and pathlib.PurePath(each).parent == pathlib.PurePath(file).parent]


@functools.cache
def users():
    """{file: Counter of the files that use it}"""
    found = collections.defaultdict(collections.Counter)
    texts = sources()
    for file, used in uses_of(texts).items():
        for each in used:
            found[each][file] += 1
    for file, text in texts.items():
        if file.startswith("src/") and file.endswith(".cpp"):
            found[file].update(own_headers(file, text))
    return found


def distances(file):
    """{file: (over how many others it uses the first, how often the nearest of them)}"""
    found, row = {file: (0, 0)}, [file]
    for distance in range(1, distance_max):
        following = collections.Counter()
        for each in row:
            for user, times in users()[each].items():
                if user not in found:
                    following[user] += times
        found |= {user: (distance, times) for user, times in following.items()}
        row = list(following)
    return found


def is_beside(file, source):
    """Whether a test is in the folder of tests that belongs to the file's own."""
    return pathlib.PurePath(file).parent.name in pathlib.PurePath(source).parts


def rank(file, reached, source, test):
    """None: it has nothing to do with the file"""
    shared = len(words_of(file) & words_of(source))
    if pathlib.PurePath(source).stem == pathlib.PurePath(file).stem + "_test":
        return 0, 0, 0, source
    if source in reached:
        distance, times = reached[source]
        return distance, -shared, -times, source
    if test.whole or is_beside(file, source):
        return distance_max, -shared, test.whole, source
    return None


@functools.cache
def ranked(file):
    """The tests of a commit by their files, nearest first -> [naming.Test]"""
    reached = distances(file)
    ranks = {source: found for source, test in naming.by_file().items()
             if (found := rank(file, reached, source, test))}
    return [naming.by_file()[source] for source in sorted(ranks, key=ranks.get)]
