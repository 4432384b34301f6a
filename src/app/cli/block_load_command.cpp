#include "app/cli/argument.hpp"
#include "app/cli/block_columns.hpp"
#include "app/cli/block_file.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/json.hpp"
#include "app/cli/progress.hpp"
#include "store/series_store.hpp"

#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

/// Most blocks that are listed to a person after loading a file.
constexpr std::size_t listed_blocks_max = 20;

struct load_options
{
    std::string series;
    std::string first;
    std::string last;
    std::string file;
    std::string count;
    std::string reference;
    std::string valid_until;
};

/// What is to be loaded; `lines` stays empty unless it comes from a file.
struct load_plan
{
    std::string series;
    std::vector<block_draft> blocks;
    std::vector<std::size_t> lines;  // of the file, by block
    std::string file;                // its name in messages
    std::uint64_t numbers{};
};

/// What a load leaves behind.
struct load_outcome
{
    std::vector<block_record> blocks;
    series_record series;
};

struct descriptor
{
    int value;
    ~descriptor()
    {
        if (value > STDIN_FILENO)
            ::close(value);
    }
};

std::string read_whole_file(std::string const& name)
{
    auto const fail = [&](int error) -> command_failed {
        return {
            exit_code::usage,
            fmt::format("cannot read {}: {}", name, std::generic_category().message(error))};
    };
    descriptor const file{name == "-" ? STDIN_FILENO : ::open(name.c_str(), O_RDONLY | O_CLOEXEC)};
    if (file.value < 0)
        throw fail(errno);
    std::string text;
    std::array<char, 65'536> piece;
    while (text.size() <= block_file_bytes_max)
    {
        auto const size = ::read(file.value, piece.data(), piece.size());
        if (size < 0 && errno != EINTR)
            throw fail(errno);
        if (size == 0)
            break;
        if (size > 0)
            text.append(piece.data(), static_cast<std::size_t>(size));
    }
    return text;
}

template <class T>
T argument(std::string const& name, result<T> outcome)
{
    if (outcome.has_error())
        throw usage_error(name + ": " + outcome.error().detail);
    return std::move(*outcome);
}

load_plan plan_one(load_options const& wants)
{
    if (wants.first.empty() || wants.last.empty())
        throw usage_error(
            "say which block: FIRST and LAST as the carrier assigned them, or --file blocks.csv"
        );
    block_draft block;
    block.series = wants.series;
    block.first = argument("FIRST", read_serial(wants.first));
    block.last = argument("LAST", read_serial(wants.last));
    if (block.first > block.last)
        throw usage_error(fmt::format("LAST: {} lies before FIRST, {}", wants.last, wants.first));
    auto const numbers = static_cast<std::uint64_t>(block.last - block.first) + 1;
    if (!wants.count.empty())
        block.count = argument("--count", read_stated_count(wants.count));
    if (block.count && *block.count != std::to_string(numbers))
        throw usage_error(fmt::format(
            "--count: {}…{} holds {} numbers, both ends included, not {}",
            block.first,
            block.last,
            numbers,
            *block.count
        ));
    block.reference = argument("--reference", read_reference(wants.reference));
    if (!wants.valid_until.empty())
        block.valid_until = argument("--valid-until", read_moment(wants.valid_until));
    return {
        .series = wants.series,
        .blocks = {std::move(block)},
        .lines = {},
        .file = {},
        .numbers = numbers};
}

load_plan plan_file(load_options const& wants)
{
    if (!wants.first.empty() || !wants.count.empty() || !wants.reference.empty() ||
        !wants.valid_until.empty())
        throw usage_error("with --file, bounds, count, reference and valid_until stand in the file"
        );
    load_plan plan;
    plan.series = wants.series;
    plan.file = wants.file == "-" ? "(standard input)" : wants.file;
    auto file = read_block_file(read_whole_file(wants.file));
    if (!file.faults.empty())
    {
        std::string text;
        for (auto const& fault : file.faults)
            text += to_text(fault, plan.file) + '\n';
        throw usage_error(text + "  nothing was loaded");
    }
    for (auto& line : file.blocks)
    {
        plan.blocks.push_back(
            {wants.series,
             line.first,
             line.last,
             std::nullopt,
             std::move(line.reference),
             line.valid_until}
        );
        plan.lines.push_back(line.line);
    }
    plan.numbers = file.numbers;
    return plan;
}

/// "250001 numbers in 1 block (100…200)".
std::string describe(load_plan const& plan)
{
    if (plan.lines.empty())
        return fmt::format(
            "{} numbers, {}…{},", plan.numbers, plan.blocks.front().first, plan.blocks.front().last
        );
    return fmt::format(
        "{} numbers in {} {}",
        plan.numbers,
        plan.blocks.size(),
        plan.blocks.size() == 1 ? "block" : "blocks"
    );
}

void confirm_load(session& session, load_plan const& plan)
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
        describe(plan),
        plan.series,
        series.remaining,
        remaining + plan.numbers
    ));
}

load_outcome load(session& session, load_plan const& plan)
{
    std::size_t at = 0;
    progress bar{"blocks", plan.blocks.size()};
    auto const work = [&](pqxx::transaction_base& transaction) -> result<load_outcome> {
        load_outcome loaded;
        for (at = 0; at < plan.blocks.size(); ++at)
        {
            session.signals().stop_if_arrived();
            bar.show(at);
            loaded.blocks.push_back(load_block(transaction, plan.blocks[at], session.actor()));
        }
        auto series = read_one_series(transaction, plan.series);
        if (series.has_error())
            return series.error();
        loaded.series = std::move(*series);
        return loaded;
    };
    auto outcome = session.change(work);
    if (outcome.has_error() && !plan.lines.empty() && at < plan.lines.size() &&
        exit_code_of(outcome.error().kind) != exit_code::unreachable)
    {
        auto why = outcome.error();
        why.detail =
            fmt::format("{}:{}: {}\n  nothing was loaded", plan.file, plan.lines[at], why.detail);
        throw to_failure(why);
    }
    return value_of(std::move(outcome));
}

void print(session const& session, load_plan const& plan, load_outcome const& loaded)
{
    auto rows = json::array();
    for (auto const& block : loaded.blocks)
    {
        rows.push_back(to_json(block));
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
        "{} {} into {}; {} are left in it{}",
        session.options().dry_run ? "dry run: would load" : "loaded",
        describe(plan),
        plan.series,
        loaded.series.remaining,
        session.options().dry_run ? " then; nothing was changed" : ""
    ));
}

exit_code run(session& session, load_options const& wants)
{
    auto const plan = wants.file.empty() ? plan_one(wants) : plan_file(wants);
    confirm_load(session, plan);
    print(session, plan, load(session, plan));
    return exit_code::ok;
}

void declare(CLI::App& app, load_options& wants)
{
    app.add_option("SERIES", wants.series, "Name of the series")->required();
    app.add_option("FIRST", wants.first, "First number of the block");
    app.add_option("LAST", wants.last, "Last number of the block, included");
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
