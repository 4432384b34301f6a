# T21: clocks that are wrong, jump or stand still, of the service and of the database.
import datetime
import time

from harness.client import Client
from torturelib.case import case
from torturelib.cases_disk import server_with
from torturelib.crowd import Crowd, Plan
from torturelib.namespaces import need
from torturelib.rig import Rig

CLOCKS = {"an hour ahead": "+1h", "an hour behind": "-1h", "a year ahead": "+365d",
          "a year behind": "-365d", "stands still": "2026-01-01 00:00:00", "twice as fast": "+0 x2"}
RUNS = ("twice as fast",)  # right at first
clock_error_min = 600  # seconds
library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"


def fake(clock):
    """Only what tells the time of day: the clocks by which programs wait stay as they are."""
    return {"LD_PRELOAD": library, "FAKETIME": clock, "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1"}


def issue_on(context, rig, way, **environment):
    """Some numbers and a hold, by an instance with this clock -> whether its clock was wrong"""
    rig.start(1, **environment)
    crowd = Crowd(rig, Plan(clients=4, hold_in_100=20, read_in_100=0, seed=context.seed),
                  ports=rig.ports[-1:])
    crowd.wait_for_more(40)
    crowd.stop()
    if environment:
        check_expiry(context, rig, way)
    started = rig.instances[-1].events("listening")[0]["ts"]
    clock = datetime.datetime.fromisoformat(started.replace("Z", "+00:00")).timestamp()
    rig.instances.pop().kill()
    rig.ports.pop()
    told = context.result.notes
    told[way] = told.get(way, 0) + 1
    return abs(clock - time.time()) > clock_error_min


def check_expiry(context, rig, way):
    """Whether a token is over is the database's word, whatever the service takes for the time."""
    for left, expected in (("1 hour", 200), ("-1 minute", 401)):
        token = rig.ground.token(rig.database, "expires", "read")
        rig.sql(f"update gapless.token set expires_at = now() + interval '{left}'"
                f" where token_id = {token.split('_')[1]}")
        client = Client(rig.history, rig.ports, "expires", token)
        told = client.connection.exchange(rig.ports[-1], client.request("GET", "/v1/formats"))[0]
        client.connection.close()
        context.expect(told == expected, f"{way}: a token that ends in {left} gets {told}")


@case("T21", "the clock of the service is wrong", "clocks", 6, night=6, release=12)
def service_clock(context):
    """One database, services whose clocks differ: order and numbers come from no clock."""
    need("faketime")
    with context.rig(blocks={"hot": [(1, 999_999)]}) as rig:
        for number in range(context.n):
            way = list(CLOCKS)[number % len(CLOCKS)]
            wrong = issue_on(context, rig, way, **fake(CLOCKS[way])) or way in RUNS
            context.result.faults += 1
            context.result.hit += wrong
            context.result.void += not wrong
        context.judge(rig)


no_clock = 10**15  # microseconds; the checker compares no times of day


@case("T21-database", "the clock of the database is wrong", "clocks", 6, night=6, release=12)
def database_clock(context):
    """From each start of the server to the next its clock jumps; holds may expire early, and
    numbers go on where they were."""
    need("faketime")
    with server_with(context, lambda cluster: None) as ground:
        with context.counted(Rig(ground, blocks={"hot": [(1, 999_999)]})) as rig:
            rig.history.clocks_differ = no_clock
            for number in range(context.n):
                way = list(CLOCKS)[number % len(CLOCKS)]
                rig.cluster.stop()
                rig.cluster.server_environment = fake(CLOCKS[way])
                rig.cluster.start()
                told = float(rig.sql("select extract(epoch from clock_timestamp())"))
                wrong = abs(told - time.time()) > clock_error_min or way in RUNS
                issue_on(context, rig, way)
                context.result.faults += 1
                context.result.hit += wrong
                context.result.void += not wrong
            rig.cluster.stop()
            rig.cluster.server_environment = {}
            rig.cluster.start()
            issue_on(context, rig, "right again")
            context.judge(rig)
