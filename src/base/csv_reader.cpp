#include "base/csv_reader.hpp"

#include "base/written_value.hpp"

#include <algorithm>
#include <csv.h>
#include <fmt/format.h>
#include <memory>
#include <new>

namespace gapless {

namespace {

struct reading
{
    csv_row row;
    std::function<bool(csv_row)> const& take;
    std::size_t rows{};
    bool left{};  // take wants no more rows
    bool wide{};  // a row has more fields than are kept
};

void end_field(void* text, std::size_t size, void* state)
{
    auto const* characters = static_cast<char const*>(text);
    auto& now = *static_cast<reading*>(state);
    if (now.row.fields.size() < csv_fields_max)
        now.row.fields.emplace_back(characters, characters + size);
    else if (size > 0)
        now.wide = true;
}

void end_row(int, void* state)
{
    auto& now = *static_cast<reading*>(state);
    ++now.rows;
    if (!now.left && !now.wide)
        now.left = !now.take(std::move(now.row));
    now.row = {};
}

/// The first line of `text` with its end: LF, CRLF or CR.
std::string_view take_line(std::string_view text)
{
    auto const end = text.find_first_of("\r\n");
    if (end == std::string_view::npos)
        return text;
    return text.substr(0, text.substr(end).starts_with("\r\n") ? end + 2 : end + 1);
}

constexpr unsigned char strict = CSV_STRICT | CSV_STRICT_FINI;

/// Returns false for a misplaced quote in a quoted field: which quote ends it would be a guess. In
/// an unquoted field, as in Monitor 24", a quote is an ordinary character.
bool parse(csv_parser& parser, std::string_view part, reading& now)
{
    while (true)
    {
        part.remove_prefix(csv_parse(&parser, part.data(), part.size(), end_field, end_row, &now));
        if (part.empty() || parser.quoted != 0)
            return part.empty();
        csv_set_opts(&parser, CSV_STRICT_FINI);
        csv_parse(&parser, part.data(), 1, end_field, end_row, &now);
        csv_set_opts(&parser, strict);
        part.remove_prefix(1);
    }
}

struct free_parser
{
    void operator()(csv_parser* parser) const
    {
        csv_free(parser);
        delete parser;
    }
};

}  // namespace

std::string const& field_of(csv_row const& row, std::size_t place)
{
    static std::string const empty;
    return place < row.fields.size() ? row.fields[place] : empty;
}

bool is_empty(csv_row const& row) noexcept
{
    return std::ranges::all_of(row.fields, [](auto const& field) { return field.empty(); });
}

std::optional<csv_fault> read_csv(
    std::string_view text,
    char separator,
    std::function<bool(csv_row)> const& take,
    std::size_t first_line
)
{
    std::unique_ptr<csv_parser, free_parser> const parser{new csv_parser{}};
    if (csv_init(parser.get(), strict) != 0)
        throw std::bad_alloc{};
    csv_set_delim(parser.get(), static_cast<unsigned char>(separator));

    reading now{.row = {}, .take = take};
    bool inside = false;  // a quoted field continues on the next line
    auto line = first_line - 1;
    while (!text.empty() && !now.left && !now.wide)
    {
        auto const part = take_line(text);
        text.remove_prefix(part.size());
        ++line;
        if (!inside)
            now.row.line = line;
        auto const rows_before = now.rows;
        if (!parse(*parser, part, now))
            return csv_fault{
                line,
                "a quote stands in the wrong place: quotes are doubled inside a quoted field"};
        bool const blank = part.find_first_not_of(" \t\r\n") == std::string_view::npos;
        inside = now.rows == rows_before && (inside || !blank);
    }
    auto const last_row = now.row.line;
    if (!now.left && !now.wide && csv_fini(parser.get(), end_field, end_row, &now) != 0)
        return csv_fault{last_row, "a quote is not closed before the end of the file"};
    if (now.wide)
        return csv_fault{line, fmt::format("more than {} columns", csv_fields_max)};
    return std::nullopt;
}

std::string list_headings(csv_row const& row)
{
    constexpr std::size_t listed_max = 30;
    std::string list;
    for (std::size_t n = 0; n < row.fields.size() && n < listed_max; ++n)
        list += (n == 0 ? "" : ", ") + written::to_quoted(row.fields[n]);
    return list + (row.fields.size() > listed_max ? " …" : "");
}

}  // namespace gapless
