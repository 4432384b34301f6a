# Runs the cases of a tier round by round, and keeps what was done for --resume.
import dataclasses
import json
import pathlib
import shutil
import tempfile
import time
import traceback

from harness.processes import stop_all
from torturelib.case import CASES, Context, Impossible, Result
from torturelib.cluster import Cluster
from torturelib.rig import Ground

databases_max = 12
more_rounds_max = 3  # for a case whose faults all hit nothing, on a machine that was busy elsewhere


class State:
    """state.json in the folder: the results so far. Those of another tier, seed or program do not
    count."""

    def __init__(self, folder, identity, resume):
        self.file, self.identity = folder / "state.json", identity
        self.results = {}
        if resume and self.file.exists():
            kept = json.loads(self.file.read_text())
            if kept["identity"] == identity:
                self.results = {name: Result(**r) for name, r in kept["results"].items()}

    def add(self, name, result):
        self.results.setdefault(name, Result()).add(result)
        text = json.dumps({
            "identity": self.identity,
            "results": {name: dataclasses.asdict(r) for name, r in self.results.items()}}, indent=1)
        new = self.file.with_suffix(".new")
        new.write_text(text)
        new.replace(self.file)


class Runner:
    def __init__(self, options, programs):
        self.options, self.programs = options, programs
        self.folder = options.state
        self.folder.mkdir(parents=True, exist_ok=True)
        identity = {"tier": options.tier, "seed": options.seed, "scale": options.scale,
                    "count": options.count, "programs": str(programs)}
        self.state = State(self.folder, identity, options.resume)
        self.ground = None
        self.work = None

    def wanted(self):
        """[(case, n)] of the tier, --only and --skip"""
        chosen = []
        for case in CASES.values():
            names, group = (case.id, case.id.partition("-")[0]), case.id[0]
            if any(name in self.options.skip for name in (*names, group)):
                continue
            size = case.sizes.get(self.options.tier, 0)
            if self.options.only and any(name in self.options.only for name in names):
                size = size or min(case.sizes.values())
            elif self.options.only and group not in self.options.only:
                continue
            if size:
                wanted = self.options.count or round(size * self.options.scale)
                chosen.append((case, max(1, wanted)))
        return chosen

    def break_ground(self, fresh):
        """The server cases share; a new one after a case that failed half-way, and before it has so
        many databases that checkpoints take long."""
        if self.ground is not None and self.ground.rigs >= (1 if fresh else databases_max):
            self.clear()
        if self.ground is None:
            self.work = pathlib.Path(tempfile.mkdtemp(prefix="gapless-torture-"))
            self.work.chmod(0o755)
            cluster = Cluster(self.work / "primary")
            self.cluster = cluster
            cluster.start()
            runs = self.work / "runs"
            runs.mkdir()
            self.ground = Ground(self.programs, cluster, runs)
        return self.ground

    def clear(self, keep=False):
        stop_all()
        if self.work is not None:
            if keep:
                for file in sorted(self.work.rglob("*.log")) + sorted(self.work.glob("history-*")):
                    target = self.folder / "kept" / file.relative_to(self.work)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(file, target)
            self.cluster.remove()
            shutil.rmtree(self.work, ignore_errors=True)
        self.ground = self.work = None

    def run_round(self, case, n, done):
        """One round -> its Result; a case that cannot go on is a violation, too."""
        began = time.monotonic()
        seed = self.options.seed * 1_000_003 + done
        context = None
        try:
            ground = self.break_ground(case.fresh)
            context = Context(ground, case.id, n, seed, self.options.tier)
            case.run(context)
            result = context.result
        except KeyboardInterrupt:
            raise
        except Impossible as why:
            told = {"not possible here:": str(why)}
            result = Result(n=n, void=n, impossible=str(why), notes=told)
        except Exception as error:
            if self.options.verbose:
                traceback.print_exc()
            result = context.result if context else Result()
            kind = type(error).__name__
            result.violations.append(f"{case.id}: ended early: {kind}: {error}")
        result.seconds = time.monotonic() - began
        if result.violations:
            self.clear(keep=True)
        return result

    def run_case(self, case, size, report):
        """Its rounds, and some more while nothing was shown because each of its runs was void."""
        done, more = self.state.results.get(case.id, Result()).n, 0
        while done < size or (self.shows_nothing(case) and more < more_rounds_max):
            more += done >= size
            n = min(case.round, size - done) if done < size else min(case.round, size)
            result = self.run_round(case, n, done)
            self.state.add(case.id, result)
            done += n
            report(case, size, self.state.results[case.id], done >= size)
            if result.violations and not self.options.keep_going:
                break

    def shows_nothing(self, case):
        result = self.state.results[case.id]
        return result.bound is None and not result.violations and not result.impossible

    def run(self, report):
        """All of them; report(case, n, Result so far) after each round."""
        try:
            for case, size in self.wanted():
                self.run_case(case, size, report)
        finally:
            self.clear()
        return self.state.results
