#include "app/cli/lease_telling.hpp"

#include "cases/leases.hpp"
#include "domain/moment.hpp"

#include <fmt/format.h>

namespace gapless::cli {

void say_on_lease(session const& session, std::vector<listed_lease> const& leases)
{
    for (auto const& lease : leases)
        if (lease.held > 0)
            session.say(fmt::format(
                "{} {} of {} on lease at {}, last contact {}{}",
                lease.held,
                lease.held == 1 ? "number" : "numbers",
                lease.series,
                lease.host,
                to_rfc3339(lease.contact),
                lease.overdue ? ", overdue" : ""
            ));
}

void say_recalled(session& session, std::string const& series)
{
    auto leases = session.ask(cases::list_leases{{.series = series}});
    std::erase_if(leases, [](listed_lease const& lease) {
        return lease.status != lease_status::recalled;
    });
    say_on_lease(session, leases);
}

}  // namespace gapless::cli
