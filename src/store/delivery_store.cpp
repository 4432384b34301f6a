#include "store/delivery_store.hpp"

#include "domain/refusal.hpp"
#include "store/columns.hpp"
#include "store/notice_store.hpp"
#include "store/query.hpp"

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gapless {

namespace {

/// Lanes as two arrays in PostgreSQL's notation: element k of each is lane k.
struct lane_arrays
{
    std::string webhooks{"{"};
    std::string series{"{"};

    void add(webhook_lane const& lane)
    {
        auto const* const separator = webhooks.size() > 1 ? "," : "";
        webhooks += separator + std::to_string(lane.webhook_id);
        series += separator + std::to_string(lane.series_id);
    }

    void end()
    {
        webhooks += '}';
        series += '}';
    }
};

/// Bytes that are written as two hexadecimal digits each.
std::string read_hexadecimal(std::string_view text)
{
    std::string bytes;
    for (std::size_t n = 0; n + 1 < text.size(); n += 2)
    {
        unsigned byte{};
        auto const* const last = text.data() + n + 2;
        if (auto const [end, error] = std::from_chars(text.data() + n, last, byte, 16);
            error != std::errc{} || end != last)
            throw std::runtime_error{"a webhook's secret is not in hexadecimal digits"};
        bytes += static_cast<char>(byte);
    }
    return bytes;
}

due_delivery to_delivery(pqxx::row const& row)
{
    due_delivery due;
    due.lane = {row["webhook_id"].as<std::int32_t>(), row["series_id"].as<std::int32_t>()};
    due.url = row["url"].as<std::string>();
    for (auto const& key : read_array(row["keys"]))
        due.keys.push_back(read_hexadecimal(key));
    due.attempt = row["attempt"].as<int>();
    due.notice = to_notice(row);
    return due;
}

}  // namespace

std::optional<std::int64_t> take_sender_turn(pqxx::transaction_base& transaction)
{
    auto const row = query_row(transaction, "select gapless.webhook_sender_take() as term");
    return optional_number(row["term"]);
}

std::vector<due_delivery> read_due_deliveries(
    pqxx::transaction_base& transaction,
    std::int64_t term,
    delivery_limits const& limits,
    std::vector<webhook_lane> const& busy
)
{
    lane_arrays lanes;
    for (auto const& lane : busy)
        lanes.add(lane);
    lanes.end();
    auto const rows = query_rows(
        transaction,
        "select webhook_id, series_id, url, attempt, seq, id, kind, series, epoch, environment, "
        "data,"
        " (extract(epoch from at) * 1000000)::bigint as at_us,"
        " (at at time zone time_zone)::date - date '1970-01-01' as day,"
        " case when kind = 'token.expires' then ((data->>'expires_at')::timestamptz"
        "  at time zone time_zone)::date - date '1970-01-01' end as expires_on,"
        " array(select encode(key, 'hex')"
        "       from unnest(secrets) with ordinality as u (key, place) order by place) as keys "
        "from gapless.webhook_due(p_term => $1, p_limit => $2, p_per_webhook => $3,"
        " p_per_host => $4, p_busy_webhooks => $5::integer[], p_busy_series => $6::integer[])",
        term,
        limits.due_max,
        limits.per_webhook_max,
        limits.per_host_max,
        lanes.webhooks,
        lanes.series
    );
    std::vector<due_delivery> all;
    for (auto const& row : rows)
        all.push_back(to_delivery(row));
    return all;
}

result<void> report_deliveries(
    pqxx::transaction_base& transaction,
    std::int64_t term,
    std::vector<delivery_report> const& reports
)
{
    lane_arrays lanes;
    std::vector<std::string> ids;
    std::vector<std::string> errors;
    for (auto const& report : reports)
    {
        lanes.add(report.lane);
        ids.push_back(report.notice_id);
        errors.push_back(report.error);
    }
    lanes.end();
    auto const noted = query_value<bool>(
        transaction,
        "select gapless.webhook_report(p_term => $1, p_webhook_ids => $2::integer[],"
        " p_series_ids => $3::integer[], p_ids => $4::uuid[],"
        " p_errors => array(select nullif(error, '')"
        "                   from unnest($5::text[]) with ordinality as u (error, place)"
        "                   order by place))",
        term,
        lanes.webhooks,
        lanes.series,
        to_array(ids),
        to_array(errors)
    );
    if (!noted)
        return refusal{refusal_kind::state_conflict, "the term of this sender is over"};
    return {};
}

void leave_sender_turn(pqxx::transaction_base& transaction, std::int64_t term)
{
    execute(transaction, "select gapless.webhook_sender_leave(p_term => $1)", term);
}

}  // namespace gapless
