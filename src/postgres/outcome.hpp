#pragma once

#include "base/refusal.hpp"
#include "record/pqxx_fwd.hpp"

#include <span>
#include <string>
#include <string_view>

namespace gapless {

/// An error as PostgreSQL reports it.
struct database_error
{
    std::string state;       // SQLSTATE; empty: the connection failed, not the server
    std::string message;     // for people
    std::string constraint;  // or index; empty: none or unknown
    std::string detail;
};

/// What an error means for the request. Nothing happened, unless it is in doubt.
enum class outcome_kind
{
    refused = 1,     // a documented refusal: by our own SQL (class GL), or for lack of a right
    conflict,        // another transaction was in the way: retrying may succeed
    other_instance,  // the same: another instance issues from the series
    locked,          // another transaction has a lock, and the wait for it timed out
    key_spent,       // an idempotency key is in the ledger already
    number_spent,    // a number is in the ledger already
    duplicate,       // a unique index refused something else, or is unknown
    trouble,         // the database is at fault, not this request and not a bug
    in_doubt,        // it may or may not have been committed
    unexpected,      // a bug of ours
};

struct database_outcome
{
    outcome_kind kind{};
    refusal why;  // for clients, unless it is resolved otherwise
};

/// One row of the one table that says what an SQLSTATE means, for libpqxx and issue connections
/// alike.
struct outcome_row
{
    std::string_view state;  // or a class: its first two characters
    outcome_kind means{};
    refusal_kind refuses{};
    trouble_kind trouble{};
    std::string_view text{};     // for people; empty: the server's message; "…: ": prefixes it
    std::string_view index{};    // a unique index: the beginning of its name, and its columns. Told
    std::string_view columns{};  // by either: built anew (REINDEX CONCURRENTLY) it has another name
};

/// The table; the first matching row counts.
std::span<outcome_row const> outcome_table() noexcept;

/// What an error means, according to the table.
database_outcome to_outcome(database_error const& error);

/// The same for an exception of libpqxx.
database_outcome to_outcome(pqxx::failure const& failure, bool connection_stands);

/// What a refusal means on the service's own connection: if PostgreSQL says "not allowed", the
/// service's role lacks a grant, which is trouble, and not the token's fault. Logs the server's
/// message. Any thread.
refusal to_service_refusal(refusal why);

/// The refusal of an SQLSTATE of our own SQL (class GL), or 0, which is no value of the enum, for
/// any other.
refusal_kind refusal_of_sqlstate(std::string_view state) noexcept;

/// Whether this trouble affects the whole session, so that a new session has to be set up and
/// checked.
bool is_of_session(trouble_kind trouble) noexcept;

}  // namespace gapless
