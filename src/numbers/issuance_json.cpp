#include "numbers/issuance_json.hpp"

#include "base/json_writer.hpp"
#include "base/limits.hpp"
#include "issuing/issuance_id.hpp"
#include "numbers/settled_issuance.hpp"
#include "record/json.hpp"
#include "record/refusal_records.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace gapless {

namespace {

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

bool is_listed(issuance const& value, listing numbers) noexcept
{
    return numbers == listing::all ||
           (numbers == listing::usual && value.count() <= listed_numbers_max);
}

bool is_long(issuance const& value) noexcept
{
    return value.count() > number_list::numbers_per_piece;
}

/// How a hold was settled: which numbers may be printed, and which may not any more.
void append_hold(
    series_entry const& series, std::vector<issuance_part> const& parts, std::string& json
)
{
    json += R"(,"hold":{)";
    for (std::string_view const fate : {"held", "confirmed", "released", "expired"})
    {
        std::vector<serial_range> runs;
        for (auto const& part : parts)
            if (part.fate == fate)
                runs.push_back({part.range.serial, part.range.last_serial()});
        append_serial_ranges(series, runs, append_name(json, fate));
    }
    json += '}';
}

/// The part before the numbers.
void append_beginning(series_entry const& series, issuance const& value, std::string& json)
{
    json += R"({"id":")";
    append_id(value, json);
    json += R"(","series":)";
    append_json_string(json, series.name);
    json += R"(,"state":")";
    json += state_of(value);
    json += R"(","count":)";
    append_decimal(json, value.count());
    json += R"(,"ranges":[)";
    for (auto const& range : value.ranges)
    {
        if (json.back() != '[')
            json += ',';
        append_range(series, range, json);
    }
    json += ']';
}

/// The part after them.
void append_ending(series_entry const& series, issuance const& value, std::string& json)
{
    append_reference(json, value.reference, value.reference_erased);
    json += R"(,"epoch":)";
    append_quoted_decimal(json, value.epoch);
    if (value.reserve)
        json += R"(,"reserve":true)";
    json += R"(,"issued_at":")";
    append_timestamp(json, value.issued_at);
    json += '"';
    if (value.hold_seconds && *value.hold_seconds != hold_for_ever && state_of(value) == "held")
    {
        json += R"(,"expires_at":")";
        append_timestamp(json, value.issued_at + std::chrono::seconds{*value.hold_seconds});
        json += '"';
    }
    if (value.hold_seconds && !value.parts.empty())
        append_hold(series, value.parts, json);
    if (auto const gone = list_gone(value, series.format); !gone.empty())
        append_json(append_name(json, "gone"), gone);
    json += '}';
}

}  // namespace

void append_id(issuance const& value, std::string& text)
{
    append_issuance_id(text, id_of(value));
}

std::optional<number_list> begin_issuance(
    series_entry const& series, issuance const& value, listing numbers, std::string& json
)
{
    append_beginning(series, value, json);
    if (is_listed(value, numbers))
    {
        json += R"(,"numbers":[)";
        if (is_long(value))
        {
            std::string tail{"]"};
            append_ending(series, value, tail);
            return number_list{series.format, value.ranges, numbers_in_json, std::move(tail)};
        }
        number_list{series.format, value.ranges, numbers_in_json, "]"}.append_all(json);
    }
    append_ending(series, value, json);
    return std::nullopt;
}

void append_issuance(
    series_entry const& series, issuance const& value, listing numbers, std::string& json
)
{
    if (auto list = begin_issuance(series, value, numbers, json))
        list->append_all(json);
}

std::optional<number_list> begin_csv(
    series_entry const& series, issuance const& value, std::string& csv, csv_style style
)
{
    csv += style.start();
    number_list list{series.format, value.ranges, lines_of(style), {}};
    if (is_long(value))
        return list;
    list.append_all(csv);
    return std::nullopt;
}

void append_csv(
    series_entry const& series, issuance const& value, std::string& csv, csv_style style
)
{
    csv += style.start();
    number_list{series.format, value.ranges, lines_of(style), {}}.append_all(csv);
}

void append_serial_ranges(
    series_entry const& series, std::span<serial_range const> ranges, std::string& json
)
{
    json += '[';
    for (auto const& range : ranges)
    {
        json += json.back() == '[' ? "{" : ",{";
        append_number_or_null(json, "first", series.format, range.first);
        append_number_or_null(json, "last", series.format, range.last);
        json += '}';
    }
    json += ']';
}

}  // namespace gapless
