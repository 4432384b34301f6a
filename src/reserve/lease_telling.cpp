#include "reserve/lease_telling.hpp"

#include "base/moment.hpp"
#include "reserve/lease_operations.hpp"

#include <fmt/format.h>

namespace gapless::cli {

std::vector<leases::listed_lease> read_leases(
    session& session, std::optional<std::string> const& series
)
{
    return value_of(session.read([&](pqxx::transaction_base& transaction) {
        return leases::read_all(transaction, series);
    }));
}

void say_on_lease(session const& session, std::vector<leases::listed_lease> const& leases)
{
    for (auto const& lease : leases)
        if (lease.held > 0)
            session.say(fmt::format(
                "{} {} of {} on lease at {}, last contact {}{}",
                lease.held.value,
                lease.held == 1 ? "number" : "numbers",
                lease.series,
                lease.host,
                to_rfc3339(lease.contact),
                lease.overdue ? ", overdue" : ""
            ));
}

void say_recalled(session& session, std::string const& series)
{
    auto leases = read_leases(session, series);
    std::erase_if(leases, [](leases::listed_lease const& lease) {
        return lease.status != lease_status::recalled;
    });
    say_on_lease(session, leases);
}

}  // namespace gapless::cli
