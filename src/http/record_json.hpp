#pragma once

#include "domain/records.hpp"
#include "service/numbering.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What the database tells, as the JSON objects of the contract. Counts, serials, numbers and ids
/// are strings.
namespace gapless {

/// Appends a member that is the number of a serial, or null.
void append_number_or_null(
    std::string& json,
    std::string_view name,
    bound_format const& format,
    std::optional<std::int64_t> serial
);

/// `dry_run`: the block was checked and not kept; it has no id, and "dry_run":true is added.
void append_block(
    series_entry const& series, block_record const& block, bool dry_run, std::string& json
);

void append_verification(verification const& checked, std::string& json);

void append_readiness(readiness const& found, std::string& json);

}  // namespace gapless
