#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "cli/operation_commands.hpp"
#include "formats/block_ends.hpp"
#include "formats/find_series.hpp"
#include "holds/commands.hpp"
#include "holds/operations.hpp"
#include "numbers/number_cases.hpp"
#include "numbers/settled_issuance.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

struct hold_options
{
    std::string id;
    std::string first;
    std::string last;
};

constexpr std::array settled_columns{
    column{.key = "id", .number = true},
    column{.key = "series"},
    column{.key = "state"},
    column{.key = "count", .number = true},
    column{.key = "settled", .number = true},
};

/// The numbers named on the command line; empty: all of the hold.
result<std::vector<serial_range>> read_ranges(hold_options const& wants, bound_format const& format)
{
    std::vector<serial_range> ranges;
    if (wants.first.empty())
        return ranges;
    auto const& last = wants.last.empty() ? wants.first : wants.last;
    auto const ends = read_block_ends(format, wants.first, last);
    if (ends.has_error())
        return refusal{refusal_kind::malformed_request, "FIRST, LAST: " + ends.error().reason};
    if (!ends->completed.empty())
        return refusal{
            refusal_kind::out_of_range,
            fmt::format("FIRST, LAST: {}: give the whole numbers", ends->completed)};
    ranges.push_back({ends->first_serial, ends->last_serial});
    return ranges;
}

exit_code settle(command_context& context, hold_options const& wants, settlement what)
{
    auto const id = read_issuance_id(wants.id);
    if (!id)
        throw to_failure(
            {refusal_kind::unknown_issuance, "no issuance has the id " + to_quoted(wants.id)}
        );
    auto const held = context.ask(cases::read_issuance{*id});
    auto const series = context.ask(cases::find_series{held.series});
    auto ranges = value_of(read_ranges(wants, series.format));
    if (what == settlement::confirm && ranges.empty() && held.value.ranges.empty())
        throw to_failure(refuse_settled(held.value, series.format));
    auto const settled = context.act(cases::settle_hold{*id, std::move(ranges), what});
    auto const& now = settled.issuance.value;
    context.print(
        {{"id", wants.id},
         {"series", settled.issuance.series},
         {"state", state_of(now)},
         {"count", now.count()},
         {"settled", std::to_string(settled.settled)}},
        settled_columns
    );
    context.say(fmt::format(
        "{}{} numbers {}",
        context.options().dry_run ? "dry run: would have " : "",
        settled.settled,
        what == settlement::confirm ? "confirmed" : "released"
    ));
    for (auto const& gone : list_gone(now, series.format))
        context.say("gone: " + to_text(gone));
    return exit_code::ok;
}

exit_code confirm(command_context& context, hold_options const& wants)
{
    return settle(context, wants, settlement::confirm);
}

exit_code release(command_context& context, hold_options const& wants)
{
    return settle(context, wants, settlement::release);
}

parameters settle_parameters(hold_options& into)
{
    return {
        {.name = "ISSUANCE", .into = &into.id, .help = "Id of the issuance", .required = true},
        {.name = "FIRST",
         .into = &into.first,
         .help = "First number; default: all that are still held"},
        {.name = "LAST",
         .into = &into.last,
         .help = "Last number, included; default: only the first"},
    };
}

}  // namespace

noun hold_commands()
{
    auto made = operation_commands(holds::administration);
    made.verbs.push_back(verb_of<hold_options>{
        .name = "confirm",
        .summary = "Issue held numbers for good",
        .takes = settle_parameters,
        .run = confirm});
    made.verbs.push_back(verb_of<hold_options>{
        .name = "release",
        .summary = "Give held numbers back",
        .takes = settle_parameters,
        .run = release});
    return made;
}

}  // namespace gapless::cli
