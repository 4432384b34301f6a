# T21: clocks that are wrong, jump or stand still, of the service and of the database.
import pathlib

from harness.client import Client
from harness.crowd import Crowd, Plan
from torturelib.case import Impossible, case

CLOCKS = ("+1h", "-1h", "+365d", "-365d", "2026-01-01 00:00:00", "+0 x2")  # the last: twice as fast
library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
no_clock = 10**15  # microseconds; the checker compares no times of day


def fake(clock):
    """Only what tells the time of day: the clocks by which programs wait stay as they are."""
    return {"LD_PRELOAD": library, "FAKETIME": clock, "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1"}


def issue_on(context, rig, **environment):
    """Some numbers and holds, by an instance with this clock."""
    rig.start(1, **environment)
    crowd = Crowd(rig, Plan(clients=4, hold_in_100=20, read_in_100=0,
                            seed=context.seed + len(rig.history.attempts)), ports=rig.ports[-1:])
    crowd.wait_for_more(40)
    crowd.stop()
    # Whether a token is over is the database's word, whatever the service takes for the time.
    for left, expected in (("1 hour", 200), ("-1 minute", 401)):
        token = rig.ground.token(rig.database, "expires", "read")
        rig.sql(f"update gapless.token set expires_at = now() + interval '{left}'"
                f" where token_id = {token.split('_')[1]}")
        client = Client(rig.history, rig.ports, "expires", token)
        told = client.connection.exchange(rig.ports[-1], client.request("GET", "/v1/formats"))[0]
        client.connection.close()
        context.expect(told == expected, f"{environment}: a token that ends in {left} gets {told}")
    rig.instances.pop().kill()
    rig.ports.pop()


@case("T21", "the clocks of service and database are wrong", "clocks", night=12)
def wrong_clocks(context):
    """By turns. Order and numbers come from no clock; holds may expire early."""
    if not pathlib.Path(library).exists():
        raise Impossible("faketime is missing; tools/install_night installs it")
    with context.rig(blocks={"hot": [(1, 999_999)]}) as rig:
        rig.history.clocks_differ = no_clock
        for number in range(context.n):
            clock = fake(CLOCKS[number // 2 % len(CLOCKS)])
            if number % 2 == 0:
                issue_on(context, rig, **clock)
                continue
            for environment in (clock, {}):
                rig.cluster.stop()
                rig.cluster.server_environment = environment
                rig.cluster.start()
                issue_on(context, rig)
        context.judge(rig)
