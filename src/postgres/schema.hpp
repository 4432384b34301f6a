#pragma once

#include "postgres/interface.hpp"
#include "postgres/schema_differences.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace gapless {

/// A migration of this program, and whether the database has it.
struct migration_state
{
    int version{};
    std::string name;      // the file's name
    std::string checksum;  // SHA-256, hexadecimal, of the text this program carries
    std::optional<std::string> applied_at;  // none: not applied
    bool differs{};  // applied with another checksum: this program does not belong to that database
};

/// How a database compares to this program.
struct schema_state
{
    std::vector<migration_state> migrations;     // by version
    bool functions_differ{};                     // the functions in sql/ are not those last applied
    int newest_in_database{};                    // 0: nothing was ever applied
    std::optional<interface_range> interfaces;   // none: it does not have our schema
    std::vector<schema_difference> differences;  // from the migrations' result

    /// True when migrate() has nothing to do.
    bool current() const;
};

/// Only reads. Works on an empty database and on a standby.
schema_state read_schema_state(pqxx::connection& connection);

/// Throws std::runtime_error if this program must not touch that database.
void ensure_applicable(schema_state const& state);

/// Others use the tables for longer than migrate() tries; what() names one of them, and says
/// whether something was changed.
struct schema_in_use : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Gets a sentence: for whom migrate() waits.
using migration_teller = std::function<void(std::string const& waiting)>;

/// Brings the database to this program's schema in one transaction: missing migrations in order,
/// then every function, privileges, and the triggers that differ. Then repairs what else differs,
/// constraints and indexes one by one. A second migrator waits for the first, and tells so. Issuing
/// is held up for 300 ms at most, the lock timeout: if others hold the tables for longer, this
/// gives up, reports them to `tell`, pauses, and retries for half a minute. `kept` is called after
/// the COMMIT, before the repairs. Returns the names of the migrations applied, and "functions" if
/// these are others now. Throws std::runtime_error with a sentence for the operator when a
/// migration differs from the one applied or the database is newer than this program,
/// migrator_refused, and schema_in_use after the last try; before `kept`, nothing was changed.
/// Throws what `tell` throws.
std::vector<std::string> migrate(
    pqxx::connection& connection,
    migration_teller const& tell = [](auto const&) {},
    std::function<void()> const& kept = [] {}
);

/// The newest migration, as a database of this program must report it (function health()).
int newest_migration();
std::string functions_checksum();

}  // namespace gapless
