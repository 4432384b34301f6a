#include "invoices/invoice_file.hpp"

#include "base/field_text.hpp"
#include "base/text.hpp"
#include "base/written_value.hpp"
#include "formats/parameter.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gapless {

namespace {

/// The fields of a row without empty ones at its end.
std::size_t filled_width(csv_row const& row)
{
    auto const last =
        std::ranges::find_if(row.fields.rbegin(), row.fields.rend(), [](auto const& field) {
            return !field.empty();
        });
    return static_cast<std::size_t>(row.fields.rend() - last);
}

std::optional<line_fault> read_rows(
    table_text const& table, std::function<bool(csv_row)> const& take
)
{
    auto const take_filled = [&](csv_row row) { return is_empty(row) || take(std::move(row)); };
    if (auto fault = read_csv(table.text, table.separator, take_filled, table.first_line))
        return line_fault{fault->line, 0, std::move(fault->what)};
    return std::nullopt;
}

/// The fault of a column whose numbers a spreadsheet has rounded. A single number that ends in
/// zeros may be genuine, ten in a row are not.
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
        if (row.line <= columns.heading.line)
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

/// The fault of a table without heading whose amounts have a decimal comma, which also separates
/// the fields. With a heading, read_invoice counts the fields.
std::optional<line_fault> find_cut_amounts(
    std::vector<csv_row> const& sample, table_text const& table, invoice_columns const& columns
)
{
    auto const& first = sample.front();
    auto const is_cut = [&](csv_row const& row) {
        auto const& whole = field_of(row, *columns.amount);
        auto const& cents = field_of(row, *columns.amount + 1);
        return read_amount(whole, columns.mark) && whole.find('.') == std::string::npos &&
               cents.size() == 2 && all_digits(cents);
    };
    if (table.separator != ',' || columns.heading.line != 0 || !columns.amount ||
        !std::ranges::all_of(sample, is_cut))
        return std::nullopt;
    return line_fault{
        first.line,
        0,
        fmt::format(
            "{} and {} look like one amount, cut in two at its decimal comma; put amounts in "
            "quotes, or give the file a header with a name for each field",
            written::to_quoted(field_of(first, *columns.amount)),
            written::to_quoted(field_of(first, *columns.amount + 1))
        )};
}

/// Finds the columns of the table with its current separator; returns the fault, or nullopt.
std::optional<line_fault> find_columns_of(
    table_text const& table,
    wanted_columns const& wanted,
    number_judge const& judge,
    invoice_rows& rows,
    invoice_columns& found
)
{
    rows.sample.clear();
    auto const take = [&](csv_row row) {
        rows.sample.push_back(std::move(row));
        return rows.sample.size() < sample_rows_max;
    };
    if (auto fault = read_rows(table, take))
        return fault;
    if (rows.sample.empty())
        return line_fault{0, 0, "there is no number in this file"};
    // A fault further down is reported when the lines are read.
    rows.all = [&table](auto const& take_row) {
        read_rows(table, [&](csv_row const& row) {
            take_row(row);
            return true;
        });
    };
    // If commas separate fields, amounts have points; otherwise people write commas.
    auto const usual = table.separator == ',' ? decimal_mark::point : decimal_mark::comma;
    if (auto what = find_columns(rows, wanted, judge, usual, found))
        return line_fault{rows.sample.front().line, 0, std::move(*what)};
    return std::nullopt;
}

/// The letters of a text, in capitals: "Paket vom 02.11." is the same charge as on another day.
std::string to_words(std::string_view text)
{
    auto words = to_upper(text);
    std::erase_if(words, [](char c) { return c >= 0 && (c < 'A' || c > 'Z'); });
    return words;
}

bool is_date(std::string_view text)
{
    return written::read_moment(to_moment_text(text)).has_value();
}

/// Identifies what a row charges for, so that rows of one number can be compared. If neither an
/// amount nor the charge is known, uses the rest of the row but its dates, since a number may be
/// spelt in two ways.
std::uint64_t charge_of(
    csv_row const& row, invoice_columns const& columns, std::optional<amount> const& charged
)
{
    std::string text;
    auto const append = [&](std::string_view field) { text.append(field).append(1, '\0'); };
    for (auto const place : columns.charges)
        append(columns.charges_decide ? field_of(row, place) : to_words(field_of(row, place)));
    if (columns.amount && !columns.charges_decide)
    {
        // A credit has the same amount as what it takes back.
        auto same = to_credit(charged.value_or(amount{}));
        same.decimals = 6;
        append(charged ? to_text(same) : field_of(row, *columns.amount));
    }
    if (!columns.amount && columns.charges.empty())
        for (std::size_t n = 0; n < row.fields.size(); ++n)
            if (n != columns.number && !is_date(row.fields[n]) &&
                std::ranges::find(columns.counters, n) == columns.counters.end())
                append(row.fields[n]);
    return std::hash<std::string>{}(text);
}

/// The amount that a row charges; a total may have words around its amount.
void take_amount(csv_row const& row, invoice_columns const& columns, invoice_line& read)
{
    auto text = field_of(row, *columns.amount);
    read.charged = read_amount(text, columns.mark);
    auto const credit_text = columns.credit ? field_of(row, *columns.credit) : std::string{};
    auto const credit = read_amount(credit_text, columns.mark);
    auto const sign = columns.sign ? field_of(row, *columns.sign) : std::string{};
    if (credit && (text.empty() || credit->whole != 0 || credit->millionths != 0))
    {
        auto sum = read.charged.value_or(amount{});
        add(sum, to_credit(*credit));
        read.charged = sum;
    }
    else if (text.empty())
        text = credit_text;
    else if (read.charged && !sign.empty())
    {
        auto const negative = read_sign(sign);
        if (!negative)
        {
            read.charged.reset();
            text += ' ' + sign;
        }
        else if (*negative)
            read.charged = to_credit(*read.charged);
    }
    if (!read.charged && read.kind != invoice_row_kind::total)
        read.unread = text;
}

/// Separates the columns in the text of a PDF, where gaps are wider than one blank.
std::unique_ptr<std::string> set_apart(std::string_view text)
{
    auto table = std::make_unique<std::string>();
    for (std::size_t blanks = 0; auto const c : text)
    {
        if (c == ' ' && ++blanks > 0)
            continue;
        auto const in_line = !table->empty() && table->back() != '\n' && c != '\r' && c != '\n';
        table->append(in_line && blanks > 0 ? (blanks == 1 ? " " : "\t") : "").append(1, c);
        blanks = 0;
    }
    return table;
}

}  // namespace

std::optional<line_fault> open_invoice(
    std::string_view bytes,
    wanted_columns const& wanted,
    number_judge const& judge,
    invoice_file& opened
)
{
    if (auto fault = open_table(bytes, opened.table))
        return fault;
    opened.judge = judge;
    invoice_rows rows;
    if (auto fault = find_columns_of(opened.table, wanted, judge, rows, opened.columns))
    {
        table_text apart{
            .separator = '\t',
            .first_line = opened.table.first_line,
            .converted = set_apart(opened.table.text)};
        apart.text = *apart.converted;
        invoice_columns columns;
        auto const has_number = [&](csv_row const& row) {
            return judge(to_number_text(field_of(row, columns.number))) != number_fit::none;
        };
        if (find_columns_of(apart, wanted, judge, rows, columns) ||
            std::ranges::none_of(rows.sample, has_number))
            return fault;
        opened = {std::move(apart), std::move(columns), judge};
    }
    if (rows.sample.back().line <= opened.columns.heading.line)
        return line_fault{0, 0, "there is no number in this file"};
    if (auto fault = find_rounded(rows.sample, opened.columns))
        return fault;
    return wanted.amount ? find_cut_amounts(rows.sample, opened.table, opened.columns)
                         : std::nullopt;
}

std::optional<line_fault> read_invoice(
    invoice_file const& file, std::function<void(invoice_line)> const& take
)
{
    auto const& columns = file.columns;
    std::optional<line_fault> too_wide;
    auto fault = read_rows(file.table, [&](csv_row const& row) {
        if (row.line == columns.heading.line)
            return true;
        // An amount with a decimal comma and no quotes: reading on would take a part of it.
        if (auto const width = columns.heading.fields.size();
            file.table.separator == ',' && row.line > columns.heading.line && width > 0 &&
            filled_width(row) > width)
        {
            too_wide = {
                row.line,
                0,
                fmt::format("{} fields, but the header names {}", filled_width(row), width)};
            return false;
        }
        invoice_line read{
            .line = row.line,
            .number = to_number_text(field_of(row, columns.number)),
            .charged = {},
            .unread = {},
            .charge = {},
            .kind = kind_of(row, columns, file.judge)};
        if (columns.amount && read.kind != invoice_row_kind::title)
            take_amount(row, columns, read);
        read.charge = charge_of(row, columns, read.charged);
        // The total may be under another heading.
        if (read.kind == invoice_row_kind::total || read.kind == invoice_row_kind::tax)
            for (auto const& field : row.fields)
                if (!read.charged && read.unread.empty() && shown_mark(field))
                    read.charged = read_amount(field, columns.mark);
        take(std::move(read));
        return true;
    });
    return too_wide ? too_wide : fault;
}

}  // namespace gapless
