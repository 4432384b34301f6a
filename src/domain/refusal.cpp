#include "domain/refusal.hpp"

#include "base/contract.hpp"

#include <array>

namespace gapless {

namespace {

struct row
{
    refusal_kind kind;
    std::string_view name;
    int status;
    std::string_view sqlstate;  // empty: never raised by SQL
    std::string_view title;
};

using enum refusal_kind;

constexpr std::array rows{
    row{malformed_request, "malformed-request", 400, "GL001", "The request cannot be read"},
    row{idempotency_key_missing,
        "idempotency-key-missing",
        400,
        "",
        "Issuing needs an Idempotency-Key"},
    row{unauthenticated, "unauthenticated", 401, "GL003", "A token in force is needed"},
    row{forbidden, "forbidden", 403, "GL004", "The token does not allow this"},
    row{unknown_series, "unknown-series", 404, "GL005", "There is no such series"},
    row{unknown_number, "unknown-number", 404, "GL006", "There is no such number"},
    row{unknown_issuance, "unknown-issuance", 404, "GL007", "There is no such issuance"},
    row{not_found, "not-found", 404, "GL008", "There is nothing here"},
    row{method_not_allowed, "method-not-allowed", 405, "", "The method is not allowed here"},
    row{series_exhausted,
        "series-exhausted",
        409,
        "GL009",
        "The series holds fewer numbers than asked for"},
    row{not_contiguous,
        "not-contiguous",
        409,
        "GL010",
        "The open block is too short for one piece"},
    row{series_paused, "series-paused", 409, "GL011", "The series is paused"},
    row{hold_expired, "hold-expired", 409, "GL012", "The hold has expired"},
    row{block_overlap, "block-overlap", 409, "GL013", "The block overlaps another one"},
    row{state_conflict, "state-conflict", 409, "GL014", "The present state does not allow this"},
    row{precondition_failed, "precondition-failed", 412, "GL015", "It was changed meanwhile"},
    row{too_large, "too-large", 413, "", "The request is too large"},
    row{unsupported_media_type,
        "unsupported-media-type",
        415,
        "",
        "The body has to be application/json"},
    row{idempotency_key_reused,
        "idempotency-key-reused",
        422,
        "GL016",
        "The key was spent on another request"},
    row{out_of_range, "out-of-range", 422, "GL017", "A value is out of range"},
    row{too_many_requests, "too-many-requests", 429, "GL018", "Too many requests for now"},
    row{overloaded, "overloaded", 503, "", "The service is overloaded"},
    row{database_unavailable, "database-unavailable", 503, "GL020", "The database is unavailable"},
    row{fenced, "fenced", 503, "GL019", "The database has to be reconciled first"},
    row{outcome_unknown, "outcome-unknown", 503, "", "The outcome is not known"},
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

std::string_view name_of(refusal_kind kind) noexcept
{
    return row_of(kind).name;
}

std::string_view title_of(refusal_kind kind) noexcept
{
    return row_of(kind).title;
}

int status_of(refusal_kind kind) noexcept
{
    return row_of(kind).status;
}

std::string_view sqlstate_of(refusal_kind kind) noexcept
{
    return row_of(kind).sqlstate;
}

refusal_kind refusal_of_sqlstate(std::string_view sqlstate) noexcept
{
    for (auto const& candidate : rows)
        if (!sqlstate.empty() && candidate.sqlstate == sqlstate)
            return candidate.kind;
    return refusal_kind{};
}

void throw_exception_from_error(refusal const& why, boost::source_location const&)
{
    throw contract_violation{
        "a refusal was taken for a value: " + std::string{name_of(why.kind)} + ": " + why.detail};
}

}  // namespace gapless
