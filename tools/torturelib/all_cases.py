# Every case, in the order in which they run: each module registers its own.
from torturelib.case import CASES
from torturelib import cases_issue
from torturelib import cases_kill
from torturelib import cases_wire
from torturelib import cases_standby
from torturelib import cases_disk
from torturelib import cases_time
from torturelib import cases_overload
from torturelib import cases_patroni
from torturelib import cases_neighbours
from torturelib import cases_reserve
from torturelib import seeded

__all__ = ["CASES", "cases_disk", "cases_issue", "cases_kill", "cases_neighbours",
           "cases_overload", "cases_patroni", "cases_reserve", "cases_standby", "cases_time",
           "cases_wire", "seeded"]
