#include "cli/command_context.hpp"
#include "cli/operation_commands.hpp"
#include "reserve/lease_telling.hpp"
#include "series/commands.hpp"
#include "series/operations.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace gapless::cli {

namespace {

/// "2 h 5 min", "47 min".
std::string to_words(std::int64_t minutes)
{
    return minutes < 60 ? fmt::format("{} min", minutes)
                        : fmt::format("{} h {} min", minutes / 60, minutes % 60);
}

void tell(command_context& context, operation const& done, nlohmann::ordered_json const& shown)
{
    if (done.answer->is_list)
    {
        if (shown.empty())
            context.say(
                "no series found; to create one: gapless series create NAME --carrier CARRIER"
            );
        return;
    }
    if (auto const& minutes = shown["reserve_minutes"]; !minutes.is_null())
        context.say(fmt::format("reserve covers {} at today's rate", to_words(minutes)));
    if (done.verb == "pause")  // a disconnected instance learns of it later
        say_on_lease(context, read_leases(context, shown["name"].get<std::string>()));
}

}  // namespace

noun series_commands()
{
    return operation_commands(series::administration, nullptr, tell);
}

}  // namespace gapless::cli
