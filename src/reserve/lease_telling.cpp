#include "reserve/lease_telling.hpp"

#include "base/moment.hpp"
#include "reserve/lease_operations.hpp"

#include <fmt/format.h>

namespace gapless::cli {

std::vector<leases::listed_lease> read_leases(
    command_context& context, std::optional<std::string> const& series
)
{
    return value_of(context.read([&](pqxx::transaction_base& transaction) {
        return leases::read_all(transaction, series);
    }));
}

void say_on_lease(command_context const& context, std::vector<leases::listed_lease> const& leases)
{
    for (auto const& lease : leases)
        if (lease.held > 0)
            context.say(fmt::format(
                "{} {} of {} on lease at {}, last contact {}{}",
                lease.held.value,
                lease.held == 1 ? "number" : "numbers",
                lease.series,
                lease.host,
                to_rfc3339(lease.contact),
                lease.overdue ? ", overdue" : ""
            ));
}

void say_recalled(command_context& context, std::string const& series)
{
    auto leases = read_leases(context, series);
    std::erase_if(leases, [](leases::listed_lease const& lease) {
        return lease.status != lease_status::recalled;
    });
    say_on_lease(context, leases);
}

}  // namespace gapless::cli
