#include "proof/erasure_store.hpp"

#include "postgres/columns.hpp"
#include "postgres/query.hpp"
#include "postgres/sql.hpp"

namespace gapless {

std::int64_t count_references(
    pqxx::transaction_base& transaction, erasable_references const& wanted
)
{
    return query_value<std::int64_t>(
        transaction,
        "select gapless.erasable_references($1, gapless.moment_of($2, false), $3)",
        wanted.series,
        to_sql(wanted.before),
        wanted.reference
    );
}

std::optional<std::int64_t> begin_erasure(
    pqxx::transaction_base& transaction,
    erasable_references const& wanted,
    std::string const& reason,
    std::string const& actor
)
{
    return optional_number(query_row(
        transaction,
        "select gapless.erasure_begin(p_series => $1, p_before => gapless.moment_of($2, false), "
        "p_reference => $3, p_reason => $4, p_actor => $5)",
        wanted.series,
        to_sql(wanted.before),
        wanted.reference,
        reason,
        actor
    )[0]);
}

erasure_step erase_references(
    pqxx::transaction_base& transaction,
    std::int64_t audit_id,
    erasable_references const& wanted,
    erasure_step const& done,
    std::int32_t rows_max
)
{
    auto const row = query_row(
        transaction,
        "select erased, coalesce(turn, 0) as turn, coalesce(ordinal, 0) as ordinal, more "
        "from gapless.erase_references(p_audit_id => $1, p_reference => $2, p_turn => $3, "
        "p_ordinal => $4, p_limit => $5)",
        audit_id,
        wanted.reference,
        done.turn,
        done.ordinal,
        rows_max
    );
    return {
        row["erased"].as<std::int64_t>(),
        row["turn"].as<std::int32_t>(),
        row["ordinal"].as<std::int64_t>(),
        row["more"].as<bool>()};
}

}  // namespace gapless
