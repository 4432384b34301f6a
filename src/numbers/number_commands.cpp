#include "cli/command_context.hpp"
#include "cli/operation_commands.hpp"
#include "numbers/commands.hpp"
#include "numbers/operations.hpp"
#include "record/table.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace gapless::cli {

namespace {

using numbers::history_entry;

constexpr auto history_columns = chosen_columns<
    &history_entry::at,
    &history_entry::kind,
    &history_entry::actor,
    &history_entry::reason>;

void tell(command_context& context, operation const&, nlohmann::ordered_json const& number)
{
    if (auto const completed = number.find(name_of(&numbers::number_record::completed));
        completed != number.end())
        context.say(completed->get<std::string>());
    auto const& history = number[name_of(&numbers::number_record::history)];
    if (context.options().output == output_format::table && !history.empty())
    {
        context.print_part("\n");
        context.print_list(history, history_columns);
    }
    if (auto const lease = number.find(name_of(&numbers::number_record::on_lease));
        lease != number.end())
        context.say(fmt::format(
            "on lease at {} since {}: whether it was issued is known once that is settled",
            lease->at(name_of(&numbers::lease_place::host)).get<std::string>(),
            lease->at(name_of(&numbers::lease_place::since)).get<std::string>()
        ));
}

}  // namespace

noun number_commands()
{
    return operation_commands(numbers::administration, nullptr, tell);
}

}  // namespace gapless::cli
