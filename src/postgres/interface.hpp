#pragma once

#include "record/pqxx_fwd.hpp"

#include <optional>
#include <string>

namespace gapless {

/// Interfaces in a row, both included: sets of functions, signatures and meanings between programs
/// and schema, numbered 1, 2, 3 … A schema serves some of them, a program calls some of them; they
/// work together when they have one in common.
struct interface_range
{
    int oldest{};
    int newest{};
};

/// What this program can call; the newest is the one that the schema it carries serves.
interface_range called_interfaces() noexcept;

/// What the database serves; none: it has no schema of ours. Works on an empty database. Throws
/// what libpqxx throws.
std::optional<interface_range> read_interfaces(pqxx::transaction_base& transaction);

/// Why this program cannot work with a database that serves `served`, and the way out; empty: it
/// can.
std::string interface_obstacle(std::optional<interface_range> const& served);

}  // namespace gapless
