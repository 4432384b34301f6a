# Tokens of C++ and of SQL: comments and white space are left out, a string is one token.
import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Token:
    kind: str  # word, number, string, symbol
    text: str
    begin: int  # place in the file
    end: int
    spaced: bool  # white space on both sides: in C++ a binary operator, by clang-format


SQL = re.compile(r"""
    (?P<skip>\s+|--[^\n]*|/\*.*?\*/)
  | (?P<string>[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*")
  | (?P<dollar>\$(?:[A-Za-z_]\w*)?\$)
  | (?P<number>\d+(?:\.\d+)?|\$\d+)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<symbol><=|>=|<>|!=|\|\||::|:=|=>|->>|->|@>|<@|&&|<<|>>|.)
""", re.VERBOSE | re.DOTALL)

CPP = re.compile(r"""
    (?P<skip>\s+|//(?:\\\n|[^\n])*|/\*.*?\*/|^[ \t]*\#(?:\\\n|[^\n])*)
  | (?P<string>(?:u8|[uUL])?R"(?P<fence>[^()\s\\]*)\(.*?\)(?P=fence)"
              |(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*"(?:_?\w+)?|(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
  | (?P<number>\.?\d(?:'?[\w.])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<symbol><=>|<<=|>>=|->\*|\.\.\.|<=|>=|==|!=|&&|\|\||::|->|\+\+|--|<<|[-+*/%&|^]=|.)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)


def token_of(found, text):
    begin, end = found.span()
    spaced = text[begin - 1:begin].isspace() and text[end:end + 1].isspace()
    return Token(found.lastgroup, found.group(), begin, end, spaced)


def kinds(pattern, text):
    """Every match of the pattern whose kind is not "skip"; `lastgroup` is its kind."""
    return (found for found in pattern.finditer(text) if found.lastgroup != "skip")


def cpp_tokens(text):
    return [token_of(found, text) for found in kinds(CPP, text)]


def sql_tokens(text):
    """The quotes of a function's body are symbols, so that its text is tokens, too; a text in
    dollars within it is a string."""
    tokens, place, body = [], 0, None
    while found := SQL.match(text, place):
        place = found.end()
        if found.lastgroup == "skip":
            continue
        if found.lastgroup != "dollar":
            tokens.append(token_of(found, text))
        elif body is None or body == found.group():
            body = found.group() if body is None else None
            tokens.append(Token("symbol", "$$", *found.span(), False))
        else:
            end = text.find(found.group(), place)
            place = len(text) if end < 0 else end + len(found.group())
            tokens.append(Token("string", text[found.start():place], found.start(), place, False))
    return tokens


OPENING = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def end_of(tokens, begin, ends):
    """The place of the first token from `begin` on, outside of brackets opened there, whose text is
    in `ends` or that closes what was open before."""
    depth = 0
    for place in range(begin, len(tokens)):
        text = tokens[place].text
        if depth == 0 and text.lower() in ends:
            return place
        depth += OPENING.get(text, 0) if tokens[place].kind == "symbol" else 0
        if depth < 0:
            return place
    return len(tokens)


def match_of(tokens, begin):
    """The place of the bracket that closes the one at `begin`."""
    return end_of(tokens, begin + 1, ())
