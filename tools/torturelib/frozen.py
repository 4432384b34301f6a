# The sessions of the service: all of them there, and frozen.
import contextlib
import os
import signal
import threading
import time

from torturelib.holder import Holder


def backends(rig, only=""):
    """Process ids of the service's sessions."""
    told = rig.sql("select pid from pg_stat_activity where usename = 'gaplessd'"
                   f" and datname = '{rig.database}' {only}")
    return [int(line) for line in told.splitlines()]


def open_every_connection(rig, wanted=5):
    """Until the service has all its sessions, the issuing one and one for each thread: a table that
    is locked holds up its reads as long as that takes."""
    holder = Holder(rig.cluster, rig.database, "lock table gapless.block in access exclusive mode")
    reads = [threading.Thread(target=rig.client().read_issued, args=("other-8",), daemon=True)
             for _ in range(2 * wanted)]
    for thread in reads:
        thread.start()
    deadline = time.monotonic() + 10
    while len(backends(rig)) < wanted and time.monotonic() < deadline:
        time.sleep(0.05)
    holder.release()
    for thread in reads:
        thread.join(30)


@contextlib.contextmanager
def frozen(pids):
    """Alive, connected, and silent."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
