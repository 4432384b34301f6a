#include "app/cli/number_commands.hpp"

#include "app/cli/argument.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/json.hpp"
#include "app/cli/series_formats.hpp"
#include "store/number_store.hpp"

#include <array>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

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
};

constexpr std::array history_columns{
    column{.key = "at"}, column{.key = "kind"}, column{.key = "actor"}, column{.key = "reason"}};

/// A number in the series that knows it.
struct found_number
{
    std::int32_t series_id{};
    std::string series;
    std::string number;
    number_record record;
};

/// The number in the series it belongs to. Refuses with unknown_series, unknown_number, and
/// out_of_range when several series have it.
result<found_number> find_number(
    pqxx::transaction_base& transaction, std::string const& text, std::string const& series
)
{
    std::vector<series_settings> all;
    if (series.empty())
        all = read_series_settings(transaction, std::nullopt);
    else if (auto one = read_one_settings(transaction, series); one.has_error())
        return one.error();
    else
        all.push_back(std::move(*one));

    std::vector<found_number> found;
    std::string names;
    std::string why;
    for (auto const& settings : all)
    {
        auto read = settings.format.read_number(text);
        if (read.has_error())
        {
            why = read.error().reason;
            continue;
        }
        auto record = read_number(transaction, settings.series_id, read->serial);
        if (!record)
        {
            why = "no block ever held it";
            continue;
        }
        names += (names.empty() ? "" : ", ") + settings.name;
        found.push_back(
            {settings.series_id, settings.name, std::move(read->number), std::move(*record)}
        );
    }
    if (found.size() > 1)
        return refusal{
            refusal_kind::out_of_range,
            fmt::format("{} is a number of {}; say which with --series", to_quoted(text), names)};
    if (found.empty())
        return refusal{
            refusal_kind::unknown_number,
            series.empty()
                ? fmt::format("{} is not a number of any series", to_quoted(text))
                : fmt::format("{} is not a number of '{}': {}", to_quoted(text), series, why)};
    return std::move(found.front());
}

json to_json(found_number const& found)
{
    auto const& record = found.record;
    json issuance;
    if (record.issuance)
    {
        std::string id;
        append_issuance_id(id, *record.issuance);
        issuance = id;
    }
    auto history = json::array();
    for (auto const& entry : record.history)
        history.push_back(
            {{"kind", entry.kind},
             {"at", to_moment_text(entry.at)},
             {"actor", entry.actor},
             {"reason", entry.reason ? json(*entry.reason) : json()}}
        );
    return {
        {"number", found.number},
        {"serial", std::to_string(record.serial)},
        {"series", found.series},
        {"state", record.state},
        {"ordinal", record.ordinal ? json(std::to_string(*record.ordinal)) : json()},
        {"block", std::to_string(record.block_id)},
        {"cycle", std::to_string(record.cycle)},
        {"issuance", std::move(issuance)},
        {"reference", record.reference ? json(*record.reference) : json()},
        {"history", std::move(history)},
    };
}

void print(session const& session, found_number const& found)
{
    auto const shown = to_json(found);
    session.print(shown, number_columns);
    if (session.options().output != output_format::table || shown["history"].empty())
        return;
    session.print_text("\n");
    session.print_list(shown["history"], history_columns);
}

exit_code show(session& session, number_options const& wants)
{
    print(session, value_of(session.read([&](pqxx::transaction_base& transaction) {
              return find_number(transaction, wants.number, wants.series);
          })));
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
        auto const found = value_of(session.read([&](pqxx::transaction_base& transaction) {
            return find_number(transaction, wants.number, wants.series);
        }));
        session.confirm(fmt::format(
            "Void {} of {}, which is {}? It never leaves again.",
            found.number,
            found.series,
            found.record.state
        ));
    }
    std::int64_t voided = 0;
    auto const work = [&](pqxx::transaction_base& transaction) -> result<found_number> {
        auto const found = find_number(transaction, wants.number, wants.series);
        if (found.has_error())
            return found.error();
        event.ranges = {{found->record.serial, found->record.serial}};
        voided = note_event(transaction, found->series_id, event, session.actor());
        return find_number(transaction, wants.number, wants.series);
    };
    print(session, value_of(session.change(work)));
    session.say(
        session.options().dry_run ? "dry run: nothing was changed"
        : voided == 0             ? "it was voided already"
                                  : "voided"
    );
    return exit_code::ok;
}

void declare_number(CLI::App& app, number_options& wants)
{
    app.add_option("NUMBER", wants.number, "Number in any spelling")->required();
    app.add_option("--series", wants.series, "Its series; default: the one that has it")
        ->type_name("SERIES");
}

}  // namespace

void add_number_commands(command_line& line)
{
    auto& noun = line.add_noun("number", "What became of a number");
    line.add_verb<number_options>(
        noun, "show", "Show a number's state and history", declare_number, show
    );
    auto const declare_void = [](CLI::App& app, number_options& wants) {
        declare_number(app, wants);
        app.add_option("--reason", wants.reason, "Why; stays in the records")
            ->required()
            ->type_name("TEXT");
        app.add_flag("--force", wants.force, "Also when it was manifested or returned");
    };
    line.add_verb<number_options>(
        noun, "void", "Say that a number will never be used", declare_void, make_void
    );
}

}  // namespace gapless::cli
