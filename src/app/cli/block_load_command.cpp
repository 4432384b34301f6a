#include "app/cli/block_columns.hpp"
#include "app/cli/block_file.hpp"
#include "app/cli/block_load_plan.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/json.hpp"
#include "app/cli/progress.hpp"
#include "app/cli/series_formats.hpp"
#include "store/series_store.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <span>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

/// Most blocks that are listed to a person after loading a file.
constexpr std::size_t listed_blocks_max = 20;

/// How many blocks of a file travel in one statement: enough to save round trips, few enough for a
/// bar that moves.
constexpr std::size_t blocks_at_a_time = 1'000;

/// What a load leaves behind.
struct load_outcome
{
    std::vector<block_record> blocks;
    series_record series;
};

void confirm_load(session& session, load_plan const& plan, bound_format const& format)
{
    if (!session.asks())
        return;
    auto const series = value_of(session.read([&](pqxx::transaction_base& transaction) {
        return read_one_series(transaction, plan.series);
    }));
    // All blocks of a space together hold at most 2^63 numbers, so the sum fits.
    std::uint64_t remaining = 0;
    std::from_chars(
        series.remaining.data(), series.remaining.data() + series.remaining.size(), remaining
    );
    session.confirm(fmt::format(
        "Load {} into {}? It has {} numbers left and will have {}.",
        describe(plan, format),
        plan.series,
        series.remaining,
        remaining + plan.numbers
    ));
}

/// Which lines of the file hit which loaded blocks.
refusal to_refusal(
    load_plan const& plan,
    bound_format const& format,
    std::size_t from,
    std::vector<block_hit> const& hits
)
{
    std::string text;
    for (auto const& hit : hits)
    {
        auto const at = from + hit.place;
        text += fmt::format(
            "{}:{}: column {}: first: {}…{} overlaps {}\n",
            plan.file,
            plan.lines[at],
            plan.column,
            format.to_number(plan.blocks[at].first),
            format.to_number(plan.blocks[at].last),
            hit.blocks
        );
    }
    return {refusal_kind::block_overlap, text + "  nothing was loaded"};
}

/// Loads the blocks of a file, many at a time.
result<std::vector<block_record>> load_lines(
    pqxx::transaction_base& transaction,
    session& session,
    load_plan const& plan,
    bound_format const& format
)
{
    progress bar{"blocks", plan.blocks.size()};
    std::span<block_draft const> const all{plan.blocks};
    for (std::size_t at = 0; at < all.size(); at += blocks_at_a_time)
    {
        session.signals().stop_if_arrived();
        bar.show(at);
        auto const part = all.subspan(at, std::min(blocks_at_a_time, all.size() - at));
        auto const hits = load_blocks(transaction, plan.series, part, session.actor());
        if (!hits.empty())
            return to_refusal(plan, format, at, hits);
    }
    // The series is locked since, so the last blocks of its queue are these.
    auto queue = read_blocks(transaction, plan.series);
    queue.erase(queue.begin(), queue.end() - static_cast<std::ptrdiff_t>(all.size()));
    return queue;
}

load_outcome load(session& session, load_plan const& plan, bound_format const& format)
{
    auto const work = [&](pqxx::transaction_base& transaction) -> result<load_outcome> {
        load_outcome loaded;
        if (plan.lines.empty())
            loaded.blocks.push_back(load_block(transaction, plan.blocks.front(), session.actor()));
        else if (auto lines = load_lines(transaction, session, plan, format); lines.has_error())
            return lines.error();
        else
            loaded.blocks = std::move(*lines);
        auto series = read_one_series(transaction, plan.series);
        if (series.has_error())
            return series.error();
        loaded.series = std::move(*series);
        return loaded;
    };
    return value_of(session.change(work));
}

void print(
    session const& session,
    load_plan const& plan,
    bound_format const& format,
    load_outcome const& loaded
)
{
    auto rows = json::array();
    for (auto const& block : loaded.blocks)
    {
        rows.push_back(to_json(block, format));
        if (session.options().dry_run)
        {
            rows.back()["id"] = nullptr;  // the one it had a moment ago is nobody's
            rows.back()["dry_run"] = true;
        }
    }
    if (plan.lines.empty())
        session.print(rows.front(), block_columns);
    else if (session.options().output != output_format::table || rows.size() <= listed_blocks_max)
        session.print_list(rows, block_columns);
    session.say(fmt::format(
        "{} {} into {}{}; {} are left in it{}",
        session.options().dry_run ? "dry run: would load" : "loaded",
        describe(plan, format),
        plan.series,
        plan.read_as.empty() ? "" : ", ends read as " + plan.read_as,
        loaded.series.remaining,
        session.options().dry_run ? " then; nothing was changed" : ""
    ));
}

exit_code run(session& session, load_options const& wants)
{
    auto const format = value_of(session.read([&](pqxx::transaction_base& transaction) {
                            return read_one_settings(transaction, wants.series);
                        })).format;
    auto const plan = make_plan(wants, format);
    confirm_load(session, plan, format);
    print(session, plan, format, load(session, plan, format));
    return exit_code::ok;
}

void declare(CLI::App& app, load_options& wants)
{
    app.add_option("SERIES", wants.series, "Name of the series")->required();
    app.add_option("FIRST", wants.first, "First number of the block, or its serial");
    app.add_option("LAST", wants.last, "Last number of the block, included, or its serial");
    app.add_option(
           "--file", wants.file, "Load every block of a CSV file, or none; -: standard input"
    )
        ->type_name("FILE");
    app.add_option(
           "--count", wants.count, "How many numbers the carrier says it holds; has to agree"
    )
        ->type_name("N");
    app.add_option("--reference", wants.reference, "The carrier's letter, order or contract")
        ->type_name("TEXT");
    app.add_option(
           "--valid-until", wants.valid_until, "Date (through its end, UTC) or RFC 3339 moment"
    )
        ->type_name("D");
    app.footer(fmt::format(
        "The file's first line names its columns: first,last,count,reference,valid_until; first "
        "and last are\n"
        "required, ';' may stand for ','. It may hold {} blocks.",
        block_file_rows_max
    ));
}

}  // namespace

void add_block_load(command_line& line, CLI::App& noun)
{
    line.add_verb<load_options>(
        noun, "load", "Put blocks at the end of a series' queue", declare, run
    );
}

}  // namespace gapless::cli
