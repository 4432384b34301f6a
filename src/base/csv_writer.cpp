#include "base/csv_writer.hpp"

#include "base/field_text.hpp"
#include "base/messages.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace gapless {

namespace {

/// True for digits that Excel would change: it keeps fifteen, drops leading zeros, and reads 12E5
/// as 1,200,000.
bool needs_guard(std::string_view text) noexcept
{
    constexpr std::size_t digits_kept = 15;
    return has_exponent(text) || (all_digits(text) && (text.size() > digits_kept ||
                                                       (text.size() > 1 && text.front() == '0')));
}

/// True for -12.50.
bool is_decimal(std::string_view text) noexcept
{
    if (text.starts_with('-'))
        text.remove_prefix(1);
    auto const point = text.find('.');
    return point != std::string_view::npos && all_digits(text.substr(0, point)) &&
           all_digits(text.substr(point + 1));
}

void append_quoted(std::string& out, std::string_view text)
{
    out += '"';
    for (auto const c : text)
    {
        if (c == '"')
            out += '"';
        out += c;
    }
    out += '"';
}

void append_field(std::string& out, std::string_view text, csv_style style)
{
    auto const separates = [style](char c) {
        return c == style.separator() || c == '"' || c == '\r' || c == '\n' ||
               (style.guessed && (c == ',' || c == ';' || c == '\t'));
    };
    if (std::ranges::any_of(text, separates))
        append_quoted(out, text);
    else
        out += text;
}

}  // namespace

void append_csv_text(std::string& out, std::string_view text, csv_style style)
{
    constexpr std::string_view starts_formula = "=+-@\t\r";
    if (style.excel && needs_guard(text))
        append_csv_number(out, text, style);
    else if (style.excel && !text.empty() && starts_formula.find(text.front()) != text.npos)
        append_field(out, "'" + std::string{text}, style);
    else
        append_field(out, text, style);
}

void append_csv_number(std::string& out, std::string_view number, csv_style style)
{
    if (style.excel && needs_guard(number))
        append_quoted(out, "=\"" + std::string{number} + '"');
    else if (style.excel == excel_language::de && is_decimal(number))
    {
        std::string decimal{number};
        decimal[decimal.find('.')] = ',';
        append_field(out, decimal, style);
    }
    else
        append_field(out, number, style);
}

void append_csv_heading(std::string& out, std::string_view names, csv_style style)
{
    out += style.start();
    while (true)
    {
        auto const name = names.substr(0, names.find(','));
        out += style.excel == excel_language::de ? to_german_heading(name) : name;
        if (name.size() == names.size())
            break;
        out += style.separator();
        names.remove_prefix(name.size() + 1);
    }
    out += '\n';
}

std::string to_csv_word(std::string_view word, csv_style style)
{
    auto german = style.excel == excel_language::de ? to_german(word) : std::nullopt;
    return german ? std::move(*german) : std::string{word};
}

}  // namespace gapless
