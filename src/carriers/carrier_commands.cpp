#include "carriers/carrier.hpp"
#include "carriers/commands.hpp"
#include "carriers/operations.hpp"
#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "cli/operation_commands.hpp"
#include "postgres/run_operation.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

using carriers::carrier_change;

struct carrier_options
{
    std::string code;
    std::string lead_days;
    std::string four_eyes;
};

carrier_change read_change(carrier_options const& wants)
{
    carrier_change change{.code = wants.code, .lead_days = {}, .four_eyes = {}};
    if (!wants.lead_days.empty())
    {
        constexpr auto bounds = bounds_of<carriers::lead_days_range>;
        auto const days = read_integer(wants.lead_days, bounds.least, bounds.most);
        if (days.has_error())
            throw usage_error("--lead-days: " + days.error().detail);
        change.lead_days = {true, *days};
    }
    if (!wants.four_eyes.empty())
        change.four_eyes = {true, wants.four_eyes == "on"};
    if (!change.lead_days && !change.four_eyes)
        throw usage_error("say what to set: --lead-days N or --four-eyes on|off");
    return change;
}

exit_code set(command_context& context, carrier_options const& wants)
{
    auto const& operations = carriers::administration.operations;
    auto const& changes =
        *std::ranges::find(operations, http_method::patch, &operation_facts::method);
    auto const made = context.act(run_operation{
        &changes, std::make_shared<carrier_change const>(read_change(wants))});
    context.print(nlohmann::ordered_json::parse(made.json), changes.answer->columns);
    context.say_dry_run();
    if (!made.waits)
        return exit_code::ok;
    context.say(fmt::format(
        "four eyes stay on until somebody else asks for the same within 7 days: gapless carrier "
        "set {} --four-eyes off",
        to_quoted(wants.code)
    ));
    return exit_code::not_allowed;
}

constexpr std::array<std::string_view, 2> switch_states{"on", "off"};

parameters set_parameters(carrier_options& into)
{
    return {
        {.name = "CODE", .into = &into.code, .help = "Code of the carrier", .required = true},
        {.name = "--lead-days",
         .into = &into.lead_days,
         .help = "Calendar days from the order of a block to its letter",
         .value = "N"},
        {.name = "--four-eyes",
         .into = &into.four_eyes,
         .help = "One person proposes a block, another one confirms it",
         .value = "on|off",
         .choices = switch_states},
    };
}

}  // namespace

noun carrier_commands()
{
    auto made = operation_commands(carriers::administration);
    made.verbs.push_back(verb_of<carrier_options>{
        .name = "set", .summary = "Change a carrier", .takes = set_parameters, .run = set});
    return made;
}

}  // namespace gapless::cli
