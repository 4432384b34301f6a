#include "blocks/block_file.hpp"

#include "base/csv_reader.hpp"
#include "base/field_text.hpp"
#include "base/written_value.hpp"
#include "blocks/block_heading.hpp"
#include "formats/catalogue.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace gapless {

namespace {

using written::to_quoted;
using enum block_column;

/// Reads rows one by one into a block_file.
class block_reader
{
public:
    block_reader(block_file& file, bound_format const* format) : file_{file}, format_{format} {}

    /// False when reading on makes no sense.
    bool take(csv_row row)
    {
        if (is_empty(row))
            return true;
        if (!header_read_)
            return take_header(row);
        if (file_.blocks.size() + skipped_ >= block_file_rows_max)
        {
            add(row.line,
                0,
                fmt::format("a file may hold {} blocks; split it here", block_file_rows_max));
            return false;
        }
        while (row.fields.size() > columns_.count && row.fields.back().empty())
            row.fields.pop_back();
        if (row.fields.size() != columns_.count)
            add(row.line,
                0,
                fmt::format("{} fields, but the header names {}", row.fields.size(), columns_.count)
            );
        else
            take_block(row);
        return file_.faults.size() < block_file_faults_max;
    }

    bool header_read() const noexcept { return header_read_; }

private:
    bool is_plain() const
    {
        return format_ == nullptr || format_->format().name() == default_format_name;
    }

    void add(std::size_t line, std::size_t column, std::string what)
    {
        if (file_.faults.size() < block_file_faults_max)
            file_.faults.push_back({line, column, std::move(what)});
    }

    bool take_header(csv_row const& row)
    {
        header_read_ = true;
        columns_ = read_block_heading(row, [&](std::size_t column, std::string what) {
            add(row.line, column, std::move(what));
        });
        return file_.faults.empty();
    }

    void take_block(csv_row& row)
    {
        auto const faults_before = file_.faults.size();
        block_line block{
            .line = row.line,
            .column = columns_.place(first) + 1,
            .validity_column = columns_.has(valid_until) ? columns_.place(valid_until) + 1 : 0};
        tidy(row);
        take_ends(row, block);
        if (auto value = field(row, reference, written::read_reference))
            block.reference = std::move(*value);
        if (columns_.has(valid_until) && !row.fields[columns_.place(valid_until)].empty())
            if (auto value = field(row, valid_until, written::read_moment))
                block.valid_until = last_moment{std::move(*value)};
        if (file_.faults.size() == faults_before)
            check_bounds(row, block);
        if (file_.faults.size() == faults_before)
            file_.blocks.push_back(std::move(block));
        else
            ++skipped_;
    }

    /// The fields as they would be without spreadsheets and local habits.
    void tidy(csv_row& row) const
    {
        auto const change = [&](block_column column, auto how) {
            if (columns_.has(column))
                row.fields[columns_.place(column)] = how(row.fields[columns_.place(column)]);
        };
        change(first, to_number_text);
        change(last, to_number_text);
        change(count, to_count_text);
        change(valid_until, to_moment_text);
    }

    void take_ends(csv_row const& row, block_line& block)
    {
        for (auto const column : {first, last})
            if (auto const& text = row.fields[columns_.place(column)];
                has_exponent(text) && (is_plain() || text.find_first_of("+-,.") != text.npos))
                return add(
                    row.line,
                    columns_.place(column) + 1,
                    fmt::format(
                        "{}: {} is no number of a carrier: {}",
                        name_of(column),
                        to_quoted(text),
                        exponent_advice
                    )
                );
        for (auto const column : {first, last})
            if (format_ != nullptr)
                if (auto const checked =
                        check_leading_zeros(*format_, row.fields[columns_.place(column)]);
                    checked.has_error())
                    return add(row.line, columns_.place(column) + 1, checked.error().reason);
        if (is_plain())
        {
            block.first = field(row, first, written::read_serial).value_or(0);
            block.last = field(row, last, written::read_serial).value_or(0);
            return;
        }
        auto const ends = read_block_ends(
            *format_, row.fields[columns_.place(first)], row.fields[columns_.place(last)]
        );
        if (ends.has_error())
            return add(
                row.line,
                columns_.place(first) + 1,
                "first, last: " + ends.error().reason + rounding_hint(row)
            );
        block.first = ends->first_serial;
        block.last = ends->last_serial;
        block.completed = ends->completed;
        if (ends->read_as == block_ends_read_as::numbers)
            ++file_.whole_numbers;
    }

    /// What to add where something is wrong with an end that Excel may have rounded.
    std::string rounding_hint(csv_row const& row) const
    {
        for (auto const column : {first, last})
            if (auto const& text = row.fields[columns_.place(column)]; looks_rounded(text))
                return fmt::format("; {}: {}", to_quoted(text), rounding_advice);
        return {};
    }

    void check_bounds(csv_row const& row, block_line const& block)
    {
        if (block.first > block.last)
            return add(
                row.line,
                columns_.place(last) + 1,
                fmt::format(
                    "last: {} lies before first, {}{}", block.last, block.first, rounding_hint(row)
                )
            );
        auto const numbers = static_cast<std::uint64_t>(block.last - block.first) + 1;
        auto const states_count = columns_.has(count) && !row.fields[columns_.place(count)].empty();
        if (states_count)
            check_count(row, block, std::to_string(numbers));
        // Both ends of a block below a power of ten: cut to 15 digits they are the same.
        else if (numbers == 1 && looks_rounded(row.fields[columns_.place(last)]))
            add(row.line,
                columns_.place(last) + 1,
                fmt::format(
                    "last: first and last are the same number{}; if the block has one number, give "
                    "its count, 1",
                    rounding_hint(row)
                ));
        file_.numbers += numbers;
    }

    void check_count(csv_row const& row, block_line const& block, std::string const& numbers)
    {
        auto const stated = field(row, count, written::read_stated_count);
        if (stated && *stated != numbers)
            add(row.line,
                columns_.place(count) + 1,
                fmt::format(
                    "count: {}…{} holds {} numbers, both ends included, not {}{}",
                    block.first,
                    block.last,
                    numbers,
                    *stated,
                    rounding_hint(row)
                ));
    }

    /// The field as a value, or none and a fault.
    template <class Reader>
    auto field(csv_row const& row, block_column column, Reader reader)
        -> std::optional<typename decltype(reader(""))::value_type>
    {
        if (!columns_.has(column))
            return std::nullopt;
        auto outcome = reader(row.fields[columns_.place(column)]);
        if (outcome.has_value())
            return std::move(*outcome);
        add(row.line,
            columns_.place(column) + 1,
            fmt::format("{}: {}", name_of(column), outcome.error().detail));
        return std::nullopt;
    }

    block_file& file_;
    bound_format const* format_;
    bool header_read_{};
    block_heading columns_;
    std::size_t skipped_{};  // rows with faults
};

void find_overlaps(block_file& file)
{
    std::vector<block_line const*> by_first(file.blocks.size());
    std::ranges::transform(file.blocks, by_first.begin(), [](auto const& block) { return &block; });
    std::ranges::sort(by_first, {}, &block_line::first);
    block_line const* furthest = nullptr;
    for (auto const* block : by_first)
    {
        if (furthest != nullptr && block->first <= furthest->last)
        {
            auto const [upper, lower] =
                std::minmax(block, furthest, [](auto const* a, auto const* b) {
                    return a->line < b->line;
                });
            file.faults.push_back(
                {lower->line,
                 lower->column,
                 fmt::format(
                     "first: {}…{} overlaps {}…{} of line {}",
                     lower->first,
                     lower->last,
                     upper->first,
                     upper->last,
                     upper->line
                 )}
            );
        }
        if (furthest == nullptr || block->last > furthest->last)
            furthest = block;
        if (file.faults.size() >= block_file_faults_max)
            break;
    }
    std::ranges::sort(file.faults, {}, &line_fault::line);
}

}  // namespace

block_file read_block_file(std::string_view text, bound_format const* format)
{
    block_file file;
    if (text.size() > block_file_bytes_max)
    {
        file.faults.push_back(
            {0, 0, fmt::format("more than {} bytes; split the file", block_file_bytes_max)}
        );
        return file;
    }
    table_text table;
    if (auto fault = open_table(text, table))
    {
        file.faults.push_back(std::move(*fault));
        return file;
    }
    block_reader reader{file, format};
    auto const take = [&](csv_row row) { return reader.take(std::move(row)); };
    if (auto fault = read_csv(table.text, table.separator, take, table.first_line))
        file.faults.push_back({fault->line, 0, std::move(fault->what)});
    else if (!reader.header_read())
        file.faults.push_back(
            {1,
             0,
             "the file is empty; its first line has to be: first,last,count,reference,valid_until"}
        );
    else if (file.faults.empty() && file.blocks.empty())
        file.faults.push_back({0, 0, "there is no block below the header"});
    else if (file.faults.empty())
        find_overlaps(file);
    // The text may break off right behind the last fault that was taken.
    file.faults.resize(std::min(file.faults.size(), block_file_faults_max));
    return file;
}

}  // namespace gapless
