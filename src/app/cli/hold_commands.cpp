#include "app/cli/argument.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/json.hpp"
#include "app/cli/number_commands.hpp"
#include "cases/numbers.hpp"
#include "cases/series.hpp"
#include "domain/format/block_ends.hpp"

#include <array>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct hold_options
{
    std::string id;
    std::string first;
    std::string last;
    std::string series;
};

constexpr std::array settled_columns{
    column{.key = "id", .number = true},
    column{.key = "series"},
    column{.key = "state"},
    column{.key = "count", .number = true},
    column{.key = "settled", .number = true},
};

constexpr std::array open_columns{
    column{.key = "issuance", .number = true},
    column{.key = "series"},
    column{.key = "held", .number = true},
    column{.key = "reference"},
    column{.key = "expires_at"},
};

exit_code list(session& session, hold_options const& wants)
{
    cases::list_holds wanted{};
    if (!wants.series.empty())
        wanted.page.series = wants.series;
    auto rows = json::array();
    for (auto const& hold : session.ask(wanted))
        rows.push_back(to_json(hold));
    session.print_list(rows, open_columns);
    return exit_code::ok;
}

/// The numbers that were named, none for all of the hold.
result<std::vector<serial_range>> read_ranges(hold_options const& wants, bound_format const& format)
{
    std::vector<serial_range> ranges;
    if (wants.first.empty())
        return ranges;
    auto const& last = wants.last.empty() ? wants.first : wants.last;
    auto const ends = read_block_ends(format, wants.first, last);
    if (ends.has_error())
        return refusal{refusal_kind::malformed_request, "FIRST, LAST: " + ends.error().reason};
    ranges.push_back({ends->first_serial, ends->last_serial});
    return ranges;
}

exit_code settle(session& session, hold_options const& wants, settlement what)
{
    auto const id = read_issuance_id(wants.id);
    if (!id)
        throw to_failure(
            {refusal_kind::unknown_issuance, "no issuance has the id " + to_quoted(wants.id)}
        );
    auto const held = session.ask(cases::read_issuance{*id});
    auto const series = session.ask(cases::find_series{held.series});
    auto const settled =
        session.act(cases::settle_hold{*id, value_of(read_ranges(wants, series.format)), what});
    session.print(
        {{"id", wants.id},
         {"series", settled.issuance.series},
         {"state", settled.issuance.state},
         {"count", std::to_string(settled.issuance.value.count())},
         {"settled", std::to_string(settled.settled)}},
        settled_columns
    );
    session.say(fmt::format(
        "{}{} numbers {}",
        session.options().dry_run ? "dry run: would have " : "",
        settled.settled,
        what == settlement::confirm ? "confirmed" : "released"
    ));
    return exit_code::ok;
}

void declare(CLI::App& app, hold_options& wants)
{
    app.add_option("ISSUANCE", wants.id, "Id of the issuance")->required();
    app.add_option("FIRST", wants.first, "First number; default: all that are still held");
    app.add_option("LAST", wants.last, "Last number, included; default: only the first");
}

}  // namespace

void add_hold_commands(command_line& line)
{
    auto& noun = line.add_noun("hold", "Numbers that were issued for a while");
    auto const declare_series = [](CLI::App& app, hold_options& wants) {
        app.add_option("--series", wants.series, "Of this series only")->type_name("SERIES");
    };
    line.add_verb<hold_options>(
        noun, "list", "List the holds that are open, those that expire first", declare_series, list
    );
    line.add_verb<hold_options>(
        noun,
        "confirm",
        "Issue held numbers for good",
        declare,
        [](session& session, hold_options const& wants) {
            return settle(session, wants, settlement::confirm);
        }
    );
    line.add_verb<hold_options>(
        noun,
        "release",
        "Give held numbers back",
        declare,
        [](session& session, hold_options const& wants) {
            return settle(session, wants, settlement::release);
        }
    );
}

}  // namespace gapless::cli
