# Seeded bugs: a wrong text is put into a function of the database, or rows are changed, and that
# has to be caught. Those of the programs are mutants: tests/mutants, tools/mutants.
import dataclasses

BUGS = []


@dataclasses.dataclass
class Bug:
    name: str
    scenario: str  # where it shows; scenarios.py
    edits: tuple = ()  # (function of the schema gapless, text, wrong text)
    statements: str = ""  # SQL run before the clients
    slow: bool = False  # the bug shows by what does not happen any more: not at every commit
    tampering: str = ""  # SQL run behind the clients, with the triggers asleep


def sql(name, scenario, *edits, **more):
    BUGS.append(Bug(name, scenario, edits=edits, **more))


sql("settings-not-asserted", "lost settings", (
    "assert_safe_to_issue", "if pg_is_in_recovery() then", "return; if true then"), slow=True)

COUNTER = " from gapless.counter c where c.series_id = p_series_id"
sql("replay-only-reads", "standby away, one client", (
    "issue_requests",
    "update gapless.counter c set replays = c.replays + cardinality(array_positions(v_same, true))",
    "perform 1 from gapless.counter c"), (
    "issue_requests", f"perform{COUNTER} for update nowait", f"perform{COUNTER}"), (
    "issue_requests", f"into v_counter{COUNTER} for update", f"into v_counter{COUNTER}"))
sql("reference-not-compared", "crowd", (
    "issue_requests", "l.reference is not distinct from p_references[k.request]", "true"))
sql("owner-not-compared", "same keys", (
    "issue_requests", "where l.key = k.key and l.owner_id = k.owner_id limit 1",
    "where l.key = k.key order by l.owner_id limit 1"))


def moves_wrongly(what, by):
    """The trigger moves the counter otherwise than by what was inserted, on both its ways."""
    edits = []
    for count, part in (("v_numbers", "v"), ("p.count", "p")):
        moved = f"{what} = c.{what} + {count}"
        edits.append(("ledger_continues", moved, f"{moved} {by} (c.next_serial % 7 = 0)::integer"))
        kept = f"and c.next_serial - c.next_ordinal = {part}.distance"
        edits.append(("ledger_continues", kept, ""))
    return edits


sql("counter-skips-a-number", "crowd", *moves_wrongly("next_serial", "+"))
sql("counter-stays-behind", "crowd", *moves_wrongly("next_serial", "-"))
sql("ordinal-skipped", "crowd", *moves_wrongly("next_ordinal", "+"))

UNGUARDED = ("counter_opens_block", "if old.block_id is not null and", "return new; if")
sql("rollover-skips-the-first", "crowd", UNGUARDED, (
    "roll_over", "next_serial = b.first_serial,", "next_serial = b.first_serial + 1,"), slow=True)
sql("rollover-out-of-turn", "crowd", UNGUARDED, (
    "issue_across_blocks", "order by b.position)", "order by b.position desc)"), (
    "roll_over", "order by b.position", "order by b.position desc"))
sql("part-of-a-request", "exhausted", (
    "issue_across_blocks", "if v_left > 0 or v_short is not null then",
    "if v_left = p_count or v_short is not null then"), slow=True)
sql("held-numbers-reissued", "holds", (
    "free_pieces", "s.state = 'free'", "s.state in ('free', 'held')"), (
    "take_free", "array['free']", "array['free', 'held']"))
sql("unique-key-dropped", "crowd",
    slow=True, statements="alter table gapless.ledger drop constraint key_is_spent_once;")
sql("guard-of-the-ledger-dropped", "crowd",
    slow=True, statements="drop trigger range_continues_the_ledger on gapless.ledger;")

LAST = ("(select max(ordinal) from gapless.ledger l join gapless.series s using (series_id)"
        " where s.name = 'hot')")
sql("row-deleted", "crowd", tampering="delete from gapless.ledger where ordinal = "
    + LAST.replace("max(ordinal)", "percentile_disc(0.5) within group (order by ordinal)"))
sql("tail-deleted", "crowd", tampering=f"delete from gapless.ledger where ordinal = {LAST}")
sql("row-changed", "crowd",
    tampering=f"update gapless.ledger set serial = serial + 1 where ordinal = {LAST}")
sql("key-moved-to-another", "crowd",
    tampering=f"update gapless.ledger set key = gen_random_uuid() where ordinal = {LAST}")
sql("counter-set-back", "crowd",
    tampering="update gapless.counter set next_ordinal = next_ordinal - 1,"
              " next_serial = next_serial - 1")


BUGS.sort(key=lambda bug: bug.slow)
quick = sum(1 for bug in BUGS if not bug.slow)


def edit_function(name, text, wrong):
    """SQL that puts the wrong text in; fails when the function does not have the text."""
    return f"""
do $edit$
declare
    v_text text := pg_get_functiondef((
        select p.oid from pg_proc p
        where p.pronamespace = 'gapless'::regnamespace and p.proname = '{name}'));
begin
    if position($t${text}$t$ in v_text) = 0 then
        raise exception 'gapless.% does not say: %', '{name}', $t${text}$t$;
    end if;
    execute replace(v_text, $t${text}$t$, $w${wrong}$w$);
end $edit$;
"""


def preparation(bug):
    return "".join(edit_function(*edit) for edit in bug.edits) + bug.statements


def tampered(bug, questions):
    """SQL that tampers while the triggers are asleep, asks, and takes it back."""
    asleep = "begin; set local session_replication_role = replica;"
    return f"{asleep} {bug.tampering}; {questions}; rollback;"
