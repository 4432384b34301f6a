#include "app/cli/block_load_plan.hpp"

#include "app/cli/argument.hpp"
#include "app/cli/block_file.hpp"
#include "app/cli/failure.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace gapless::cli {

namespace {

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

}  // namespace

load_plan make_plan(load_options const& wants)
{
    return wants.file.empty() ? plan_one(wants) : plan_file(wants);
}

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

}  // namespace gapless::cli
