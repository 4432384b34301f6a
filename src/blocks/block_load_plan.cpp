#include "blocks/block_load_plan.hpp"

#include "base/field_text.hpp"
#include "blocks/load_block_file.hpp"
#include "cli/argument.hpp"
#include "cli/failure.hpp"
#include "cli/whole_file.hpp"
#include "formats/catalogue.hpp"

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

/// Sets both ends; returns how they were written, or "" if that makes no difference.
std::string read_ends(load_options const& wants, bound_format const& format, block_draft& block)
{
    if (!is_plain(format))
    {
        auto const ends = read_block_ends(format, wants.first, wants.last);
        if (ends.has_error())
            throw usage_error("FIRST, LAST: " + ends.error().reason);
        block.first = ends->first_serial;
        block.last = ends->last_serial;
        block.completed = ends->completed;
        return std::string{name_of(ends->read_as)};
    }
    for (auto const* const text : {&wants.first, &wants.last})
        if (auto const checked = check_leading_zeros(format, *text); checked.has_error())
            throw usage_error("FIRST, LAST: " + checked.error().reason);
    block.first = argument("FIRST", cli::read_serial(wants.first));
    block.last = argument("LAST", cli::read_serial(wants.last));
    if (block.first > block.last)
        throw usage_error(fmt::format("LAST: {} lies before FIRST, {}", wants.last, wants.first));
    return {};
}

/// The last number issued elsewhere, written in the same way as the ends.
std::int64_t read_issued_until(load_options const& wants, bound_format const& format)
{
    auto const until = gapless::read_issued_until(format, wants.first, wants.issued_until);
    if (until.has_error())
        throw usage_error("--issued-until: " + until.error().reason);
    return *until;
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
    if (!wants.issued_until.empty())
        block.issued_until = read_issued_until(wants, format);
    if (!wants.valid_until.empty())
        block.valid_until =
            last_moment{argument("--valid-until", read_moment(to_moment_text(wants.valid_until)))};
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
        !wants.valid_until.empty() || !wants.issued_until.empty())
        throw usage_error(
            "with --file, bounds, count, reference and valid_until stand in the file; a block with "
            "--issued-until is loaded by itself"
        );
    load_plan plan;
    plan.series = wants.series;
    plan.file = wants.file == "-" ? "(standard input)" : wants.file;
    auto file = read_block_file(read_whole_file(wants.file, block_file_bytes_max), &format);
    plan.numbers = file.numbers;
    if (!is_plain(format))
        plan.read_as = file.whole_numbers == 0                    ? "serials"
                       : file.whole_numbers == file.blocks.size() ? "numbers"
                                                                  : "serials and numbers";
    auto load = cases::to_load(wants.series, std::move(file), plan.file);
    if (load.has_error())
        throw usage_error(to_lines(load.error(), plan.file));
    plan.blocks = std::move(load->drafts);
    plan.lines = std::move(load->lines);
    plan.column = load->column;
    plan.validity_column = load->validity_column;
    plan.warnings = std::move(load->warnings);
    return plan;
}

}  // namespace

std::string to_lines(refusal const& why, std::string_view file)
{
    std::string text;
    for (auto const& fault : why.faults)
        text += to_text(fault, file) + '\n';
    return text + "  nothing was loaded";
}

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
