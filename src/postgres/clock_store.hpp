#pragma once

#include "base/moment.hpp"
#include "record/pqxx_fwd.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace gapless {

/// Two clocks at one moment: the database's, which may be set, and this machine's time since it
/// booted, which goes on while it sleeps.
struct clock_mark
{
    database_time database{};
    std::chrono::microseconds uptime{};
};

/// Looks at the database's clock. `last` is what this returned last; none: never. Returns nothing
/// while the clock is doubted because it went further than time did (gapless.clock_look): nothing
/// ends by it then, and `last` stays the same.
std::optional<clock_mark> look_at_clock(
    pqxx::transaction_base& transaction, std::optional<clock_mark> const& last
);

/// Believes the clock again, whatever it says, which is returned. Refuses (GL014) when nobody
/// doubts it.
database_time accept_clock(pqxx::transaction_base& transaction, std::string const& actor);

}  // namespace gapless
