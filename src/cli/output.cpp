#include "cli/output.hpp"

#include "base/text.hpp"
#include "base/written_value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <system_error>
#include <unistd.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

/// A value as a single field: lists joined with commas, objects as key=value.
std::string to_field(json const& value)
{
    if (value.is_null())
        return {};
    if (value.is_string())
        return value.get<std::string>();
    if (value.is_boolean())
        return value.get<bool>() ? "yes" : "no";
    if (!value.is_structured())
        return value.dump();
    std::string joined;
    for (auto const& [key, item] : value.items())
    {
        if (!joined.empty())
            joined += value.is_object() ? ' ' : ',';
        joined += value.is_object() ? key + '=' + to_field(item) : to_field(item);
    }
    return joined;
}

/// The last part of "a.b".
std::string_view name_of(column const& of)
{
    std::string_view const key{of.key};
    return key.substr(key.rfind('.') + 1);
}

/// Null: the object has no such member.
json const* find_member(json const& object, std::string_view key)
{
    auto const dot = key.find('.');
    auto const found = object.find(key.substr(0, dot));
    if (found == object.end())
        return nullptr;
    return dot == std::string_view::npos ? &*found : find_member(*found, key.substr(dot + 1));
}

json const& member(json const& object, std::string_view key)
{
    static json const absent;
    auto const* const found = find_member(object, key);
    return found == nullptr ? absent : *found;
}

std::string to_cell(json const& object, column const& of)
{
    auto const field = to_field(member(object, of.key));
    if (field.empty())
        return "-";
    std::string shown;
    for (std::string_view rest{field}; !rest.empty();)
        shown += written::take_shown(rest, false);
    return shown;
}

std::string to_title(std::string_view key)
{
    auto title = to_upper(key);
    std::ranges::replace(title, '_', ' ');
    return title;
}

void append_line(
    std::string& text,
    std::vector<std::string> const& cells,
    std::vector<std::size_t> const& widths,
    std::vector<column> const& columns
)
{
    for (std::size_t n = 0; n < cells.size(); ++n)
    {
        std::string const padding(widths[n] - count_characters(cells[n]), ' ');
        text += n == 0 ? "" : "  ";
        if (columns[n].number)
            text += padding + cells[n];
        else
            text += n + 1 == cells.size() ? cells[n] : cells[n] + padding;
    }
    text += '\n';
}

constexpr auto begin_bold = "\x1b[1m";
constexpr auto end_bold = "\x1b[0m";

}  // namespace

std::string to_table(json const& rows, std::span<column const> columns, bool color)
{
    std::vector<column> shown;
    std::ranges::copy_if(columns, std::back_inserter(shown), &column::in_table);

    std::vector<std::vector<std::string>> lines(1);
    for (auto const& each : shown)
        lines.front().push_back(to_title(name_of(each)));
    for (auto const& row : rows)
    {
        auto& line = lines.emplace_back();
        for (auto const& each : shown)
            line.push_back(to_cell(row, each));
    }

    std::vector<std::size_t> widths(shown.size());
    for (auto const& line : lines)
        for (std::size_t n = 0; n < line.size(); ++n)
            widths[n] = std::max(widths[n], count_characters(line[n]));

    std::string text;
    for (auto const& line : lines)
    {
        bool const header = &line == &lines.front();
        text += header && color ? begin_bold : "";
        append_line(text, line, widths, shown);
        if (header && color)
            text.insert(text.size() - 1, end_bold);
    }
    return text;
}

std::string to_details(json const& object, std::span<column const> columns, bool color)
{
    std::vector<column> shown;
    std::ranges::copy_if(columns, std::back_inserter(shown), [&](column const& each) {
        return find_member(object, each.key) != nullptr;
    });
    std::size_t width = 0;
    for (auto const& each : shown)
        width = std::max(width, name_of(each).size());
    std::string text;
    for (auto const& each : shown)
    {
        std::string name{name_of(each)};
        std::ranges::replace(name, '_', ' ');
        std::string const padding(width - name.size() + 2, ' ');
        text += color ? begin_bold + name + end_bold : name;
        text.append(padding).append(to_cell(object, each)).append("\n");
    }
    return text;
}

std::string to_csv(json const& rows, std::span<column const> columns, csv_style style)
{
    std::string names;
    for (auto const& each : columns)
        names += (names.empty() ? "" : ",") + std::string{name_of(each)};
    std::string text;
    append_csv_heading(text, names, style);
    for (auto const& row : rows)
    {
        for (auto const& each : columns)
        {
            if (&each != &columns.front())
                text += style.separator();
            auto const field = to_field(member(row, each.key));
            each.number ? append_csv_number(text, field, style)
                        : append_csv_text(text, field, style);
        }
        text += '\n';
    }
    return text;
}

std::string to_json_text(json const& document)
{
    return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

void write_output(int descriptor, std::string_view text)
{
    if (!write_while_read(descriptor, text))
        throw output_failed{"cannot write the answer: its reader has gone"};
}

void write_message(std::string_view text) noexcept
{
    try
    {
        write_while_read(STDERR_FILENO, text);
    }
    catch (std::exception const&)
    {
        // Closed, or its disk is full.
    }
}

bool write_while_read(int descriptor, std::string_view text)
{
    while (!text.empty())
    {
        auto const written = ::write(descriptor, text.data(), text.size());
        if (written >= 0)
            text.remove_prefix(static_cast<std::size_t>(written));
        else if (errno == EPIPE)
            return false;
        else if (errno == EAGAIN)  // whoever started this shares a pipe that does not block
        {
            pollfd room{descriptor, POLLOUT, 0};
            ::poll(&room, 1, -1);
        }
        else if (errno != EINTR)
            throw output_failed{
                "cannot write the answer: " + std::generic_category().message(errno)};
    }
    return true;
}

}  // namespace gapless::cli
