# What is done every day, as SQL on a database that tools/fill made: the statement that is looked
# at, and what comes before it in its transaction, which is rolled back.
import json

from filllib.psql import ask
from harness.processes import root

SUBJECTS = (root / "tools/filllib/subjects.sql").read_text()
PLAIN = """select * from gapless.issue_plain(:{series},
    array(select n::bigint from generate_series(0, {count} - 1) n), array_fill(1, array[{count}]),
    array_fill(:owner, array[{count}]),
    array(select gen_random_uuid() from generate_series(1, {count})), null, false, {holds})"""
ONE = PLAIN.format(series="series", count=1, holds="null")
REQUEST = """select * from gapless.issue_requests(:{series}, array[{count}], array[:owner],
    array[{key}]::uuid[], array[{reference}]::text[], array[false], false,
    array[{seconds}]::integer[])"""
SETTLE = "select gapless.hold_settle(:series, :hold_turn, :hold_ordinal, null, {confirm}, 'fill')"
PRINT = """select gapless.note_event(:series, 'printed', (select int8multirange(int8range(
    c.next_ordinal - 1, c.next_ordinal)) from gapless.counter c where c.series_id = :series),
    'fill', null, false)"""
PAGE = "select * from gapless.ledger_page(:series, {after}, 100, {reference}, {since}, {until})"

# name, what comes before, the act
ACTS = [
    ("issue a number", "", ONE),
    ("issue 64 numbers for 64 requests", "", PLAIN.format(series="series", count=64, holds="null")),
    ("issue a number that came back", "", REQUEST.format(
        series="waiting", count=1, key="gen_random_uuid()", reference="null", seconds="null")),
    ("repeat a request of the middle", "", REQUEST.format(
        series="series", count=":count", key=":'key'", reference="nullif(:'reference', '')",
        seconds="nullif(:'seconds', '')::integer")),
    ("hold a number", "", PLAIN.format(series="series", count=1, holds="array[600]")),
    ("confirm a hold", "", SETTLE.format(confirm="true")),
    ("release a hold", "", SETTLE.format(confirm="false")),
    ("read a hold", "",
     "select * from gapless.issuance_report(:series, :hold_turn, :hold_ordinal)"),
    ("note that a number was printed", ONE + " \\g /dev/null\n", PRINT),
    ("look up a number", "", "select * from gapless.number_report(:series, :serial)"),
    ("its history", "", "select * from gapless.number_history(:series, :middle)"),
    ("the history of a number that left twice", "",
     "select * from gapless.number_history(:series, :again)"),
    ("ordinals of a number", "",
     "select gapless.ordinals_of(:series, array[:serial]::bigint[], array[:serial]::bigint[])"),
    ("read an issuance", "", "select * from gapless.issuance_report(:series, 0, :begins)"),
    ("a page of the ledger", "",
     PAGE.format(after=":middle", reference="null", since="null", until="null")),
    ("a page of it by reference", "", PAGE.format(
        after="0", reference=":'some_reference'", since="null", until="null")),
    ("a page of it by time", "", PAGE.format(
        after="0", reference="null", since=":'moment'",
        until=":'moment'::timestamptz + interval '1 h'")),
    ("report of a series", "", "select * from gapless.series_report(:'name')"),
    ("report of all series", "", "select * from gapless.series_report()"),
    ("report of a block", "", "select * from gapless.block_report(:'name', :block)"),
    ("report of all blocks of a series", "", "select * from gapless.block_report(:'name')"),
    ("load a block", "",
     "select gapless.block_load(:'name', 9000000000000000000, 9000000000000009999, 10000, "
     "null, null, 'fill')"),
    ("use by day, for the forecast", "", "select * from gapless.consumption_report(:series)"),
    ("gather use by day", "", "select gapless.consumption_gather()"),
    ("sweep", "", "select * from gapless.sweep()"),
    ("close the day (manifest)", PRINT + " \\g /dev/null\n",
     "select gapless.manifest_close(:'name', current_date, 'fill')"),
    ("what yesterday's manifest would hold", PRINT + " \\g /dev/null\n",
     "select gapless.manifest_numbers(:series, current_date - 1)"),
    ("read a manifest", "", "select * from gapless.manifest_ranges(:'name', :'day')"),
    ("seal", ONE + " \\g /dev/null\n", "select gapless.seal(:series)"),
    ("series that are not sealed", "", "select * from gapless.unsealed()"),
    ("ends of the chains (anchor)", "", "select * from gapless.seal_heads()"),
    ("find a kept answer", "", "select * from gapless.answer_find(:owner, 'a new key', '\\x00')"),
    ("keep an answer", "", "select gapless.answer_keep(:owner, 'a key', '\\x00', 200, null, '{}')"),
    ("a slice of a quota", "", "select * from gapless.quota_reserve(:token, 1000000, 10)"),
    ("pieces of what came back", "", "select * from gapless.free_pieces(:waiting, 10)"),
    ("readiness", "", "select * from gapless.health()"),
    ("checks of the server", "", "select * from gapless.health_checks(10)"),
    ("the epoch", "", "select * from gapless.epoch_state()"),
    ("marks of the journal", "", "select * from gapless.epoch_marks()"),
]
SESSION = "set enable_seqscan = off;\n"  # as those of the service
EXPLAIN = "explain (analyze, buffers, timing off, format json) "


def script(times):
    text = SESSION + "begin;\n" + SUBJECTS + "savepoint before;\n"
    for _, before, act in ACTS:
        for _ in range(times):
            text += f"{before}\\o\n{EXPLAIN}{act};\nrollback to before;\n"
    return text + "rollback;\n"


def measure(url, times):
    """-> of each act the shortest time in ms, and the fewest pages it looked at, of so many times

    The first time fills the session's caches and does not count."""
    text = script(times + 1)
    plans, decoder, rest = [], json.JSONDecoder(), ask(url, text)
    while rest:
        plan, end = decoder.raw_decode(rest)
        plans.append(plan[0])
        rest = rest[end:].strip()
    found = {}
    for number, (name, _, _) in enumerate(ACTS):
        runs = plans[number * (times + 1) + 1:(number + 1) * (times + 1)]
        found[name] = {
            "ms": min(run["Execution Time"] for run in runs),
            "pages": min(run["Plan"]["Shared Hit Blocks"] + run["Plan"]["Shared Read Blocks"]
                         for run in runs)}
    return found
