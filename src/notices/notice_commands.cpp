#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "notices/commands.hpp"
#include "notices/notice_follower.hpp"
#include "notices/notice_json.hpp"
#include "notices/notice_store.hpp"
#include "notices/notice_telling.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <string_view>
#include <utility>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct notice_options
{
    std::string after;
    std::string series;
    std::string kind;
    std::string command;
    std::string state;
};

constexpr std::array notice_columns{
    column{.key = "seq", .number = true},
    column{.key = "at"},
    column{.key = "kind"},
    column{.key = "series"},
    column{.key = "text"},
    column{.key = "id", .in_table = false},
    column{.key = "epoch", .in_table = false},
    column{.key = "environment", .in_table = false},
};

constexpr std::int32_t page_notices = 1'000;

/// The user's language: German if the locale's messages are, else English.
char const* language()
{
    for (auto const* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (auto const* value = std::getenv(name); value != nullptr && *value != '\0')
            return std::string_view{value}.starts_with("de") ? "de" : "en";
    return "en";
}

/// In the format for programs, or with one text for people.
json to_row(command_context const& context, notice_record const& notice)
{
    auto row = json::parse(notice_json(notice));
    if (context.options().output != output_format::json)
    {
        auto text = std::move(row["text"][language()]);
        row["text"] = std::move(text);
    }
    return row;
}

std::int64_t read_after(std::string const& text)
{
    if (text.empty())
        return 0;
    auto const seq = read_integer(text, 0, std::numeric_limits<std::int64_t>::max());
    if (seq.has_error())
        throw usage_error("--after: " + seq.error().detail);
    return *seq;
}

exit_code list(command_context& context, notice_options const& wants)
{
    notice_page wanted{};
    wanted.after = read_after(wants.after);
    wanted.limit = page_notices;
    if (!wants.series.empty())
        wanted.series = wants.series;
    if (!wants.kind.empty() && !is_notice_kind(wants.kind))
        throw usage_error("--kind: " + unknown_notice_kind(wants.kind));
    if (!wants.kind.empty())
        wanted.kind = wants.kind;
    publish_if_allowed(context);
    auto rows = json::array();
    for (bool more = true; more;)
    {
        auto const found = value_of(context.read([&](pqxx::transaction_base& transaction) {
            return read_notices(transaction, wanted);
        }));
        for (auto const& notice : found)
            rows.push_back(to_row(context, notice));
        more = found.size() == static_cast<std::size_t>(page_notices);
        if (more)
            wanted.after = found.back().seq;
    }
    context.print_list(rows, notice_columns);
    return exit_code::ok;
}

/// Prints notices as they come: one line of JSON each, or rows under one header.
class notice_printer
{
public:
    explicit notice_printer(command_context const& context) : context_{context} {}

    void print(std::vector<notice_record> const& notices)
    {
        auto rows = json::array();
        for (auto const& notice : notices)
            rows.push_back(to_row(context_, notice));
        auto const first = !std::exchange(headed_, true);
        switch (context_.options().output)
        {
        case output_format::table:
            if (!context_.print_page(rows, notice_columns, first))
                throw output_failed{"cannot write notices: the reader has gone"};
            return;
        case output_format::json: return print_lines(rows);
        case output_format::csv: break;
        }
        auto const text = to_csv(rows, notice_columns, context_.options().csv);
        context_.print_text(first ? text : text.substr(text.find('\n') + 1));
    }

private:
    void print_lines(json const& rows) const
    {
        std::string text;
        for (auto const& row : rows)
            text += row.dump() + '\n';
        context_.print_text(text);
    }

    command_context const& context_;
    bool headed_{};
};

exit_code follow(command_context& context, notice_options const& wants)
{
    notice_printer printer{context};
    follow_options const options{
        .after = read_after(wants.after), .command = wants.command, .state = wants.state};
    notice_follower follower{context, options, [&](std::vector<notice_record> const& notices) {
                                 printer.print(notices);
                             }};
    follower.run();
}

parameter after_parameter(notice_options& into)
{
    return {
        .name = "--after",
        .into = &into.after,
        .help = "Those with a higher seq; default: from the oldest on",
        .value = "SEQ"};
}

parameters list_parameters(notice_options& into)
{
    return {
        after_parameter(into),
        {.name = "--series",
         .into = &into.series,
         .help = "Of this series only",
         .value = "SERIES"},
        {.name = "--kind",
         .into = &into.kind,
         .help = "Of this kind only, series.low for example",
         .value = "KIND"},
    };
}

parameters follow_parameters(notice_options& into)
{
    return {
        after_parameter(into),
        {.name = "--exec",
         .into = &into.command,
         .help = "Run this with each notice on standard input, again until it ends with 0",
         .value = "CMD"},
        {.name = "--state",
         .into = &into.state,
         .help = "Keep here which notice is done, and go on from there",
         .value = "FILE"},
    };
}

}  // namespace

noun notice_commands()
{
    return {
        .name = "notice",
        .summary = "What happened: rollovers, low stock, fences",
        .verbs = {
            verb_of<notice_options>{
                .name = "list",
                .summary = "List notices, the oldest first; they are kept for 90 days",
                .takes = list_parameters,
                .run = list},
            verb_of<notice_options>{
                .name = "follow",
                .summary = "Tell notices as they are published",
                .footer = "Goes on until it is interrupted, and waits for a database that is "
                          "away. Without --exec notices are\nprinted; with -o json one on each "
                          "line. A notice may come twice, then with the same id.",
                .takes = follow_parameters,
                .run = follow},
        }};
}

}  // namespace gapless::cli
