"""Reads the corpus: requests with the answers they have to get, and JSON texts.

requests/*.txt, a case in two lines or more, `#` begins a comment:

  = what is tried | where it is laid down | ANSWER, ANSWER ... | stays
  GET /livez HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n

Lines of a request are joined without the line end. ANSWER is a status; behind one from 400 on the
problem's type (about:blank: blank) and `executed`; behind another one `replayed` where the answer
is a replay, `bodyless` where none has a body. The last column says what becomes of the connection:
`closes` or `stays`; then `ends`: the client stops sending behind the request.

json/*.txt, a text a line: `201 | {"count":1}` or `malformed-request | {`.

In both <name> stands for a value (see values below), <3*ab> for ababab, <e2 82 ac> for bytes;
requests know \\r \\n \\t \\\\ and \\x7f besides.
"""
import dataclasses
import pathlib
import re

here = pathlib.Path(__file__).resolve().parent
host = b"Host: localhost\r\n"
witness = b"GET /witness HTTP/1.1\r\n" + host + b"\r\n"  # stands behind a request; answered 404

escapes = {b"\\r": b"\r", b"\\n": b"\n", b"\\t": b"\t", b"\\\\": b"\\"}
problems = {
    "malformed-request": 400, "idempotency-key-missing": 400, "unauthenticated": 401,
    "unknown-series": 404, "unknown-number": 404, "not-found": 404, "method-not-allowed": 405,
    "block-overlap": 409, "unsupported-media-type": 415, "idempotency-key-reused": 422,
    "out-of-range": 422}


@dataclasses.dataclass(eq=False)
class Answer:
    status: int
    problem: str = None  # of a status from 400 on; "blank": about:blank
    executed: str = None
    replayed: bool = False
    bodyless: bool = False


@dataclasses.dataclass(eq=False)
class Case:
    name: str
    place: str  # file and line
    request: bytes
    answers: list
    closes: bool = False
    ends: bool = False
    json_text: bytes = None

    @property
    def sent(self):
        """All that is sent: behind the request a witness, unless the client stops sending."""
        return self.request if self.ends else self.request + witness

    @property
    def expected(self):
        """All answers, the witness's included."""
        seen = [] if self.closes or self.ends else [Answer(404, "not-found", "no")]
        return self.answers + seen


def values_of(token, key):
    values = {"token": token.encode(), "key": key.encode()}
    values["get"] = b"GET /livez HTTP/1.1\r\n" + host
    values["host"] = host
    values["auth"] = b"Authorization: Bearer " + values["token"] + b"\r\n"
    values["post"] = b"POST /v1/series/guard/numbers HTTP/1.1\r\n" + host
    values["key-line"] = b"Idempotency-Key: " + values["key"] + b"\r\n"
    values["json"] = b"Content-Type: application/json\r\n"
    values["issue"] = values["post"] + values["auth"] + values["key-line"] + values["json"]
    return values


def expand(text, values, with_backslashes):
    """The bytes a line of the corpus stands for."""

    def unescape(raw):
        if not with_backslashes:
            return raw
        return re.sub(rb"\\(?:x([0-9a-f]{2})|.)", lambda found: bytes.fromhex(
            found.group(1).decode()) if found.group(1) else escapes[found.group()], raw)

    def replaced(found):
        inside = found.group(1)
        if again := re.fullmatch(rb"(\d+)\*(.*)", inside, re.DOTALL):
            return unescape(again.group(2)) * int(again.group(1))
        if re.fullmatch(rb"[0-9a-f]{2}( [0-9a-f]{2})*", inside):
            return bytes.fromhex(inside.decode())
        return values[inside.decode()]

    parts = re.split(rb"(<[^>]*>)", text.encode())
    return b"".join(
        re.sub(rb"<([^>]*)>", replaced, part) if n % 2 else unescape(part)
        for n, part in enumerate(parts))


def read_answer(text):
    words = text.split()
    status = int(words[0])
    if status >= 400:
        assert len(words) in (3, 4) and words[2] in ("no", "unknown"), text
        assert words[1] == "blank" or problems.get(words[1], status) == status, text
        return Answer(status, words[1], words[2], bodyless="bodyless" in words[3:])
    assert set(words[1:]) <= {"replayed", "bodyless"}, text
    return Answer(status, replayed="replayed" in words, bodyless="bodyless" in words)


def read_requests(token):
    """All cases of requests/."""
    cases = []
    for path in sorted((here / "requests").glob("*.txt")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            place = f"{path.name}:{number}"
            if line.startswith("= "):
                name, clause, answers, then = (part.strip() for part in line[2:].split(" | "))
                words = then.split(", ")
                assert words[0] in ("closes", "stays") and clause, place
                assert set(words[1:]) <= {"ends"}, place
                values = values_of(token, f"request-{len(cases)}")
                cases.append(Case(
                    name, place, b"", [read_answer(each) for each in answers.split(", ") if each],
                    closes=words[0] == "closes", ends="ends" in words))
            elif line and not line.startswith("#"):
                cases[-1].request += expand(line, values, True)
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), sorted(n for n in names if names.count(n) > 1)
    requests = [re.sub(rb"request-\d+", b"", case.sent) for case in cases]
    doubled = [case.name for case, sent in zip(cases, requests) if requests.count(sent) > 1]
    assert not doubled, doubled
    return cases


def read_json_texts(token):
    """All texts of json/, each as a request to issue."""
    cases = []
    for path in sorted((here / "json").glob("*.txt")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            outcome, text = line.split(" | ", 1)
            values = values_of(token, f"json-{len(cases)}")
            body = expand(text, values, False)
            head = values["issue"] + b"Content-Length: %d\r\n\r\n" % len(body)
            answer = Answer(201) if outcome == "201" else Answer(problems[outcome], outcome, "no")
            cases.append(Case(
                line, f"{path.name}:{number}", head + body, [answer], json_text=body))
    texts = [case.json_text for case in cases]
    assert len(set(texts)) == len(texts), [c.place for c in cases if texts.count(c.json_text) > 1]
    return cases
