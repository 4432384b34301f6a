# T33: the checker and the harness prove themselves. Every seeded bug has to be caught, and the same
# run without one has to be clean. The bugs of the programs are mutants, caught by the clean runs.
import contextlib
import time

from harness import checker_selftest
from harness.history import QUESTIONS
from torturelib.case import case
from torturelib.pair import PairRig, pair_of
from torturelib.rig import Rig
from torturelib.scenarios import BLOCKS, SCENARIOS, play
from torturelib.seeded import BUGS, quick, tampered

tries_max = 3


@case("T33-checker", "the checker's own test", "histories", 100, commit=20, night=300,
      release=2_000)
def checker_self_test(context):
    alarms, missed, tried = checker_selftest.run(context.n)
    for text in alarms + missed:
        context.violation(text)
    context.result.notes["broken histories caught"] = sum(tried.values()) - len(missed)


class Stage:
    """Where scenarios are played; a pair of servers is made when the first of them needs one."""

    def __init__(self, context, stack):
        self.context, self.stack, self.pair = context, stack, None

    def rig(self, name):
        if name != "lost settings" and not name.startswith("standby away"):
            return Rig(self.context.ground, blocks=BLOCKS)
        if self.pair is None:
            self.pair = self.stack.enter_context(pair_of(self.context))
        return PairRig(self.pair, blocks=BLOCKS)

    def play(self, name, bug=None):
        with self.context.counted(self.rig(name)) as rig:
            return play(rig, name, bug)

    def provoke(self, bug):
        """A bug may not show in one short run."""
        for _ in range(tries_max):
            found = self.play(bug.scenario, bug)
            if found:
                return found
        return []

    def tamper(self, bugs):
        """{bug: findings}; one sound run for all of them, because each takes itself back."""
        with self.context.counted(self.rig("crowd")) as rig:
            play(rig, "crowd")
            return {
                bug.name: rig.judge(rig.sql(tampered(bug, QUESTIONS))) for bug in bugs}


@case("T33", "seeded bugs are caught", "bugs", len(BUGS), commit=quick, night=len(BUGS),
      release=len(BUGS))
def seeded_bugs(context):
    with contextlib.ExitStack() as stack:
        stage = Stage(context, stack)
        bugs = BUGS[:context.n]
        caught = stage.tamper([bug for bug in bugs if bug.tampering])
        for bug in bugs:
            began = time.monotonic()
            found = caught.get(bug.name) if bug.tampering else stage.provoke(bug)
            context.expect(found, f"the bug {bug.name} was not caught")
            words = found[0][:100] if found else "NOT CAUGHT"
            took = time.monotonic() - began
            context.result.notes[bug.name] = f"in {took:.1f} s: {words};"


def clean_run(name):
    def run(context):
        with contextlib.ExitStack() as stack:
            stage = Stage(context, stack)
            for _ in range(context.n):
                for text in stage.play(name):
                    context.violation(text)
    return run


for each in SCENARIOS:
    # Two crashes of a pair take their time.
    case("T33-" + each.replace(", ", "-").replace(" ", "-"), f"without a bug: {each}", "runs", 1,
         commit=0 if each == "lost settings" else 1, night=4, release=40)(clean_run(each))
