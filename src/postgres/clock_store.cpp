#include "postgres/clock_store.hpp"

#include "base/contract.hpp"
#include "postgres/columns.hpp"
#include "postgres/query.hpp"

#include <ctime>

namespace gapless {

namespace {

std::chrono::microseconds uptime()
{
    timespec now{};
    ensure(clock_gettime(CLOCK_BOOTTIME, &now) == 0, "the machine knows for how long it is up");
    return std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec}
    );
}

}  // namespace

std::optional<clock_mark> look_at_clock(
    pqxx::transaction_base& transaction, std::optional<clock_mark> const& last
)
{
    auto const begun = uptime();
    std::optional<std::int64_t> elapsed;
    if (last)
        elapsed = (begun - last->uptime).count();
    auto const seen = query_row(
        transaction,
        "select (extract(epoch from l.at) * 1000000)::bigint, l.believed "
        "from gapless.clock_look($1::timestamptz, $2 * interval '1 microsecond') l",
        to_parameter(last ? std::optional{last->database} : std::nullopt),
        elapsed
    );
    if (!seen[1].as<bool>())
        return std::nullopt;
    return clock_mark{to_time(seen[0]), begun};
}

database_time accept_clock(pqxx::transaction_base& transaction, std::string const& actor)
{
    return to_time(query_row(
        transaction,
        "select (extract(epoch from gapless.clock_accept($1)) * 1000000)::bigint",
        actor
    )[0]);
}

}  // namespace gapless
