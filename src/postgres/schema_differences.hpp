#pragma once

#include "record/pqxx_fwd.hpp"

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gapless {

/// A difference between the database and the migrations' result.
struct schema_difference
{
    std::string kind;  // role, privilege, function, trigger, constraint, index or foreign
    std::string what;  // in words
    std::vector<std::string> mend;  // statements, a transaction each; empty: migrate() recreates it

    /// Objects attached by others are none of a migration's business.
    bool mendable() const { return kind != "foreign"; }
};

/// Our roles that the server lacks, and all other differences. Works on a standby, and on a
/// database without our schema, which can only lack roles.
std::vector<schema_difference> read_differences(pqxx::transaction_base& transaction);

/// The migrating role is the wrong one: our roles do not exist and it may not create any, or the
/// schema belongs to another role. what() has the way out. Nothing was changed.
struct migrator_refused : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Throws migrator_refused if roles are among the differences and this session's role may not
/// create any.
void ensure_roles_can_be_made(
    pqxx::transaction_base& transaction, std::vector<schema_difference> const& differences
);

/// Throws std::runtime_error if a function has two signatures, which makes older calls ambiguous: a
/// maintainer changed it without superseding the old one.
void ensure_no_overloads(pqxx::transaction_base& transaction);

/// Runs the statements of one difference, each in its own transaction. Those that build an index
/// wait for others' transactions without blocking anybody; the rest wait for 300 ms at most. Throws
/// pqxx::sql_error 55P03 if others were in the way, and PostgreSQL's error for rows that do not
/// fit.
void mend(pqxx::nontransaction& plain, schema_difference const& difference);

}  // namespace gapless
