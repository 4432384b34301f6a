#include "http/issuance_json.hpp"

#include "base/contract.hpp"
#include "domain/format/catalogue.hpp"
#include "domain/issuance_id.hpp"
#include "domain/limits.hpp"
#include "http/json_writer.hpp"
#include "http/serial_ranges.hpp"

#include <algorithm>
#include <array>

namespace gapless {

namespace {

/// Room for a number with its quotes and comma.
std::size_t number_bytes(bound_format const& format) noexcept
{
    return format.length_max() + 3;
}

void append_range(series_entry const& series, issued_range const& range, std::string& json)
{
    json += R"({"block":)";
    append_quoted_decimal(json, range.block_id);
    json += R"(,"first":")";
    append_number(series.format, range.serial, json);
    json += R"(","last":")";
    append_number(series.format, range.last_serial(), json);
    json += R"(","count":)";
    append_decimal(json, range.count);
    json += R"(,"ordinal":)";
    append_quoted_decimal(json, range.ordinal);
    json += '}';
}

/// The serial itself, in decimal digits: what most series have, and written faster than any other.
bool is_plain(bound_format const& format) noexcept
{
    return format.format().name() == default_format_name;
}

void append_numbers(
    bound_format const& format,
    issued_range const& range,
    number_list_style const& style,
    std::string& text
)
{
    if (!is_plain(format))
        return format.append_numbers(range.serial, range.count, style, text);
    for (std::int64_t n = 0; n < range.count; ++n)
    {
        if (n > 0)
            text += style.between;
        text += style.before;
        append_decimal(text, range.serial + n);
        text += style.after;
    }
}

void append_number_list(series_entry const& series, issuance const& value, std::string& json)
{
    json += R"(,"numbers":[)";
    for (auto const& range : value.ranges)
    {
        append_numbers(series.format, range, {"\"", "\"", ","}, json);
        json += ',';
    }
    json.back() = ']';
}

/// What may be printed, and what may not any more.
void append_hold(series_entry const& series, std::span<hold_part const> parts, std::string& json)
{
    json += R"(,"hold":{)";
    for (std::string_view const fate : {"held", "confirmed", "released", "expired"})
    {
        std::vector<serial_range> runs;
        for (auto const& part : parts)
            if (part.fate == fate)
                runs.push_back({part.serial, part.serial + part.count - 1});
        append_serial_ranges(series, runs, append_name(json, fate));
    }
    json += '}';
}

}  // namespace

void append_number(bound_format const& format, std::int64_t serial, std::string& text)
{
    if (is_plain(format))
        return append_decimal(text, serial);
    std::array<char, number_characters_max> number;
    text.append(number.data(), format.write_number(serial, number.data()));
}

void append_id(issuance const& value, std::string& text)
{
    ensure(!value.ranges.empty(), "an issuance holds numbers");
    auto const& first = value.ranges.front();
    append_issuance_id(
        text, {.series_id = value.series_id, .turn = first.turn, .ordinal = first.ordinal}
    );
}

void append_issuance(
    series_entry const& series,
    issuance const& value,
    std::string_view state,
    std::span<hold_part const> parts,
    listing numbers,
    std::string& json
)
{
    auto const count = value.count();
    auto const listed =
        numbers == listing::all || (numbers == listing::usual && count <= listed_numbers_max);
    if (listed)
        json.reserve(
            json.size() + 512 + static_cast<std::size_t>(count) * number_bytes(series.format)
        );

    json += R"({"id":")";
    append_id(value, json);
    json += R"(","series":)";
    append_json_string(json, series.name);
    json += R"(,"state":")";
    json += state;
    json += R"(","count":)";
    append_decimal(json, count);
    json += R"(,"ranges":[)";
    for (auto const& range : value.ranges)
    {
        append_range(series, range, json);
        json += ',';
    }
    json.back() = ']';
    if (listed)
        append_number_list(series, value, json);
    json += R"(,"reference":)";
    append_optional_text(json, value.reference);
    json += R"(,"epoch":)";
    append_quoted_decimal(json, value.epoch);
    json += R"(,"issued_at":")";
    append_timestamp(json, value.issued_at);
    json += '"';
    if (value.hold_seconds && state == "held")
    {
        json += R"(,"expires_at":")";
        append_timestamp(json, value.issued_at + std::chrono::seconds{*value.hold_seconds});
        json += '"';
    }
    if (std::ranges::any_of(parts, [](hold_part const& part) { return part.fate != "held"; }))
        append_hold(series, parts, json);
    json += '}';
}

void append_csv(series_entry const& series, issuance const& value, std::string& csv)
{
    csv.reserve(csv.size() + static_cast<std::size_t>(value.count()) * number_bytes(series.format));
    for (auto const& range : value.ranges)
        append_numbers(series.format, range, {"", "\n", ""}, csv);
}

}  // namespace gapless
