# Rules 4 and 8 of the history checker: the ledger by itself.
import collections


def check_chain(series, rows, state):
    """Ordinals run 1…N; epochs never go back."""
    due, epoch = 1, 0
    for row in rows:
        if row["ordinal"] != due:
            yield 4, f"{series}: ordinal {due} is due, the ledger goes on at {row['ordinal']}"
        if row["epoch"] < epoch:
            yield 8, f"{series}: the epoch goes back at ordinal {row['ordinal']}"
        due, epoch = row["ordinal"] + row["count"], row["epoch"]
    if state["next_ordinal"] != due:
        yield 4, f"{series}: the counter is at ordinal {state['next_ordinal']}, the ledger at {due}"
    if state["epoch"] < epoch:
        yield 8, f"{series}: the counter is in an epoch before its ledger's"


def check_blocks(series, rows, blocks, used):
    """Blocks are used up one after the other, in the order of the queue, each from its start."""
    before = None
    for row in rows:
        at = f"at ordinal {row['ordinal']}"
        block = blocks.get(row["block"])
        if block is None:
            yield 4, f"{series}: a block that does not exist {at}"
            return
        if before and before is not block:
            full = before["first"] + used[before["block"]] > before["last"]
            if not full and before["state"] != "closed":
                yield 4, f"{series}: a block starts before the one before is full {at}"
            if before["position"] > block["position"]:
                yield 4, f"{series}: a block starts out of turn {at}"
        due = block["first"] + used[row["block"]]
        if row["serial"] != due:
            yield 4, f"{series}: serial {due} is due {at}, not {row['serial']}"
        if row["serial"] + row["count"] - 1 > block["last"]:
            yield 4, f"{series}: a range goes beyond its block {at}"
        used[row["block"]] += row["count"]
        before = block


def check_states(series, blocks, used, state):
    """Each block's state is what the ledger says of it; none was passed over."""
    last = max((b["position"] for b in blocks.values() if used[b["block"]]), default=0)
    for block in blocks.values():
        out = used[block["block"]]
        size = block["last"] - block["first"] + 1
        right = {
            "closed": True,
            "queued": out == 0,
            "exhausted": out == size,
            "open": state["next_serial"] == block["first"] + out,
        }[block["state"]]
        if block["state"] == "queued" and block["position"] < last:
            yield 4, f"{series}: block {block['block']} was passed over"
        if not right:
            yield 4, f"{series}: block {block['block']} counts as {block['state']}, {out} are out"


def check_turns(series, rows, again):
    """What left again had left before, each number once per turn. That it was free is verify's."""
    end = rows[-1]["ordinal"] + rows[-1]["count"] if rows else 1
    for turn, row in enumerate(sorted(again, key=lambda row: row["turn"]), 1):
        if row["turn"] != turn:
            yield 4, f"{series}: turn {turn} is due, not {row['turn']}"
        if row["ordinal"] + row["count"] > end:
            yield 4, f"{series}: ordinal {row['ordinal']} left again before it left"


def check_ledger(ledger):
    parts = collections.defaultdict(lambda: ([], []))
    for row in ledger["ledger"]:
        parts[row["series"]][row["turn"] > 0].append(row)
    for state in ledger["series"]:
        series = state["series"]
        rows, again = parts[series]
        rows.sort(key=lambda row: row["ordinal"])
        blocks = {b["block"]: b for b in ledger["blocks"] if b["series"] == series}
        used = collections.Counter()
        yield from check_chain(series, rows, state)
        yield from check_blocks(series, rows, blocks, used)
        yield from check_states(series, blocks, used, state)
        yield from check_turns(series, rows, again)
