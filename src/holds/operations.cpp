#include "holds/operations.hpp"

#include "postgres/sql.hpp"
#include "record/operates.hpp"

#include <charconv>

namespace gapless::holds {

std::string to_text(hold_place const& place)
{
    auto text = std::to_string(place.expires_at.time_since_epoch().count()) + '-';
    append_issuance_id(text, place.issuance);
    return text;
}

std::optional<hold_place> read_place(std::string_view text) noexcept
{
    constexpr std::int64_t moment_max = 253'402'300'799'999'999;  // the end of the year 9999
    auto const* const end = text.data() + text.size();
    std::int64_t moment{};
    auto const read = std::from_chars(text.data(), end, moment);
    if (read.ec != std::errc{} || text.front() == '-' || moment > moment_max || read.ptr == end ||
        *read.ptr != '-')
        return std::nullopt;
    auto const id = read_issuance_id({read.ptr + 1, end});
    if (!id)
        return std::nullopt;
    return hold_place{database_time{std::chrono::microseconds{moment}}, *id};
}

void check(hold_search const& wanted)
{
    if (wanted.after && !read_place(*wanted.after))
        throw wrong_field{
            refusal_kind::malformed_request,
            " has to be the next of a page before",
            name_of(&hold_search::after)};
}

namespace {

/// Limited to the series that the token is for. Refuses with unknown_series.
std::vector<placed<open_hold>> list(pqxx::transaction_base& database, hold_search const& wanted)
{
    auto const after = wanted.after ? read_place(*wanted.after) : std::nullopt;
    auto const behind = after ? std::optional{after->issuance} : std::nullopt;
    auto found = select<open_hold>(
        database,
        "select row(series_id, turn, ordinal) as issuance, * "
        "from gapless.open_holds(p_series => $1, p_after_at => $2::timestamptz, "
        "p_after_series_id => $3, p_after_turn => $4, p_after_ordinal => $5, p_limit => $6)",
        wanted.series,
        after ? std::optional{after->expires_at} : std::nullopt,
        behind ? std::optional{behind->series_id} : std::nullopt,
        behind ? std::optional{behind->turn} : std::nullopt,
        behind ? std::optional{behind->ordinal} : std::nullopt,
        wanted.limit + 1
    );
    std::vector<placed<open_hold>> holds;
    for (auto& each : found)
    {
        auto place = to_text(hold_place{each.expires_at, each.issuance});
        holds.push_back({std::move(each), std::move(place)});
    }
    return holds;
}

constexpr auto shown = chosen_columns<
    &open_hold::issuance,
    &open_hold::series,
    &open_hold::held,
    &open_hold::reference,
    &open_hold::expires_at>;

constexpr operation table[]{
    operates<&list>({
        .verb = "list",
        .method = http_method::get,
        .path = "/v1/holds",
        .needs = scope::read,
        .summary = "Holds that are open, those that expire first",
        .help = "List the holds that are open, those that expire first",
        .shows = shown,
    }),
};

}  // namespace

constinit feature const administration{
    "hold", "Numbers that were issued for a while", table, "issuing"};

}  // namespace gapless::holds
