#include "blocks/block_load.hpp"
#include "blocks/commands.hpp"
#include "blocks/operations.hpp"
#include "cli/command_context.hpp"
#include "cli/params.hpp"
#include "cli/record_json.hpp"
#include "formats/find_series.hpp"
#include "reserve/lease_telling.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace gapless::cli {

namespace {

struct block_options
{
    std::vector<std::string> words;  // [SERIES] ID
    std::string series;
    std::string before;
    bool last{};
    std::string reason;
};

/// A block as a person names it: by its id, and by its series if that was said.
struct block_name
{
    std::optional<std::string> series;
    record_id id;
};

block_name read_block_name(std::vector<std::string> const& words)
{
    block_name name;
    if (words.size() == 2)
        name.series = words.front();
    name.id.value = read_id("ID", words.back(), "block");
    return name;
}

/// The series of a block. Ends the command for a series and for a block that is not there.
series_entry find_series_of(command_context& context, block_name const& name)
{
    return value_of(context.read([&](pqxx::transaction_base& database) {
        if (name.series)
            return cases::find_series{*name.series}.run(database);
        auto const found = blocks::read_all(database, {}, name.id);
        if (found.empty())
            throw refused{
                refusal_kind::not_found, fmt::format("there is no block {}", name.id.value)};
        return cases::find_series{found.front().series}.run(database);
    }));
}

blocks::block read_block(command_context& context, series_entry const& series, record_id id)
{
    return value_of(context.read([&](pqxx::transaction_base& database) {
        return blocks::read(database, {series.name, id}, series);
    }));
}

void print(command_context const& context, blocks::block const& block)
{
    context.print(to_json(block), columns_of<blocks::block>);
}

exit_code list(command_context& context, block_options const& wants)
{
    auto const series = optional_text(wants.series);
    if (series)
        context.ask(cases::find_series{*series});
    auto const found = value_of(context.read([&](pqxx::transaction_base& database) {
        return blocks::read_all(database, series);
    }));
    context.print_list(to_rows(found), columns_of<blocks::block>);
    return exit_code::ok;
}

exit_code show(command_context& context, block_options const& wants)
{
    auto const name = read_block_name(wants.words);
    print(context, read_block(context, find_series_of(context, name), name.id));
    return exit_code::ok;
}

exit_code move(command_context& context, block_options const& wants)
{
    auto const name = read_block_name(wants.words);
    if (wants.before.empty() != wants.last)
        throw usage_error("say where to: either --before ID or --last");
    std::optional<record_id> before;
    if (!wants.last)
        before.emplace(read_id("--before", wants.before, "block"));

    auto const series = find_series_of(context, name);
    blocks::block_move const wanted{series.name, name.id, before, {}};
    auto const moved = value_of(context.change([&](pqxx::transaction_base& database) {
        return blocks::move(database, wanted, {context.actor()}, series);
    }));
    print(context, moved);
    context.say_dry_run();
    return exit_code::ok;
}

/// Ends the block in one of three ways, and prints what it is then.
blocks::block end_block(
    command_context& context,
    series_entry const& series,
    blocks::block_end const& wanted,
    decltype(blocks::close)& act
)
{
    auto const ended = value_of(context.change([&](pqxx::transaction_base& database) {
        return act(database, wanted, {context.actor()}, series);
    }));
    print(context, ended);
    return ended;
}

void confirm_close(command_context& context, series_entry const& series, record_id id)
{
    if (!context.asks())
        return;
    auto const block = read_block(context, series, id);
    context.confirm(fmt::format(
        "Close block {} of {} ({}…{})? Its {} remaining numbers will never be issued.",
        id.value,
        block.series,
        block.first.printed,
        block.last.printed,
        block.remaining.value
    ));
}

exit_code close(command_context& context, block_options const& wants)
{
    auto const name = read_block_name(wants.words);
    check_reason(wants.reason, "closing a block");
    auto const series = find_series_of(context, name);
    confirm_close(context, series, name.id);

    auto const closed =
        end_block(context, series, {series.name, name.id, wants.reason}, blocks::close);
    auto const never_issued = closed.count - closed.elsewhere - closed.issued;
    context.say(fmt::format("{} numbers will never be issued", never_issued));
    say_recalled(context, series.name);
    context.say_dry_run();
    return exit_code::ok;
}

exit_code withdraw(command_context& context, block_options const& wants)
{
    auto const name = read_block_name(wants.words);
    check_reason(wants.reason, "withdrawing a block");
    auto const series = find_series_of(context, name);
    end_block(context, series, {series.name, name.id, wants.reason}, blocks::withdraw);
    context.say("its numbers can be loaded again");
    context.say_dry_run();
    return exit_code::ok;
}

exit_code recall(command_context& context, block_options const& wants)
{
    auto const name = read_block_name(wants.words);
    check_reason(wants.reason, "recalling a block");
    auto const series = find_series_of(context, name);
    if (context.asks())
    {
        auto const block = read_block(context, series, name.id);
        context.confirm(fmt::format(
            "Recall block {} of {}? Its {} remaining numbers, and those on hold, will never be "
            "used; {} were issued and stay so.",
            name.id.value,
            block.series,
            block.remaining.value,
            block.issued.value
        ));
    }
    end_block(context, series, {series.name, name.id, wants.reason}, blocks::recall);
    context.say(fmt::format(
        "what was issued of it: gapless issuance list {} --block {}", series.name, name.id.value
    ));
    say_recalled(context, series.name);
    context.say_dry_run();
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
