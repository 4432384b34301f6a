#include "app/cli/argument.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/json.hpp"
#include "app/cli/session.hpp"
#include "cases/carriers.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct carrier_options
{
    std::string code;
    std::string lead_days;
    std::string four_eyes;
};

constexpr std::array carrier_columns{
    column{.key = "code"},
    column{.key = "lead_days", .number = true},
    column{.key = "four_eyes"},
};

exit_code list(session& session, carrier_options const&)
{
    auto rows = json::array();
    for (auto const& carrier : session.ask(cases::list_carriers{}))
        rows.push_back(to_json(carrier));
    session.print_list(rows, carrier_columns);
    return exit_code::ok;
}

exit_code show(session& session, carrier_options const& wants)
{
    session.print(to_json(session.ask(cases::read_carrier{wants.code})), carrier_columns);
    return exit_code::ok;
}

exit_code set(session& session, carrier_options const& wants)
{
    carrier_change change;
    if (!wants.lead_days.empty())
    {
        constexpr std::int64_t lead_days_max = 365;
        auto const days = read_integer(wants.lead_days, 0, lead_days_max);
        if (days.has_error())
            throw usage_error("--lead-days: " + days.error().detail);
        change.lead_days = static_cast<std::int32_t>(*days);
    }
    if (!wants.four_eyes.empty())
        change.four_eyes = wants.four_eyes == "on";
    if (!change.lead_days && !change.four_eyes)
        throw usage_error("say what to set: --lead-days N or --four-eyes on|off");
    auto const carrier = session.act(cases::change_carrier{wants.code, change});
    session.print(to_json(carrier), carrier_columns);
    session.say_dry_run();
    if (change.four_eyes != false || !carrier.four_eyes)
        return exit_code::ok;
    session.say(fmt::format(
        "four eyes stay on until somebody else asks for the same within 7 days: gapless carrier "
        "set {} --four-eyes off",
        to_quoted(carrier.code)
    ));
    return exit_code::not_allowed;
}

parameters code_parameter(carrier_options& into)
{
    return {{.name = "CODE", .into = &into.code, .help = "Code of the carrier", .required = true}};
}

constexpr std::array<std::string_view, 2> switch_states{"on", "off"};

parameters set_parameters(carrier_options& into)
{
    return join(
        code_parameter(into),
        {
            {.name = "--lead-days",
             .into = &into.lead_days,
             .help = "Calendar days from the order of a block to its letter",
             .value = "N"},
            {.name = "--four-eyes",
             .into = &into.four_eyes,
             .help = "One person proposes a block, another one confirms it",
             .value = "on|off",
             .choices = switch_states},
        }
    );
}

}  // namespace

noun carrier_commands()
{
    return {
        .name = "carrier",
        .summary = "Carriers, and how their blocks are ordered and loaded",
        .verbs = {
            verb_of<carrier_options>{.name = "list", .summary = "List carriers", .run = list},
            verb_of<carrier_options>{
                .name = "show",
                .summary = "Show one carrier",
                .takes = code_parameter,
                .run = show},
            verb_of<carrier_options>{
                .name = "set", .summary = "Change a carrier", .takes = set_parameters, .run = set},
        }};
}

}  // namespace gapless::cli
