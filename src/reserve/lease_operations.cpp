#include "reserve/lease_operations.hpp"

#include "postgres/sql.hpp"
#include "record/operates.hpp"

namespace gapless::leases {

namespace {

/// Leases behind that place, `count` at most; none: all.
std::vector<placed<listed_lease>> read_page(
    pqxx::transaction_base& database,
    std::optional<std::string> const& series,
    std::int64_t after,
    std::optional<std::int64_t> count
)
{
    if (!query_value<bool>(database, "select to_regclass('gapless.lease') is not null"))
        return {};  // before interface 3
    auto const rows = query_rows(
        database,
        "select * from gapless.lease_page(p_series => $1, p_after => $2, p_limit => $3) "
        "order by place",
        series,
        after,
        count
    );
    std::vector<placed<listed_lease>> found;
    row_reader<listed_lease> const read_row{rows};
    for (auto const& row : rows)
        found.push_back({read_row(row), row["place"].as<std::string>()});
    return found;
}

std::vector<placed<listed_lease>> list(pqxx::transaction_base& database, series_page const& wanted)
{
    return read_page(database, wanted.series, wanted.after, wanted.limit + 1);
}

constexpr operation table[]{
    operates<&list>({
        .method = http_method::get,
        .path = "/v1/series/{series}/leases",
        .needs = scope::read,
        .summary = "Numbers on lease: what instances may issue while the database is away",
        .description = "The oldest lease first, also those that are at their end.",
    }),
};

}  // namespace

std::vector<listed_lease> read_all(
    pqxx::transaction_base& database, std::optional<std::string> const& series
)
{
    std::vector<listed_lease> all;
    for (auto& each : read_page(database, series, 0, std::nullopt))
        all.push_back(std::move(each.item));
    return all;
}

result<listed_lease> read(pqxx::transaction_base& database, lease_id const& which)
{
    auto found = select<listed_lease>(
        database, "select * from gapless.lease_report(p_lease => $1::uuid)", to_text(which)
    );
    if (found.empty())
        return refusal{refusal_kind::not_found, "there is no lease " + to_text(which)};
    return std::move(found.front());
}

std::int64_t recall(
    pqxx::transaction_base& database, lease_id const& which, std::string const& actor
)
{
    return query_value<std::int64_t>(
        database,
        "select gapless.lease_recall(p_lease => $1::uuid, p_actor => $2)",
        to_text(which),
        actor
    );
}

std::int64_t recall_all(
    pqxx::transaction_base& database,
    std::optional<std::string> const& series,
    std::string const& actor
)
{
    return query_value<std::int64_t>(
        database, "select gapless.lease_recall_all(p_series => $1, p_actor => $2)", series, actor
    );
}

std::int64_t write_off(
    pqxx::transaction_base& database,
    lease_id const& which,
    std::string const& reason,
    std::string const& actor
)
{
    return query_value<std::int64_t>(
        database,
        "select gapless.lease_write_off(p_lease => $1::uuid, p_reason => $2, p_actor => $3)",
        to_text(which),
        reason,
        actor
    );
}

database_time drill(
    pqxx::transaction_base& database,
    std::string const& series,
    std::chrono::seconds time,
    std::string const& actor
)
{
    auto const until = query_value<std::int64_t>(
        database,
        "select (extract(epoch from gapless.lease_drill(p_series => $1, p_seconds => $2, "
        "p_actor => $3)) * 1000000)::bigint",
        series,
        static_cast<std::int32_t>(time.count()),
        actor
    );
    return database_time{std::chrono::microseconds{until}};
}

constinit feature const administration{
    "lease", "Numbers that instances may issue while the database is away", table, "series"};

}  // namespace gapless::leases
