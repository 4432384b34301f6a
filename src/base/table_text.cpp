#include "base/table_text.hpp"

#include "base/text.hpp"
#include "base/written_value.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <utility>

namespace gapless {

namespace {

constexpr std::string_view byte_order_mark{"\xef\xbb\xbf"};

/// How a file begins that is not a table, and the advice for it.
struct foreign_start
{
    std::string_view bytes;   // in lower case
    std::string_view within;  // must follow in the first KiB; may be empty
    std::string_view what;
    std::string_view advice;
};

constexpr std::string_view ask{"ask the carrier for the same list as CSV"};
constexpr std::string_view unpack{"unpack it and give the CSV file in it"};
constexpr std::string_view save{
    "open it in Excel, choose File, Save As, 'CSV UTF-8 (*.csv)', and give that file"};
constexpr std::string_view web_page{"a web page (HTML), whatever its name"};

// The first match counts.
constexpr std::array foreign_starts{
    foreign_start{"pk\x03\x04", "[content_types].xml", "an Excel workbook (.xlsx)", save},
    foreign_start{"pk\x03\x04", "opendocument", "a spreadsheet (.ods)", save},
    foreign_start{
        "pk\x03\x04",
        "",
        "an Excel workbook (.xlsx) or a zip archive",
        "open it in Excel, choose File, Save As, 'CSV UTF-8 (*.csv)', or unpack it, and give that "
        "file"},
    foreign_start{"\x1f\x8b", "", "a gzip archive", unpack},
    foreign_start{"\xd0\xcf\x11\xe0", "", "an Excel workbook (.xls)", save},
    foreign_start{"%pdf", "", "a PDF", ask},
    foreign_start{"<?xml", "office:spreadsheet", "an Excel workbook in XML", save},
    foreign_start{"<?xml", "<html", web_page, save},
    foreign_start{"<?xml", "", "XML", ask},
    foreign_start{"<!doctype", "", web_page, save},
    foreign_start{"<html", "", web_page, save},
    foreign_start{"<", "<table", web_page, save},
    foreign_start{"<", "</", "XML", ask},
    foreign_start{"{\\rtf", "", "a text document (RTF)", ask},
    foreign_start{"{\"", "", "JSON", ask},
    foreign_start{"[{", "", "JSON", ask},
    foreign_start{"[\"", "", "JSON", ask},
    foreign_start{"una:+", "", "EDIFACT", ask},
    foreign_start{"unb+", "", "EDIFACT", ask},
    foreign_start{"isa*", "", "ANSI X12 (EDI)", ask}};

/// The kind of a text that is not a table, and the advice for it; nullopt for a table.
std::optional<line_fault> find_foreign(std::string_view bytes)
{
    constexpr std::size_t head_size = 1'024;
    constexpr std::string_view blanks{" \t\r\n"};
    bytes = bytes.substr(std::min(bytes.find_first_not_of(blanks), bytes.size()), head_size);
    auto const head = to_lower(bytes);
    // {"a":1} and [{"a":1}] are often written over several lines.
    auto start = head;
    if (start.starts_with('{') || start.starts_with('['))
        std::erase_if(start, [blanks](char c) { return blanks.find(c) != std::string_view::npos; });
    for (auto const& each : foreign_starts)
        if (start.starts_with(each.bytes) && head.find(each.within) != std::string::npos)
            return line_fault{0, 0, fmt::format("this is {}; {}", each.what, each.advice)};
    return std::nullopt;
}

/// Windows-1252 from 0x80 to 0x9f, in Unicode; 0: undefined. From 0xa0 on it equals Latin-1.
constexpr std::array<std::uint16_t, 32> windows_1252{
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

void append_utf8(std::string& text, unsigned point)
{
    auto const append = [&](unsigned byte) { text += static_cast<char>(byte); };
    if (point < 0x80)
        return append(point);
    if (point < 0x800)
        append(0xc0U | point >> 6U);
    else if (point < 0x10000)
        append(0xe0U | point >> 12U);
    else
    {
        append(0xf0U | point >> 18U);
        append(0x80U | (point >> 12U & 0x3fU));
    }
    if (point >= 0x800)
        append(0x80U | (point >> 6U & 0x3fU));
    append(0x80U | (point & 0x3fU));
}

/// The text of UTF-16 after its byte order mark; nullopt if it is malformed.
std::optional<std::string> read_utf16(std::string_view bytes, bool little_endian)
{
    auto const unit = [&](std::size_t at) {
        unsigned const one = static_cast<unsigned char>(bytes[at]);
        unsigned const two = static_cast<unsigned char>(bytes[at + 1]);
        return little_endian ? one | two << 8U : one << 8U | two;
    };
    std::string text;
    text.reserve(bytes.size());
    if (bytes.size() % 2 != 0)
        return std::nullopt;
    for (std::size_t at = 0; at < bytes.size(); at += 2)
    {
        unsigned point = unit(at);
        if (point >= 0xd800 && point < 0xe000)
        {
            at += 2;
            auto const low = point < 0xdc00 && at < bytes.size() ? unit(at) : 0U;
            if (low < 0xdc00 || low >= 0xe000)
                return std::nullopt;
            point = 0x10000 + ((point - 0xd800) << 10U) + (low - 0xdc00);
        }
        append_utf8(text, point);
    }
    return text;
}

std::size_t line_of(std::string_view text, std::size_t position)
{
    return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, position), '\n'));
}

/// The first line that is not UTF-8; 0: none.
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
        append_utf8(text, point);
    }
    return std::nullopt;
}

std::string_view first_line(std::string_view text)
{
    return text.substr(0, text.find_first_of("\r\n"));
}

/// The separator named by a line, or nullopt: sep=; as Excel writes and reads it.
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

/// How often a separator occurs in most of the lines that have it, and in how many lines.
struct separator_use
{
    std::size_t times{};
    std::size_t lines{};
};

separator_use count_uses(std::string_view text, char separator)
{
    constexpr std::size_t lines_max = 500;
    std::map<std::size_t, std::size_t> lines_by_times;
    for (std::size_t n = 0; n < lines_max && !text.empty(); ++n)
    {
        auto const line = first_line(text);
        bool quoted = false;
        std::size_t times = 0;
        for (auto const c : line)
        {
            quoted = quoted != (c == '"');
            times += c == separator && !quoted ? 1U : 0U;
        }
        if (times > 0)
            ++lines_by_times[times];
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    separator_use most;
    for (auto const& [times, lines] : lines_by_times)
        if (lines >= most.lines)
            most = {times, lines};
    return most;
}

/// The separator that most lines agree on, since a heading or a title may contain any. Decimal
/// commas occur in most lines, too, but no more often than the separator.
char find_separator(std::string_view text)
{
    char found = ',';
    auto most = count_uses(text, ',');
    for (auto const each : {';', '\t', '|'})
    {
        auto const use = count_uses(text, each);
        auto const as_usual =
            use.lines > most.lines || (use.times >= most.times && use.lines * 2 >= most.lines);
        if (use.lines == 0 || (found == ',' ? !as_usual : use.lines <= most.lines))
            continue;
        found = each;
        most = use;
    }
    return found;
}

/// Removes the frame and rules of a table drawn with |, as in Markdown, psql or an e-mail.
std::string without_frame(std::string_view text)
{
    constexpr std::string_view blanks{" \t"};
    auto const trim = [blanks](std::string_view line) {
        line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
        return line.substr(0, line.find_last_not_of(blanks) + 1);
    };
    auto const top = text.substr(0, text.find('|'));
    auto const is_framed = trim(top.substr(top.find_last_of("\r\n") + 1)).empty();
    std::string bare;
    while (!text.empty())
    {
        auto line = first_line(text);
        text.remove_prefix(line.size());
        if (line.find_first_not_of("|+-=: \t") == std::string_view::npos)
            line = {};
        if (auto const inner = trim(line);
            is_framed && inner.size() > 1 && inner.starts_with('|') && inner.ends_with('|'))
            line = inner.substr(1, inner.size() - 2);
        bare.append(line).append(text.substr(0, 1));
        text.remove_prefix(std::min<std::size_t>(text.size(), 1));
    }
    if (!is_framed)
        return bare;
    std::string plain;  // without **bold**
    for (std::string_view rest{bare}; !rest.empty();)
    {
        auto const stars = rest.find("**");
        plain += rest.substr(0, stars);
        rest.remove_prefix(stars == rest.npos ? rest.size() : stars + 2);
    }
    return plain;
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
    auto const marked = bytes.starts_with(byte_order_mark);
    opened.text = marked ? bytes.substr(byte_order_mark.size()) : bytes;
    if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff"))
    {
        auto text = read_utf16(bytes.substr(2), bytes.starts_with('\xff'));
        if (!text)
            return line_fault{0, 0, "this is broken UTF-16; save the file as CSV in UTF-8"};
        opened.converted = std::make_unique<std::string>(std::move(*text));
        opened.text = *opened.converted;
    }
    if (auto fault = find_foreign(opened.text))
        return fault;
    if (auto const line = find_foreign_line(opened.text))
    {
        if (bytes.size() > 1 && (bytes[0] == '\0') != (bytes[1] == '\0'))
            return line_fault{
                0, 0, "this is UTF-16 without a byte order mark; save the file as CSV in UTF-8"};
        if (auto const nothing = opened.text.find('\0'); nothing != std::string_view::npos)
            return line_fault{
                line_of(opened.text, nothing), 0, "this is no text; save the file as CSV in UTF-8"};
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
    {
        opened.separator = find_separator(opened.text);
        if (opened.separator == '|')
        {
            auto bare = std::make_unique<std::string>(without_frame(opened.text));
            opened.converted = std::move(bare);
            opened.text = *opened.converted;
        }
    }
    return std::nullopt;
}

}  // namespace gapless
