# The slips of SQL and PL/pgSQL: in the bodies of functions.
#
# Each generator yields (first, last, text, what): tokens[first:last] become the text.
from mutantlib.tokens import end_of, match_of

SWAPPED = {
    "<": (("<=", "bound"), (">=", "negated")), "<=": (("<", "bound"), (">", "negated")),
    ">": ((">=", "bound"), ("<=", "negated")), ">=": ((">", "bound"), ("<", "negated")),
    "=": (("<>", "equality"),), "<>": (("=", "equality"),), "!=": (("=", "equality"),),
    "+": (("-", "arithmetic"),), "-": (("+", "arithmetic"),),
    "and": (("or", "logic"),), "or": (("and", "logic"),),
    "true": (("false", "constant"),), "false": (("true", "constant"),),
    "min": (("max", "swapped"),), "max": (("min", "swapped"),),
    "least": (("greatest", "swapped"),), "greatest": (("least", "swapped"),),
    "desc": (("", "removed"),),
}
CLAUSES = {"where", "group", "order", "for", "returning", "limit", "offset", "union", "except",
           "intersect", "having", "window", "join", "left", "cross", "full", "into", "loop", "then",
           "else", "when", "end", "on", ";", "$$", ","}
CONJUNCT_ENDS = CLAUSES | {"and", "or"}
LOCKS = (["update"], ["share"], ["no", "key", "update"], ["key", "share"])
STATEMENTS = {"raise", "perform", "insert", "update", "delete", "execute", "call", "lock",
              "truncate", "exit", "continue", "select", "return"}
COMPARISONS = {"<", "<=", ">", ">=", "=", "<>", "!=", "is", "not"}
BEFORE_STATEMENT = {";", "begin", "then", "else", "loop"}


def low(tokens, place):
    return tokens[place].text.lower() if 0 <= place < len(tokens) else ""


def functions(tokens):
    """(name, its edits) for each function with a body, and each view."""
    name, language = "", "sql"
    place = 0
    while place < len(tokens):
        word = low(tokens, place)
        if word in ("function", "procedure") and low(tokens, place + 2) == ".":
            if low(tokens, place - 1) in ("replace", "create"):
                name = low(tokens, place + 3)
        elif word == "language":
            language = low(tokens, place + 1)
        elif word == "$$":
            end = end_of(tokens, place + 1, {"$$"})
            yield name, list(edits(tokens, place + 1, end, language))
            place = end
        place += 1


def edits(tokens, begin, end, language):
    code = begin
    if language == "plpgsql":  # what is declared has constants alone
        code = next((p for p in range(begin, end) if low(tokens, p) == "begin"), begin)
    for place in range(begin, end):
        yield from constants(tokens, place)
        if place < code:
            continue
        yield from swaps(tokens, place)
        yield from negations(tokens, place)
        yield from removed_conditions(tokens, place, end)
        yield from removed_locks(tokens, place)
        if language == "plpgsql":
            yield from removed_statements(tokens, place)


def constants(tokens, place):
    token = tokens[place]
    if token.kind == "number" and token.text.isdigit():
        yield place, place + 1, str(int(token.text) + 1), "constant"
        if token.text != "0":
            yield place, place + 1, str(int(token.text) - 1), "constant"


def is_operand(tokens, place):
    token = tokens[place]
    return token.kind in ("word", "number", "string") or token.text in (")", "]")


def is_assigned(tokens, place):
    """Whether the = at this place gives a value: set column = value, using detail = value"""
    depth = 0
    for before in range(place - 1, -1, -1):
        text = low(tokens, before)
        depth += {")": 1, "(": -1}.get(text, 0)
        if depth < 0 or text in (";", "where", "on", "and", "or", "if", "when", "select", "$$"):
            return False
        if depth == 0 and text in ("set", "using"):
            return True
    return False


def is_between(tokens, place):
    """Whether the AND at this place belongs to BETWEEN."""
    for before in range(place - 1, max(place - 12, -1), -1):
        if low(tokens, before) in ("and", "or", "where", "when", "if", ";"):
            return False
        if low(tokens, before) == "between":
            return True
    return False


def swaps(tokens, place):
    word = low(tokens, place)
    if word in ("+", "-") and not is_operand(tokens, place - 1):
        return
    if word in ("min", "max", "least", "greatest") and low(tokens, place + 1) != "(":
        return
    if word == "=" and is_assigned(tokens, place) or word == "and" and is_between(tokens, place):
        return
    for text, what in SWAPPED.get(word, ()) if tokens[place].kind != "string" else ():
        yield place, place + 1, text, what


def negations(tokens, place):
    word = low(tokens, place)
    if word == "not" and low(tokens, place - 1) != "is" and low(tokens, place + 1) != "null":
        yield place, place + 1, "", "negated"
    elif word == "is" and low(tokens, place + 1) == "not":
        yield place + 1, place + 2, "", "negated"
    elif word == "is" and low(tokens, place + 1) in ("null", "distinct", "true", "false"):
        yield place, place + 1, "is not", "negated"
    elif word in ("if", "elsif", "when", "while"):
        end = end_of(tokens, place + 1, {"then", "loop", ";"})
        if end - place > 2 or tokens[place + 1].kind == "word":  # no WHEN 'text' of a CASE
            yield from negated(tokens, place + 1, end)


def negated(tokens, first, last):
    """Not of a single comparison or negation: what changes that turns it round."""
    words = {low(tokens, place) for place in range(first, last)}
    if last < len(tokens) and (words & {"and", "or"} or not words & COMPARISONS):
        inside = " ".join(token.text for token in tokens[first:last])
        yield first, last, f"not ({inside})", "negated"


def conjunct_end(tokens, place):
    end = end_of(tokens, place, CONJUNCT_ENDS)
    while low(tokens, end) == "and" and is_between(tokens, end):
        end = end_of(tokens, end + 1, CONJUNCT_ENDS)
    return end


def removed_conditions(tokens, place, body_end):
    word = low(tokens, place)
    if word == "and" and not is_between(tokens, place):
        yield place, min(conjunct_end(tokens, place + 1), body_end), "", "removed"
    if word == "where":
        end = min(end_of(tokens, place + 1, CLAUSES), body_end)
        yield place, end, "", "removed"
    if word in ("where", "if", "elsif", "when", "on"):
        second = conjunct_end(tokens, place + 1)
        if low(tokens, second) == "and":
            yield place + 1, second + 1, "", "removed"


def removed_locks(tokens, place):
    if low(tokens, place) != "for":
        if low(tokens, place) in ("nowait", "skip") and low(tokens, place - 1) != ".":
            yield place, place + 1 + (low(tokens, place) == "skip"), "", "removed"
        return
    for strength in LOCKS:
        end = place + 1 + len(strength)
        if [low(tokens, p) for p in range(place + 1, end)] == strength:
            yield place, end_of(tokens, end, CLAUSES), "", "removed"


def removed_statements(tokens, place):
    if low(tokens, place - 1) not in BEFORE_STATEMENT:
        return
    if low(tokens, place) in STATEMENTS or assigns(tokens, place):
        end = end_of(tokens, place, {";"})
        if end > place:
            yield place, end, "null", "removed"


def assigns(tokens, place):
    """name := …, name.field := …, name[place] := …"""
    after = place + 1
    while low(tokens, after) in (".", "["):
        after = after + 2 if low(tokens, after) == "." else match_of(tokens, after) + 1
    return tokens[place].kind == "word" and low(tokens, after) == ":="
