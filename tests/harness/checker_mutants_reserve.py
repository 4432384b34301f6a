# What is broken on purpose in histories with a reserve: each has to be found, by one of its rules.
from harness.history import ledger_key

MUTATIONS = []  # (rules of which one has to find it, name, function)


def mutation(*rules):
    def register(function):
        MUTATIONS.append((rules, "reserve: " + function.__name__.replace("_", " "), function))
        return function
    return register


@mutation(11)
def answered_and_never_settled(made):
    """Its disk was lost: the numbers stay on lease."""
    answer = made.drawn_answer()
    lease, record = made.lease_of(answer), made.forget(answer)
    lease["status"] = "open"
    lease["held"].append([record["ordinal"], record["ordinal"] + record["count"] - 1])
    made.note_state(answer, "held")


@mutation(13)
def answered_and_returned(made):
    answer = made.drawn_answer()
    made.forget(answer)
    made.note_state(answer, "free")


@mutation(13)
def answered_and_written_off(made):
    answer = made.drawn_answer()
    lease, record = made.lease_of(answer), made.forget(answer)
    lease["written_off"].append([record["ordinal"], record["ordinal"] + record["count"] - 1])
    made.note_state(answer, "voided")


@mutation(1)
def a_copy_answers_the_same_number(made):
    one, other = made.drawn_answers()[:2]
    other.ranges = [list(one.ranges[0])]


@mutation(1)
def returned_and_answered_again_under_another_key(made):
    """What came back although it had been answered leaves again, for somebody else."""
    again = next(a for a in made.answers() if a.key.startswith("again"))
    answer = next(a for a in made.drawn_answers() if a.series == again.series)
    again.ranges = [list(answer.ranges[0])]


@mutation(11)
def drawn_from_no_lease(made):
    answer = made.drawn_answer()
    lease = made.lease_of(answer)
    made.ledger["leases"].remove(lease)
    for row in [r for r in made.ledger["ledger"] if r["key"] == lease["lease"]]:
        row["client"] = "lease:somebody"


@mutation(11)
def record_without_its_row(made):
    made.record_of(made.drawn_answer())["turn"] += 1_000


@mutation(3, 5)
def settled_for_somebody_else(made):
    answer = made.drawn_answer()
    made.settled_rows[answer.series, answer.ranges[0][3]]["key"] = ledger_key("of nobody")


@mutation(12)
def a_later_request_got_a_lower_number(made):
    """Answers and ledger agree, but not with the order of events."""
    for one in made.drawn_answers():
        for other in made.drawn_answers():
            if made.lease_of(one) is made.lease_of(other) and one.end < other.start and (
                    one.count == other.count):
                one.start, one.end, other.start, other.end = (
                    other.start, other.end, one.start, one.end)
                one.sent_at, other.sent_at = other.sent_at, one.sent_at
                return
    raise StopIteration


@mutation(12)
def a_number_was_skipped(made):
    """The lease begins a number before the first that was answered, and that one came back."""
    answer = min(made.drawn_answers(), key=lambda a: a.ranges[0][3])
    lease = made.lease_of(answer)
    lease["ordinal"] -= 1
    lease["count"] += 1


@mutation(14)
def neither_settled_nor_returned(made):
    """It is on hold still, and no lease says so."""
    free = next(s for s in made.ledger["states"] if s["state"] == "free")
    free["state"] = "held"


@mutation(14)
def returned_and_nobody_has_it(made):
    made.ledger["states"].remove(next(s for s in made.ledger["states"] if s["state"] == "free"))


@mutation(14)
def on_lease_and_left_all_the_same(made):
    answer = made.drawn_answer()
    first = answer.ranges[0][3]
    made.lease_of(answer)["held"].append([first, first])


@mutation(14)
def written_off_and_free(made):
    next(s for s in made.ledger["states"] if s["state"] == "voided")["state"] = "free"


@mutation(2)
def a_key_answered_twice_and_no_record(made):
    record = next(r for r in made.ledger["records"] if r["spent_key"])
    record["spent_key"] = None
    row = made.settled_rows[record["series"], record["ordinal"]]
    row["key"] = ledger_key("of nobody")


@mutation(15)
def a_key_answered_twice_and_nobody_was_told(made):
    made.ledger["told_twice"].pop()


@mutation(5)
def a_second_row_for_an_answer_of_the_database(made):
    """A row is said to be of a key that was answered twice; it was not."""
    record = next(r for r in made.ledger["records"] if r["spent_key"])
    other = next(a for a in made.answers() if a.series == record["series"] and not a.reserve
                 and [t.key for t in made.history.attempts].count(a.key) == 1)
    record["spent_key"] = ledger_key(other.key)
    made.settled_rows[record["series"], record["ordinal"]]["client"] = other.client
