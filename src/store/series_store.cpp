#include "store/series_store.hpp"

#include "base/contract.hpp"
#include "domain/format/number_program.hpp"
#include "store/columns.hpp"
#include "store/format_store.hpp"

#include <nlohmann/json.hpp>

namespace gapless {

namespace {

std::map<std::string, std::string> to_params(std::string const& text)
{
    return nlohmann::json::parse(text).get<std::map<std::string, std::string>>();
}

series_record to_series(pqxx::row const& row)
{
    series_record series;
    series.series_id = row["series_id"].as<std::int32_t>();
    series.name = row["name"].as<std::string>();
    series.carrier = row["carrier"].as<std::string>();
    series.space = row["space"].as<std::string>();
    series.format = row["format"].as<std::string>();
    series.params = to_params(row["params"].as<std::string>());
    series.on_release = row["on_release"].as<std::string>();
    series.on_expiry = row["on_expiry"].as<std::string>();
    series.low_water = optional_number(row["low_water"]);
    series.paused = row["paused"].as<bool>();
    series.version = row["version"].as<std::int32_t>();
    series.issued = row["issued"].as<std::int64_t>();
    series.remaining = row["remaining"].as<std::string>();
    series.next = optional_number(row["next"]);
    series.blocks = row["blocks"].as<std::int64_t>();
    series.reuse_after = optional_text(row["reuse_after"]);
    series.states.free = row["free"].as<std::int64_t>();
    series.states.held = row["held"].as<std::int64_t>();
    series.states.issued = row["plain"].as<std::int64_t>();
    series.states.printed = row["printed"].as<std::int64_t>();
    series.states.voided = row["voided"].as<std::string>();
    series.states.manifested = row["manifested"].as<std::int64_t>();
    series.states.returned = row["returned"].as<std::int64_t>();
    if (!row["rate"].is_null())
        series.rate = row["rate"].as<double>();
    return series;
}

block_record to_block(pqxx::row const& row)
{
    block_record block;
    block.block_id = row["block_id"].as<std::int32_t>();
    block.series = row["series"].as<std::string>();
    block.first = row["first"].as<std::int64_t>();
    block.last = row["last"].as<std::int64_t>();
    block.count = row["count"].as<std::int64_t>();
    block.issued = row["issued"].as<std::int64_t>();
    block.remaining = row["remaining"].as<std::int64_t>();
    block.next = optional_number(row["next"]);
    block.state = row["state"].as<std::string>();
    block.reference = optional_text(row["reference"]);
    block.valid_until = optional_time(row["valid_until"]);
    block.position = row["position"].as<std::int32_t>();
    block.cycle = row["cycle"].as<std::int32_t>();
    return block;
}

/// An element of an array as a parameter, in PostgreSQL's notation.
std::string to_element(std::optional<std::string> const& value)
{
    if (!value)
        return "null";
    auto const array = to_array({*value});
    return array.substr(1, array.size() - 2);
}

}  // namespace

std::vector<series_record> read_series(
    pqxx::transaction_base& transaction, std::optional<std::string> const& name
)
{
    std::vector<series_record> all;
    for (auto const& row : transaction.exec_params("select * from gapless.series_report($1)", name))
        all.push_back(to_series(row));
    return all;
}

result<series_record> read_one_series(pqxx::transaction_base& transaction, std::string const& name)
{
    auto found = read_series(transaction, name);
    if (found.empty())
        return refusal{refusal_kind::unknown_series, "there is no series '" + name + "'"};
    return std::move(found.front());
}

result<series_record> create_series(
    pqxx::transaction_base& transaction, series_draft const& draft, std::string const& actor
)
{
    auto const format = bind_format(transaction, draft.format.value_or("plain"), draft.params);
    if (format.has_error())
        return format.error();
    transaction.exec_params1(
        "select gapless.series_create($1, $2, $3, $4, $5::jsonb, $6, $7, $8, $9, $10, "
        "$11::jsonb)",
        draft.name,
        draft.carrier,
        draft.space,
        draft.format,
        nlohmann::json(draft.params).dump(),
        draft.on_release,
        draft.on_expiry,
        draft.low_water,
        actor,
        draft.reuse_after,
        to_program(*format)
    );
    return read_one_series(transaction, draft.name);
}

series_record change_series(
    pqxx::transaction_base& transaction,
    std::string const& name,
    series_change const& change,
    std::string const& actor
)
{
    nlohmann::json changes = nlohmann::json::object();
    if (change.paused)
        changes["paused"] = *change.paused;
    if (change.low_water)
        changes["low_water"] =
            *change.low_water ? nlohmann::json(**change.low_water) : nlohmann::json();
    if (change.on_release)
        changes["on_release"] = *change.on_release;
    if (change.on_expiry)
        changes["on_expiry"] = *change.on_expiry;
    if (change.reuse_after)
        changes["reuse_after"] =
            *change.reuse_after ? nlohmann::json(**change.reuse_after) : nlohmann::json();
    transaction.exec_params1(
        "select gapless.series_change($1, $2::jsonb, $3, $4)",
        name,
        changes.dump(),
        change.if_version,
        actor
    );
    return read_one_series(transaction, name).value();
}

std::vector<block_record> read_blocks(
    pqxx::transaction_base& transaction,
    std::optional<std::string> const& series,
    std::optional<std::int32_t> block_id
)
{
    std::vector<block_record> all;
    auto const rows = transaction.exec_params(
        "select block_id, series, first, last, count, issued, remaining, next, state, reference, "
        "position, cycle,"
        " (extract(epoch from valid_until) * 1000000)::bigint as valid_until "
        "from gapless.block_report($1, $2)",
        series,
        block_id
    );
    for (auto const& row : rows)
        all.push_back(to_block(row));
    return all;
}

block_record load_block(
    pqxx::transaction_base& transaction, block_draft const& draft, std::string const& actor
)
{
    auto const row = transaction.exec_params1(
        "select gapless.block_load($1, $2, $3, $4::numeric, $5, $6::timestamptz, $7)",
        draft.series,
        draft.first,
        draft.last,
        draft.count,
        draft.reference,
        to_parameter(draft.valid_until),
        actor
    );
    auto const loaded = read_blocks(transaction, draft.series, row[0].as<std::int32_t>());
    ensure(loaded.size() == 1, "a block that was loaded can be read");
    return loaded.front();
}

std::vector<block_hit> load_blocks(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::span<block_draft const> drafts,
    std::string const& actor
)
{
    std::string firsts;
    std::string lasts;
    std::string references;
    std::string ends;
    for (auto const& draft : drafts)
    {
        auto const* separator = firsts.empty() ? "{" : ",";
        firsts += separator + std::to_string(draft.first);
        lasts += separator + std::to_string(draft.last);
        references += separator + to_element(draft.reference);
        ends += separator + to_element(to_parameter(draft.valid_until));
    }
    std::vector<block_hit> hits;
    auto const rows = transaction.exec_params(
        "select place, hits from gapless.block_load_many("
        "$1, $2::bigint[], $3::bigint[], $4::text[], $5::timestamptz[], $6) where hits is not null",
        series,
        firsts + '}',
        lasts + '}',
        references + '}',
        ends + '}',
        actor
    );
    for (auto const& row : rows)
        hits.push_back({row["place"].as<std::size_t>() - 1, row["hits"].as<std::string>()});
    return hits;
}

void move_block(
    pqxx::transaction_base& transaction,
    std::int32_t block_id,
    std::optional<std::int32_t> before,
    std::string const& actor
)
{
    transaction.exec_params1("select gapless.block_move($1, $2, $3)", block_id, before, actor);
}

std::int64_t close_block(
    pqxx::transaction_base& transaction,
    std::int32_t block_id,
    std::string const& reason,
    std::string const& actor
)
{
    return transaction
        .exec_params1("select gapless.block_close($1, $2, $3)", block_id, reason, actor)[0]
        .as<std::int64_t>();
}

}  // namespace gapless
