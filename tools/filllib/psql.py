# psql and the command line program, for tools/fill: what they do may take as long as it takes.
import functools
import subprocess

from harness import database, processes

seconds_max = 7 * 24 * 3600
ask = functools.partial(database.psql, seconds_max=seconds_max)
admin = functools.partial(database.admin, seconds_max=seconds_max)


def start(url, script, **files):
    """A session that runs the script."""
    session = processes.start(
        [*database.psql_command, url], stdin=subprocess.PIPE, text=True,
        env=processes.clean_environment(PGOPTIONS="-c client_min_messages=warning"), **files)
    session.stdin.write(script)
    session.stdin.close()
    return session
