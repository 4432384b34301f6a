#include "app/cli/argument.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/json.hpp"
#include "app/cli/session.hpp"
#include "cases/numbers.hpp"
#include "cases/series.hpp"
#include "domain/moment.hpp"
#include "domain/number_on_lease.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <fmt/format.h>
#include <span>

namespace gapless::cli {

namespace {

struct number_options
{
    std::string number;
    std::string series;
    std::string reason;
    bool force{};
};

constexpr std::array number_columns{
    column{.key = "number", .number = true},
    column{.key = "serial", .number = true},
    column{.key = "series"},
    column{.key = "state"},
    column{.key = "ordinal", .number = true},
    column{.key = "block", .number = true},
    column{.key = "cycle", .number = true},
    column{.key = "issuance", .number = true},
    column{.key = "reference"},
    column{.key = "reference_erased"},
};

constexpr std::array history_columns{
    column{.key = "at"}, column{.key = "kind"}, column{.key = "actor"}, column{.key = "reason"}};

/// A number in the series it belongs to, which it points into.
struct looked_up
{
    std::vector<series_entry> series;
    found_number found;
};

result<looked_up> look_up(pqxx::transaction_base& transaction, number_options const& wants)
{
    looked_up answer;
    if (wants.series.empty())
        answer.series = *cases::find_all_series{}.run(transaction);
    else if (auto one = cases::find_series{wants.series}.run(transaction); one.has_error())
        return one.error();
    else
        answer.series.push_back(std::move(*one));
    std::vector<series_entry const*> series;
    series.reserve(answer.series.size());
    for (auto const& each : answer.series)
        series.push_back(&each);
    auto found = find_number(transaction, series, wants.number);
    if (found.has_error())
        return found.error();
    answer.found = std::move(*found);
    return answer;
}

void print(session const& session, found_number const& found)
{
    auto const shown = to_json(*found.series, found.record);
    // People are not told of every number that its reference was not erased.
    std::span<column const> columns{number_columns};
    if (session.options().output == output_format::table && !found.record.reference_erased)
        columns = columns.first(columns.size() - 1);
    session.print(shown, columns);
    if (auto const lease = find_lease(found.record))
        session.say(fmt::format(
            "on lease at {} since {}: whether it was issued is known once that is settled",
            lease->host,
            to_rfc3339(lease->since)
        ));
    if (session.options().output != output_format::table || shown["history"].empty())
        return;
    session.print_text("\n");
    session.print_list(shown["history"], history_columns);
}

exit_code show(session& session, number_options const& wants)
{
    auto const shown = value_of(session.read([&](pqxx::transaction_base& transaction) {
        return look_up(transaction, wants);
    }));
    print(session, shown.found);
    return exit_code::ok;
}

event_draft read_voiding(number_options const& wants)
{
    if (wants.reason.find_first_not_of(" \t\r\n") == std::string::npos)
        throw usage_error("--reason: voiding needs a reason, it stays in the records");
    if (auto const reason = read_reference(wants.reason); reason.has_error())
        throw usage_error("--reason: " + reason.error().detail);
    event_draft event;
    event.kind = "voided";
    event.reason = wants.reason;
    event.force = wants.force;
    return event;
}

exit_code make_void(session& session, number_options const& wants)
{
    auto event = read_voiding(wants);
    if (session.asks())
    {
        auto const [series, found] =
            value_of(session.read([&](pqxx::transaction_base& transaction) {
                return look_up(transaction, wants);
            }));
        session.confirm(fmt::format(
            "Void {} of {}, which is {}? It is never issued again.",
            found.series->format.to_number(found.record.serial),
            found.series->name,
            found.record.state
        ));
    }
    std::int64_t voided = 0;
    auto const work = [&](pqxx::transaction_base& transaction) -> result<looked_up> {
        auto const before = look_up(transaction, wants);
        if (before.has_error())
            return before.error();
        auto const serial = before->found.record.serial;
        event.ranges = {{serial, serial}};
        auto const noted = cases::note_event{before->found.series->series_id, event}.run(
            transaction, session.actor()
        );
        if (noted.has_error())
            return noted.error();
        voided = *noted;
        return look_up(transaction, wants);
    };
    print(session, value_of(session.change(work)).found);
    session.say(
        session.options().dry_run ? "dry run: nothing was changed"
        : voided == 0             ? "it was voided already"
                                  : "voided"
    );
    return exit_code::ok;
}

parameters show_parameters(number_options& into)
{
    return {
        {.name = "NUMBER",
         .into = &into.number,
         .help = "Number in any spelling",
         .required = true},
        {.name = "--series",
         .into = &into.series,
         .help = "Its series; default: the one that has it",
         .value = "SERIES"},
    };
}

parameters void_parameters(number_options& into)
{
    return join(
        show_parameters(into),
        {
            {.name = "--reason",
             .into = &into.reason,
             .help = "Why; stays in the records",
             .value = "TEXT",
             .required = true},
            {.name = "--force",
             .into = &into.force,
             .help = "Also when it was manifested or returned"},
        }
    );
}

}  // namespace

noun number_commands()
{
    return {
        .name = "number",
        .summary = "What became of a number",
        .verbs = {
            verb_of<number_options>{
                .name = "show",
                .summary = "Show a number's state and history",
                .takes = show_parameters,
                .run = show},
            verb_of<number_options>{
                .name = "void",
                .summary = "Say that a number will never be used",
                .takes = void_parameters,
                .run = make_void},
        }};
}

}  // namespace gapless::cli
