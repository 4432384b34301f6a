# N03 to N05: neighbours that take more than their share of the database, the queue, the I/O thread.
# The judge is everybody else.
import socket
import time

from harness.history import OK, Attempt
from torturelib.case import case
from torturelib.cases_overload import slow_down
from torturelib.load import MS, Load
from torturelib.neighbours import Limits, Others, blocks, repeated, running

crowd_seconds = 5
many_blocks = 5_000
fewer_blocks = 1_250
linear_times_max = 2.5  # what the large one may take beyond its share; quadratic would be 4
across_seconds_max = 8
block_ms_max = 0.2


def load_tiny_blocks(rig, series, count):
    """Blocks of one number, with gaps between them."""
    rig.sql(f"select count(*) from gapless.block_load_many('{series}',"
            f" (select array_agg(n * 3) from generate_series(1, {count}) n),"
            f" (select array_agg(n * 3) from generate_series(1, {count}) n),"
            f" array_fill(null::text, array[{count}]),"
            f" array_fill(null::timestamptz, array[{count}]), 'torture')")


def issue_across(context, rig, series, count):
    """One request for all of them -> seconds"""
    wish = {"series": series, "key": f"all of {series}", "count": count}
    done = rig.client().issue_once(wish, 0)
    took = (done.end - done.start) / MS / 1_000
    context.expect(done.fate == OK, f"a request over {count} blocks of one number was answered"
                   f" {done.status} {done.problem} after {took:.1f} s")
    if done.fate != OK:
        rig.client().issue(wish)
    return took


@case("N03", "one request over thousands of tiny blocks", "requests", 1, night=2, release=10)
def tiny_blocks(context):
    def try_once():
        with context.rig(blocks=blocks(few=[], many=[])) as rig:
            load_tiny_blocks(rig, "few", fewer_blocks)
            load_tiny_blocks(rig, "many", many_blocks)
            rig.start(1)
            others = Others(context, rig, across_seconds_max)
            with others.beside():
                short = issue_across(context, rig, "few", fewer_blocks)
                long = issue_across(context, rig, "many", many_blocks)
            context.expect(
                long / short <= linear_times_max * many_blocks / fewer_blocks,
                f"{fewer_blocks} blocks took {short:.2f} s, {many_blocks} {long:.2f} s")
            context.expect(
                1_000 * long <= 2 * block_ms_max * many_blocks + 500,  # the machine is shared
                f"{many_blocks} blocks took {long:.2f} s, {block_ms_max} ms a block are allowed")
            notes = context.result.notes
            notes["ms a block"] = f"{1_000 * long / many_blocks:.2f}"
            proven = others.judge()
            context.judge(rig)
            return proven
    repeated(context, try_once)


@case("N04", "many clients of one series", "crowds", 1, night=2, release=10)
def crowd_of_one_series(context):
    """With a slow COMMIT and small batches, so that they have to queue on any machine."""
    limits = Limits(p99_floor_ms=200)

    def try_once():
        with context.rig(blocks=blocks(hot=[(1, 9_999_999)]),
                         options=["--batch-requests-max", 16, "--queue-time-max", "200ms"]) as rig:
            slow_down(rig)
            try:
                rig.start(1)
                others = Others(context, rig, crowd_seconds + 1, rate=80)
                with others.beside():
                    hot = Load(rig, 0, 300, crowd_seconds, context.seed + 1)
                    time.sleep(crowd_seconds)
                proven = others.judge(limits)
                refused = sum(1 for a in hot.wait() if a.status == 503)
                notes = context.result.notes
                notes["refused of the crowd"] = notes.get("refused of the crowd", 0) + refused
                context.judge(rig)
            finally:
                slow_down(rig, wanted=False)
            return proven
    repeated(context, try_once)


large_count = 100_000


class LargeReader:
    """Asks for a hundred thousand numbers with all of them in the answer, and throws it away."""

    def __init__(self, rig, number):
        self.rig, self.number, self.wishes = rig, number, []
        self.client = rig.client()
        self.line = None

    def ask(self):
        wish = {"series": f"large-{self.number}", "count": large_count,
                "key": f"large {self.number} {len(self.wishes)}"}
        self.wishes.append(wish)
        request = self.client.request(
            "POST", f"/v1/series/{wish['series']}/numbers?numbers=true", wish["key"],
            {"count": large_count})
        attempt = Attempt("issue", self.client.name, wish["series"], wish["key"], large_count,
                          instance="0", sent_at=time.time_ns() // 1000,
                          start=time.monotonic_ns())
        attempt.status = self.exchange(request)
        attempt.end = time.monotonic_ns()
        self.rig.history.add(attempt)  # it was not read: resolve() asks what is in it

    def exchange(self, request):
        if self.line is None:
            self.line = socket.create_connection(("127.0.0.1", self.rig.ports[0]), 15)
        self.line.sendall(request)
        got = b""
        while b"\r\n\r\n" not in got:
            got += self.read()
        head, _, rest = got.partition(b"\r\n\r\n")
        fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
        left = int(fields[b"content-length"]) - len(rest)
        while left > 0:
            left -= len(self.read())
        return int(head.split()[1])

    def read(self):
        got = self.line.recv(1 << 18)
        if not got:
            raise ConnectionResetError("the connection ended inside a large answer")
        return got

    def resolve(self, context):
        """The same keys again, with ranges only."""
        self.line.close()
        for wish in self.wishes:
            context.expect(self.client.issue(wish).fate == OK, f"{wish['key']} was not issued")


@case("N05", "large answers", "crowds", 1, night=2, release=10)
def large_answers(context):
    limits = Limits(p99_floor_ms=60)

    def try_once():
        plenty = {f"large-{n}": [(10**9 * n, 10**9 * n + 99_999_999)] for n in range(8)}
        with context.rig(blocks=blocks(**plenty)) as rig:
            rig.start(1)
            readers = [LargeReader(rig, n) for n in range(8)]
            others = Others(context, rig, crowd_seconds, rate=80)
            with others.beside(), running(lambda n: readers[n].ask(), count=8):
                time.sleep(crowd_seconds - 1)
            proven = others.judge(limits)
            notes = context.result.notes
            asked = sum(len(each.wishes) for each in readers)
            notes["large answers"] = notes.get("large answers", 0) + asked
            for each in readers:
                each.resolve(context)
            context.judge(rig)
            return proven
    repeated(context, try_once)
