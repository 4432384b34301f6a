#include "blocks/block_file_layout.hpp"

#include "base/field_text.hpp"
#include "base/text.hpp"
#include "base/written_value.hpp"
#include "blocks/block_file_day.hpp"
#include "formats/catalogue.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace gapless {

namespace {

using enum block_column;

constexpr std::size_t layout_rows_max = 100;

std::vector<csv_row> read_sample(table_text const& table, char separator)
{
    std::vector<csv_row> rows;
    auto const take = [&](csv_row row) {
        if (!is_empty(row))
            rows.push_back(std::move(row));
        return rows.size() < layout_rows_max;
    };
    read_csv(table.text, separator, take, table.first_line);
    return rows;
}

/// True for a row that names at least one column; a heading is a row without numbers.
bool names_columns(csv_row const& row)
{
    constexpr std::ptrdiff_t digits_max = 5;
    auto const has_number = [](auto const& field) {
        return may_be_number(field) || std::ranges::count_if(field, is_digit) > digits_max;
    };
    return count_filled(row) > 1 && std::ranges::none_of(row.fields, has_number) &&
           std::ranges::any_of(row.fields, [](auto const& field) {
               return find_block_column(field).has_value();
           });
}

/// True for a row that starts with the ends of a block, as far as one can tell.
bool begins_with_ends(csv_row const& row, bound_format const* format)
{
    auto const& fields = row.fields;
    if (fields.size() < 2 || !may_be_number(fields[0]) || !may_be_number(fields[1]))
        return false;
    if (to_number_text(fields[0]).size() == to_number_text(fields[1]).size() ||
        std::ranges::count_if(fields, may_be_number) == 2)
        return true;
    auto const ends = find_serials(format, fields[0], fields[1]);
    return ends && to_count_text(fields[2]) ==
                       std::to_string(static_cast<std::uint64_t>(ends->last - ends->first) + 1);
}

/// The columns of a table without a heading.
block_layout guess_layout(csv_row const& row, bound_format const* format, bool below_text)
{
    block_layout layout{.columns = {.count = read_block_heading(row).count}, .begins = row.line};
    auto const second = may_count_from(format, row.fields[0], row.fields[1]) ? count : last;
    layout.columns.place(first) = 0;
    layout.columns.place(second) = 1;
    if (below_text)  // perhaps column names in another language
        layout.guess = fmt::format("columns 1 and 2 are read as first and {}", name_of(second));
    for (std::size_t n = 2; n < layout.columns.count; ++n)
    {
        auto const& field = row.fields[n];
        auto const holds = may_be_number(field)        ? count
                           : !read_days(field).empty() ? valid_until
                                                       : reference;
        if (field.empty() || layout.columns.has(holds))
            continue;
        layout.columns.place(holds) = n;
        if (holds == valid_until && n != static_cast<std::size_t>(valid_until))
            layout.guess += fmt::format(
                "{}the days in column {} are read as valid_until",
                layout.guess.empty() ? "" : "; ",
                n + 1
            );
    }
    return layout;
}

}  // namespace

bool may_be_number(std::string_view field)
{
    auto const text = to_number_text(field);
    auto const fits = [&](char c) {
        return is_digit(c) || is_letter(c) || std::string_view{".-()'"}.find(c) != field.npos;
    };
    auto const digits = std::ranges::count_if(text, is_digit);
    return has_exponent(text) || (digits > std::ranges::count_if(text, is_letter) &&
                                  std::ranges::all_of(text, fits) && read_days(field).empty());
}

std::size_t count_filled(csv_row const& row)
{
    return row.fields.size() -
           static_cast<std::size_t>(std::ranges::count(row.fields, std::string{}));
}

std::optional<serial_range> find_serials(
    bound_format const* format, std::string_view first, std::string_view last
)
{
    auto const from = to_number_text(first);
    auto const to = to_number_text(last);
    std::optional<serial_range> found;
    if (format == nullptr || format->format().name() == default_format_name)
    {
        auto const lower = written::read_serial(from);
        auto const upper = written::read_serial(to);
        if (lower.has_value() && upper.has_value() && *lower <= *upper)
            found = {*lower, *upper};
    }
    else if (auto const ends = read_block_ends(*format, from, to); ends.has_value())
        found = {ends->first_serial, ends->last_serial};
    return found;
}

bool may_count_from(bound_format const* format, std::string_view first, std::string_view field)
{
    auto const text = to_count_text(field);
    return all_digits(text) && 2 * text.size() <= to_number_text(first).size() &&
           !find_serials(format, first, field);
}

std::optional<block_layout> find_layout(table_text const& table, bound_format const* format)
{
    std::string separators{table.separator};
    if (table.first_line == 1)  // otherwise the file names its separator
        separators += ";\t,";
    std::optional<block_layout> other;  // with a heading that lacks an end, or without one
    for (auto const separator : separators)
    {
        auto const rows = read_sample(table, separator);
        for (auto const& row : rows)
        {
            if (names_columns(row))
            {
                auto const columns = read_block_heading(row);
                if (columns.has(first) && columns.has(last))
                    return block_layout{columns, separator, row, row.line, {}};
                if (!other)
                    other = {columns, separator, row, row.line, {}};
            }
            else if (!other && begins_with_ends(row, format))
            {
                auto const below_text = &row != &rows.front() && count_filled(rows.front()) > 1;
                other = guess_layout(row, format, below_text);
                other->separator = separator;
            }
        }
    }
    return other;
}

}  // namespace gapless
