#include "app/cli/argument.hpp"
#include "app/cli/block_columns.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/json.hpp"
#include "store/series_store.hpp"

#include <fmt/format.h>
#include <limits>

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

/// A block as it was named: by its id, and by its series if that was said.
struct block_name
{
    std::optional<std::string> series;
    std::int32_t id{};
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

block_name read_block_name(std::vector<std::string> const& words)
{
    block_name name;
    if (words.size() == 2)
        name.series = words.front();
    name.id = read_block_id("ID", words.back());
    return name;
}

result<block_record> find_block(pqxx::transaction_base& transaction, block_name const& name)
{
    if (name.series)
        if (auto const series = read_one_series(transaction, *name.series); series.has_error())
            return series.error();
    auto found = read_blocks(transaction, name.series, name.id);
    if (found.empty())
        return refusal{
            refusal_kind::not_found,
            fmt::format(
                "there is no block {}{}\n  'gapless block list' shows the ids",
                name.id,
                name.series ? " in series '" + *name.series + "'" : ""
            )};
    return std::move(found.front());
}

exit_code list(session& session, block_options const& wants)
{
    auto const work = [&](pqxx::transaction_base& transaction
                      ) -> result<std::vector<block_record>> {
        if (wants.series.empty())
            return read_blocks(transaction, std::nullopt);
        if (auto const series = read_one_series(transaction, wants.series); series.has_error())
            return series.error();
        return read_blocks(transaction, wants.series);
    };
    auto rows = json::array();
    for (auto const& block : value_of(session.read(work)))
        rows.push_back(to_json(block));
    session.print_list(rows, block_columns);
    return exit_code::ok;
}

exit_code show(session& session, block_options const& wants)
{
    auto const name = read_block_name(wants.words);
    auto const block = value_of(session.read([&](pqxx::transaction_base& transaction) {
        return find_block(transaction, name);
    }));
    session.print(to_json(block), block_columns);
    return exit_code::ok;
}

void say_dry_run(session const& session)
{
    if (session.options().dry_run)
        session.say("dry run: nothing was changed");
}

exit_code move(session& session, block_options const& wants)
{
    auto const name = read_block_name(wants.words);
    if (wants.before.empty() != wants.last)
        throw usage_error("say where to: either --before ID or --last");
    std::optional<std::int32_t> before;
    if (!wants.last)
        before = read_block_id("--before", wants.before);

    auto const work = [&](pqxx::transaction_base& transaction) -> result<block_record> {
        auto const block = find_block(transaction, name);
        if (block.has_error())
            return block.error();
        move_block(transaction, name.id, before, session.actor());
        return find_block(transaction, name);
    };
    session.print(to_json(value_of(session.change(work))), block_columns);
    say_dry_run(session);
    return exit_code::ok;
}

void confirm_close(session& session, block_name const& name)
{
    if (!session.asks())
        return;
    auto const block = value_of(session.read([&](pqxx::transaction_base& transaction) {
        return find_block(transaction, name);
    }));
    session.confirm(fmt::format(
        "Close block {} of {} ({}…{})? Its {} remaining numbers will never be issued.",
        block.block_id,
        block.series,
        to_number(block.first),
        to_number(block.last),
        block.remaining
    ));
}

exit_code close(session& session, block_options const& wants)
{
    auto const name = read_block_name(wants.words);
    if (wants.reason.find_first_not_of(" \t\r\n") == std::string::npos)
        throw usage_error("--reason: closing a block needs a reason, it stays in the records");
    auto const reason = read_reference(wants.reason);
    if (reason.has_error())
        throw usage_error("--reason: " + reason.error().detail);
    confirm_close(session, name);

    std::int64_t left = 0;
    auto const work = [&](pqxx::transaction_base& transaction) -> result<block_record> {
        auto const block = find_block(transaction, name);
        if (block.has_error())
            return block.error();
        left = close_block(transaction, name.id, wants.reason, session.actor());
        return find_block(transaction, name);
    };
    session.print(to_json(value_of(session.change(work))), block_columns);
    session.say(fmt::format("{} numbers will never be issued", left));
    say_dry_run(session);
    return exit_code::ok;
}

void declare_id(CLI::App& app, block_options& wants)
{
    app.add_option("[SERIES] ID", wants.words, "Id of the block, its series in front if you like")
        ->required()
        ->expected(1, 2);
}

}  // namespace

void add_block_verbs(command_line& line, CLI::App& noun)
{
    auto const declare_list = [](CLI::App& app, block_options& wants) {
        app.add_option("SERIES", wants.series, "Name of the series; default: all");
    };
    line.add_verb<block_options>(
        noun, "list", "List blocks in the order they are used", declare_list, list
    );
    line.add_verb<block_options>(noun, "show", "Show one block", declare_id, show);
    auto const declare_move = [](CLI::App& app, block_options& wants) {
        declare_id(app, wants);
        app.add_option("--before", wants.before, "Before this queued block of the same series")
            ->type_name("ID");
        app.add_flag("--last", wants.last, "To the end of the queue");
    };
    line.add_verb<block_options>(
        noun, "move", "Change the place of a queued block", declare_move, move
    );
    auto const declare_close = [](CLI::App& app, block_options& wants) {
        declare_id(app, wants);
        app.add_option("--reason", wants.reason, "Why; stays in the records")
            ->required()
            ->type_name("TEXT");
    };
    line.add_verb<block_options>(
        noun, "close", "Never issue what is left of a queued or open block", declare_close, close
    );
}

void add_block_commands(command_line& line)
{
    auto& noun = line.add_noun("block", "Blocks of numbers that carriers assigned");
    add_block_load(line, noun);
    add_block_verbs(line, noun);
}

}  // namespace gapless::cli
