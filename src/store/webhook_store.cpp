#include "store/webhook_store.hpp"

#include "store/columns.hpp"
#include "store/query.hpp"

namespace gapless {

namespace {

constexpr std::int32_t webhooks_max = 1'000;  // as many as the database takes

std::optional<std::vector<std::string>> optional_array(pqxx::field const& field)
{
    if (field.is_null())
        return std::nullopt;
    return read_array(field);
}

webhook_record to_webhook(pqxx::row const& row)
{
    webhook_record webhook;
    webhook.webhook_id = row["webhook_id"].as<std::int32_t>();
    webhook.url = row["url"].as<std::string>();
    webhook.kinds = optional_array(row["kinds"]);
    webhook.series = optional_array(row["series"]);
    webhook.state = row["state"].as<std::string>();
    webhook.pending = row["pending"].as<std::int64_t>();
    webhook.last_error = optional_text(row["last_error"]);
    webhook.next_attempt_at = optional_time(row["next_attempt_us"]);
    webhook.last_delivered_at = optional_time(row["last_delivered_us"]);
    webhook.old_secret_until = optional_time(row["old_secret_us"]);
    webhook.environment = optional_text(row["environment"]);
    webhook.created_at = to_time(row["created_us"]);
    webhook.created_by = row["created_by"].as<std::string>();
    return webhook;
}

}  // namespace

std::vector<webhook_record> read_webhooks(
    pqxx::transaction_base& transaction, webhook_page const& page
)
{
    std::vector<webhook_record> all;
    auto const rows = query_rows(
        transaction,
        "select *,"
        " (extract(epoch from next_attempt_at) * 1000000)::bigint as next_attempt_us,"
        " (extract(epoch from last_delivered_at) * 1000000)::bigint as last_delivered_us,"
        " (extract(epoch from old_secret_until) * 1000000)::bigint as old_secret_us,"
        " (extract(epoch from created_at) * 1000000)::bigint as created_us "
        "from gapless.webhook_page(p_webhook_id => $1, p_after => $2, p_limit => $3)",
        page.id,
        page.after,
        page.limit.value_or(webhooks_max)
    );
    for (auto const& row : rows)
        all.push_back(to_webhook(row));
    return all;
}

webhook_secret create_webhook(
    pqxx::transaction_base& transaction, webhook_draft const& draft, std::string const& actor
)
{
    auto const row = query_row(
        transaction,
        "select * from gapless.webhook_create("
        "p_url => $1, p_kinds => $2::text[], p_series => $3::text[], p_actor => $4)",
        draft.url,
        to_array_or_null(draft.kinds),
        to_array_or_null(draft.series),
        actor
    );
    return {row["webhook_id"].as<std::int32_t>(), row["secret"].as<std::string>()};
}

webhook_secret rotate_webhook(
    pqxx::transaction_base& transaction, std::int32_t webhook_id, std::string const& actor
)
{
    auto secret = query_value<std::string>(
        transaction,
        "select gapless.webhook_rotate(p_webhook_id => $1, p_actor => $2)",
        webhook_id,
        actor
    );
    return {webhook_id, std::move(secret)};
}

void retry_webhook(
    pqxx::transaction_base& transaction, std::int32_t webhook_id, std::string const& actor
)
{
    execute(
        transaction,
        "select gapless.webhook_retry(p_webhook_id => $1, p_actor => $2)",
        webhook_id,
        actor
    );
}

void test_webhook(
    pqxx::transaction_base& transaction, std::int32_t webhook_id, std::string const& actor
)
{
    execute(
        transaction,
        "select gapless.webhook_test(p_webhook_id => $1, p_actor => $2)",
        webhook_id,
        actor
    );
}

void delete_webhook(
    pqxx::transaction_base& transaction, std::int32_t webhook_id, std::string const& actor
)
{
    execute(
        transaction,
        "select gapless.webhook_delete(p_webhook_id => $1, p_actor => $2)",
        webhook_id,
        actor
    );
}

}  // namespace gapless
