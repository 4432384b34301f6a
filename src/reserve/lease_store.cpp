#include "reserve/lease_store.hpp"

#include "base/contract.hpp"
#include "postgres/columns.hpp"
#include "postgres/query.hpp"
#include "reserve/lease_columns.hpp"

#include <array>
#include <charconv>
#include <set>
#include <string_view>
#include <utility>

namespace gapless {

namespace {

std::chrono::microseconds to_duration(pqxx::field const& field)
{
    return std::chrono::microseconds{field.as<std::int64_t>()};
}

/// Converts a hash from hexadecimal digits, two per byte.
secret_hash to_hash(std::string const& digits)
{
    secret_hash hash;
    ensure(digits.size() == 2 * hash.size(), "a check of a secret has 32 bytes");
    for (std::size_t at = 0; at < hash.size(); ++at)
        std::from_chars(digits.data() + 2 * at, digits.data() + 2 * at + 2, hash[at], 16);
    return hash;
}

trusted_token to_trusted_token(pqxx::row const& row)
{
    trusted_token token;
    token.token_id = row["token_id"].as<std::int32_t>();
    token.owner_id = row["owner_id"].as<std::int32_t>();
    token.name = row["name"].as<std::string>();
    token.secret_check = to_hash(row["check_digits"].as<std::string>());
    for (auto const& name : read_array(row["scopes"]))
        if (auto const known = read_scope(name))
            token.scopes |= static_cast<unsigned>(*known);
    if (!row["series"].is_null())
        token.series = read_array(row["series"]);
    token.expires_at = optional_time(row["expires_us"]);
    token.rate = optional_number(row["rate"]);
    token.burst = optional_number(row["burst"]);
    token.daily_quota = optional_number(row["daily_quota"]);
    return token;
}

database_time read_clock(pqxx::transaction_base& transaction)
{
    return database_time{std::chrono::microseconds{query_value<std::int64_t>(
        transaction, "select (extract(epoch from clock_timestamp()) * 1000000)::bigint"
    )}};
}

settle_outcome to_settle_outcome(std::string_view name)
{
    static constexpr std::array<std::pair<std::string_view, settle_outcome>, 5> names{
        {{"settled", settle_outcome::settled},
         {"known", settle_outcome::known},
         {"twice", settle_outcome::twice},
         {"fenced", settle_outcome::fenced},
         {"conflict", settle_outcome::conflict}}};
    for (auto const& [each, outcome] : names)
        if (each == name)
            return outcome;
    ensure(false, "an outcome of settling has a name");
    return {};
}

}  // namespace

lease_claim claim_instance(
    pqxx::transaction_base& transaction,
    instance_identity const& who,
    lease_id const& claim,
    std::string const& host
)
{
    auto const row = query_row(
        transaction,
        "select outcome, incarnation from gapless.lease_claim(p_instance => $1::uuid, "
        "p_secret => $2::bytea, p_incarnation => $3, p_claim => $4::uuid, p_host => $5)",
        to_text(who.instance),
        to_bytea(who.secret),
        who.incarnation,
        to_text(claim),
        host
    );
    return {
        .claimed = row["outcome"].as<std::string>() == "claimed",
        .incarnation = row["incarnation"].as<std::int32_t>()};
}

std::vector<wanted_reserve> read_wanted_reserves(
    pqxx::transaction_base& transaction, instance_identity const& who
)
{
    auto const rows = query_rows(
        transaction,
        "select * from gapless.lease_wanted(p_instance => $1::uuid, p_secret => $2::bytea)",
        to_text(who.instance),
        to_bytea(who.secret)
    );
    std::vector<wanted_reserve> all;
    for (auto const& row : rows)
    {
        auto& each = all.emplace_back();
        each.series_id = row["series_id"].as<std::int32_t>();
        each.series = row["series"].as<std::string>();
        each.reserve_numbers = optional_number(row["reserve_numbers"]);
        if (!row["lease"].is_null())
        {
            each.lease = to_lease_id(row["lease"]);
            each.status = to_status(row["status"]);
            each.rest = row["rest"].as<std::int64_t>();
        }
        each.available = row["available"].as<std::int64_t>();
        each.paused = row["paused"].as<bool>();
        each.fenced = row["fenced"].as<bool>();
        each.low = row["low"].as<bool>();
        each.drill = row["drill"].as<bool>();
    }
    return all;
}

std::optional<lease_taking> take_lease(
    pqxx::transaction_base& transaction,
    std::int32_t series_id,
    instance_identity const& who,
    lease_id const& lease,
    std::int64_t count,
    std::chrono::milliseconds lease_time
)
{
    auto const rows = query_rows(
        transaction,
        "select *, (extract(epoch from draw_until - clock_timestamp()) * 1000000)::bigint as "
        "draw_us, (extract(epoch from issued_at) * 1000000)::bigint as issued_us "
        "from gapless.lease_take(p_series_id => $1, p_instance => $2::uuid, "
        "p_secret => $3::bytea, p_incarnation => $4, p_lease => $5::uuid, p_count => $6, "
        "p_lease_time => $7 * interval '1 millisecond')",
        series_id,
        to_text(who.instance),
        to_bytea(who.secret),
        who.incarnation,
        to_text(lease),
        count,
        static_cast<std::int64_t>(lease_time.count())
    );
    if (rows.empty())
        return std::nullopt;
    ensure(row_count(rows) == 1, "a lease is one run of numbers");
    auto const& row = rows[0];
    return lease_taking{
        .grant =
            {.lease = lease,
             .series_id = series_id,
             .block_id = row["block_id"].as<std::int32_t>(),
             .epoch = row["epoch"].as<std::int32_t>(),
             .ordinal = row["ordinal"].as<std::int64_t>(),
             .serial = row["serial"].as<std::int64_t>(),
             .count = row["count"].as<std::int64_t>()},
        .draw_for = to_duration(row["draw_us"]),
        .issued_at = database_time{to_duration(row["issued_us"])}};
}

lease_contact renew_leases(
    pqxx::transaction_base& transaction,
    instance_identity const& who,
    std::chrono::milliseconds lease_time
)
{
    auto const rows = query_rows(
        transaction,
        "with renewed as materialized (select * from gapless.lease_renew(p_instance => $1::uuid, "
        "p_secret => $2::bytea, p_incarnation => $3, "
        "p_lease_time => $4 * interval '1 millisecond')) "
        "select renewed.*, (extract(epoch from clock_timestamp()) * 1000000)::bigint as now_us, "
        "(extract(epoch from draw_until - clock_timestamp()) * 1000000)::bigint as draw_us "
        "from (values (1)) always left join renewed on true",
        to_text(who.instance),
        to_bytea(who.secret),
        who.incarnation,
        static_cast<std::int64_t>(lease_time.count())
    );
    lease_contact contact{.now = to_time(rows[0]["now_us"]), .leases = {}};
    for (auto const& row : rows)
        if (!row["lease"].is_null())
            contact.leases.push_back(
                {.lease = to_lease_id(row["lease"]),
                 .series_id = row["series_id"].as<std::int32_t>(),
                 .status = to_status(row["status"]),
                 .draw_for = to_duration(row["draw_us"]),
                 .paused = row["paused"].as<bool>(),
                 .fenced = row["fenced"].as<bool>(),
                 .rest = row["rest"].as<std::int64_t>()}
            );
    return contact;
}

std::int64_t return_lease(
    pqxx::transaction_base& transaction, lease_id const& lease, instance_identity const& who
)
{
    return query_value<std::int64_t>(
        transaction,
        "select gapless.lease_return(p_lease => $1::uuid, p_instance => $2::uuid, "
        "p_secret => $3::bytea, p_incarnation => $4)",
        to_text(lease),
        to_text(who.instance),
        to_bytea(who.secret),
        who.incarnation
    );
}

std::vector<lease_holder> read_lease_holders(
    pqxx::transaction_base& transaction, instance_identity const& who
)
{
    auto const rows = query_rows(
        transaction,
        "select instance, (extract(epoch from contact) * 1000000)::bigint as contact_us "
        "from gapless.lease_holders(p_instance => $1::uuid, p_secret => $2::bytea)",
        to_text(who.instance),
        to_bytea(who.secret)
    );
    std::vector<lease_holder> all;
    for (auto const& row : rows)
        all.push_back({to_lease_id(row["instance"]), to_time(row["contact_us"])});
    return all;
}

lease_tokens read_lease_tokens(
    pqxx::transaction_base& transaction,
    instance_identity const& who,
    std::vector<std::int32_t> const& used
)
{
    std::string ids;
    for (auto const id : used)
        ids += (ids.empty() ? "{" : ",") + std::to_string(id);
    lease_tokens all{.now = read_clock(transaction), .tokens = {}};
    auto const rows = query_rows(
        transaction,
        "select token_id, owner_id, name, encode(secret_check, 'hex') as check_digits, scopes, "
        "series, (extract(epoch from expires_at) * 1000000)::bigint as expires_us, rate, burst, "
        "daily_quota, in_all from gapless.lease_tokens(p_instance => $1::uuid, "
        "p_secret => $2::bytea, p_used => $3::integer[])",
        to_text(who.instance),
        to_bytea(who.secret),
        ids.empty() ? "{}" : ids + '}'
    );
    if (!rows.empty())
        all.in_all = rows[0]["in_all"].as<std::size_t>();
    all.tokens.reserve(row_count(rows));
    for (auto const& row : rows)
        all.tokens.push_back(to_trusted_token(row));
    return all;
}

void note_settled(
    pqxx::transaction_base& transaction,
    instance_identity const& who,
    std::int32_t series_id,
    std::string const& data_json
)
{
    execute(
        transaction,
        "select gapless.lease_settled_notice(p_instance => $1::uuid, p_secret => $2::bytea, "
        "p_series_id => $3, p_data => $4::jsonb)",
        to_text(who.instance),
        to_bytea(who.secret),
        series_id,
        data_json
    );
}

std::optional<issuance_id> find_drawn_issuance(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::int64_t ordinal
)
{
    auto const rows = query_rows(
        transaction,
        "select turn from gapless.lease_record_of(p_series_id => $1, p_ordinal => $2) "
        "where turn is not null",
        series_id,
        ordinal
    );
    if (rows.empty())
        return std::nullopt;
    return issuance_id{
        .series_id = series_id, .turn = rows[0]["turn"].as<std::int32_t>(), .ordinal = ordinal};
}

void name_as_answered(
    pqxx::transaction_base& transaction, std::int32_t series_id, std::span<issuance_id* const> ids
)
{
    std::string ordinals;  // of issuances that may be from a lease: it is settled in a later turn
    for (auto const* id : ids)
        if (id->turn > 0)
            ordinals += (ordinals.empty() ? "{" : ",") + std::to_string(id->ordinal);
    // Before interface 3 there were no leases.
    if (ordinals.empty() ||
        !query_value<bool>(transaction, "select to_regclass('gapless.lease') is not null"))
        return;
    std::set<std::pair<std::int64_t, std::int32_t>> drawn;
    for (auto const& row : query_rows(
             transaction,
             "select k.ordinal, k.turn from unnest($2::bigint[]) o (ordinal) "
             "cross join lateral gapless.lease_record_of($1, o.ordinal) k",
             series_id,
             ordinals + '}'
         ))
        drawn.emplace(row[0].as<std::int64_t>(), row[1].as<std::int32_t>());
    for (auto* id : ids)
        if (drawn.contains({id->ordinal, id->turn}))
            *id = to_answered_id(*id);
}

std::vector<settled_record> settle_lease(
    pqxx::transaction_base& transaction,
    lease_id const& lease,
    std::optional<instance_identity> const& who,
    std::vector<lease_left> const& records
)
{
    ensure(records.size() <= settle_records_max, "records are settled by the thousand");
    auto const rows = query_rows(
        transaction,
        "select outcome, turn from gapless.lease_settle(p_lease => $1::uuid, "
        "p_instance => $2::uuid, p_secret => $3::bytea, p_ordinals => $4::bigint[], "
        "p_counts => $5::integer[], p_owners => $6::integer[], p_keys => $7::uuid[], "
        "p_references => $8::text[], p_answered => $9::timestamptz[]) order by record",
        to_text(lease),
        who ? std::optional{to_text(who->instance)} : std::nullopt,
        who ? std::optional{to_bytea(who->secret)} : std::nullopt,
        to_array(records, &lease_left::ordinal),
        to_array(records, &lease_left::count),
        to_array(records, &lease_left::owner_id),
        to_array(records, [](lease_left const& each) { return to_hexadecimal(each.key.bytes); }),
        to_array(records, &lease_left::reference),
        to_array(records, &lease_left::answered_at)
    );
    ensure(row_count(rows) == records.size(), "each record that is settled has an outcome");
    std::vector<settled_record> all;
    all.reserve(records.size());
    for (auto const& row : rows)
        all.push_back(
            {.outcome = to_settle_outcome(row["outcome"].as<std::string>()),
             .turn = row["turn"].as<std::int32_t>(0)}
        );
    return all;
}

}  // namespace gapless
