#include "numbers/issuance_store.hpp"

#include "postgres/columns.hpp"
#include "postgres/query.hpp"
#include "reserve/lease_store.hpp"

#include <utility>

namespace gapless {

namespace {

issued_range to_range(pqxx::row const& row)
{
    issued_range range;
    range.block_id = row["block_id"].as<std::int32_t>();
    range.count = row["count"].as<std::int32_t>();
    range.serial = row["serial"].as<std::int64_t>();
    range.ordinal = row["ordinal"].as<std::int64_t>();
    range.turn = row["turn"].as<std::int32_t>();
    return range;
}

issuance_part to_part(pqxx::row const& row)
{
    return {to_range(row), row["fate"].is_null() ? std::string{} : row["fate"].as<std::string>()};
}

}  // namespace

result<issuance> issue_numbers(
    pqxx::transaction_base& transaction,
    std::string const& series,
    std::int64_t count,
    std::optional<std::string> const& key,
    std::optional<std::string> const& reference,
    std::optional<std::int32_t> hold_seconds
)
{
    auto const rows = query_rows(
        transaction,
        "select *, (extract(epoch from issued_at) * 1000000)::bigint as issued_us "
        "from gapless.issue_ranges(p_series => $1, p_count => $2, p_key => $3, "
        "p_reference => $4, p_hold_seconds => $5)",
        series,
        count,
        key,
        reference,
        hold_seconds
    );
    issuance issued;
    issued.hold_seconds = hold_seconds;
    std::vector<issuance_part> parts;
    for (auto const& row : rows)
    {
        issued.series_id = row["series_id"].as<std::int32_t>();
        issued.epoch = row["epoch"].as<std::int32_t>();
        issued.issued_at = to_time(row["issued_us"]);
        issued.replayed = row["replayed"].as<bool>();
        issued.reference_erased = row["reference_erased"].as<bool>();
        parts.push_back(to_part(row));
    }
    set_parts(issued, std::move(parts));
    if (reference && !reference->empty() && !issued.reference_erased)
        issued.reference = reference;
    return issued;
}

result<issuance_id> find_place(pqxx::transaction_base& transaction, issuance_id const& id)
{
    if (!id.reserve)
        return id;
    if (auto const place = find_drawn_issuance(transaction, id.series_id, id.ordinal))
        return *place;
    return refusal{
        refusal_kind::unknown_issuance,
        "no issuance has this id, or it was issued from a reserve and is not settled yet"};
}

result<issuance_record> read_issuance(pqxx::transaction_base& transaction, issuance_id const& id)
{
    auto const place = find_place(transaction, id);
    if (place.has_error())
        return place.error();
    auto const rows = query_rows(
        transaction,
        "select *, (extract(epoch from issued_at) * 1000000)::bigint as issued_us "
        "from gapless.issuance_report($1, $2, $3)",
        place->series_id,
        place->turn,
        place->ordinal
    );
    if (rows.empty())
        return refusal{refusal_kind::unknown_issuance, "no issuance has this id"};
    issuance_record found;
    std::vector<issuance_part> parts;
    for (auto const& row : rows)
    {
        found.series = row["series"].as<std::string>();
        found.value.series_id = id.series_id;
        found.value.epoch = row["epoch"].as<std::int32_t>();
        found.value.issued_at = to_time(row["issued_us"]);
        found.value.reference = optional_text(row["reference"]);
        found.value.reference_erased = row["reference_erased"].as<bool>();
        found.value.reserve = has_column(row, "reserve") && row["reserve"].as<bool>();
        if (!row["hold_seconds"].is_null())
            found.value.hold_seconds = row["hold_seconds"].as<std::int32_t>();
        parts.push_back(to_part(row));
    }
    set_parts(found.value, std::move(parts));
    return found;
}

}  // namespace gapless
