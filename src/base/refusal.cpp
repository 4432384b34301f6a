#include "base/refusal.hpp"

#include "base/contract.hpp"

#include <array>

namespace gapless {

namespace {

struct row
{
    refusal_kind kind;
    std::string_view name;
    std::string_view title;
};

using enum refusal_kind;

constexpr std::array rows{
    row{malformed_request, "malformed-request", "The request cannot be read"},
    row{idempotency_key_missing, "idempotency-key-missing", "Issuing needs an Idempotency-Key"},
    row{unauthenticated, "unauthenticated", "A valid token is required"},
    row{forbidden, "forbidden", "The token does not allow this"},
    row{unknown_series, "unknown-series", "There is no such series"},
    row{unknown_number, "unknown-number", "There is no such number"},
    row{unknown_issuance, "unknown-issuance", "There is no such issuance"},
    row{not_found, "not-found", "There is nothing here"},
    row{method_not_allowed, "method-not-allowed", "The method is not allowed here"},
    row{not_acceptable, "not-acceptable", "There is no such kind of answer"},
    row{series_exhausted, "series-exhausted", "The series has fewer numbers than requested"},
    row{not_contiguous, "not-contiguous", "The open block is too short for one piece"},
    row{series_paused, "series-paused", "The series is paused"},
    row{hold_expired, "hold-expired", "The hold has expired"},
    row{issuance_settled, "issuance-settled", "Nothing of the issuance is left"},
    row{block_overlap, "block-overlap", "The block overlaps another one"},
    row{state_conflict, "state-conflict", "The present state does not allow this"},
    row{on_lease, "on-lease", "The number is on lease for now"},
    row{ambiguous_number, "ambiguous-number", "Several series hold this number"},
    row{confirmation_needed, "confirmation-needed", "Warnings have to be confirmed first"},
    row{precondition_failed, "precondition-failed", "It was changed by another request"},
    row{too_large, "too-large", "The request is too large"},
    row{unsupported_media_type,
        "unsupported-media-type",
        "A body of this kind is not accepted here"},
    row{idempotency_key_reused, "idempotency-key-reused", "The key was spent on another request"},
    row{out_of_range, "out-of-range", "A value is out of range"},
    row{too_many_requests, "too-many-requests", "Too many requests for now"},
    row{overloaded, "overloaded", "The service is overloaded"},
    row{database_unavailable, "database-unavailable", "The database is unavailable"},
    row{fenced, "fenced", "The database has to be reconciled first"},
    row{outcome_unknown, "outcome-unknown", "The outcome is not known"},
};

row const& row_of(refusal_kind kind) noexcept
{
    return rows[static_cast<std::size_t>(kind) - 1];
}

consteval bool rows_follow_the_enum()
{
    for (std::size_t n = 0; n < rows.size(); ++n)
        if (static_cast<std::size_t>(rows[n].kind) != n + 1)
            return false;
    return rows.size() == static_cast<std::size_t>(outcome_unknown);
}
static_assert(rows_follow_the_enum());

}  // namespace

refusal beyond_bounds(std::string detail)
{
    return {out_of_range, std::move(detail)};
}

refusal unavailable(trouble_kind trouble, std::string detail)
{
    return {.kind = database_unavailable, .detail = std::move(detail), .trouble = trouble};
}

std::string_view name_of(refusal_kind kind) noexcept
{
    return row_of(kind).name;
}

std::string_view title_of(refusal_kind kind) noexcept
{
    return row_of(kind).title;
}

void throw_exception_from_error(refusal const& why, boost::source_location const&)
{
    throw contract_violation{
        "a refusal was taken for a value: " + std::string{name_of(why.kind)} + ": " + why.detail};
}

}  // namespace gapless
