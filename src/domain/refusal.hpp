#pragma once

#include <boost/system/result.hpp>

#include <chrono>
#include <string>
#include <string_view>

namespace gapless {

/// Why the service says no: one value per problem type of the HTTP interface. A refusal changed
/// nothing, with the one exception of outcome_unknown, which says that nobody knows yet.
enum class refusal_kind
{
    malformed_request = 1,    // the request cannot be read
    idempotency_key_missing,  // issuing without a key
    unauthenticated,          // no token, or not one in force
    forbidden,                // the token lacks the scope
    unknown_series,           // no such series, or not one of this token's
    unknown_number,           // not a number of any series
    unknown_issuance,         // no issuance of that id
    not_found,                // no such block, token or path
    method_not_allowed,       // the path exists, the method does not
    series_exhausted,         // fewer numbers than asked for; not stored under the key
    not_contiguous,           // asked for one piece, the open block is too short
    series_paused,            // an operator paused the series
    hold_expired,             // confirmed or released too late
    block_overlap,            // numbers of the block were loaded before
    state_conflict,           // the thing is in a state that does not allow it
    precondition_failed,      // If-Match names another version
    too_large,                // a body or header beyond its limit
    unsupported_media_type,   // a body that is not application/json
    idempotency_key_reused,   // the key was spent on another request
    out_of_range,             // a value beyond its bounds; the detail says which
    too_many_requests,        // beyond the token's rate or quota
    overloaded,               // a queue is full
    database_unavailable,     // no database that may issue
    fenced,                   // the database may have lost numbers that left
    outcome_unknown,          // the fate of a COMMIT is not known: repeat with the same key
};

/// A "no" and, in words for people, what exactly was refused and the way out.
struct refusal
{
    refusal_kind kind{};
    std::string detail;
    std::chrono::seconds retry_after{};  // at least so long; 0: a moment
};

template <class T>
using result = boost::system::result<T, refusal>;

/// Stable, machine-readable name; part of the HTTP contract. Example: "series-exhausted".
std::string_view name_of(refusal_kind kind) noexcept;

/// What a refusal kind means, in one sentence; the title of its problem document.
std::string_view title_of(refusal_kind kind) noexcept;

/// The HTTP status of a refusal kind.
int status_of(refusal_kind kind) noexcept;

/// The refusal behind an SQLSTATE raised by our own SQL (class GL), or not a value of the enum (0)
/// for any other.
refusal_kind refusal_of_sqlstate(std::string_view sqlstate) noexcept;

/// The SQLSTATE (class GL) that stands for a refusal kind, empty where SQL never raises it.
std::string_view sqlstate_of(refusal_kind kind) noexcept;

/// boost::system::result calls this when value() is asked of a refusal: a bug of the caller.
[[noreturn]] void throw_exception_from_error(
    refusal const& why, boost::source_location const& where
);

}  // namespace gapless
