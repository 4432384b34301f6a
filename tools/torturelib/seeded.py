# T33: the checker and the cases prove themselves. A wrong text is put into a function of the
# database, or rows are changed, and a case has to find that. Bugs of the programs are mutants:
# tests/mutants/torture.toml.
import dataclasses
import time

from torturelib.case import CASES, Context, case

BUGS = []
tries_max = 3  # a bug may not show in one short run


@dataclasses.dataclass
class Bug:
    name: str
    case: str  # where it shows
    edits: tuple = ()  # (function of the schema gapless, text, wrong text)
    statements: str = ""  # SQL run before the clients
    tampering: str = ""  # SQL run behind the clients, with the triggers asleep

    def preparation(self):
        return "".join(edit_function(*edit) for edit in self.edits) + self.statements

    def asked(self, questions):
        """SQL that tampers while the triggers are asleep, asks, and takes it back."""
        if not self.tampering:
            return questions
        asleep = "begin; set local session_replication_role = replica;"
        return f"{asleep} {self.tampering}; {questions}; rollback;"


def sql(name, case, *edits, **more):
    BUGS.append(Bug(name, case, edits=edits, **more))


sql("settings-not-asserted", "T10-settings", (
    "assert_safe_to_issue", "if pg_is_in_recovery() then", "return; if true then"))

COUNTER = " from gapless.counter c where c.series_id = p_series_id"
sql("replay-only-reads", "T10", (
    "issue_requests",
    "update gapless.counter c"
    " set replays = c.replays + cardinality(array_positions(v_differs, ''))",
    "perform 1 from gapless.counter c"), (
    "issue_requests", f"perform{COUNTER} for update nowait", f"perform{COUNTER}"), (
    "issue_requests", f"into v_counter{COUNTER} for update", f"into v_counter{COUNTER}"))
sql("reference-not-compared", "T02", (
    "issue_requests", "l.reference is distinct from p_references[k.request]", "false"))
sql("owner-not-compared", "T02", (
    "issue_requests", "where l.key = k.key and l.owner_id = k.owner_id limit 1",
    "where l.key = k.key order by l.owner_id limit 1"))


def moves_wrongly(what, by):
    """The trigger moves the counter otherwise than by what was inserted, on both its ways."""
    edits = []
    for count, distance in (("v_numbers", "v_away"), ("p.count", "p.distance")):
        moved = f"{what} = c.{what} + {count}"
        edits.append(("ledger_continues", moved, f"{moved} {by} (c.next_serial % 7 = 0)::integer"))
        kept = f"and c.next_serial - c.next_ordinal = {distance}"
        edits.append(("ledger_continues", kept, ""))
    return edits


sql("counter-skips-a-number", "T02", *moves_wrongly("next_serial", "+"))
sql("counter-stays-behind", "T02", *moves_wrongly("next_serial", "-"))
sql("ordinal-skipped", "T02", *moves_wrongly("next_ordinal", "+"))

UNGUARDED = ("counter_opens_block", "if old.block_id is not null and", "return new; if")
sql("rollover-skips-the-first", "T02", UNGUARDED, (
    "roll_over", "next_serial = b.first_serial,", "next_serial = b.first_serial + 1,"))
sql("rollover-out-of-turn", "T02", UNGUARDED, (
    "issue_across_blocks", "order by b.position)", "order by b.position desc)"), (
    "roll_over", "order by b.position", "order by b.position desc"))
sql("part-of-a-request", "T02", (
    "issue_across_blocks", "if v_left > 0 or v_short is not null then",
    "if v_left = p_count or v_short is not null then"))
sql("held-numbers-reissued", "T02", (
    "free_pieces", "s.state = 'free'", "s.state in ('free', 'held')"), (
    "take_free", "array['free']", "array['free', 'held']"))
sql("unique-key-dropped", "T02",
    statements="alter table gapless.ledger drop constraint key_is_spent_once;")
sql("guard-of-the-ledger-dropped", "T02",
    statements="drop trigger range_continues_the_ledger on gapless.ledger;")

LAST = ("(select max(ordinal) from gapless.ledger l join gapless.series s using (series_id)"
        " where s.name = 'hot')")
sql("row-deleted", "T02", tampering="delete from gapless.ledger where ordinal = "
    + LAST.replace("max(ordinal)", "percentile_disc(0.5) within group (order by ordinal)"))
sql("tail-deleted", "T02", tampering=f"delete from gapless.ledger where ordinal = {LAST}")
sql("row-changed", "T02",
    tampering=f"update gapless.ledger set serial = serial + 1 where ordinal = {LAST}")
sql("key-moved-to-another", "T02",
    tampering=f"update gapless.ledger set key = gen_random_uuid() where ordinal = {LAST}")
sql("counter-set-back", "T02",
    tampering="update gapless.counter set next_ordinal = next_ordinal - 1,"
              " next_serial = next_serial - 1")


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


def play(context, bug, seed):
    """-> what the case found, in words"""
    case = CASES[bug.case]
    trial = Context(context.ground, f"{case.id}-{bug.name}", case.quick, seed, bug)
    try:
        case.run(trial)
    except Exception as error:  # the bug may stop clients, service or harness in any way
        if "does not say" in str(error):
            raise
        trial.violations.append(f"the run ended: {type(error).__name__}: {error}".split("\n")[0])
    return trial.violations


@case("T33", "seeded bugs are caught", "bugs", quick=len(BUGS), night=len(BUGS))
def seeded_bugs(context):
    for bug in BUGS[:context.n]:
        began = time.monotonic()
        for turn in range(tries_max):
            if found := play(context, bug, context.seed + turn):
                break
        context.expect(found, f"the bug {bug.name} was not caught")
        print(f"    {bug.name}: {time.monotonic() - began:.1f} s:"
              f" {found[0][:100] if found else 'NOT CAUGHT'}", flush=True)
