# A function fits on a screen. Blank lines, comments and docstrings do not count.
import ast
import re

CODE_LINES_MAX = 70

NO_FUNCTION = re.compile(r"\b(namespace|struct|class|enum|union|TEST_SUITE)\b")


def counted(lines, comment):
    return sum(1 for line in lines if line.strip() and not line.strip().startswith(comment))


def head_of(lines, brace):
    """The words before a brace: back to the end of what came before."""
    first = brace
    while first > 0 and lines[first - 1].strip() and not re.search(r"[;{}:]$", lines[first - 1]):
        first -= 1
    words = (line.strip() for line in lines[first:brace])
    return " ".join(line for line in words if not line.startswith("//"))


def cpp_functions(text):
    """Yields (line, name, lines of code) of functions in the style of clang-format."""
    lines = text.splitlines()
    brace = 0
    while brace < len(lines):
        opens = re.match(r"( *)\{$", lines[brace])
        head = head_of(lines, brace) if opens else ""
        if not opens or not head or NO_FUNCTION.search(head.split("(")[0]):
            brace += 1
            continue
        end = brace + 1
        while end < len(lines) and not re.match(opens[1] + r"\}", lines[end]):
            end += 1
        named = re.search(r'^TEST_CASE\w*\(.*?"(.*)"', head) or re.search(r"([\w~]+)\s*\(", head)
        if named:
            yield brace + 1, named[1], counted(lines[brace:end + 1], "//")
        brace = end


def python_functions(text):
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.lineno - 1
            body = counted(lines[first:node.end_lineno], "#")
            if ast.get_docstring(node):
                body -= node.body[0].end_lineno - node.body[0].lineno + 1
            yield node.lineno, node.name, body


def check_lengths(functions):
    """Yields a line and why for functions that are too long."""
    for line, function, length in functions:
        if length > CODE_LINES_MAX:
            yield line, f"{function} has {length} lines of code, {CODE_LINES_MAX} at most"
