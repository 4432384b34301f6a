#!/usr/bin/env python3
"""Asks a service for every answer that its OpenAPI document describes, and holds it to the schema.

  contract.py           fails where an answer differs from its schema, or was not asked for
  contract.py --show    and prints what was asked

An operation that is new needs a line in STORY: a request that succeeds. Where an answer has several
media types, it is asked for in each. The examples of the document have to fit as well.
"""
import contextlib
import datetime
import json
import pathlib
import re
import secrets
import sys
import tempfile

import jsonschema
from jsonschema.exceptions import best_match

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from harness import database
from harness.instance import Instance, exchange

TODAY = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
OWN = "/v1/series/own"
BILL = "number;amount\n1000;3,50\n1000;3,50\n900000;1,00\n"


def use_up(url):
    """As if numbers had been used each day of the last weeks, which makes a forecast."""
    database.psql(url, """
        set session_replication_role = replica;
        insert into gapless.consumption (series_id, day, numbers, next_ordinal)
        select c.series_id, gapless.day_of(now()) - ago, 40 + ago, c.next_ordinal
        from gapless.counter c, generate_series(1, 40) ago
        where c.series_id = (select series_id from gapless.series where name = 'own')""")


def forget(url):
    database.admin(url, "reference", "erase", "own", "order 2", "--reason", "asked", "--yes")


def tamper(url):
    """What verify finds, and a fence that stops the issuing."""
    database.psql(url, """
        begin;
        set local session_replication_role = replica;
        update gapless.counter set next_ordinal = next_ordinal + 1;
        commit;
        select gapless.fence_raise('the standby was promoted', 'dba')""")


LISTS = ("series", "formats", "carriers", "holds", "proposals", "tokens", "webhooks", "audit",
         "notices", "series/own/blocks", "series/own/leases", "series/own/issuances")
# In this order; {id} and {number} are those of the last answer that had some. With a status in
# front: a refusal.
STORY = [
    ("POST /v1/formats", {"name": "eight", "number": "{n:8}", "length": 8}),
    ("GET /v1/formats/eight",),
    ("GET /v1/formats/upu-s10",),
    ("POST /v1/series", {"name": "own", "carrier": "dhl", "low_water": 5,
                         "reuse_after": "12 months"}),
    ("POST /v1/series", {"name": "letters", "carrier": "post", "format": "gs1-sscc",
                         "params": {"ext": "3", "gcp": "4012345"}}),
    ("PATCH /v1/series/letters", {"on_release": "void"}),
    ("GET /v1/series/letters/issuances?first_number=34012345000000001"
     "&last_number=34012345000000009",),
    # Blocks
    (f"POST {OWN}/blocks?dry_run=true", {"first": "1000", "last": "1899"}),
    (f"POST {OWN}/blocks", {"first": "1000", "last": "1899", "reference": "letter 7",
                            "valid_until": "2099-12-31"}),
    (f"GET {OWN}/blocks/{{id}}",),
    (f"409 POST {OWN}/blocks", {"first": "50000", "last": "50099"}),
    (f"POST {OWN}/blocks?confirm_warnings=other-length", "first,last\n60000,60099\n"),
    (f"POST {OWN}/blocks", "first,last\n2000,2099\n2100,2199\n"),
    (f"422 POST {OWN}/blocks", "first,last\n700,7x9\n"),
    (f"409 POST {OWN}/blocks", {"first": "1000", "last": "1899"}),
    (f"POST {OWN}/blocks", {"first": "3000", "last": "3099"}),
    (f"POST {OWN}/blocks/{{id}}/move", {"last": True}),
    (f"POST {OWN}/blocks/{{id}}/close", {"reason": "not needed"}),
    (f"POST {OWN}/blocks", {"first": "4000", "last": "4099"}),
    (f"POST {OWN}/blocks/{{id}}/recall", {"reason": "rejected"}),
    (f"POST {OWN}/blocks", {"first": "50000", "last": "50099",
                            "confirm_warnings": ["other-length"]}),
    (f"POST {OWN}/blocks/{{id}}/withdraw", {"reason": "wrong series"}),
    # Numbers
    (f"POST {OWN}/numbers", {"count": 3, "reference": "order 1"}),
    ("GET /v1/issuances/{id}",),
    ("GET /v1/issuances/{id}/labels.zpl",),
    (f"POST {OWN}/numbers", {"count": 4, "hold_seconds": 600, "reference": "order 2"}),
    ("POST /v1/issuances/{id}/confirm", {"ranges": [{"first": "1003", "last": "1003"}]}),
    ("POST /v1/issuances/{id}/release", {"ranges": [{"first": "1004", "last": "1004"}]}),
    ("POST /v1/issuances/{id}/release", {}),
    ("GET /v1/issuances/{id}",),
    (f"POST {OWN}/numbers", {"hold_seconds": 600}),
    ("POST /v1/issuances/{id}/release", {}),
    ("409 POST /v1/issuances/{id}/confirm", {}),
    (f"422 POST {OWN}/numbers", {"count": 100_001}),
    (f"401 POST {OWN}/numbers", {}, "nobody"),
    (f"POST {OWN}/numbers", {"hold_seconds": 600, "reference": "order 2"}),
    (forget,),
    ("GET /v1/issuances/{id}",),
    (f"POST {OWN}/events", {"kind": "printed", "ranges": [{"first": "1000", "last": "1001"}]}),
    (f"POST {OWN}/events", {"kind": "voided", "reason": "torn",
                            "ranges": [{"first": "1001", "last": "1001"}]}),
    *((f"GET {OWN}/numbers/{number}",) for number in (1000, 1001, 1003, 1004, 1005, 1899, 4000)),
    ("GET /v1/numbers/1000",),
    ("POST /v1/series", {"name": "twin", "carrier": "other"}),
    ("POST /v1/series/twin/blocks", {"first": "1000", "last": "1009"}),
    ("409 GET /v1/numbers/1000",),
    *((f"GET {OWN}/numbers/1000/barcode.{picture}",) for picture in ("svg", "zpl")),
    (f"POST {OWN}/reconcile", BILL),
    (f"GET {OWN}/days/{TODAY}",),
    (f"POST {OWN}/manifests", {"date": TODAY}),
    (f"POST {OWN}/manifests", {"date": TODAY}),
    (f"GET {OWN}/days/{TODAY}",),
    (f"GET {OWN}/manifests/{TODAY}",),
    ("404 GET /v1/series/missing",),
    ("PATCH /v1/series/letters", {"paused": True, "paused_reason": "the printer is away"}),
    ("PATCH /v1/series/letters", {"paused": False}),
    (use_up,),
    (f"GET {OWN}",),
    (f"GET {OWN}/consumption",),
    (f"PATCH {OWN}", {"reserve_numbers": 20}),
    (f"GET {OWN}/leases",),
    (f"GET {OWN}/numbers/1010",),
    # Two people load blocks of a carrier
    ("GET /v1/carriers/post",),
    ("PATCH /v1/carriers/post", {"lead_days": 9, "four_eyes": True, "contact": "0228 1"}),
    ("POST /v1/series/letters/blocks", {"first_serial": "100", "last_serial": "199"}),
    ("GET /v1/proposals/{id}",),
    ("POST /v1/proposals/{id}/confirm", {}, "second"),
    ("POST /v1/series/letters/blocks", {"first_serial": "300", "last_serial": "301",
                                        "confirm_warnings": ["other-size"]}),
    ("POST /v1/proposals/{id}/reject", {}, "second"),
    ("GET /v1/proposals?state=rejected",),
    ("PATCH /v1/carriers/post", {"four_eyes": False}),
    ("POST /v1/series/letters/numbers", {"hold_seconds": 600, "reference": "order 3"}),
    ("GET /v1/series/letters/numbers/{number}",),
    ("GET /v1/series/letters/numbers/34012345000000100",),  # without its check digit
    # Access
    ("POST /v1/tokens", {"name": "shop", "scopes": ["issue"], "series": ["own"], "rate": 5,
                         "burst": 9, "daily_quota": 1000, "expires_at": "2099-12-31"}),
    (f"POST {OWN}/numbers", {"count": 2}, "latest"),
    (f"429 POST {OWN}/numbers", {"count": 999}, "latest"),  # of a daily quota of 1000
    ("GET /v1/session", None, "latest"),
    ("DELETE /v1/tokens/{id}",),
    ("POST /v1/session", {"token": "first"}),
    ("GET /v1/session",),
    ("DELETE /v1/session",),
    # Webhooks
    ("POST /v1/webhooks", {"url": "https://other.invalid/", "series": ["own"]}),
    ("DELETE /v1/webhooks/{id}",),
    ("POST /v1/webhooks", {"url": "https://other.invalid/", "series": ["own"]}),
    ("POST /v1/webhooks", {"url": "https://receiver.invalid/", "series": ["own"],
                           "kinds": ["series.low"], "authorization": "Bearer x"}),
    ("GET /v1/webhooks/{id}",),
    ("POST /v1/webhooks/{id}/retry", {"after": "0"}),
    *((f"POST /v1/webhooks/{{id}}/{act}", {}) for act in ("rotate", "retry", "test")),
    *((f"GET /v1/{name}",) for name in LISTS),
    *((f"GET /v1/{name}?limit=1",) for name in LISTS),
    ("GET /v1/series?carrier=dhl&state=active&q=OWN",),
    ("422 GET /v1/series?state=gone",),
    ("GET /v1/notices?after=999999999",),  # of no notice here: reset
    # The service itself
    ("GET /livez",), ("GET /readyz",), ("GET /metrics",), ("GET /openapi.json",), ("GET /",),
    ("GET /problems/on-lease",), ("GET /page/parts/blocks.js",),
    (tamper,),
    ("GET /v1/verify/own",),
    ("503 GET /readyz",),
    (f"503 POST {OWN}/numbers", {}),
]
# What the service does by itself, a moment later: whether an answer shows it.
WAITED_FOR = {
    "GET /v1/series/own/leases": lambda said: said["items"],
    "GET /v1/notices": lambda said: said["items"][1:],
    "503 GET /readyz": lambda said: said["fenced"],
}
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
# What no answer of the story shows.
RARE = {
    "ListedLeaseList.next", "Issuance.reserve", "NewToken.revoked_at", "Problem.lang",
    *(f"{webhook}.{member}" for webhook in ("Webhook", "NewWebhook")
      for member in ("last_delivered_at", "last_error", "next_attempt_at", "tested_at",
                     "test_status")),
}


def read_moment(value):
    """Of the format date-time; ValueError where it is none."""
    if isinstance(value, str) and not MOMENT.fullmatch(value):
        raise ValueError(f"{value} is no moment")
    return True


def close(node):
    """No object has members that the document does not declare."""
    if isinstance(node, dict):
        if "properties" in node:
            node.setdefault("additionalProperties", False)
        for member in node.values():
            close(member)
    elif isinstance(node, list):
        for item in node:
            close(item)


class Contract:
    """The document, and what of it was met."""

    def __init__(self, document):
        self.document = document
        close(document)
        self.met = set()  # "GET /v1/series 200 application/json", "Series.name"
        self.schemas = document["components"]["schemas"]
        self.names = {id(schema): name for name, schema in self.schemas.items()}
        self.patterns = [(re.compile(re.sub(r"{\w+}", "[^/]+", path)), path)
                         for path in sorted(document["paths"], key=lambda path: path.count("{"))]
        formats = jsonschema.FormatChecker()
        formats.checks("date-time", ValueError)(read_moment)
        judge_members = jsonschema.Draft202012Validator.VALIDATORS["properties"]

        def note(validator, members, value, schema):
            if isinstance(value, dict):
                self.met |= {f"{self.names.get(id(schema))}.{name}"
                             for name, member in value.items() if member not in (None, [])}
            return judge_members(validator, members, value, schema)

        self.formats = formats
        self.noting = jsonschema.validators.extend(
            jsonschema.Draft202012Validator, {"properties": note})

    def misfit(self, schema, value, judge):
        """-> where a value differs from a schema; empty: nowhere"""
        whole = schema | {"components": self.document["components"]}
        fault = best_match(judge(whole, format_checker=self.formats).iter_errors(value))
        return f"at {fault.json_path}: {fault.message}" if fault else ""

    def described(self, method, target, status):
        """-> the name of what was asked, and what the document says of this answer or None"""
        path = next(path for pattern, path in self.patterns
                    if pattern.fullmatch(target.partition("?")[0]))
        answers = self.document["paths"][path][method.lower()]["responses"]
        answer = answers.get(str(status))
        if answer and "$ref" in answer:
            answer = self.document["components"]["responses"][answer["$ref"].split("/")[-1]]
        return f"{method} {path} {status}", answer

    def faults(self, method, target, status, kind, body):
        """Yields where an answer differs from the document."""
        name, answer = self.described(method, target, status)
        if answer is None:
            yield f"{name}: the document has no such status"
            return
        content = answer.get("content", {})
        self.met.add(f"{name} {kind if content else None}")
        if (body or content) and kind not in content:
            yield f"{name}: the document has {list(content)}, not {kind}"
        elif kind.endswith("json"):
            if fault := self.misfit(content[kind]["schema"], json.loads(body), self.noting):
                yield f"{name}: {fault}"
        elif example := content.get(kind, {}).get("example"):
            columns = example.splitlines()[0]
            if not body.decode().startswith(columns + "\n"):
                yield f"{name}: it does not begin with {columns}"

    def kinds(self, method, target, status):
        """The media types in which one may ask for an answer."""
        _, answer = self.described(method, target, status)
        return set((answer or {}).get("content", ()))

    def unmet(self):
        """What the document has of answers, and no answer showed."""
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                names = {f"{method.upper()} {path} {status} {kind}"
                         for status, answer in operation["responses"].items() if status < "400"
                         for kind in answer.get("content", [None])}
                yield from names - self.met
        for name, schema in self.schemas.items():
            members = {f"{name}.{member}" for member in schema.get("properties", ())}
            if members & self.met:  # else it is of requests
                yield from members - self.met - RARE

    def bad_examples(self):
        """Yields what is wrong with examples."""
        rest = [self.document]
        while rest:
            node = rest.pop()
            if isinstance(node, dict) and {"schema", "example"} <= node.keys():
                fault = self.misfit(
                    node["schema"], node["example"], jsonschema.Draft202012Validator)
                if fault:
                    yield f"example {json.dumps(node['example'])[:60]}: {fault}"
            if isinstance(node, (dict, list)):
                rest.extend(node.values() if isinstance(node, dict) else node)


class Client:
    def __init__(self, url, port):
        self.port, self.told = port, {}
        self.tokens = {name: database.create_token(url, name) for name in ("first", "second")}

    def ask(self, method, target, body=None, who="first", **fields):
        """With a new key -> (method, target, status, media type, body)"""
        self.asked = method, target, body, who, self.told
        self.key = secrets.token_hex(16)
        return self.again(**fields)

    def again(self, **fields):
        """The last request once more, with its key and these header fields."""
        method, target, body, who, told = self.asked
        target = target.format(**told)
        if isinstance(body, dict) and "token" in body:
            body = {"token": self.tokens[body["token"]]}
        status, kind, said = exchange(
            self.port, method, target, self.tokens.get(who, "none"), body,
            fields | ({} if body is None else {"Idempotency-Key": self.key}))
        if kind == "application/json" and target != "/openapi.json":
            told = json.loads(said)
            self.told = self.told | ({"id": told["id"]} if told.get("id") else {})
            self.told |= {"number": told["numbers"][0]} if told.get("numbers") else {}
            self.tokens |= {"latest": told["token"]} if told.get("token") else {}
        return method, target, status, kind, said


def play(contract, url, instance):
    """Yields what is wrong."""
    client = Client(url, instance.port)
    for request, *body_and_who in STORY:
        if callable(request):
            request(url)
            continue
        *refusal, method, target = request.split(" ")
        if shows := WAITED_FOR.get(request):
            instance.wait_for(lambda: shows(json.loads(client.ask(method, target)[-1])),
                              told=lambda: f"{request} does not show it")
        answer = client.ask(method, target, *body_and_who)
        if "--show" in sys.argv:
            print(*answer)
        if answer[2] not in (map(int, refusal) if refusal else range(200, 300)):
            yield f"{request}: {answer[2]} {answer[-1].decode()}"
        yield from contract.faults(*answer)
        for kind in sorted(contract.kinds(*answer[:3]) - {answer[3]}):
            yield from contract.faults(*client.again(Accept=kind))


@contextlib.contextmanager
def as_service(url):
    """-> the URL for a role with the rights of gaplessd and no other, as the guides have it"""
    name = f"gaplessd_{secrets.token_hex(4)}"
    database.psql(url, f"create role {name} login password 'test' in role gapless_service")
    try:
        yield re.sub("//[^@]*@", f"//{name}:test@", url)
    finally:
        database.psql(url, f"drop role {name}")


def main():
    with (database.new_database("contract", files=()) as url, as_service(url) as served,
          tempfile.TemporaryDirectory(prefix="gapless-contract-") as folder,
          Instance(served, folder) as instance):
        instance.wait_ready()
        database.admin(url, "database", "environment", "test")
        contract = Contract(json.loads(instance.call("GET", "/openapi.json")[1]))
        wrong = list(play(contract, url, instance))
    wrong += [f"no answer has {name}" for name in contract.unmet()]
    wrong += contract.bad_examples()
    print("\n".join(wrong) or f"{len(contract.met)} answers and schemas are as described")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
