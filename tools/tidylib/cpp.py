# What must not be in C++ of ours, though it compiles.
import re

from tidylib.tree import line_of

# A pattern, and what to use instead. What clang-tidy knows is in .clang-tidy.
FORBIDDEN = [
    (r"\bstd::(stoi|stol|stoll|stoul|stoull)\s*\(", "accepts trailing text: use std::from_chars"),
    (r"\bassert\s*\(", "assert vanishes in release builds: use ensure"),
    (r"\.detach\s*\(\s*\)", "a detached thread cannot be joined at the end"),
]


def check_cpp(text):
    for number, line in enumerate(text.splitlines(), 1):
        code = re.sub(r'//.*|"(\\.|[^"\\])*"', "", line)
        yield from ((number, why) for pattern, why in FORBIDDEN if re.search(pattern, code))


def check_awaits(text):
    """g++ 12 destroys captures and aggregates twice when they stand inside a co_await."""
    text = re.sub(r"//[^\n]*", "", text)
    for await_ in re.finditer(r"\bco_await\b", text):
        expression = text[await_.start():text.find(";", await_.start())]
        line = line_of(text, await_.start())
        if re.search(r"[(,]\s*\[[^\]&\s][^\]]*\]\s*(\(|\{|mutable)", expression):
            yield line, "a lambda with captures inside co_await: name it on the line above"
        if re.search(r"[(,\w]\s*\{\s*\.\w+\s*=", expression):
            yield line, "an aggregate inside co_await: name it on the line above"
