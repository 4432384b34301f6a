#include "reserve/lease_telling.hpp"

#include "cli/record_json.hpp"
#include "reserve/lease_operations.hpp"

#include <nlohmann/json.hpp>

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

void say_on_lease(command_context const& context, nlohmann::ordered_json const& leases)
{
    auto const text_of = [](nlohmann::ordered_json const& lease, char const* name) {
        return lease[name].get<std::string>();
    };
    for (auto const& lease : leases)
        if (auto const held = text_of(lease, "held"); held != "0")
            context.say(fmt::format(
                "{} {} of {} on lease at {}, last contact {}{}",
                held,
                held == "1" ? "number" : "numbers",
                text_of(lease, "series"),
                text_of(lease, "host"),
                text_of(lease, "contact"),
                lease["overdue"].get<bool>() ? ", overdue" : ""
            ));
}

void say_on_lease(command_context const& context, std::vector<leases::listed_lease> const& leases)
{
    say_on_lease(context, to_rows(leases));
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
