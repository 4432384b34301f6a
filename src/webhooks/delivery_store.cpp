#include "webhooks/delivery_store.hpp"

#include "notices/notice_store.hpp"
#include "postgres/columns.hpp"
#include "postgres/query.hpp"
#include "webhooks/webhook_json.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gapless {

namespace {

/// Decodes bytes from two hexadecimal digits each.
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

/// With its text, which is made here, away from the I/O thread.
delivery to_delivery(pqxx::row const& row)
{
    auto const notice = to_notice(row);
    delivery due;
    due.webhook_id = row["webhook_id"].as<std::int32_t>();
    due.attempt = row["attempt"].as<int>();
    due.notice_id = notice.id;
    due.url = row["url"].as<std::string>();
    for (auto const& key : read_array(row["keys"]))
        due.keys.push_back(read_hexadecimal(key));
    due.authorization = row["credentials"].as<std::string>("");
    due.body = delivery_body(notice, row["missed"].as<bool>());
    return due;
}

}  // namespace

bool take_sender_turn(pqxx::transaction_base& transaction)
{
    return query_value<bool>(transaction, "select gapless.webhook_sender_take()");
}

std::vector<delivery> read_due_deliveries(
    pqxx::transaction_base& transaction,
    std::int32_t due_max,
    std::vector<std::int32_t> const& busy_webhooks
)
{
    auto const rows = query_rows(
        transaction,
        "select webhook_id, attempt, url, credentials, missed, seq, id, kind, series, epoch,"
        " environment, data,"
        " (extract(epoch from at) * 1000000)::bigint as at_us,"
        " (at at time zone time_zone)::date - date '1970-01-01' as day,"
        " case when kind in ('token.expires', 'lease.overdue') then (coalesce(data->>'expires_at',"
        "  data->>'contact')::timestamptz at time zone time_zone)::date - date '1970-01-01' end"
        " as data_day, array(select encode(key, 'hex')"
        "       from unnest(secrets) with ordinality as u (key, place) order by place) as keys "
        "from gapless.webhook_due(p_limit => $1, p_busy => $2::integer[])",
        due_max,
        to_array(busy_webhooks)
    );
    std::vector<delivery> all;
    for (auto const& row : rows)
        all.push_back(to_delivery(row));
    return all;
}

std::vector<std::int32_t> report_deliveries(
    pqxx::transaction_base& transaction, std::vector<delivery_report> reports
)
{
    auto const locked = query_rows(
        transaction,
        "select gapless.webhook_lock(p_webhook_ids => $1::integer[])",
        to_array(reports, &delivery_report::webhook_id)
    );
    std::vector<std::int32_t> recorded;
    for (auto const& row : locked)
        recorded.push_back(row[0].as<std::int32_t>());
    std::erase_if(reports, [&](auto const& report) {
        return std::ranges::find(recorded, report.webhook_id) == recorded.end();
    });
    execute(
        transaction,
        "select gapless.webhook_report(p_webhook_ids => $1::integer[], p_ids => $2::uuid[],"
        " p_attempts => $3::integer[],"
        " p_errors => array(select nullif(error, '')"
        "                   from unnest($4::text[]) with ordinality as u (error, place)"
        "                   order by place),"
        " p_pauses => $5::integer[], p_gone => $6::integer[]::boolean[],"
        " p_statuses => $7::integer[])",
        to_array(reports, &delivery_report::webhook_id),
        to_array(reports, &delivery_report::notice_id),
        to_array(reports, &delivery_report::attempt),
        to_array(reports, &delivery_report::error),
        to_array(reports, &delivery_report::pause_seconds),
        to_array(reports, &delivery_report::gone),
        to_array(reports, &delivery_report::status)
    );
    return recorded;
}

}  // namespace gapless
