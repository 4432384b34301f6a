# Runs cases, each on a server of its own.
import pathlib
import shutil
import tempfile
import time
import traceback

from harness.processes import stop_all
from torturelib.case import Context, Impossible
from torturelib.rig import Ground

tries_max = 3  # of a case whose faults all hit nothing, on a machine that was busy elsewhere


def keep(work, folder):
    """Logs and histories of what went wrong."""
    for file in (*work.rglob("*.log"), *work.rglob("history-*")):
        target = folder / "kept" / file.relative_to(work)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)


def run_once(case, n, seed, programs, state):
    """-> violations, whether something was shown, and what was done in words"""
    work = pathlib.Path(tempfile.mkdtemp(prefix="gapless-torture-"))
    work.chmod(0o755)
    began, ground = time.monotonic(), Ground(programs, work)
    context = Context(ground, case.id, n, seed)
    violations = context.violations
    try:
        ground.prepare()
        case.run(context)
    except Impossible as why:
        return [], True, f"{case.id:14} not possible here: {why}"
    except Exception as error:
        traceback.print_exc()
        violations.append(f"ended early: {type(error).__name__}: {error}")
    finally:
        stop_all()
        if violations:
            keep(work, state)
        ground.cluster.remove()
        shutil.rmtree(work, ignore_errors=True)
    shown = context.faults == 0 or context.void < context.faults
    told = ", ".join(f"{what} {count}" for what, count in context.told.items())
    return violations, shown, (
        f"{case.id:14} {n} {case.unit}, {context.operations:,} requests ({context.unknown} unknown"
        f" at first, {context.refused} refused), {context.faults} faults ({context.void} void),"
        f" {len(violations)} violations, back in {context.slowest_recovery:.1f} s,"
        f" {time.monotonic() - began:.0f} s {told}")


def run_case(case, n, seed, programs, state):
    """Again while nothing was shown -> what was wrong"""
    for turn in range(tries_max):
        violations, shown, told = run_once(case, n, seed + turn, programs, state)
        print(told, flush=True)
        if violations or shown:
            break
    wrong = [f"{case.id}: {text}" for text in violations[:12]]
    return wrong if shown or wrong else [f"{case.id}: nothing was shown: every fault hit nobody"]
