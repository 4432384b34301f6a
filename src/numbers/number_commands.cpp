#include "base/moment.hpp"
#include "cli/command_context.hpp"
#include "cli/params.hpp"
#include "cli/record_json.hpp"
#include "formats/find_series.hpp"
#include "numbers/commands.hpp"
#include "numbers/operations.hpp"
#include "record/refused.hpp"
#include "record/table.hpp"

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

constexpr std::array history_columns{
    column{.key = "at"}, column{.key = "kind"}, column{.key = "actor"}, column{.key = "reason"}};

series_entry find_series(pqxx::transaction_base& database, std::string const& name)
{
    return value_or_throw(cases::find_series{name}.run(database));
}

numbers::number_record look_up(pqxx::transaction_base& database, number_options const& wants)
{
    if (wants.series.empty())
        return numbers::search(database, {wants.number}, {});
    auto const series = find_series(database, wants.series);
    return numbers::read(database, {series.name, wants.number}, series);
}

numbers::number_record look_up(command_context& context, number_options const& wants)
{
    return value_of(context.read([&](pqxx::transaction_base& database) {
        return look_up(database, wants);
    }));
}

void print(command_context const& context, numbers::number_record const& found)
{
    auto const shown = to_json(found);
    // People are not told of every number that its reference was not erased.
    std::span<column const> columns{columns_of<numbers::number_record>};
    if (context.options().output == output_format::table && !found.reference_erased.value)
        columns = columns.first(columns.size() - 1);
    context.print(shown, columns);
    if (found.on_lease)
        context.say(fmt::format(
            "on lease at {} since {}: whether it was issued is known once that is settled",
            found.on_lease.value.host,
            to_rfc3339(found.on_lease.value.since)
        ));
    if (context.options().output != output_format::table || found.history.empty())
        return;
    context.print_text("\n");
    context.print_list(shown["history"], history_columns);
}

exit_code show(command_context& context, number_options const& wants)
{
    print(context, look_up(context, wants));
    return exit_code::ok;
}

exit_code make_void(command_context& context, number_options const& wants)
{
    check_reason(wants.reason, "voiding");
    if (context.asks())
    {
        auto const found = look_up(context, wants);
        context.confirm(fmt::format(
            "Void {} of {}, which is {}? It is never issued again.",
            found.number.printed,
            found.series,
            found.state
        ));
    }
    std::int64_t voided = 0;
    auto const work = [&](pqxx::transaction_base& database) {
        auto const before = look_up(database, wants);
        auto const series = find_series(database, before.series);
        auto const& number = before.number.printed;
        numbers::event_draft const event{
            series.name,
            numbers::event_kind::voided,
            {{number, number}},
            wants.reason,
            wants.force};
        voided = numbers::note(database, event, {context.actor()}, series).count;
        return numbers::read(database, {series.name, number}, series);
    };
    print(context, value_of(context.change(work)));
    context.say(
        context.options().dry_run ? "dry run: nothing was changed"
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
