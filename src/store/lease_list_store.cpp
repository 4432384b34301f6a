#include "store/lease_list_store.hpp"

#include "store/columns.hpp"
#include "store/lease_columns.hpp"
#include "store/query.hpp"

namespace gapless {

namespace {

listed_lease to_lease(pqxx::row const& row)
{
    return {
        .place = row["place"].as<std::int64_t>(),
        .lease = to_lease_id(row["lease"]),
        .series = row["series"].as<std::string>(),
        .instance = to_lease_id(row["instance"]),
        .host = row["host"].as<std::string>(),
        .status = to_status(row["status"]),
        .contact = to_time(row["contact_us"]),
        .granted_at = to_time(row["granted_us"]),
        .draw_until = to_time(row["draw_us"]),
        .first = row["first"].as<std::string>(),
        .last = row["last"].as<std::string>(),
        .count = row["count"].as<std::int64_t>(),
        .held = row["held"].as<std::int64_t>(),
        .settled = row["settled"].as<std::int64_t>(),
        .returned = row["returned"].as<std::int64_t>(),
        .written_off = row["written_off"].as<std::int64_t>(),
        .overdue = row["overdue"].as<bool>()};
}

}  // namespace

std::vector<listed_lease> read_leases(pqxx::transaction_base& transaction, lease_page const& page)
{
    if (!query_value<bool>(transaction, "select to_regclass('gapless.lease') is not null"))
        return {};  // before interface 3
    auto const rows = query_rows(
        transaction,
        "select *, (extract(epoch from contact) * 1000000)::bigint as contact_us, "
        "(extract(epoch from granted_at) * 1000000)::bigint as granted_us, "
        "(extract(epoch from draw_until) * 1000000)::bigint as draw_us "
        "from gapless.lease_page(p_series => $1, p_after => $2, p_limit => $3) order by place",
        page.series,
        page.after,
        page.limit
    );
    std::vector<listed_lease> leases;
    for (auto const& row : rows)
        leases.push_back(to_lease(row));
    return leases;
}

std::optional<listed_lease> read_lease(pqxx::transaction_base& transaction, lease_id const& lease)
{
    auto const rows = query_rows(
        transaction,
        "select *, (extract(epoch from contact) * 1000000)::bigint as contact_us, "
        "(extract(epoch from granted_at) * 1000000)::bigint as granted_us, "
        "(extract(epoch from draw_until) * 1000000)::bigint as draw_us "
        "from gapless.lease_report(p_lease => $1::uuid)",
        to_text(lease)
    );
    if (rows.empty())
        return std::nullopt;
    return to_lease(rows[0]);
}

std::int64_t recall_lease(
    pqxx::transaction_base& transaction, lease_id const& lease, std::string const& actor
)
{
    return query_value<std::int64_t>(
        transaction,
        "select gapless.lease_recall(p_lease => $1::uuid, p_actor => $2)",
        to_text(lease),
        actor
    );
}

std::int64_t recall_leases(
    pqxx::transaction_base& transaction,
    std::optional<std::string> const& series,
    std::string const& actor
)
{
    return query_value<std::int64_t>(
        transaction, "select gapless.lease_recall_all(p_series => $1, p_actor => $2)", series, actor
    );
}

std::int64_t write_off_lease(
    pqxx::transaction_base& transaction,
    lease_id const& lease,
    std::string const& reason,
    std::string const& actor
)
{
    return query_value<std::int64_t>(
        transaction,
        "select gapless.lease_write_off(p_lease => $1::uuid, p_reason => $2, p_actor => $3)",
        to_text(lease),
        reason,
        actor
    );
}

database_time drill_series(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::chrono::seconds time,
    std::string const& actor
)
{
    auto const until = query_value<std::int64_t>(
        transaction,
        "select (extract(epoch from gapless.lease_drill(p_series => $1, p_seconds => $2, "
        "p_actor => $3)) * 1000000)::bigint",
        series,
        static_cast<std::int32_t>(time.count()),
        actor
    );
    return database_time{std::chrono::microseconds{until}};
}

}  // namespace gapless
