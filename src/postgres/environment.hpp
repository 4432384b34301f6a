#pragma once

#include "record/pqxx_fwd.hpp"

#include <optional>
#include <string>

namespace gapless {

/// The environment that the database belongs to; nullopt: not set, or it does not have our schema
/// yet.
std::optional<std::string> read_environment(pqxx::transaction_base& transaction);

/// Why a service of the environment `wanted` (empty: any) must not use a database that belongs to
/// `found`, in words; empty: it may.
std::string environment_obstacle(
    std::string const& wanted, std::optional<std::string> const& found
);

/// Sets the database's environment. Refuses (GL017) a name that is not one short word.
void set_environment(
    pqxx::transaction_base& transaction, std::string const& name, std::string const& actor
);

/// The database's time zone for days: a name of the IANA database.
std::string read_time_zone(pqxx::transaction_base& transaction);

/// Sets it, at READ COMMITTED. Refuses with out_of_range a name that PostgreSQL does not know.
void set_time_zone(
    pqxx::transaction_base& transaction, std::string const& zone, std::string const& actor
);

/// Today there, like 2026-11-20.
std::string read_today(pqxx::transaction_base& transaction);

}  // namespace gapless
