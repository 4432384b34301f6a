#include "app/cli/argument.hpp"
#include "app/cli/block_columns.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/json.hpp"
#include "app/cli/lease_telling.hpp"
#include "app/cli/session.hpp"
#include "cases/blocks.hpp"
#include "cases/series.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>
#include <limits>
#include <map>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct block_options
{
    std::vector<std::string> words;  // [SERIES] ID
    std::string series;
    std::string before;
    bool last{};
    std::string reason;
};

std::int32_t read_block_id(std::string const& what, std::string const& text)
{
    auto const id = read_integer(text, 1, std::numeric_limits<std::int32_t>::max());
    if (id.has_error())
        throw usage_error(
            fmt::format("{}: {}; 'gapless block list' shows the ids", what, id.error().detail)
        );
    return static_cast<std::int32_t>(*id);
}

cases::block_name read_block_name(std::vector<std::string> const& words)
{
    cases::block_name name;
    if (words.size() == 2)
        name.series = words.front();
    name.id = read_block_id("ID", words.back());
    return name;
}

void print(session& session, block_record const& block)
{
    auto const series = session.ask(cases::find_series{block.series});
    session.print(to_json(block, series.format), block_columns);
}

exit_code list(session& session, block_options const& wants)
{
    cases::list_blocks wanted;
    if (!wants.series.empty())
        wanted.series = wants.series;
    auto const blocks = session.ask(wanted);
    // Read behind the blocks: no series goes, so each of theirs is among them.
    std::map<std::string, bound_format, std::less<>> formats;
    for (auto& series : session.ask(cases::find_all_series{}))
        formats.emplace(std::move(series.name), std::move(series.format));
    auto rows = json::array();
    for (auto const& block : blocks)
        rows.push_back(to_json(block, formats.at(block.series)));
    session.print_list(rows, block_columns);
    return exit_code::ok;
}

exit_code show(session& session, block_options const& wants)
{
    print(session, session.ask(cases::read_block{read_block_name(wants.words)}));
    return exit_code::ok;
}

exit_code move(session& session, block_options const& wants)
{
    auto const name = read_block_name(wants.words);
    if (wants.before.empty() != wants.last)
        throw usage_error("say where to: either --before ID or --last");
    std::optional<std::int32_t> before;
    if (!wants.last)
        before = read_block_id("--before", wants.before);

    print(session, session.act(cases::move_block{name, before}));
    session.say_dry_run();
    return exit_code::ok;
}

std::string read_reason(block_options const& wants, std::string_view act)
{
    if (wants.reason.find_first_not_of(" \t\r\n") == std::string::npos)
        throw usage_error(
            fmt::format("--reason: {} a block needs a reason, it stays in the records", act)
        );
    auto const reason = read_reference(wants.reason);
    if (reason.has_error())
        throw usage_error("--reason: " + reason.error().detail);
    return wants.reason;
}

void confirm_close(session& session, cases::block_name const& name)
{
    if (!session.asks())
        return;
    auto const block = session.ask(cases::read_block{name});
    auto const series = session.ask(cases::find_series{block.series});
    session.confirm(fmt::format(
        "Close block {} of {} ({}…{})? Its {} remaining numbers will never be issued.",
        block.block_id,
        block.series,
        series.format.to_number(block.first),
        series.format.to_number(block.last),
        block.remaining
    ));
}

exit_code close(session& session, block_options const& wants)
{
    auto const name = read_block_name(wants.words);
    auto const reason = read_reason(wants, "closing");
    confirm_close(session, name);

    auto const closed = session.act(cases::close_block{name, reason});
    print(session, closed.block);
    session.say(fmt::format("{} numbers will never be issued", closed.never_issued));
    say_recalled(session, closed.block.series);
    session.say_dry_run();
    return exit_code::ok;
}

exit_code withdraw(session& session, block_options const& wants)
{
    auto const name = read_block_name(wants.words);
    auto const reason = read_reason(wants, "withdrawing");
    print(session, session.act(cases::withdraw_block{name, reason}));
    session.say("its numbers can be loaded again");
    session.say_dry_run();
    return exit_code::ok;
}

exit_code recall(session& session, block_options const& wants)
{
    auto const name = read_block_name(wants.words);
    auto const reason = read_reason(wants, "recalling");
    if (session.asks())
    {
        auto const block = session.ask(cases::read_block{name});
        session.confirm(fmt::format(
            "Recall block {} of {}? Its {} remaining numbers, and those on hold, will never be "
            "used; {} were issued and stay so.",
            block.block_id,
            block.series,
            block.remaining,
            block.issued
        ));
    }
    auto const recalled = session.act(cases::recall_block{name, reason});
    print(session, recalled);
    session.say(fmt::format(
        "what was issued of it: gapless issuance list {} --block {}",
        recalled.series,
        recalled.block_id
    ));
    say_recalled(session, recalled.series);
    session.say_dry_run();
    return exit_code::ok;
}

parameters series_parameter(block_options& into)
{
    return {{.name = "SERIES", .into = &into.series, .help = "Name of the series; default: all"}};
}

parameters id_parameter(block_options& into)
{
    return {
        {.name = "BLOCK",
         .into = &into.words,
         .help = "[SERIES] ID: its id, its series in front if you like",
         .required = true,
         .values_max = 2}};
}

parameters move_parameters(block_options& into)
{
    return join(
        id_parameter(into),
        {
            {.name = "--before",
             .into = &into.before,
             .help = "Before this queued block of the same series",
             .value = "ID"},
            {.name = "--last", .into = &into.last, .help = "To the end of the queue"},
        }
    );
}

parameters end_parameters(block_options& into)
{
    return join(
        id_parameter(into),
        {{.name = "--reason",
          .into = &into.reason,
          .help = "Why; stays in the records",
          .value = "TEXT",
          .required = true}}
    );
}

}  // namespace

noun block_commands()
{
    return {
        .name = "block",
        .summary = "Blocks of numbers that carriers assigned",
        .verbs = {
            block_load(),
            verb_of<block_options>{
                .name = "list",
                .summary = "List blocks in the order they are used",
                .takes = series_parameter,
                .run = list},
            verb_of<block_options>{
                .name = "show", .summary = "Show one block", .takes = id_parameter, .run = show},
            verb_of<block_options>{
                .name = "move",
                .summary = "Change the place of a queued block",
                .takes = move_parameters,
                .run = move},
            verb_of<block_options>{
                .name = "close",
                .summary = "Never issue the rest of a queued or open block",
                .takes = end_parameters,
                .run = close},
            verb_of<block_options>{
                .name = "withdraw",
                .summary = "Take back a block that was never used",
                .takes = end_parameters,
                .run = withdraw},
            verb_of<block_options>{
                .name = "recall",
                .summary = "End a block that the carrier rejects",
                .takes = end_parameters,
                .run = recall},
        }};
}

}  // namespace gapless::cli
