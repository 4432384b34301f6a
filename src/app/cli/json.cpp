#include "app/cli/json.hpp"

#include "base/contract.hpp"
#include "domain/issuance_id.hpp"
#include "store/series_store.hpp"

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

json serial_json(std::optional<std::int64_t> const& serial)
{
    return serial ? json(to_number(*serial)) : json();
}

json moment_json(std::optional<database_time> const& moment)
{
    return moment ? json(to_moment_text(*moment)) : json();
}

std::string state_of(token_record const& token)
{
    return token.revoked_at ? "revoked" : token.in_force ? "in force" : "expired";
}

}  // namespace

std::string to_number(std::int64_t serial)
{
    return std::to_string(serial);
}

std::string to_moment_text(database_time moment)
{
    auto const second = std::chrono::floor<std::chrono::seconds>(moment);
    return fmt::format(
        "{:%Y-%m-%dT%H:%M:%S}.{:06}Z",
        fmt::gmtime(std::chrono::system_clock::to_time_t(second)),
        (moment - second).count()
    );
}

json to_json(series_record const& series)
{
    return {
        {"name", series.name},
        {"carrier", series.carrier},
        {"space", series.space},
        {"format", series.format},
        {"params", json(series.params)},
        {"on_release", series.on_release},
        {"on_expiry", series.on_expiry},
        {"low_water", series.low_water ? json(std::to_string(*series.low_water)) : json()},
        {"paused", series.paused},
        {"issued", std::to_string(series.issued)},
        {"remaining", series.remaining},
        {"next", serial_json(series.next)},
        {"blocks", std::to_string(series.blocks)},
    };
}

json to_json(block_record const& block)
{
    return {
        {"id", std::to_string(block.block_id)},
        {"series", block.series},
        {"first", to_number(block.first)},
        {"last", to_number(block.last)},
        {"count", std::to_string(block.count)},
        {"issued", std::to_string(block.issued)},
        {"remaining", std::to_string(block.remaining)},
        {"next", serial_json(block.next)},
        {"state", block.state},
        {"reference", optional_json(block.reference)},
        {"valid_until", block.valid_until ? json(to_valid_until(*block.valid_until)) : json()},
        {"position", block.position},
    };
}

json to_json(issuance const& issued, std::string const& series)
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
            {"first", to_number(range.serial)},
            {"last", to_number(range.last_serial())},
            {"count", range.count},
            {"ordinal", std::to_string(range.ordinal)},
        });
        for (std::int64_t n = 0; n < range.count; ++n)
            numbers.push_back(to_number(range.serial + n));
    }
    return {
        {"id", id},
        {"series", series},
        {"state", "issued"},
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
