#include "support/ledger_dump.hpp"

#include "base/contract.hpp"
#include "domain/idempotency_key.hpp"

#include <array>

namespace gapless::test {

namespace {

std::optional<std::int64_t> number_or_null(pqxx::field const& field)
{
    if (field.is_null())
        return std::nullopt;
    return field.as<std::int64_t>();
}

std::string without_prefix(std::string owner)
{
    constexpr std::string_view of_token{"token:"};
    return owner.starts_with(of_token) ? owner.substr(of_token.size()) : owner;
}

std::vector<ledger_range> read_ranges(pqxx::transaction_base& transaction)
{
    auto const rows = transaction.exec(
        "select s.name, l.ordinal, l.serial, l.count, l.block_id, coalesce(o.name, "
        "l.owner_id::text) as owner,"
        "       coalesce(l.key, h.key) as key, l.epoch, l.turn,"
        "       (extract(epoch from l.issued_at) * 1000000)::bigint as issued_at"
        " from gapless.ledger l"
        " join gapless.series s using (series_id)"
        " left join gapless.token_owner o on o.owner_id = l.owner_id"
        " left join gapless.ledger h"
        "   on h.series_id = l.series_id and h.turn = l.head_turn and h.ordinal = l.head_ordinal"
        " order by s.name, l.turn, l.ordinal"
    );
    std::vector<ledger_range> ranges;
    ranges.reserve(rows.size());
    for (auto const& row : rows)
        ranges.push_back(
            {.series = row["name"].as<std::string>(),
             .ordinal = row["ordinal"].as<std::int64_t>(),
             .serial = row["serial"].as<std::int64_t>(),
             .count = row["count"].as<std::int64_t>(),
             .block = row["block_id"].as<std::int64_t>(),
             .client = without_prefix(row["owner"].as<std::string>()),
             .key = row["key"].as<std::string>(""),
             .epoch = row["epoch"].as<std::int64_t>(),
             .turn = row["turn"].as<int>(),
             .issued_at = row["issued_at"].as<std::int64_t>()}
        );
    return ranges;
}

std::vector<block_state> read_blocks(pqxx::transaction_base& transaction)
{
    std::vector<block_state> blocks;
    for (auto const& row : transaction.exec(
             "select s.name, b.* from gapless.block b join gapless.series s using (series_id)"
             " order by s.name, b.position"
         ))
        blocks.push_back(
            {.series = row["name"].as<std::string>(),
             .block = row["block_id"].as<std::int64_t>(),
             .first = row["first_serial"].as<std::int64_t>(),
             .last = row["last_serial"].as<std::int64_t>(),
             .state = row["state"].as<std::string>(),
             .first_ordinal = number_or_null(row["first_ordinal"]),
             .position = row["position"].as<std::int64_t>()}
        );
    return blocks;
}

std::vector<series_state> read_series(pqxx::transaction_base& transaction)
{
    std::vector<series_state> series;
    for (auto const& row : transaction.exec(
             "select s.name, c.* from gapless.counter c join gapless.series s using (series_id)"
             " order by s.name"
         ))
        series.push_back(
            {.series = row["name"].as<std::string>(),
             .next_ordinal = row["next_ordinal"].as<std::int64_t>(),
             .next_serial = number_or_null(row["next_serial"]),
             .epoch = row["epoch"].as<std::int64_t>()}
        );
    return series;
}

}  // namespace

ledger_dump read_ledger(pqxx::connection& connection)
{
    pqxx::transaction<pqxx::repeatable_read, pqxx::readwrite_policy::read_only> snapshot{
        connection};
    return {read_ranges(snapshot), read_blocks(snapshot), read_series(snapshot)};
}

std::string to_ledger_key(std::string const& key)
{
    auto const read = read_idempotency_key(key);
    ensure(read.has_value(), "a test sends keys that can be read");
    constexpr std::string_view digits{"0123456789abcdef"};
    std::string text;
    for (auto const byte : read->bytes)
    {
        if (text.size() == 8 || text.size() == 13 || text.size() == 18 || text.size() == 23)
            text += '-';
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

}  // namespace gapless::test
