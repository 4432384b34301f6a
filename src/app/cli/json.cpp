#include "app/cli/json.hpp"

#include "base/contract.hpp"
#include "domain/issuance_id.hpp"
#include "store/series_store.hpp"

#include <charconv>
#include <cmath>
#include <fmt/chrono.h>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

template <class T>
json optional_json(std::optional<T> const& value)
{
    return value ? json(*value) : json();
}

json number_json(std::optional<std::int64_t> const& serial, bound_format const& format)
{
    return serial ? json(format.to_number(*serial)) : json();
}

json count_json(std::optional<std::int64_t> const& count)
{
    return count ? json(std::to_string(*count)) : json();
}

json moment_json(std::optional<database_time> const& moment)
{
    return moment ? json(to_moment_text(*moment)) : json();
}

json states_json(number_states const& states)
{
    return {
        {"free", std::to_string(states.free)},
        {"held", std::to_string(states.held)},
        {"issued", std::to_string(states.issued)},
        {"printed", std::to_string(states.printed)},
        {"voided", states.voided},
        {"manifested", std::to_string(states.manifested)},
        {"returned", std::to_string(states.returned)},
    };
}

/// Days until the series runs dry at its rate, to a tenth; none: nothing leaves it.
json days_left_json(series_record const& series)
{
    double remaining = 0;
    auto const& text = series.remaining;
    std::from_chars(text.data(), text.data() + text.size(), remaining);
    if (!series.rate || *series.rate <= 0)
        return {};
    return std::round(remaining / *series.rate * 10) / 10;
}

std::string state_of(token_record const& token)
{
    return token.revoked_at ? "revoked" : token.in_force ? "in force" : "expired";
}

}  // namespace

std::string to_moment_text(database_time moment)
{
    auto const second = std::chrono::floor<std::chrono::seconds>(moment);
    return fmt::format(
        "{:%Y-%m-%dT%H:%M:%S}.{:06}Z",
        fmt::gmtime(std::chrono::system_clock::to_time_t(second)),
        (moment - second).count()
    );
}

json to_json(series_record const& series, bound_format const& format)
{
    return {
        {"name", series.name},
        {"carrier", series.carrier},
        {"space", series.space},
        {"format", series.format},
        {"params", json(series.params)},
        {"on_release", series.on_release},
        {"on_expiry", series.on_expiry},
        {"low_water", count_json(series.low_water)},
        {"paused", series.paused},
        {"issued", std::to_string(series.issued)},
        {"remaining", series.remaining},
        {"next", number_json(series.next, format)},
        {"blocks", std::to_string(series.blocks)},
        {"reuse_after", optional_json(series.reuse_after)},
        {"states", states_json(series.states)},
        {"rate", series.rate ? json(std::round(*series.rate * 10) / 10) : json()},
        {"days_left", days_left_json(series)},
    };
}

json to_json(block_record const& block, bound_format const& format)
{
    return {
        {"id", std::to_string(block.block_id)},
        {"series", block.series},
        {"first", format.to_number(block.first)},
        {"last", format.to_number(block.last)},
        {"count", std::to_string(block.count)},
        {"issued", std::to_string(block.issued)},
        {"remaining", std::to_string(block.remaining)},
        {"next", number_json(block.next, format)},
        {"state", block.state},
        {"reference", optional_json(block.reference)},
        {"valid_until", block.valid_until ? json(to_valid_until(*block.valid_until)) : json()},
        {"position", block.position},
        {"cycle", block.cycle},
    };
}

json to_json(issuance const& issued, std::string const& series, bound_format const& format)
{
    ensure(!issued.ranges.empty(), "an issuance has a range");
    auto const& head = issued.ranges.front();
    std::string id;
    append_issuance_id(id, {issued.series_id, head.turn, head.ordinal});

    auto ranges = json::array();
    auto numbers = json::array();
    for (auto const& range : issued.ranges)
    {
        ranges.push_back({
            {"block", std::to_string(range.block_id)},
            {"first", format.to_number(range.serial)},
            {"last", format.to_number(range.last_serial())},
            {"count", range.count},
            {"ordinal", std::to_string(range.ordinal)},
        });
        for (std::int64_t n = 0; n < range.count; ++n)
            numbers.push_back(format.to_number(range.serial + n));
    }
    return {
        {"id", id},
        {"series", series},
        {"state", issued.hold_seconds ? "held" : "issued"},
        {"count", issued.count()},
        {"ranges", std::move(ranges)},
        {"numbers", std::move(numbers)},
        {"reference", optional_json(issued.reference)},
        {"epoch", std::to_string(issued.epoch)},
        {"issued_at", to_moment_text(issued.issued_at)},
    };
}

json to_json(token_record const& token)
{
    return {
        {"id", std::to_string(token.token_id)},
        {"name", token.name},
        {"scopes", token.scopes},
        {"series", optional_json(token.series)},
        {"expires_at", moment_json(token.expires_at)},
        {"rate", count_json(token.rate)},
        {"burst", count_json(token.burst)},
        {"daily_quota", count_json(token.daily_quota)},
        {"created_at", to_moment_text(token.created_at)},
        {"revoked_at", moment_json(token.revoked_at)},
        {"state", state_of(token)},
    };
}

json to_json(finding const& found)
{
    return {{"series", found.series}, {"at", found.at}, {"what", found.what}};
}

}  // namespace gapless::cli
