# What clients saw, one record for each attempt, and the ledger they are compared with.
import dataclasses
import hashlib
import json
import threading
import time
import uuid

OK, FAIL, INFO = "ok", "fail", "info"  # it happened; nothing happened; nobody knows


@dataclasses.dataclass
class Attempt:
    """One request that a client sent, or tried to, and what came of it."""

    op: str  # issue; reuse: a spent key for another request; release; read: how many are issued
    client: str  # the name of its token: whose key it is
    series: str
    key: str = ""
    count: int = 1
    reference: str | None = None
    hold: bool = False
    contiguous: bool = False
    turn: int = 1  # 1 for the first attempt with this key
    instance: str = ""
    start: int = 0  # nanoseconds of the monotonic clock, before the first byte is sent
    end: int = 0  # after the answer was read or given up
    sent_at: int = 0  # like start, in microseconds of the wall clock, as the database reads it
    fate: str = INFO
    status: int = 0  # 0: no answer
    problem: str = ""
    executed: str = ""
    replayed: bool = False
    epoch: int = 0
    issuance: str = ""
    ranges: list = dataclasses.field(default_factory=list)  # [block, first, last, ordinal]
    body: str = ""  # SHA-256 of an answer with numbers
    defect: str = ""  # what is wrong with the answer on its face
    issued: int = 0  # what a read saw
    reserve: bool = False  # the answer says that it was drawn from a reserve

    @property
    def definite(self):
        """True when sending it again tells nothing new."""
        return self.fate == OK or (self.status not in (0, 408, 429, 500, 502) and self.status < 503)


class History:
    """Every attempt of a run, added by any thread as it ends."""

    def __init__(self):
        self.attempts = []
        self.healed = 0  # when the last fault was over; 0: there was none
        self.clocks_differ = 1_000  # microseconds between two looks at one clock
        self.blind = []  # (from, to): reads meanwhile may come from an old primary
        self.lock = threading.Lock()

    def add(self, attempt):
        with self.lock:
            self.attempts.append(attempt)

    def mark_healed(self):
        self.healed = time.monotonic_ns()

    def count(self, fate):
        with self.lock:
            return sum(1 for attempt in self.attempts if attempt.fate == fate)

    def longest_pause(self, since, series=None):
        """Seconds without a new number, from this moment on; of one series, or of all."""
        with self.lock:
            ends = sorted(a.end for a in self.attempts
                          if a.op == "issue" and a.fate == OK and not a.replayed and a.end > since
                          and series in (None, a.series))
        moments = [since, *ends]
        return max((b - a for a, b in zip(moments, moments[1:])), default=0) / 1e9

    def write(self, file):
        with file.open("w") as out:
            print(json.dumps({"healed": self.healed}), file=out)
            for attempt in self.attempts:
                print(json.dumps(dataclasses.asdict(attempt)), file=out)

    @staticmethod
    def read(file):
        """What write() wrote, or tests/harness/history.cpp."""
        history = History()
        with file.open() as lines:
            history.healed = json.loads(next(lines))["healed"]
            history.attempts = [Attempt(**json.loads(line)) for line in lines]
        return history


def ledger_key(key):
    """How the ledger stores a key: a UUID as it is, the first 128 bits of the SHA-256 of others."""
    try:
        if len(key) == 36:
            return str(uuid.UUID(key))
    except ValueError:
        pass
    return str(uuid.UUID(bytes=hashlib.sha256(key.encode()).digest()[:16]))


# In one statement, so that all of it comes from one snapshot.
LEDGER_QUERY = """
select json_build_object(
    'ledger', (select coalesce(json_agg(json_build_object(
            'series', s.name, 'ordinal', l.ordinal, 'serial', l.serial, 'count', l.count,
            'block', l.block_id, 'client', regexp_replace(o.name, '^token:', ''),
            'key', coalesce(l.key, h.key), 'epoch', l.epoch, 'turn', l.turn,
            'reference', l.reference,
            'issued_at', (extract(epoch from l.issued_at) * 1000000)::bigint)
            order by s.name, l.turn, l.ordinal), '[]')
        from gapless.ledger l
        join gapless.series s using (series_id)
        left join gapless.token_owner o using (owner_id)
        left join gapless.ledger h
            on h.series_id = l.series_id and h.turn = l.head_turn and h.ordinal = l.head_ordinal),
    'blocks', (select coalesce(json_agg(json_build_object(
            'series', s.name, 'block', b.block_id, 'first', b.first_serial, 'last', b.last_serial,
            'state', b.state, 'position', b.position, 'first_ordinal', b.first_ordinal)
            order by s.name, b.position), '[]')
        from gapless.block b join gapless.series s using (series_id)),
    'series', (select coalesce(json_agg(json_build_object(
            'series', s.name, 'next_ordinal', c.next_ordinal, 'next_serial', c.next_serial,
            'block', c.block_id, 'epoch', c.epoch)), '[]')
        from gapless.counter c join gapless.series s using (series_id)),
    'leases', (select coalesce(json_agg(json_build_object(
            'series', s.name, 'lease', l.lease, 'instance', l.instance, 'ordinal', l.ordinal,
            'count', l.count, 'status', l.status,
            'held', (select coalesce(json_agg(json_build_array(lower(r), upper(r) - 1)), '[]')
                from unnest(h.held) r),
            'written_off', (select coalesce(json_agg(json_build_array(lower(r), upper(r) - 1)),
                    '[]') from unnest(l.written_off) r))
            order by l.place), '[]')
        from gapless.lease l join gapless.series s using (series_id)
        join gapless.hold h using (series_id, turn, ordinal)),
    'records', (select coalesce(json_agg(json_build_object(
            'series', s.name, 'lease', k.lease, 'ordinal', k.ordinal, 'count', k.count,
            'turn', k.turn, 'spent_key', k.spent_key)
            order by s.name, k.ordinal), '[]')
        from gapless.lease_record k join gapless.series s using (series_id)),
    'states', (select coalesce(json_agg(json_build_object(
            'series', s.name, 'state', n.state, 'first', lower(r), 'last', upper(r) - 1)
            order by s.name, lower(r)), '[]')
        from gapless.number_state n cross join lateral unnest(n.numbers) r
        join gapless.series s using (series_id)
        where exists (select from gapless.lease l where l.series_id = n.series_id)),
    'told_twice', (select coalesce(json_agg(json_build_object(
            'series', a.subject, 'ordinal', (a.after #>> '{twice,ordinal}')::bigint)), '[]')
        from gapless.audit_log a where a.action = 'lease.key_answered_twice'))
"""

# Each answered with a line of JSON.
QUESTIONS = (
    " ".join(LEDGER_QUERY.split()) + "; select coalesce(json_agg(json_build_object("
    "'series', series, 'at', at, 'what', what)), '[]') from gapless.verify()")
