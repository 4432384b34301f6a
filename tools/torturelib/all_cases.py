# Every case, in the order in which a tier runs them: each module registers its own.
from torturelib.case import CASES
from torturelib import cases_load
from torturelib import cases_kill
from torturelib import cases_points
from torturelib import cases_wire
from torturelib import cases_settings
from torturelib import cases_standby
from torturelib import cases_disk
from torturelib import cases_power
from torturelib import cases_time
from torturelib import cases_shortage
from torturelib import cases_long
from torturelib import cases_overload
from torturelib import cases_patroni
from torturelib import cases_locks
from torturelib import cases_shares
from torturelib import cases_frozen
from torturelib import cases_waits
from torturelib import cases_tools
from torturelib import cases_reserve
from torturelib import cases_reserve_more
from torturelib import cases_reserve_mixture
from torturelib import cases_seeded

__all__ = ["CASES", "cases_disk", "cases_frozen", "cases_kill", "cases_load", "cases_locks",
           "cases_long", "cases_overload", "cases_patroni", "cases_points", "cases_power",
           "cases_reserve", "cases_reserve_mixture", "cases_reserve_more", "cases_seeded",
           "cases_settings", "cases_shares", "cases_shortage", "cases_standby", "cases_time",
           "cases_tools", "cases_waits", "cases_wire"]
