#include "blocks/block_file.hpp"

#include "base/csv_reader.hpp"
#include "base/field_text.hpp"
#include "base/limits.hpp"
#include "base/text.hpp"
#include "base/written_value.hpp"
#include "blocks/block_file_day.hpp"
#include "blocks/block_file_layout.hpp"
#include "blocks/block_file_text.hpp"
#include "formats/catalogue.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>
#include <utility>

namespace gapless {

namespace {

using written::to_quoted;
using enum block_column;

/// The most blocks, columns or lines that one warning names.
constexpr std::size_t parts_named_max = 10;

std::string to_number(bound_format const* format, std::int64_t serial)
{
    return format == nullptr ? std::to_string(serial) : format->to_number(serial);
}

/// Reads rows one by one into a block_file.
class block_reader
{
public:
    /// `layout`: of a table; none: rows have first, last, count, reference, valid_until.
    block_reader(
        block_file& file, bound_format const* format, std::optional<block_layout> const& layout
    )
        : file_{file},
          format_{format},
          in_table_{layout.has_value()}
    {
        if (layout)
            layout_ = *layout;
        else
            layout_.columns = {5, {0, 1, 2, 3, 4}};
        width_ = layout_.columns.count;
        // If the count tells the last number, that gets a column of its own, which is empty.
        if (layout_.columns.has(first) && layout_.columns.has(count) && !layout_.columns.has(last))
            layout_.columns.place(last) = layout_.columns.count++;
        unread_.resize(layout_.columns.count);
        if (!layout_.guess.empty())
            warn("no-heading", "there is no heading: ", {&layout_.guess, 1});
        if (auto const doubled = layout_.columns.doubled; doubled != block_heading::absent)
            add(layout_.heading.line,
                doubled + 1,
                fmt::format(
                    "column {} stands there twice",
                    name_of(*find_block_column(layout_.heading.fields[doubled]))
                ));
        for (auto const required : {first, last})
            if (!layout_.columns.has(required))
                add(layout_.heading.line,
                    0,
                    fmt::format(
                        "the header has no column {}; it has {}",
                        name_of(required),
                        list_headings(layout_.heading)
                    ));
    }

    /// Returns false if reading on makes no sense.
    bool take(csv_row row)
    {
        if (is_empty(row) || row.fields == layout_.heading.fields)
            return true;
        if (row.line < layout_.begins || is_words(row))
        {
            pass_over(row);
            return true;
        }
        if (is_total(row))
            return take_total(row);
        if (file_.blocks.size() + skipped_ >= block_file_rows_max)
        {
            add(row.line,
                0,
                fmt::format("a file may hold {} blocks; split it here", block_file_rows_max));
            return false;
        }
        while (row.fields.size() > width_ && row.fields.back().empty())
            row.fields.pop_back();
        auto const fields = row.fields.size();
        row.fields.resize(layout_.columns.count);
        if (fields == width_)
            take_block(row);
        else if (layout_.heading.line == 0)
            add(row.line, 0, fmt::format("{} fields, but the first block has {}", fields, width_));
        else
            add(row.line, 0, fmt::format("{} fields, but the header names {}", fields, width_));
        return file_.faults.size() < block_file_faults_max;
    }

    /// Reads the blocks found in a text.
    void take(block_text found)
    {
        std::vector<std::string> shown;
        for (auto& row : found.blocks)
        {
            shown.push_back(fmt::format(
                "{}{}{}", row.fields[0], row.fields[1].empty() ? "" : "…", row.fields[1]
            ));
            take_block(row);
        }
        warn("no-heading", "found in a text without columns: ", shown, ", ");
        for (auto const& each : found.unread)
            passed_over_.push_back(to_quoted(each));
    }

    /// Reports what was not read.
    void finish()
    {
        std::vector<std::string> parts;
        for (std::size_t n = 0; n < unread_.size(); ++n)
            if (!unread_[n].empty())
                parts.push_back(fmt::format(
                    "column {}{} ({}, …)",
                    n + 1,
                    layout_.heading.line == 0 ? "" : ' ' + to_quoted(layout_.heading.fields[n]),
                    to_quoted(unread_[n])
                ));
        warn("ignored-columns", "not read: ", parts);
        warn("ignored-lines", "not read: ", passed_over_);
    }

private:
    bool is_plain() const
    {
        return format_ == nullptr || format_->format().name() == default_format_name;
    }

    /// One sentence for each part, from the message catalogue.
    void warn(
        std::string code,
        std::string_view what,
        std::span<std::string const> parts,
        std::string_view between = "; "
    )
    {
        auto const named = parts.first(std::min(parts.size(), parts_named_max));
        auto const more = parts.size() - named.size();
        if (!parts.empty())
            file_.warnings.push_back(
                {std::move(code),
                 fmt::format(
                     "{}{}{}",
                     what,
                     fmt::join(named, between),
                     more == 0 ? "" : fmt::format("; and {} more", more)
                 )}
            );
    }

    void add(std::size_t line, std::size_t column, std::string what)
    {
        if (file_.faults.size() < block_file_faults_max)
            file_.faults.push_back({line, in_table_ ? column : 0, std::move(what)});
    }

    /// Empty where the row or the table has no such column.
    std::string_view cell(csv_row const& row, block_column column) const
    {
        auto const place = layout_.columns.place(column);
        return place < row.fields.size() ? std::string_view{row.fields[place]} : "";
    }

    /// True for a line without a number, unless its ends are numbers with more letters than digits.
    bool is_words(csv_row const& row) const
    {
        return std::ranges::none_of(row.fields, may_be_number) &&
               std::ranges::any_of(
                   row.fields,
                   [&](auto const& field) { return std::ranges::any_of(field, is_letter); }
               ) &&
               !find_serials(format_, cell(row, first), cell(row, last));
    }

    static std::string to_line(csv_row const& row)
    {
        return to_quoted(fmt::format("{}", fmt::join(row.fields, " ")));
    }

    void pass_over(csv_row const& row)
    {
        passed_over_.push_back(
            passed_over_.size() < parts_named_max
                ? fmt::format("line {} ({})", row.line, to_line(row))
                : std::string{}
        );
    }

    /// True for a line of totals: named so, and not a first number with its last or a count.
    bool is_total(csv_row const& row) const
    {
        auto const holds = [&](block_column column) { return may_be_number(cell(row, column)); };
        return std::ranges::any_of(row.fields, names_total) &&
               !(holds(first) && (holds(last) || holds(count)));
    }

    bool take_total(csv_row const& row)
    {
        auto const agrees = [&](std::string const& field) {  // "Summe 250.000"
            auto const count =
                field.substr(std::min(field.find_first_of("0123456789"), field.size()));
            return to_count_text(count) == std::to_string(file_.numbers);
        };
        if (file_.faults.empty() && std::ranges::none_of(row.fields, agrees))
            add(row.line,
                0,
                fmt::format(
                    "the total {} does not agree: the blocks above hold {} numbers",
                    to_line(row),
                    file_.numbers
                ));
        return file_.faults.size() < block_file_faults_max;
    }

    void take_block(csv_row& row)
    {
        auto const faults_before = file_.faults.size();
        block_line block{
            .line = row.line,
            .column = in_table_ ? layout_.columns.place(first) + 1 : 0,
            .validity_column = in_table_ && layout_.columns.has(valid_until)
                                   ? layout_.columns.place(valid_until) + 1
                                   : 0};
        for (std::size_t n = 0; n < row.fields.size(); ++n)
            if (unread_[n].empty() &&
                std::ranges::find(layout_.columns.places, n) == layout_.columns.places.end())
                unread_[n] = row.fields[n];
        tidy(row);
        take_ends(row, block);
        if (auto value = field(row, reference, written::read_reference))
            block.reference = std::move(*value);
        if (layout_.columns.has(valid_until))
            take_validity(row, block);
        if (file_.faults.size() == faults_before)
            check_bounds(row, block);
        if (file_.faults.size() == faults_before)
            file_.blocks.push_back(std::move(block));
        else
            ++skipped_;
    }

    /// Removes spreadsheet artefacts and local habits from the fields.
    void tidy(csv_row& row) const
    {
        auto const change = [&](block_column column, auto how) {
            if (layout_.columns.has(column))
                row.fields[layout_.columns.place(column)] =
                    how(row.fields[layout_.columns.place(column)]);
        };
        change(first, to_number_text);
        change(last, to_number_text);
        change(count, to_count_text);
    }

    void take_validity(csv_row& row, block_line& block)
    {
        auto& text = row.fields[layout_.columns.place(valid_until)];
        auto day = read_one_day(text);
        if (day.has_error())
            return add(
                row.line,
                layout_.columns.place(valid_until) + 1,
                "valid_until: " + day.error().detail
            );
        text = std::move(*day);
        if (!text.empty())
            if (auto value = field(row, valid_until, written::read_moment))
                block.valid_until = last_moment{std::move(*value)};
    }

    void take_ends(csv_row const& row, block_line& block)
    {
        for (auto const column : {first, last})
            if (auto const fault =
                    exponent_fault(row.fields[layout_.columns.place(column)], !is_plain());
                !fault.empty())
                return add(
                    row.line,
                    layout_.columns.place(column) + 1,
                    fmt::format("{}: {}", name_of(column), fault)
                );
        for (auto const column : {first, last})
            if (format_ != nullptr)
                if (auto const checked =
                        check_leading_zeros(*format_, row.fields[layout_.columns.place(column)]);
                    checked.has_error())
                    return add(row.line, layout_.columns.place(column) + 1, checked.error().reason);
        auto const is_counted = row.fields[layout_.columns.place(last)].empty() &&
                                layout_.columns.has(count) &&
                                !row.fields[layout_.columns.place(count)].empty();
        if (is_plain())
        {
            block.first = field(row, first, written::read_serial).value_or(0);
            if (is_counted)
                return take_last_by_count(row, block);
            block.last = field(row, last, written::read_serial).value_or(0);
            return;
        }
        auto const& from = row.fields[layout_.columns.place(first)];
        auto const& to = row.fields[layout_.columns.place(last)];
        auto const ends = read_block_ends(*format_, from, is_counted ? from : to);
        if (ends.has_error())
            return add(
                row.line,
                layout_.columns.place(first) + 1,
                "first, last: " + ends.error().reason + rounding_hint(row)
            );
        block.first = ends->first_serial;
        block.last = ends->last_serial;
        block.completed = ends->completed;
        if (ends->read_as == block_ends_read_as::numbers)
            ++file_.whole_numbers;
        if (is_counted)
            take_last_by_count(row, block);
    }

    /// A person has to confirm it: carriers may count differently.
    void take_last_by_count(csv_row const& row, block_line& block)
    {
        auto const stated = field(row, count, written::read_stated_count);
        auto const most = format_ == nullptr ? serial_max : format_->serial_max();
        auto const numbers = stated ? read_decimal<std::int64_t>(*stated) : 0;
        if (!stated)
            return;
        if (!numbers || *numbers < 1 || *numbers - 1 > most - block.first)
            return add(
                row.line,
                layout_.columns.place(count) + 1,
                numbers == 0 ? std::string{"count: has to be 1 or more"}
                             : fmt::format(
                                   "count: no {} numbers begin with {}",
                                   *stated,
                                   to_number(format_, block.first)
                               )
            );
        block.last = block.first + *numbers - 1;
        block.completed = fmt::format(
            "the last number is that of the count: {} from {} to {}",
            *numbers,
            to_number(format_, block.first),
            to_number(format_, block.last)
        );
    }

    /// What to add to a fault of an end that Excel may have rounded.
    std::string rounding_hint(csv_row const& row) const
    {
        for (auto const column : {first, last})
            if (auto const& text = row.fields[layout_.columns.place(column)]; looks_rounded(text))
                return fmt::format("; {}: {}", to_quoted(text), rounding_advice);
        return {};
    }

    void check_bounds(csv_row const& row, block_line const& block)
    {
        if (block.first > block.last)
            return add(
                row.line,
                layout_.columns.place(last) + 1,
                fmt::format(
                    "last: {} lies before first, {}{}", block.last, block.first, rounding_hint(row)
                )
            );
        auto const numbers = static_cast<std::uint64_t>(block.last - block.first) + 1;
        auto const states_count =
            layout_.columns.has(count) && !row.fields[layout_.columns.place(count)].empty();
        if (states_count)
            check_count(row, block, std::to_string(numbers));
        else if (numbers == 1 && looks_rounded(row.fields[layout_.columns.place(last)]))
            add(row.line,
                layout_.columns.place(last) + 1,
                one_number_fault(row.fields[layout_.columns.place(last)]));
        file_.numbers += numbers;
    }

    void check_count(csv_row const& row, block_line const& block, std::string const& numbers)
    {
        auto const stated = field(row, count, written::read_stated_count);
        if (stated && *stated != numbers)
            add(row.line,
                layout_.columns.place(count) + 1,
                fmt::format(
                    "count: {}…{} holds {} numbers, both ends included, not {}{}",
                    to_number(format_, block.first),
                    to_number(format_, block.last),
                    numbers,
                    *stated,
                    rounding_hint(row)
                ));
    }

    /// The field as a value, or nullopt and a fault.
    template <class Reader>
    auto field(csv_row const& row, block_column column, Reader reader)
        -> std::optional<typename decltype(reader(""))::value_type>
    {
        if (!layout_.columns.has(column))
            return std::nullopt;
        auto outcome = reader(row.fields[layout_.columns.place(column)]);
        if (outcome.has_value())
            return std::move(*outcome);
        add(row.line,
            layout_.columns.place(column) + 1,
            fmt::format("{}: {}", name_of(column), outcome.error().detail));
        return std::nullopt;
    }

    block_file& file_;
    bound_format const* format_;
    bool in_table_;  // false: faults have no column
    block_layout layout_{};
    std::size_t width_{};                     // of a row as written
    std::size_t skipped_{};                   // rows skipped because of faults
    std::vector<std::string> unread_{};       // by column, its first unread value
    std::vector<std::string> passed_over_{};  // lines without a block
};

void find_overlaps(block_file& file, bound_format const* format)
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
                     to_number(format, lower->first),
                     to_number(format, lower->last),
                     to_number(format, upper->first),
                     to_number(format, upper->last),
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
    std::string const columns{"first,last,count,reference,valid_until"};
    auto layout = find_layout(table, format);
    // "A – B" may be in one column.
    auto const has_ends = layout && (layout->columns.has(first) || layout->columns.has(last));
    auto found = has_ends ? block_text{} : read_block_text(table.text, format);
    auto const is_table = has_ends || (layout && found.blocks.empty());
    if (!is_table)
        layout.reset();
    block_reader reader{file, format, layout};
    auto const take = [&](csv_row row) { return reader.take(std::move(row)); };
    if (table.text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        file.faults.push_back({1, 0, "the file is empty; its first line has to be: " + columns});
    else if (!is_table)
    {
        if (found.blocks.empty())
            file.faults.push_back(
                {0, 0, found.why_none + "; name the columns in the first line: " + columns}
            );
        reader.take(std::move(found));
    }
    else if (!file.faults.empty())
        return file;
    else if (auto fault = read_csv(table.text, layout->separator, take, table.first_line))
        file.faults.push_back({fault->line, 0, std::move(fault->what)});
    else if (file.faults.empty() && file.blocks.empty())
        file.faults.push_back({0, 0, "there is no block below the header"});
    reader.finish();
    if (file.faults.empty())
        find_overlaps(file, format);
    // The text may end right after the last fault that was taken.
    file.faults.resize(std::min(file.faults.size(), block_file_faults_max));
    return file;
}

}  // namespace gapless
