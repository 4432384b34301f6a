#pragma once

#include "base/refusal.hpp"
#include "record/pqxx_fwd.hpp"

#include <span>
#include <string>
#include <string_view>

namespace gapless {

/// What PostgreSQL says went wrong.
struct database_error
{
    std::string state;       // SQLSTATE; empty: not the server, but the way to it
    std::string message;     // for people
    std::string constraint;  // or index; empty: none, or not known
    std::string detail;
};

/// What an error means for what was asked. Nothing happened, unless it is in doubt.
enum class outcome_kind
{
    refused = 1,     // a documented no: our own SQL's (class GL), or a right that is lacking
    conflict,        // another transaction was in the way: the same again may succeed
    other_instance,  // the same: it issues from the series
    locked,          // another transaction has a lock, and was not waited for any longer
    key_spent,       // an idempotency key is in the ledger already
    number_spent,    // a number is in the ledger already
    duplicate,       // a unique index refused something else, or does not say which it is
    trouble,         // with the database: not this request's matter, and no bug
    in_doubt,        // nobody knows whether it was committed
    unexpected,      // a bug of ours
};

struct database_outcome
{
    outcome_kind kind{};
    refusal why;  // what it is to a client, where it is not resolved otherwise
};

/// One line of the one table that says what an SQLSTATE means, whether libpqxx or an issue
/// connection met it.
struct outcome_row
{
    std::string_view state;  // or a class: the first two characters
    outcome_kind means{};
    refusal_kind refuses{};
    trouble_kind trouble{};
    std::string_view text{};     // for people; empty: the server's message; "…: ": in front of it
    std::string_view index{};    // a unique index: the beginning of its name, and its columns. Told
    std::string_view columns{};  // by either: built anew (REINDEX CONCURRENTLY) it has another name
};

/// The table; of several rows that fit the first one counts.
std::span<outcome_row const> outcome_table() noexcept;

/// What an error means, by the table.
database_outcome to_outcome(database_error const& error);

/// The same of what libpqxx throws.
database_outcome to_outcome(pqxx::failure const& failure, bool connection_stands);

/// What a refusal means on a connection of the service's own: where PostgreSQL says "not allowed",
/// the service's role has lost a grant, which is trouble, and no token's fault. Logs what the
/// server said. Any thread.
refusal to_service_refusal(refusal why);

/// The refusal behind an SQLSTATE of our own SQL (class GL), or not a value of the enum (0) for any
/// other.
refusal_kind refusal_of_sqlstate(std::string_view state) noexcept;

/// Whether this trouble affects everything that the session does, so that a new session has to be
/// set up and checked.
bool is_of_session(trouble_kind trouble) noexcept;

}  // namespace gapless
