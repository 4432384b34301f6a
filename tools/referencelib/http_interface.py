# docs/reference/http.md: the routes, as `gaplessd --openapi` describes them. That those are all
# routes there are is tested in tests/app/openapi_http_test.cpp.
import json
import subprocess

from referencelib.page import must, table

METHODS = ("get", "post", "patch", "put", "delete")


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


def places(programs):
    told = subprocess.run([programs / "gaplessd", "--openapi"], check=True, capture_output=True)
    document = Document(json.loads(told.stdout))
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
                parameters.setdefault((each["name"], each["description"]), [
                    f"`{each['name']}`", each["in"], document.kind(each["schema"]),
                    each["description"]])
    schemas = document.tree["components"]["schemas"]
    records = [name for name in ("Issuance", "NumberRecord", "Series", "Block", "LedgerRow")
               if must(name in schemas, f"the schema {name}")]
    shown = [part for name in records for part in (
        f"#### {name}\n", table(["Field", "Value", "Meaning"], document.fields(schemas[name])))]
    return {"calls": table(["Call", "Scope", "Does", "Answers"], calls),
            "parameters": table(["Name", "In", "Value", "Meaning"], parameters.values()),
            "bodies": "\n".join(bodies),
            "records": "\n".join(shown)}
