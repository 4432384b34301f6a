# docs/reference/http.md: the routes of src/http/routes.cpp, as openapi.json describes them.
import json
import re

from referencelib.page import SourceFailure, must, table

METHODS = ("get", "post", "patch", "put", "delete")


def routes_in(text):
    """-> {(method, path): scope or None} of the table in routes.cpp"""
    rows = re.findall(r'verb::(\w+),\s*"([^"]+)",\s*(?:scope::(\w+)|std::nullopt)', text)
    found = {(method.rstrip("_"), path): scope or None for method, path, scope in rows}
    # Functions that make routes of one kind.
    for maker, method, scope in re.findall(
            r"route (\w+)\(std::string_view pattern.*?return \{verb::(\w+), pattern, scope::(\w+)",
            text, re.DOTALL):
        paths = re.findall(rf'^\s+{maker}\("([^"]+)"', text, re.MULTILINE)
        found |= {(method, path): scope for path in must(paths, f"the routes of {maker}")}
    return must(found, "the table of routes")


class Document:
    def __init__(self, tree):
        self.tree = tree

    def resolved(self, node):
        """A node, with what it refers to below its own members."""
        if "$ref" not in node:
            return node
        target = self.tree
        for part in node["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        return self.resolved(target) | {name: each for name, each in node.items() if name != "$ref"}

    def operations(self):
        for path, methods in self.tree["paths"].items():
            for method, operation in methods.items():
                if method in METHODS:
                    yield method, path, operation

    def kind(self, schema):
        """What a value may be, in a few words."""
        schema = self.resolved(schema)
        if "oneOf" in schema:
            return " or ".join(self.kind(each) for each in schema["oneOf"])
        if "enum" in schema:
            return ", ".join(f"`{each}`" for each in schema["enum"])
        kinds = schema.get("type", "object")
        text = " or ".join(kinds) if isinstance(kinds, list) else kinds
        if text == "array" and "items" in schema:
            text = "array of " + self.kind(schema["items"])
        lowest, highest = schema.get("minimum"), schema.get("maximum")
        if highest is not None:
            text += f", {lowest} to {highest}"
        elif lowest:
            text += f", {lowest} or more"
        if "maxLength" in schema:
            text += f", up to {schema['maxLength']} characters"
        if "maxItems" in schema:
            text += f", up to {schema['maxItems']}"
        if "default" in schema:
            text += f"; default {json.dumps(schema['default'])}"
        return text

    def fields(self, schema):
        """The members of an object as rows: name, kind, meaning."""
        schema = self.resolved(schema)
        required = schema.get("required", [])
        for name, each in schema.get("properties", {}).items():
            words = self.resolved(each).get("description", "")
            yield [f"`{name}`" + (" (required)" if name in required else ""), self.kind(each),
                   words or "–"]


def sentence(operation):
    """What an operation does."""
    more = operation.get("description", "")
    return f"{operation['summary']}. {more}".strip()


def answers(operation):
    return ", ".join(code for code in operation["responses"] if code < "300")


def call(method, path):
    return f"`{method.upper()} {path}`"


def compare(routes, document):
    described = {(method, path): (operation.get("security") or [{}])[0].get("bearer", [None])[0]
                 for method, path, operation in document.operations()}
    if routes != described:
        differ = sorted(str(each) for each in set(routes.items()) ^ set(described.items()))
        raise SourceFailure("routes.cpp and openapi.json differ: " + "; ".join(differ))


def places(root):
    document = Document(json.loads((root / "src/http/openapi.json").read_text(encoding="utf-8")))
    compare(routes_in((root / "src/http/routes.cpp").read_text(encoding="utf-8")), document)
    calls, bodies, parameters = [], [], {}
    for method, path, operation in document.operations():
        scope = (operation.get("security") or [{}])[0].get("bearer", ["–"])[0]
        calls.append([call(method, path), scope, sentence(operation), answers(operation)])
        if body := operation.get("requestBody"):
            if "application/json" in body["content"]:
                schema = body["content"]["application/json"]["schema"]
                bodies.append(f"#### {call(method, path)}\n")
                bodies.append(table(["Field", "Value", "Meaning"], document.fields(schema)))
        for each in map(document.resolved, operation.get("parameters", [])):
            if each["in"] != "path":
                parameters[each["name"]] = [
                    f"`{each['name']}`", each["in"], document.kind(each["schema"]),
                    each["description"]]
    schemas = document.tree["components"]["schemas"]
    records = [name for name in ("Issuance", "NumberRecord", "Series", "Block", "LedgerRow")
               if must(name in schemas, f"the schema {name}")]
    shown = [part for name in records for part in (
        f"#### {name}\n", table(["Field", "Value", "Meaning"], document.fields(schemas[name])))]
    return {"calls": table(["Call", "Scope", "Does", "Answers"], calls),
            "parameters": table(["Name", "In", "Value", "Meaning"], parameters.values()),
            "bodies": "\n".join(bodies),
            "records": "\n".join(shown)}
