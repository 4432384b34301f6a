#include "postgres/interface.hpp"

#include "postgres/environment.hpp"
#include "postgres/query.hpp"

#include <fmt/format.h>

namespace gapless {

namespace {

std::string name_of(interface_range const& range)
{
    return range.oldest == range.newest
               ? fmt::format("interface {}", range.newest)
               : fmt::format("interfaces {} to {}", range.oldest, range.newest);
}

}  // namespace

std::optional<interface_range> read_interfaces(pqxx::transaction_base& transaction)
{
    // Not by catching an error, which would be in the server's log.
    if (query_value<bool>(transaction, "select to_regprocedure('gapless.interface()') is null"))
        return std::nullopt;
    auto const row =
        query_row(transaction, "select oldest_interface, interface from gapless.interface()");
    return interface_range{row[0].as<int>(), row[1].as<int>()};
}

std::string interface_obstacle(std::optional<interface_range> const& served)
{
    if (!served)
        return "the database has no schema of gapless; run: gapless migrate up";
    auto const called = called_interfaces();
    if (served->newest < called.oldest)
        return fmt::format(
            "the database serves {} of gapless, this program calls {}; run: gapless migrate up",
            name_of(*served),
            name_of(called)
        );
    if (served->oldest > called.newest)
        return fmt::format(
            "the database serves {} of gapless, this program calls {}: use a newer gapless",
            name_of(*served),
            name_of(called)
        );
    return {};
}

std::string service_obstacle(pqxx::transaction_base& transaction, std::string const& wanted)
{
    auto why = wanted.empty() ? std::string{}
                              : environment_obstacle(wanted, read_environment(transaction));
    return why.empty() ? interface_obstacle(read_interfaces(transaction)) : why;
}

}  // namespace gapless
