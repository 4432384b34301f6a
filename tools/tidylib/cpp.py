# What must not be in C++ of ours, though it compiles.
import re

from tidylib.tree import line_of

# A pattern, and what to use instead.
FORBIDDEN = [
    (r"\b(std::)?s?rand\s*\(", "guessable: random bytes from OpenSSL, <random> in tests"),
    (r"\b(strcpy|strcat|sprintf|vsprintf|gets|strtok)\s*\(", "unbounded: std::string or fmt"),
    (r"\b(atoi|atol|atoll|atof)\s*\(", "cannot report an error: use std::from_chars"),
    (r"\bstd::(stoi|stol|stoll|stoul|stoull)\s*\(", "accepts trailing text: use std::from_chars"),
    (r"(?<![\w.:>])system\s*\(", "no shell from the programs"),
    (r"\busing namespace std\s*;", "using namespace std"),
    (r"\bassert\s*\(", "assert vanishes in release builds: use ensure"),
    (r"\.detach\s*\(\s*\)", "a detached thread cannot be joined at the end"),
    (r"\brobusttransaction\b", "robusttransaction hides the outcome of a COMMIT"),
]

# In files that make or read tokens: a secret comes from OpenSSL, never from a generator that can be
# guessed.
GUESSABLE = re.compile(r"#include <random>|\b(mt19937|random_device|default_random_engine)")


def check_failpoints(path, text):
    """What fails on demand is in decorators, which only builds with failpoints have."""
    for number, line in enumerate(text.splitlines(), 1):
        if line == '#include "base/failpoint.hpp"' and not path.name.startswith("fail"):
            yield number, "failpoints are for failing_wire and failing_socket only"


def check_cpp(path, text):
    if path.suffix == ".hpp" and not text.startswith("#pragma once\n"):
        yield 1, "a header starts with #pragma once"
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r"//.*", "", line)
        code = re.sub(r'"(\\.|[^"\\])*"', '""', code)
        for pattern, why in FORBIDDEN:
            if re.search(pattern, code):
                yield number, why
        if path.name.startswith("token") and "src" in path.parts and GUESSABLE.search(code):
            yield number, "guessable: secrets are random bytes from OpenSSL"


def check_awaits(_, text):
    """g++ 12 destroys captures and aggregates twice when they stand inside a co_await."""
    text = re.sub(r"//[^\n]*", "", text)
    for await_ in re.finditer(r"\bco_await\b", text):
        expression = text[await_.start():text.find(";", await_.start())]
        line = line_of(text, await_.start())
        if re.search(r"[(,]\s*\[[^\]&\s][^\]]*\]\s*(\(|\{|mutable)", expression):
            yield line, "a lambda with captures inside co_await: name it on the line above"
        if re.search(r"[(,\w]\s*\{\s*\.\w+\s*=", expression):
            yield line, "an aggregate inside co_await: name it on the line above"
