#include "http/issuance_json.hpp"

#include "base/contract.hpp"
#include "domain/issuance_id.hpp"
#include "domain/limits.hpp"
#include "http/json_writer.hpp"

namespace gapless {

namespace {

constexpr std::size_t number_bytes_expected = 24;  // with its quotes and comma

void append_range(series_entry const& series, issued_range const& range, std::string& json)
{
    json += R"({"block":)";
    append_quoted_decimal(json, range.block_id);
    json += R"(,"first":")";
    append_number(series, range.serial, json);
    json += R"(","last":")";
    append_number(series, range.last_serial(), json);
    json += R"(","count":)";
    append_decimal(json, range.count);
    json += R"(,"ordinal":)";
    append_quoted_decimal(json, range.ordinal);
    json += '}';
}

void append_number_list(series_entry const& series, issuance const& value, std::string& json)
{
    json += R"(,"numbers":[)";
    for (auto const& range : value.ranges)
        append_numbers(series, range.serial, range.count, "\"", "\",", json);
    json.back() = ']';
}

}  // namespace

void append_number(series_entry const&, std::int64_t serial, std::string& text)
{
    append_decimal(text, serial);
}

void append_numbers(
    series_entry const& series,
    std::int64_t first,
    std::int64_t count,
    std::string_view before,
    std::string_view after,
    std::string& text
)
{
    for (std::int64_t n = 0; n < count; ++n)
    {
        text += before;
        append_number(series, first + n, text);
        text += after;
    }
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
    series_entry const& series, issuance const& value, listing numbers, std::string& json
)
{
    auto const count = value.count();
    auto const listed =
        numbers == listing::all || (numbers == listing::usual && count <= listed_numbers_max);
    if (listed)
        json.reserve(json.size() + 512 + static_cast<std::size_t>(count) * number_bytes_expected);

    json += R"({"id":")";
    append_id(value, json);
    json += R"(","series":)";
    append_json_string(json, series.name);
    json += R"(,"state":"issued","count":)";
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
    json += "\"}";
}

void append_csv(series_entry const& series, issuance const& value, std::string& csv)
{
    csv.reserve(csv.size() + static_cast<std::size_t>(value.count()) * number_bytes_expected);
    for (auto const& range : value.ranges)
        append_numbers(series, range.serial, range.count, {}, "\n", csv);
}

}  // namespace gapless
