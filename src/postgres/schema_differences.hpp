#pragma once

#include "record/pqxx_fwd.hpp"

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gapless {

/// Something in the database that is not as the migrations left it.
struct schema_difference
{
    std::string kind;  // role, privilege, function, trigger, constraint, index or foreign
    std::string what;  // in words
    std::vector<std::string> mend;  // statements, a transaction each; none: migrate() makes it anew

    /// What others attached is no business of a migration.
    bool mendable() const { return kind != "foreign"; }
};

/// Roles of ours that the server does not have, and what else is not as it was. Works on a standby
/// and on a database without a schema of ours, which has no other differences than roles.
std::vector<schema_difference> read_differences(pqxx::transaction_base& transaction);

/// Roles of ours do not exist, and whoever migrates may not create them; what() has the SQL for
/// somebody who may. Nothing was changed.
struct roles_missing : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Throws roles_missing when differences are of roles and the role of this session may not create
/// any.
void ensure_roles_can_be_made(
    pqxx::transaction_base& transaction, std::vector<schema_difference> const& differences
);

/// Throws std::runtime_error when a function has two signatures, which makes calls ambiguous that
/// were written for the first: a maintainer changed one without superseding it.
void ensure_no_overloads(pqxx::transaction_base& transaction);

/// Runs the statements of one difference, each as a transaction. Those that make an index wait for
/// others' transactions without holding anybody up; the rest wait for 300 ms at most. Throws
/// pqxx::sql_error 55P03 when others were in the way, and what PostgreSQL says of rows that do not
/// fit.
void mend(pqxx::nontransaction& plain, schema_difference const& difference);

}  // namespace gapless
