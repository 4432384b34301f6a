"""Recomputes the hash chains as an auditor would: from the rows, after docs/design/verify.md.

Nothing of gapless is called, so that the description and the program agree.
"""
import hashlib
import json
import uuid

from harness import database

# Of each kind: table, order, field of the bounds, and the fields of a line. A leading " is a text,
# written with its length; a leading # the digest of a reference.
moment = "to_char(extract(epoch from {0}), 'FM9999999999.000000')"
ledger = ["turn", "ordinal", "serial", "count", "block_id", "owner_id", "epoch", "@issued_at",
          "key", "hold_seconds", "head_turn", "head_ordinal", "#reference"]
issuance = ["=issuance", "turn", "ordinal", "count", "contiguous", "range_turns", "range_ordinals"]
kinds = {
    "ledger": [("ledger", "ordinal", ledger, "turn = 0"),
               ("issuance", "ordinal", issuance, "turn = 0")],
    "reissue": [("ledger", "turn", ledger, "turn > 0"), ("issuance", "turn", issuance, "turn > 0")],
    "event": [("number_event", "event_id", [
        "event_id", "kind", "first_ordinal", "last_ordinal", "@at", "turn", '"actor', '"reason'],
        "true")],
    "block": [("block", "block_id", [
        "block_id", "first_serial", "last_serial", "cycle", "@loaded_at", "assigned_serial",
        "@valid_until", '"space',
        '"reference', '"loaded_by'], "true")],
    "epoch": [("epoch", "epoch", [
        "epoch", "database_id", "system_identifier", "@opened_at", '"timeline', '"place',
        "database_oid", '"opened_by', '"reason'], "true")],
    "owner": [("token_owner", "owner_id", ["owner_id", "@created_at", '"name'], "true")],
    "audit": [("audit_log", "audit_id", [
        "audit_id", "@at", "token_id", '"actor', '"role', '"action', '"subject', '"before',
        '"after', '"request_id'], "true")],
}
origin = ["@created_at", '"name', '"carrier', '"space', '"format', '"params', '"program']


def rows(url, sql):
    """Rows as lists of str or None, whatever is in them."""
    settings = "\\pset fieldsep_zero\n\\pset recordsep '\\x02'\n\\pset null '\\x01'\n"
    out = database.psql(url, settings + sql)
    found = out.split("\x02") if out else []
    return [[None if f == "\x01" else f for f in row.strip("\n").split("\0")] for row in found]


def column(field):
    if field[0] == "=":
        return f"'{field[1:]}'"
    if field[0] == "@":
        return moment.format(field[1:])
    if field[0] == "#":
        return "jsonb_build_array(reference_salt, reference, encode(reference_digest, 'hex'))"
    name = field.lstrip('"')
    return name + "::text"


def digest(salt, reference, kept):
    """Of a reference: salt and text as long as they are there, else what was kept of them."""
    if reference is None:
        return kept or ""
    return hashlib.sha256(uuid.UUID(salt).bytes + reference.encode()).hexdigest()


def line(fields, row):
    """One record: what is absent is empty, a text has its length before it."""
    parts = []
    for field, value in zip(fields, row):
        if field[0] == "#":
            parts.append(digest(*json.loads(value)))
        elif field[0] != '"':
            parts.append(value or "")
        else:
            parts.append("-1" if value is None else f"{len(value)} {value}")
    return " ".join(parts)


def records(url, series_id, kind, first, last):
    lines = []
    for table, bound, fields, which in kinds[kind]:
        of_series = f"series_id = {series_id} and " if series_id else ""
        order = "t.turn, t.ordinal" if bound == "turn" else "t." + bound
        names = ", ".join(map(column, fields))
        lines += [line(fields, row) for row in rows(url, f"""
            select {names} from gapless.{table} t
            where {of_series} {which} and {bound} between {first} and {last} order by {order};""")]
    return lines


def chain(url, series_id):
    """The recomputed hash of each link, and the one that is stored."""
    identity = rows(url, "select database_id::text from gapless.epoch where epoch = 1;")[0][0]
    names = ", ".join(map(column, origin))
    text = f"gapless {identity} {series_id}\n"
    for row in rows(url, f"select {names} from gapless.series where series_id = {series_id};"):
        text += line(origin, row) + "\n"
    previous = hashlib.sha256(text.encode()).hexdigest()
    links = []
    for link, kind, first, last, epoch, sealed_at, stored in rows(url, f"""
            select link, kind, first, last, epoch, {moment.format('sealed_at')}, encode(hash, 'hex')
            from gapless.seal where series_id = {series_id} order by link;"""):
        found = records(url, series_id, kind, first, last)
        head = f"seal {series_id} {link} {kind} {first} {last} {len(found)} {epoch} {sealed_at} "
        text = head + previous + "\n" + "\n".join(found)
        previous = hashlib.sha256(text.encode()).hexdigest()
        links.append((previous, stored))
    return links
