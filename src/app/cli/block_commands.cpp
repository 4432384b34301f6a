#include "app/cli/argument.hpp"
#include "app/cli/block_columns.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/json.hpp"
#include "app/cli/series_formats.hpp"
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

using found_block = formatted<block_record>;

result<found_block> find_block(pqxx::transaction_base& transaction, block_name const& name)
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
    auto const series = found.front().series;
    return with_formats<block_record>(transaction, std::move(found.front()), series);
}

void print(session const& session, found_block const& found)
{
    session.print(to_json(found.value, found.formats.at(found.value.series)), block_columns);
}

exit_code list(session& session, block_options const& wants)
{
    using blocks = std::vector<block_record>;
    auto const work = [&](pqxx::transaction_base& transaction) -> result<formatted<blocks>> {
        if (wants.series.empty())
            return with_formats<blocks>(transaction, read_blocks(transaction, std::nullopt));
        if (auto const series = read_one_series(transaction, wants.series); series.has_error())
            return series.error();
        return with_formats<blocks>(
            transaction, read_blocks(transaction, wants.series), wants.series
        );
    };
    auto const found = value_of(session.read(work));
    auto rows = json::array();
    for (auto const& block : found.value)
        rows.push_back(to_json(block, found.formats.at(block.series)));
    session.print_list(rows, block_columns);
    return exit_code::ok;
}

exit_code show(session& session, block_options const& wants)
{
    auto const name = read_block_name(wants.words);
    auto const block = value_of(session.read([&](pqxx::transaction_base& transaction) {
        return find_block(transaction, name);
    }));
    print(session, block);
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

    auto const work = [&](pqxx::transaction_base& transaction) -> result<found_block> {
        auto const block = find_block(transaction, name);
        if (block.has_error())
            return block.error();
        move_block(transaction, name.id, before, session.actor());
        return find_block(transaction, name);
    };
    print(session, value_of(session.change(work)));
    say_dry_run(session);
    return exit_code::ok;
}

void confirm_close(session& session, block_name const& name)
{
    if (!session.asks())
        return;
    auto const [block, formats] = value_of(session.read([&](pqxx::transaction_base& transaction) {
        return find_block(transaction, name);
    }));
    auto const& format = formats.at(block.series);
    session.confirm(fmt::format(
        "Close block {} of {} ({}…{})? Its {} remaining numbers will never be issued.",
        block.block_id,
        block.series,
        format.to_number(block.first),
        format.to_number(block.last),
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
    auto const work = [&](pqxx::transaction_base& transaction) -> result<found_block> {
        auto const block = find_block(transaction, name);
        if (block.has_error())
            return block.error();
        left = close_block(transaction, name.id, wants.reason, session.actor());
        return find_block(transaction, name);
    };
    print(session, value_of(session.change(work)));
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
