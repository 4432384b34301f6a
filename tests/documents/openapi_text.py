"""src/http/openapi.json as it is laid out: what fits stays on one line."""
import json
import pathlib

path = pathlib.Path(__file__).resolve().parents[2] / "src/http/openapi.json"
columns_max = 100


def laid_out(value, indent=0, before=0):
    """JSON; `before`: how many characters stand on its line already."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not value or before + len(line) < columns_max:
        return line
    inner = " " * (indent + 2)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    names = [json.dumps(name) + ": " for name in value] if opening == "{" else [""] * len(value)
    members = value.values() if opening == "{" else value
    lines = [inner + name + laid_out(member, indent + 2, len(inner + name))
             for name, member in zip(names, members)]
    return opening + "\n" + ",\n".join(lines) + "\n" + " " * indent + closing


def read():
    return json.loads(path.read_text(encoding="utf-8"))


def write(document):
    path.write_text(laid_out(document) + "\n", encoding="utf-8")
