#include "http/issuance_json.hpp"

#include "base/contract.hpp"
#include "domain/format/catalogue.hpp"
#include "domain/issuance_id.hpp"
#include "domain/limits.hpp"
#include "http/json_writer.hpp"
#include "http/serial_ranges.hpp"

#include <algorithm>
#include <array>
#include <utility>

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

/// The serial itself, in decimal digits: what most series have, and written faster than any other.
bool is_plain(bound_format const& format) noexcept
{
    return format.format().name() == default_format_name;
}

void append_numbers(
    bound_format const& format,
    std::int64_t first,
    std::int64_t count,
    number_list_style const& style,
    std::string& text
)
{
    if (!is_plain(format))
        return format.append_numbers(first, count, style, text);
    for (std::int64_t n = 0; n < count; ++n)
    {
        if (n > 0)
            text += style.between;
        text += style.before;
        append_decimal(text, first + n);
        text += style.after;
    }
}

constexpr number_list_style in_json{"\"", "\"", ","};
constexpr number_list_style in_csv{"", "\n", ""};

bool is_listed(issuance const& value, listing numbers) noexcept
{
    return numbers == listing::all ||
           (numbers == listing::usual && value.count() <= listed_numbers_max);
}

bool is_long(issuance const& value) noexcept
{
    return value.count() > number_list::numbers_per_piece;
}

/// The whole list at once.
void append_list(
    series_entry const& series,
    issuance const& value,
    number_list_style const& style,
    std::string& text
)
{
    number_list list{series, value.ranges, style, {}};
    text.reserve(text.size() + list.bytes() + 512);
    while (list.bytes() > 0)
        list.append_piece(text);
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

number_list::number_list(
    series_entry const& series,
    std::vector<issued_range> ranges,
    number_list_style const& style,
    std::string tail
)
    : format_{series.format},
      ranges_{std::move(ranges)},
      style_{style},
      tail_{std::move(tail)},
      bytes_left_{tail_.size()}
{
    std::uint64_t count{};
    for (auto const& range : ranges_)
    {
        count += static_cast<std::uint64_t>(range.count);
        bytes_left_ += format_.characters(range.serial, range.count);
    }
    bytes_left_ += count * (style_.before.size() + style_.after.size());
    if (count > 1)
        bytes_left_ += (count - 1) * style_.between.size();
}

void number_list::append_piece(std::string& body)
{
    auto const before = body.size();
    for (auto left = numbers_per_piece; left > 0 && range_ < ranges_.size();)
    {
        auto range = ranges_[range_];
        auto const count = std::min<std::int64_t>(left, range.count - done_);
        if (range_ > 0 || done_ > 0)
            body += style_.between;
        append_numbers(format_, range.serial + done_, count, style_, body);
        left -= count;
        done_ += count;
        if (done_ < range.count)
            break;
        ++range_;
        done_ = 0;
    }
    if (range_ == ranges_.size())
        body += std::exchange(tail_, {});
    auto const made = body.size() - before;
    ensure(made > 0 && made <= bytes_left_, "a body is as long as its head said");
    bytes_left_ -= made;
    ensure((bytes_left_ == 0) == (range_ == ranges_.size()), "a body ends where its head said");
}

namespace {

/// What stands before the numbers.
void append_beginning(
    series_entry const& series, issuance const& value, std::string_view state, std::string& json
)
{
    json += R"({"id":")";
    append_id(value, json);
    json += R"(","series":)";
    append_json_string(json, series.name);
    json += R"(,"state":")";
    json += state;
    json += R"(","count":)";
    append_decimal(json, value.count());
    json += R"(,"ranges":[)";
    for (auto const& range : value.ranges)
    {
        append_range(series, range, json);
        json += ',';
    }
    json.back() = ']';
}

/// What stands behind them.
void append_ending(
    series_entry const& series,
    issuance const& value,
    std::string_view state,
    std::span<hold_part const> parts,
    std::string& json
)
{
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

constexpr std::string_view list_opens{R"(,"numbers":[)"};

}  // namespace

void append_issuance(
    series_entry const& series,
    issuance const& value,
    std::string_view state,
    std::span<hold_part const> parts,
    listing numbers,
    std::string& json
)
{
    append_beginning(series, value, state, json);
    if (is_listed(value, numbers))
    {
        json += list_opens;
        append_list(series, value, in_json, json);
        json += ']';
    }
    append_ending(series, value, state, parts, json);
}

void append_csv(series_entry const& series, issuance const& value, std::string& csv)
{
    append_list(series, value, in_csv, csv);
}

void write_issuance(
    series_entry const& series,
    issuance const& value,
    std::string_view state,
    std::span<hold_part const> parts,
    listing numbers,
    answer& out
)
{
    if (!is_listed(value, numbers) || !is_long(value))
        return append_issuance(series, value, state, parts, numbers, out.body);
    append_beginning(series, value, state, out.body);
    out.body += list_opens;
    std::string tail{"]"};
    append_ending(series, value, state, parts, tail);
    out.rest = std::make_unique<number_list>(series, value.ranges, in_json, std::move(tail));
}

void write_csv(series_entry const& series, issuance const& value, answer& out)
{
    if (!is_long(value))
        return append_csv(series, value, out.body);
    out.rest = std::make_unique<number_list>(series, value.ranges, in_csv, std::string{});
}

}  // namespace gapless
