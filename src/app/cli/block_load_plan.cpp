#include "app/cli/block_load_plan.hpp"

#include "app/cli/argument.hpp"
#include "app/cli/block_file.hpp"
#include "app/cli/failure.hpp"
#include "app/cli/whole_file.hpp"
#include "domain/format/catalogue.hpp"

#include <fmt/format.h>

namespace gapless::cli {

namespace {

template <class T>
T argument(std::string const& name, result<T> outcome)
{
    if (outcome.has_error())
        throw usage_error(name + ": " + outcome.error().detail);
    return std::move(*outcome);
}

bool is_plain(bound_format const& format)
{
    return format.format().name() == default_format_name;
}

/// Sets both ends; returns how they were written, empty where it makes no difference.
std::string read_ends(load_options const& wants, bound_format const& format, block_draft& block)
{
    if (!is_plain(format))
    {
        auto const ends = read_block_ends(format, wants.first, wants.last);
        if (ends.has_error())
            throw usage_error("FIRST, LAST: " + ends.error().reason);
        block.first = ends->first_serial;
        block.last = ends->last_serial;
        return std::string{name_of(ends->read_as)};
    }
    block.first = argument("FIRST", cli::read_serial(wants.first));
    block.last = argument("LAST", cli::read_serial(wants.last));
    if (block.first > block.last)
        throw usage_error(fmt::format("LAST: {} lies before FIRST, {}", wants.last, wants.first));
    return {};
}

load_plan plan_one(load_options const& wants, bound_format const& format)
{
    if (wants.first.empty() || wants.last.empty())
        throw usage_error(
            "say which block: FIRST and LAST as the carrier assigned them, or --file blocks.csv"
        );
    block_draft block;
    block.series = wants.series;
    auto const read_as = read_ends(wants, format, block);
    auto const numbers = static_cast<std::uint64_t>(block.last - block.first) + 1;
    if (!wants.count.empty())
        block.count = argument("--count", read_stated_count(wants.count));
    if (block.count && *block.count != std::to_string(numbers))
        throw usage_error(fmt::format(
            "--count: {}…{} holds {} numbers, both ends included, not {}",
            format.to_number(block.first),
            format.to_number(block.last),
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
        .numbers = numbers,
        .read_as = read_as};
}

load_plan plan_file(load_options const& wants, bound_format const& format)
{
    if (!wants.first.empty() || !wants.count.empty() || !wants.reference.empty() ||
        !wants.valid_until.empty())
        throw usage_error("with --file, bounds, count, reference and valid_until stand in the file"
        );
    load_plan plan;
    plan.series = wants.series;
    plan.file = wants.file == "-" ? "(standard input)" : wants.file;
    auto file = read_block_file(read_whole_file(wants.file, block_file_bytes_max), &format);
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
        plan.column = line.column;
    }
    plan.numbers = file.numbers;
    if (!is_plain(format))
        plan.read_as = file.whole_numbers == 0                    ? "serials"
                       : file.whole_numbers == file.blocks.size() ? "numbers"
                                                                  : "serials and numbers";
    return plan;
}

}  // namespace

load_plan make_plan(load_options const& wants, bound_format const& format)
{
    return wants.file.empty() ? plan_one(wants, format) : plan_file(wants, format);
}

std::string describe(load_plan const& plan, bound_format const& format)
{
    if (plan.lines.empty())
        return fmt::format(
            "{} numbers, {}…{},",
            plan.numbers,
            format.to_number(plan.blocks.front().first),
            format.to_number(plan.blocks.front().last)
        );
    return fmt::format(
        "{} numbers in {} {}",
        plan.numbers,
        plan.blocks.size(),
        plan.blocks.size() == 1 ? "block" : "blocks"
    );
}

}  // namespace gapless::cli
