#include "app/cli/argument.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/json.hpp"
#include "app/cli/number_commands.hpp"
#include "app/cli/series_formats.hpp"
#include "domain/format/block_ends.hpp"
#include "store/issuance_store.hpp"
#include "store/number_store.hpp"

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
};

constexpr std::array settled_columns{
    column{.key = "id", .number = true},
    column{.key = "series"},
    column{.key = "state"},
    column{.key = "count", .number = true},
    column{.key = "settled", .number = true},
};

struct settled_hold
{
    issuance_record issuance;
    std::int64_t numbers{};  // settled now
};

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

exit_code settle(session& session, hold_options const& wants, bool confirm)
{
    auto const id = read_issuance_id(wants.id);
    if (!id)
        throw to_failure(
            {refusal_kind::unknown_issuance, "no issuance has the id " + to_quoted(wants.id)}
        );
    auto const work = [&](pqxx::transaction_base& transaction) -> result<settled_hold> {
        auto const held = read_issuance(transaction, *id);
        if (held.has_error())
            return held.error();
        auto const settings = read_one_settings(transaction, held->series);
        if (settings.has_error())
            return settings.error();
        auto const ranges = read_ranges(wants, settings->format);
        if (ranges.has_error())
            return ranges.error();
        auto const numbers = settle_hold(transaction, *id, *ranges, confirm, session.actor());
        auto after = read_issuance(transaction, *id);
        if (after.has_error())
            return after.error();
        return settled_hold{std::move(*after), numbers};
    };
    auto const settled = value_of(session.change(work));
    session.print(
        {{"id", wants.id},
         {"series", settled.issuance.series},
         {"state", settled.issuance.state},
         {"count", std::to_string(settled.issuance.value.count())},
         {"settled", std::to_string(settled.numbers)}},
        settled_columns
    );
    session.say(fmt::format(
        "{}{} numbers {}",
        session.options().dry_run ? "dry run: would have " : "",
        settled.numbers,
        confirm ? "confirmed" : "released"
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
    line.add_verb<hold_options>(
        noun,
        "confirm",
        "Issue held numbers for good",
        declare,
        [](session& session, hold_options const& wants) { return settle(session, wants, true); }
    );
    line.add_verb<hold_options>(
        noun,
        "release",
        "Give held numbers back",
        declare,
        [](session& session, hold_options const& wants) { return settle(session, wants, false); }
    );
}

}  // namespace gapless::cli
