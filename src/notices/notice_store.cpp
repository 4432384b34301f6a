#include "notices/notice_store.hpp"

#include "postgres/columns.hpp"
#include "postgres/query.hpp"

namespace gapless {

namespace {

std::optional<std::chrono::sys_days> optional_day(pqxx::field const& field)
{
    if (field.is_null())
        return std::nullopt;
    return std::chrono::sys_days{std::chrono::days{field.as<std::int32_t>()}};
}

}  // namespace

notice_record to_notice(pqxx::row const& row)
{
    auto const at = to_time(row["at_us"]);
    return {
        .id = row["id"].as<std::string>(),
        .seq = optional_number(row["seq"]).value_or(0),
        .kind = row["kind"].as<std::string>(),
        .series = optional_text(row["series"]),
        .at = at,
        .epoch = row["epoch"].as<std::int32_t>(),
        .environment = optional_text(row["environment"]),
        .data = row["data"].as<std::string>(),
        .day = optional_day(row["day"]).value_or(std::chrono::floor<std::chrono::days>(at)),
        .data_day = optional_day(row["data_day"])};
}

std::vector<notice_record> read_notices(
    pqxx::transaction_base& transaction, notice_page const& page
)
{
    auto const rows = query_rows(
        transaction,
        "select seq, id, kind, series, (extract(epoch from at) * 1000000)::bigint as at_us, epoch, "
        "environment, data, (at at time zone time_zone)::date - date '1970-01-01' as day, "
        "case when kind in ('token.expires', 'lease.overdue') then (coalesce(data->>'expires_at', "
        "data->>'contact')::timestamptz at time zone time_zone)::date - date '1970-01-01' end "
        "as data_day from gapless.notice_page(p_after => $1, p_limit => $2, p_series => $3, "
        "p_kind => $4) order by seq",
        page.after,
        page.limit,
        page.series,
        page.kind
    );
    std::vector<notice_record> notices;
    for (auto const& row : rows)
        notices.push_back(to_notice(row));
    return notices;
}

notice_bounds read_notice_bounds(pqxx::transaction_base& transaction)
{
    auto const row = query_row(transaction, "select oldest, last from gapless.notice_bounds()");
    return {.oldest = row["oldest"].as<std::int64_t>(), .last = row["last"].as<std::int64_t>()};
}

std::int64_t publish_notices(pqxx::transaction_base& transaction)
{
    return query_value<std::int64_t>(
        transaction, "select gapless.notices_publish(p_limit => $1)", notices_at_once
    );
}

bool are_notices_due(pqxx::transaction_base& transaction)
{
    return query_value<bool>(transaction, "select gapless.notices_due()");
}

std::int64_t find_notices(pqxx::transaction_base& transaction, std::string const& forecasts)
{
    return query_value<std::int64_t>(
        transaction, "select gapless.notices_find(p_forecasts => $1::jsonb)", forecasts
    );
}

void note_verified(pqxx::transaction_base& transaction, std::int64_t findings, bool chain)
{
    execute(
        transaction,
        "select gapless.notice_verified(p_findings => $1, p_chain => $2)",
        findings,
        chain
    );
}

std::int64_t expire_notices(pqxx::transaction_base& transaction)
{
    return query_value<std::int64_t>(
        transaction, "select gapless.notices_expire(p_limit => $1)", notices_at_once
    );
}

}  // namespace gapless
