#include "base/contract.hpp"
#include "store/columns.hpp"
#include "store/lease_store.hpp"
#include "store/query.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace gapless {

namespace {

settle_outcome to_settle_outcome(std::string_view name)
{
    static constexpr std::array<std::pair<std::string_view, settle_outcome>, 4> names{
        {{"settled", settle_outcome::settled},
         {"known", settle_outcome::known},
         {"twice", settle_outcome::twice},
         {"fenced", settle_outcome::fenced}}};
    for (auto const& [each, outcome] : names)
        if (each == name)
            return outcome;
    ensure(false, "an outcome of settling has a name");
    return {};
}

/// Records as arrays in PostgreSQL's notation: element k of each is record k.
struct record_arrays
{
    std::string ordinals;    // bigint[]
    std::string counts;      // integer[]
    std::string owners;      // integer[]
    std::string keys;        // uuid[]
    std::string references;  // text[]
    std::string moments;     // timestamptz[]
};

record_arrays to_arrays(std::vector<lease_left> const& records)
{
    record_arrays all;
    for (auto const& record : records)
    {
        auto const* separator = all.ordinals.empty() ? "{" : ",";
        all.ordinals += separator + std::to_string(record.ordinal);
        all.counts += separator + std::to_string(record.count);
        all.owners += separator + std::to_string(record.owner_id);
        all.keys += separator + to_hexadecimal(record.key.bytes);
        all.references += separator + to_element(record.reference);
        all.moments += separator + to_element(to_parameter(record.answered_at));
    }
    for (auto* const text :
         {&all.ordinals, &all.counts, &all.owners, &all.keys, &all.references, &all.moments})
        *text += text->empty() ? "{}" : "}";
    return all;
}

}  // namespace

std::vector<settled_record> settle_lease(
    pqxx::transaction_base& transaction,
    lease_id const& lease,
    std::optional<lease_id> const& instance,
    std::int32_t incarnation,
    std::vector<lease_left> const& records
)
{
    ensure(records.size() <= settle_records_max, "records are settled by the thousand");
    auto const arrays = to_arrays(records);
    auto const rows = query_rows(
        transaction,
        "select outcome, turn from gapless.lease_settle(p_lease => $1::uuid, "
        "p_instance => $2::uuid, p_incarnation => $3, p_ordinals => $4::bigint[], "
        "p_counts => $5::integer[], p_owners => $6::integer[], p_keys => $7::uuid[], "
        "p_references => $8::text[], p_answered => $9::timestamptz[]) order by record",
        to_text(lease),
        instance ? std::optional{to_text(*instance)} : std::nullopt,
        incarnation,
        arrays.ordinals,
        arrays.counts,
        arrays.owners,
        arrays.keys,
        arrays.references,
        arrays.moments
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
