#include "invoices/invoice_file.hpp"

#include "base/field_text.hpp"
#include "base/written_value.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gapless {

namespace {

std::optional<line_fault> read_rows(
    table_text const& table, std::function<bool(csv_row)> const& take
)
{
    auto const take_filled = [&](csv_row row) { return is_empty(row) || take(std::move(row)); };
    if (auto fault = read_csv(table.text, table.separator, take_filled, table.first_line))
        return line_fault{fault->line, 0, std::move(fault->what)};
    return std::nullopt;
}

std::string const& field_of(csv_row const& row, std::size_t place)
{
    static std::string const empty;
    return place < row.fields.size() ? row.fields[place] : empty;
}

/// The fault of a column whose numbers a spreadsheet rounded. One number that ends in zeros may be
/// a true one, ten in a row are not.
std::optional<line_fault> find_rounded(
    std::vector<csv_row> const& sample, invoice_columns const& columns
)
{
    constexpr std::size_t doubtful_min = 10;
    std::size_t rounded = 0;
    std::size_t longer = 0;  // with more digits than a spreadsheet keeps, and not rounded
    line_fault first{0, columns.number + 1, {}};
    for (auto const& row : sample)
    {
        auto const text = to_number_text(field_of(row, columns.number));
        if (row.line <= columns.heading_line)
            continue;
        if (has_exponent(text) && text.find_first_of("+,.") != std::string::npos)
            return line_fault{
                row.line,
                columns.number + 1,
                fmt::format("{}: {}", written::to_quoted(text), exponent_advice)};
        if (!looks_rounded(text))
            longer += text.size() > 15 ? 1U : 0U;
        else if (++rounded == 1)
            first = {
                row.line,
                columns.number + 1,
                fmt::format("{}: {}", written::to_quoted(text), rounding_advice)};
    }
    if (rounded >= doubtful_min && longer == 0)
        return first;
    return std::nullopt;
}

line_fault no_column(std::optional<std::string> const& wanted, csv_row const& row)
{
    return {
        row.line,
        0,
        fmt::format(
            "{}; the columns here are {}; name the right one, or its place from 1",
            wanted ? fmt::format("there is no column {}", written::to_quoted(*wanted))
                   : "no column has the numbers of the series, by its name or by its values",
            list_headings(row)
        )};
}

}  // namespace

std::optional<line_fault> open_invoice(
    std::string_view bytes,
    std::optional<std::string> const& wanted,
    number_judge const& judge,
    invoice_file& opened
)
{
    if (auto fault = open_table(bytes, opened.table))
        return fault;
    std::vector<csv_row> sample;
    auto const take = [&](csv_row row) {
        sample.push_back(std::move(row));
        return sample.size() < sample_rows_max;
    };
    if (auto fault = read_rows(opened.table, take))
        return fault;
    if (sample.empty())
        return line_fault{0, 0, "there is no number in this file"};
    // Where commas separate fields, amounts have points; elsewhere people write commas.
    auto const usual = opened.table.separator == ',' ? decimal_mark::point : decimal_mark::comma;
    auto columns = find_columns(sample, wanted, judge, usual);
    if (!columns)
        return no_column(wanted, sample.front());
    if (sample.back().line <= columns->heading_line)
        return line_fault{0, 0, "there is no number in this file"};
    if (auto fault = find_rounded(sample, *columns))
        return fault;
    opened.columns = std::move(*columns);
    return std::nullopt;
}

std::optional<line_fault> read_invoice(
    invoice_file const& file, std::function<void(invoice_line)> const& take
)
{
    auto const& columns = file.columns;
    return read_rows(file.table, [&](csv_row const& row) {
        if (row.line <= columns.heading_line)
            return true;
        invoice_line read{
            .line = row.line,
            .number = to_number_text(field_of(row, columns.number)),
            .charged = {},
            .amount_unread = false};
        if (columns.amount)
            if (auto const& text = field_of(row, *columns.amount); !text.empty())
            {
                read.charged = read_amount(text, columns.mark);
                read.amount_unread = !read.charged;
            }
        take(std::move(read));
        return true;
    });
}

}  // namespace gapless
