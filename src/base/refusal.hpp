#pragma once

#include <boost/system/result.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// Why the service refuses: one value per problem type of the HTTP interface. A refusal changed
/// nothing, except outcome_unknown, which says that this is still unknown.
enum class refusal_kind
{
    malformed_request = 1,    // the request cannot be read
    idempotency_key_missing,  // issuing without a key
    unauthenticated,          // no token, or not a valid one
    forbidden,                // the token lacks the scope
    unknown_series,           // no such series, or not one of this token's
    unknown_number,           // not a number of any series
    unknown_issuance,         // no issuance of that id
    not_found,                // no such block, token or path
    method_not_allowed,       // the path exists, the method does not
    not_acceptable,           // Accept names a kind of answer that is no longer offered
    series_exhausted,         // fewer numbers than requested; not stored under the key
    not_contiguous,           // one piece was requested, and the open block is too short
    series_paused,            // an operator paused the series
    hold_expired,             // released too late
    issuance_settled,         // none of its numbers is still its own
    block_overlap,            // numbers of the block were loaded before
    state_conflict,           // the thing is in a state that does not allow it
    on_lease,             // an instance may still answer with the number on its own: repeat later
    ambiguous_number,     // several series contain it, and none was named
    confirmation_needed,  // a load has warnings that nobody confirmed
    precondition_failed,  // If-Match names another version
    too_large,            // a body or header beyond its limit
    unsupported_media_type,  // a body that is neither JSON nor CSV where a path takes it
    idempotency_key_reused,  // the key was spent on another request
    out_of_range,            // a value beyond its bounds; the detail says which
    too_many_requests,       // beyond the token's rate or quota
    overloaded,              // a queue is full
    database_unavailable,    // no database that may issue
    fenced,                  // the database may have lost issued numbers
    outcome_unknown,         // whether it was committed is unknown: repeat with the same key
};

/// What is wrong with the database in a database_unavailable; the detail says it in words.
enum class trouble_kind
{
    disconnected = 1,   // there is no connection, or it was lost before COMMIT
    pooled,             // a pooler in between loses what sessions set and prepare
    not_our_schema,     // it lacks what this program calls
    other_environment,  // it belongs to another environment
    read_only,          // a standby, or a primary set to read-only
    unsafe,             // a setting of server or session with which numbers could be lost
    strained,           // a full disk, a lock that was not granted, a server that stops
};

/// A warning to look at before blocks are loaded.
struct load_warning
{
    std::string code;    // one of load_warning_codes
    std::string detail;  // names the number, and what earlier blocks looked like

    friend bool operator==(load_warning const&, load_warning const&) = default;
};

inline constexpr std::array<std::string_view, 11> load_warning_codes{
    "no-heading",
    "ignored-columns",
    "ignored-lines",
    "completed",
    "short-validity",
    "other-length",
    "other-prefix",
    "other-size",
    "neighbour",
    "other-series",
    "much-stock"};

/// A fault of a file, and its place.
struct line_fault
{
    std::size_t line{};    // from 1; 0: the file as a whole
    std::size_t column{};  // of the table, from 1; 0: the line as a whole
    std::string what;      // "last: '1e9' is not a whole number …"
};

/// A run of numbers that an issuance once had, but no longer has.
struct gone_numbers
{
    std::string first;  // as printed
    std::string last;
    std::int64_t count{};
    std::string state;  // released, expired, reused, voided

    friend bool operator==(gone_numbers const&, gone_numbers const&) = default;
};

/// A refusal: its kind and, in words for people, what exactly was refused and the way out.
struct refusal
{
    refusal_kind kind{};
    std::string detail;
    std::chrono::seconds retry_after{};    // at least; 0: a moment
    trouble_kind trouble{};                // 0: none, or unspecified
    std::vector<load_warning> warnings{};  // of confirmation_needed
    std::vector<line_fault> faults{};      // of a file that was refused
    std::string issuance{};                // its id, of issuance_settled
    std::vector<gone_numbers> gone{};      // of issuance_settled
    std::vector<std::string> series{};     // their names, of ambiguous_number
};

template <class T>
using result = boost::system::result<T, refusal>;

/// database_unavailable because of that trouble.
refusal unavailable(trouble_kind trouble, std::string detail);

/// out_of_range, with a detail that names the value and its bounds.
refusal beyond_bounds(std::string detail);

/// Stable, machine-readable name; part of the HTTP contract. Example: "series-exhausted".
std::string_view name_of(refusal_kind kind) noexcept;

/// The meaning of a refusal kind, in one sentence; the title of its problem document.
std::string_view title_of(refusal_kind kind) noexcept;

/// boost::system::result calls this if value() is called on a refusal: a bug of the caller.
[[noreturn]] void throw_exception_from_error(
    refusal const& why, boost::source_location const& where
);

}  // namespace gapless
