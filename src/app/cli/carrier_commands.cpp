#include "app/cli/argument.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/json.hpp"
#include "cases/carriers.hpp"

#include <array>

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
    session.print(to_json(session.act(cases::change_carrier{wants.code, change})), carrier_columns);
    if (session.options().dry_run)
        session.say("dry run: nothing was changed");
    return exit_code::ok;
}

void declare_code(CLI::App& app, carrier_options& wants)
{
    app.add_option("CODE", wants.code, "Code of the carrier")->required();
}

void declare_set(CLI::App& app, carrier_options& wants)
{
    declare_code(app, wants);
    app.add_option(
           "--lead-days", wants.lead_days, "Calendar days from the order of a block to its letter"
    )
        ->type_name("N");
    app.add_option(
           "--four-eyes", wants.four_eyes, "One person proposes a block, another one confirms it"
    )
        ->type_name("on|off")
        ->check(CLI::IsMember({"on", "off"}));
}

}  // namespace

void add_carrier_commands(command_line& line)
{
    auto& noun = line.add_noun("carrier", "Carriers, and how their blocks are ordered and loaded");
    auto const declare_nothing = [](CLI::App&, carrier_options&) {};
    line.add_verb<carrier_options>(noun, "list", "List carriers", declare_nothing, list);
    line.add_verb<carrier_options>(noun, "show", "Show one carrier", declare_code, show);
    line.add_verb<carrier_options>(noun, "set", "Change a carrier", declare_set, set);
}

}  // namespace gapless::cli
