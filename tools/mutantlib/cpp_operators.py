# The slips of C++: in the bodies of functions, and constants outside of them.
#
# Each generator yields (first, last, text, what): tokens[first:last] become the text.
from mutantlib.tokens import end_of, match_of

# Only with blanks around them: without, they are brackets of templates, references, signs.
SPACED = {
    "<": (("<=", "bound"), (">=", "negated")), "<=": (("<", "bound"), (">", "negated")),
    ">": ((">=", "bound"), ("<=", "negated")), ">=": ((">", "bound"), ("<", "negated")),
    "==": (("!=", "equality"),), "!=": (("==", "equality"),),
    "+": (("-", "arithmetic"),), "-": (("+", "arithmetic"),), "*": (("/", "arithmetic"),),
    "+=": (("-=", "arithmetic"),), "-=": (("+=", "arithmetic"),),
    "&&": (("||", "logic"),), "||": (("&&", "logic"),),
}
WORDS = {"true": ("false", "constant"), "false": ("true", "constant"),
         "min": ("max", "swapped"), "max": ("min", "swapped")}
NOTHING = "(void)0"  # an empty statement below an if is an error
CONTAINERS = {"namespace", "class", "struct", "union", "enum"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "|=", "&="}
LEADING = {"throw", "co_await", "break", "continue", "return", "co_return", "delete"}
CONTROL = {"if", "for", "while", "switch", "do", "else", "case", "default", "try", "catch",
           "using", "static_assert", "goto", "typedef"}


def functions(tokens):
    """(name, its edits) for each function with a body; ("", constants) for what is around."""
    head, place = 0, 0  # of the declaration at `place`; what a namespace or a class opens is passed
    while place < len(tokens):
        text = tokens[place].text
        if text == "{" and not opens_container(tokens[head:place]):
            end = min(match_of(tokens, place), len(tokens) - 1)
            declared = tokens[head:place]
            if initializes(declared):  # a member, or a variable
                place = end + 1
                continue
            yield name_of(declared), list(edits(tokens, place + 1, end))
            head = place = end + 1
            continue
        if text in ("{", "}", ";"):
            if text == ";" and any(token.text == "constexpr" for token in tokens[head:place]):
                yield "", [e for p in range(head, place) for e in constants(tokens, p)]
            head = place + 1
        place += 1


def opens_container(declared):
    """`declared`: what stands before a {"""
    texts = [token.text for token in declared]
    if "extern" in texts and texts[-1:] == ['"C"']:
        return True
    return "(" not in texts and bool(CONTAINERS.intersection(texts))


def initializes(declared):
    """Whether the { after these begins a value and no body."""
    texts = [token.text for token in declared]
    if "(" not in texts or "=" in texts[:texts.index("(")]:
        return "]" not in texts  # a lambda is a body
    listed = any(pair == (")", ":") for pair in zip(texts, texts[1:]))
    return listed and declared[-1].kind == "word"  # of a constructor


def name_of(declared):
    """The last names before the first bracket: f, folder::f, type::operator"""
    place = next((p for p, token in enumerate(declared) if token.text == "("), len(declared))
    names = []
    while place > 0 and (declared[place - 1].kind == "word" or declared[place - 1].text in "::~"):
        place -= 1
        if names and declared[place].kind == "word" and names[0] not in ("::", "~"):
            break
        names.insert(0, declared[place].text)
    return "".join(names)


def edits(tokens, begin, end):
    for place in range(begin, end):
        yield from constants(tokens, place)
        yield from swaps(tokens, place)
        yield from negations(tokens, place)
        yield from removed_statements(tokens, place, begin, end)


def constants(tokens, place):
    token = tokens[place]
    digits = token.text.replace("'", "")
    if token.kind == "number" and digits.isdigit() and (digits == "0" or digits[0] != "0"):
        yield place, place + 1, str(int(digits) + 1), "constant"
        if digits != "0":
            yield place, place + 1, str(int(digits) - 1), "constant"


def swaps(tokens, place):
    token = tokens[place]
    if token.kind == "word" and token.text in WORDS:
        if token.text in ("true", "false") or tokens[place - 1].text == "::":
            yield place, place + 1, *WORDS[token.text]
    elif token.kind == "symbol" and token.spaced:
        for text, what in SPACED.get(token.text, ()):
            yield place, place + 1, text, what


def negations(tokens, place):
    """Not of a single comparison or negation: what changes that turns it round."""
    text = tokens[place].text
    if text == "!" and tokens[place].kind == "symbol":
        yield place, place + 1, "", "negated"
    elif text == "if" and tokens[place + 1].text == "(":
        last = match_of(tokens, place + 1)
        first = max([p + 1 for p in range(place + 1, last) if tokens[p].text == ";"],
                    default=place + 2)
        condition = tokens[first:last]
        texts = {token.text for token in condition if token.spaced}
        single = condition[0].text == "!" or texts.intersection(SPACED)
        if not declares(condition) and (texts & {"&&", "||"} or not single):
            code = " ".join(token.text for token in condition)
            yield first, last, f"!({code})", "negated"


def declares(statement):
    """Two words side by side, or a word after a type: auto x, int& x, list<int> x"""
    for before, token in zip(statement, statement[1:]):
        if token.kind == "word" and before.text not in LEADING:
            type_before = before.text in (">", "&", "*", "&&") and not before.spaced
            if before.kind == "word" or type_before:
                return True
        if before.text in ("(", "{", "["):
            return False
    return False


def removed_statements(tokens, place, begin, end):
    """Calls, assignments, throw, break and the like; a declaration would only not compile."""
    first, before = tokens[place], tokens[place - 1].text
    if place > begin and before not in (";", "{", "}", "else", ")"):
        return
    if first.text in CONTROL or first.kind != "word" and first.text not in ("++", "--"):
        return
    last = end_of(tokens, place, {";"})
    statement = tokens[place:last]
    if first.text in ("return", "co_return") and last + 1 == end:
        return  # the function's answer
    if last >= len(tokens) or tokens[last].text != ";" or declares(statement):
        return
    calls = tokens[last - 1].text == ")" and any(token.text == "(" for token in statement)
    assigns = any(token.text in ASSIGNMENTS for token in statement)
    if first.text in LEADING or calls or assigns or first.text in ("++", "--"):
        yield place, last, NOTHING, "removed"
