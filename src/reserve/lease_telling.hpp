#pragma once

#include "cli/command_context.hpp"
#include "reserve/listed_lease.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace gapless::cli {

/// Leases of a series, none: of all; oldest first. Blocks and throws like command_context::read().
std::vector<leases::listed_lease> read_leases(
    command_context& context, std::optional<std::string> const& series
);

/// Prints where the numbers of leases that still hold some are, and the last contact: "12 numbers
/// on lease at packing-1, last contact 2026-11-24T05:00:00Z". `leases`: rows of JSON.
void say_on_lease(command_context const& context, nlohmann::ordered_json const& leases);
void say_on_lease(command_context const& context, std::vector<leases::listed_lease> const& leases);

/// The same for a series' leases that are recalled because a block ended.
void say_recalled(command_context& context, std::string const& series);

}  // namespace gapless::cli
