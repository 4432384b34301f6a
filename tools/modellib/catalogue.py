# What tools/model checks: settings of the models, mutants, and the promises that they break.
import dataclasses

PROMISES = {
    1: "no number is out twice",
    2: "what is free or fresh is not out",
    3: "what was answered is in the database or in a flushed journal",
    4: "one process at most may draw a number",
    5: "nothing is drawn from a closed lease",
    6: "what is issued has one key row, and a key one number",
    7: "nothing is issued while fenced; no settle raises the fence where nothing was put back",
    8: "what was written off is never free",
    9: "nobody is taken for a copy, and no fence is raised, for nothing",
    10: "a running instance draws nothing for a key that it sent over the connection",
    11: "in the end every answered number is issued",
    12: "in the end nothing is held",
}


@dataclasses.dataclass(frozen=True)
class Setting:
    name: str
    model: str
    defines: tuple
    about: str
    endless: bool = False  # looks for cycles instead of broken promises


@dataclasses.dataclass(frozen=True)
class Mutant:
    name: str
    model: str
    breaks: tuple  # any of these promises: which one a search meets first is of no matter
    defines: tuple
    about: str


def only(**budget):
    """What happens at all: everything else never."""
    kinds = ("CUTS", "CUTS_OF_1", "CRASHES", "COPIES", "WRITE_OFFS", "FAILURES", "STRANGERS",
             "STANDBYS")
    return tuple(f"{kind}={budget.get(kind.lower(), 0)}" for kind in kinds)


MODELS = [
    Setting("reserve: crash", "reserve", only(cuts=1, cuts_of_1=1, crashes=1),
            "a cut of either instance, a crash"),
    Setting("reserve: two crashes", "reserve", only(cuts=1, crashes=2), "a cut, two crashes"),
    Setting("reserve: two cuts", "reserve", only(cuts=2), "two cuts, one after the other"),
    Setting("reserve: copy", "reserve", only(cuts=1, copies=1), "a cut, a copy of the journal"),
    Setting("reserve: crash and copy", "reserve", only(crashes=1, copies=1), "both, without a cut"),
    Setting("reserve: write-off", "reserve", only(cuts=1, write_offs=1, failures=1),
            "a cut, a write-off, a flush that fails"),
    Setting("reserve: stranger", "reserve", only(cuts=1, crashes=1, strangers=1),
            "a cut, a crash, somebody who acts for the first instance without its secret"),
    Setting("reserve: standby", "reserve", only(standbys=1, cuts=1),
            "COMMITs wait for the standby, a cut of a connection that waits"),
    Setting("reserve: standby and crash", "reserve", only(standbys=1, crashes=1),
            "COMMITs wait for the standby, a crash"),
    Setting("reserve: ends", "reserve", only(cuts=1, crashes=1),
            "no run goes on for ever, so that each reaches what holds in the end", True),
    Setting("restore: seen", "restore", (), "the timeline shows it; a folder for each"),
    Setting("restore: unseen", "restore", ("UNSEEN",), "only the marks show it; one folder"),
    Setting("restore: fence", "restore", ("UNSEEN", "THIRD", "CUTS=0"),
            "an instance elsewhere raises the fence while others issue"),
    Setting("restore: ends", "restore", ("CUTS=0",), "no run goes on for ever", True),
]

MUTANTS = [
    Mutant("return_before_closed", "reserve", (1, 2, 5), only(cuts=1, cuts_of_1=1),
           "the rest is returned, and CLOSED not written before"),
    Mutant("copy_returns", "reserve", (1, 2, 5), only(cuts=1, copies=1),
           "device and inode of a journal are not compared"),
    Mutant("other_boot_returns", "reserve", (1, 2, 5), only(cuts=1, copies=1),
           "the rest of a lease of another boot is returned at once"),
    Mutant("other_boot_returns_late", "reserve", (1, 2, 5), only(cuts=1, copies=1),
           "… once draw_until has passed: what was drawn since the disk was copied is unknown"),
    Mutant("draw_without_claim", "reserve", (4,), only(cuts=1, crashes=1, copies=1),
           "a process goes on with the lease that it finds in a journal"),
    Mutant("answer_before_flush", "reserve", (3,), only(cuts=1, crashes=1),
           "the answer does not wait for the flush"),
    Mutant("claim_without_incarnation", "reserve", (1, 2, 5), only(cuts=1, copies=1),
           "every claim is granted: an old journal settles what it knows, and returns the rest"),
    Mutant("no_secret", "reserve", (1, 2, 5, 7, 9), only(cuts=1, strangers=1),
           "whoever knows the id of an instance claims, settles and returns for it"),
    Mutant("draw_in_doubt", "reserve", (10,), only(cuts=1, cuts_of_1=1),
           "a key whose answer of the connection was lost is drawn for"),
    Mutant("forget_doubts", "reserve", (10,), only(cuts=2),
           "a doubt ends when the connection is back, not when the database has answered the key"),
    Mutant("draw_for_what_waits", "reserve", (10,), only(standbys=1),
           "a key whose COMMIT waits for the standby is drawn for"),
    Mutant("return_unsettled", "reserve", (1, 2, 5), only(standbys=1),
           "a lease is returned that was drawn on behind the latest settle"),
    Mutant("write_off_frees", "reserve", (1, 2, 8), only(cuts=1, write_offs=1),
           "what is written off is issued again"),
    Mutant("return_before_settle", "reserve", (2,), only(cuts=1, crashes=1),
           "a restarted instance returns first"),
    Mutant("take_without_incarnation", "reserve", (12,), only(cuts=1, cuts_of_1=1),
           "a take that arrives late is granted, and nobody knows of it"),
    Mutant("claim_not_repeatable", "reserve", (9,), only(cuts=1, crashes=1),
           "a claim whose answer was lost is refused when it is repeated"),
    Mutant("claim_not_flushed", "reserve", (9,), only(cuts=1, crashes=1),
           "the id of a claim is not on the disk before it is sent"),
    Mutant("open_without_flush", "reserve", (9,), only(cuts=1, crashes=2),
           "what a journal says is trusted as the page cache has it"),
    Mutant("spent_key_again", "reserve", (6,), only(cuts=1, cuts_of_1=1),
           "a spent key is settled as it is"),
    Mutant("settle_compares_ledger_key", "reserve", (7,), only(cuts=1, crashes=1),
           "a record is known by the key of the ledger, which is a derived one"),
    Mutant("no_turn_marks", "restore", (1, 2), ("UNSEEN",),
           "turns are not noted: a restore to before a settle is not seen"),
    Mutant("fenced_issues", "restore", (7,), ("UNSEEN", "THIRD", "CUTS=0"),
           "the fence is not looked at"),
    Mutant("open_without_guard", "restore", (1, 2), (), "epoch open takes the journals it gets"),
    Mutant("open_by_time", "restore", (1, 2), (), "… or that lease_time has passed"),
    Mutant("open_by_database_list", "restore", (1, 2), (),
           "… of the instances that the restored database knows"),
    Mutant("take_unnoted", "restore", (1, 2), (),
           "a grant does not wait until the others have noted the instance"),
]
