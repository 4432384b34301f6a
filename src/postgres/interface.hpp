#pragma once

#include "record/pqxx_fwd.hpp"

#include <optional>
#include <string>

namespace gapless {

/// A range of interfaces, both ends included: numbered sets (1, 2, 3 …) of functions, signatures
/// and meanings between programs and schema. A schema serves some of them, a program calls some;
/// they work together if they have one in common.
struct interface_range
{
    int oldest{};
    int newest{};
};

/// The interfaces that this program can call; the newest is the one that its own schema serves.
interface_range called_interfaces() noexcept;

/// The interfaces that the database serves; nullopt: it does not have our schema. Works on an empty
/// database. Throws what libpqxx throws.
std::optional<interface_range> read_interfaces(pqxx::transaction_base& transaction);

/// Why this program cannot work with a database that serves `served`, and the way out; empty: it
/// can.
std::string interface_obstacle(std::optional<interface_range> const& served);

/// Why a service of the environment `wanted` (empty: any) cannot work with this database, and the
/// way out; empty: it can. Throws what libpqxx throws.
std::string service_obstacle(pqxx::transaction_base& transaction, std::string const& wanted);

}  // namespace gapless
