#include "base/table_text.hpp"

#include "base/written_value.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace gapless {

namespace {

constexpr std::string_view byte_order_mark{"\xef\xbb\xbf"};

/// How a file begins that is no text, and what to do with it.
struct foreign_start
{
    std::string_view bytes;
    std::string_view what;
};

constexpr std::array<foreign_start, 5> foreign_starts{
    {{"PK\x03\x04",
      "this is an Excel workbook (.xlsx); open it in Excel, choose File, Save As, "
      "'CSV UTF-8 (*.csv)', and give that file"},
     {"\xd0\xcf\x11\xe0",
      "this is an Excel workbook (.xls); open it in Excel, choose File, Save As, "
      "'CSV UTF-8 (*.csv)', and give that file"},
     {"%PDF", "this is a PDF; ask the carrier for the same list as CSV"},
     {"\xff\xfe", "this is UTF-16; save it as CSV in UTF-8"},
     {"\xfe\xff", "this is UTF-16; save it as CSV in UTF-8"}}};

/// Windows-1252 from 0x80 to 0x9f, in Unicode; 0: stands for nothing. From 0xa0 on it is Latin-1.
constexpr std::array<std::uint16_t, 32> windows_1252{
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

void append_utf8(std::string& text, unsigned point)
{
    if (point < 0x800)
        text += static_cast<char>(0xc0U | point >> 6U);
    else
    {
        text += static_cast<char>(0xe0U | point >> 12U);
        text += static_cast<char>(0x80U | (point >> 6U & 0x3fU));
    }
    text += static_cast<char>(0x80U | (point & 0x3fU));
}

std::size_t line_of(std::string_view text, std::size_t position)
{
    return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, position), '\n'));
}

/// The first line that is not UTF-8; 0: there is none.
std::size_t find_foreign_line(std::string_view text)
{
    std::size_t line = 1;
    for (std::size_t at = 0; at < text.size(); ++line)
    {
        auto const end = std::min(text.find('\n', at), text.size());
        if (!written::is_text(text.substr(at, end - at)))
            return line;
        at = end + 1;
    }
    return 0;
}

std::optional<line_fault> convert(std::string_view bytes, std::string& text)
{
    text.reserve(bytes.size() + bytes.size() / 16);
    for (std::size_t at = 0; at < bytes.size(); ++at)
    {
        auto const byte = static_cast<unsigned char>(bytes[at]);
        unsigned const point = byte >= 0x80 && byte < 0xa0 ? windows_1252[byte - 0x80U] : byte;
        if (point == 0)
            return line_fault{
                line_of(bytes, at),
                0,
                fmt::format(
                    "this is neither UTF-8 nor Windows-1252: a byte is {:02x}; save the file as "
                    "CSV in UTF-8",
                    byte
                )};
        if (point < 0x80)
            text += static_cast<char>(point);
        else
            append_utf8(text, point);
    }
    return std::nullopt;
}

std::string_view first_line(std::string_view text)
{
    return text.substr(0, text.find_first_of("\r\n"));
}

/// The separator that a line names, or none: sep=; as Excel writes and reads it.
std::optional<char> named_separator(std::string_view line)
{
    if (line.size() > 1 && line.starts_with('"') && line.ends_with('"'))
        line = line.substr(1, line.size() - 2);
    constexpr std::string_view name{"sep="};
    auto const same = [](char a, char b) { return (a | 0x20) == b; };
    if (line.size() < 5 || !std::ranges::equal(line.substr(0, 3), name.substr(0, 3), same) ||
        line[3] != '=')
        return std::nullopt;
    return line[4];
}

char find_separator(std::string_view text)
{
    constexpr std::string_view known{";\t,"};
    while (!text.empty())
    {
        auto const line = first_line(text);
        std::array<std::ptrdiff_t, known.size()> counts{};
        std::ranges::transform(known, counts.begin(), [line](char each) {
            return std::ranges::count(line, each);
        });
        auto const most = std::ranges::max_element(counts);
        if (*most > 0)
            return known[static_cast<std::size_t>(most - counts.begin())];
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return ',';
}

}  // namespace

std::string to_text(line_fault const& fault, std::string_view file)
{
    std::string text{file};
    if (fault.line != 0)
        text += fmt::format(":{}", fault.line);
    if (fault.column != 0)
        text += fmt::format(": column {}", fault.column);
    return text + ": " + fault.what;
}

std::optional<line_fault> open_table(std::string_view bytes, table_text& opened)
{
    for (auto const& each : foreign_starts)
        if (bytes.starts_with(each.bytes))
            return line_fault{0, 0, std::string{each.what}};
    auto const marked = bytes.starts_with(byte_order_mark);
    opened.text = marked ? bytes.substr(byte_order_mark.size()) : bytes;
    if (auto const line = find_foreign_line(opened.text))
    {
        if (auto const nothing = bytes.find('\0'); nothing != std::string_view::npos)
            return line_fault{
                line_of(bytes, nothing), 0, "this is no text; save the file as CSV in UTF-8"};
        if (marked)
            return line_fault{line, 0, "this is not UTF-8; save the file as CSV in UTF-8"};
        opened.converted = std::make_unique<std::string>();
        if (auto fault = convert(bytes, *opened.converted))
            return fault;
        opened.text = *opened.converted;
    }
    auto const line = first_line(opened.text);
    if (auto const named = named_separator(line))
    {
        opened.separator = *named;
        opened.text.remove_prefix(line.size());
        opened.text.remove_prefix(
            opened.text.starts_with("\r\n") ? 2 : std::min<std::size_t>(opened.text.size(), 1)
        );
        opened.first_line = 2;
    }
    else
        opened.separator = find_separator(opened.text);
    return std::nullopt;
}

}  // namespace gapless
