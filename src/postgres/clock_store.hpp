#pragma once

#include "base/moment.hpp"
#include "record/pqxx_fwd.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace gapless {

/// Two clocks at one moment: the database's, which may be set, and this machine's time since boot,
/// which continues during sleep.
struct clock_mark
{
    database_time database{};
    std::chrono::microseconds uptime{};
};

/// Reads the database's clock. `last` is the previous result; none: the first call. Returns nullopt
/// while the clock is in doubt because it moved further than time did (gapless.clock_look): nothing
/// expires by it then; keep passing the same `last`.
std::optional<clock_mark> look_at_clock(
    pqxx::transaction_base& transaction, std::optional<clock_mark> const& last
);

/// Trusts the clock again, whatever it says; returns its time. Refuses (GL014) if it is not in
/// doubt.
database_time accept_clock(pqxx::transaction_base& transaction, std::string const& actor);

}  // namespace gapless
