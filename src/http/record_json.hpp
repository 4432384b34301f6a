#pragma once

#include "domain/records.hpp"
#include "service/numbering.hpp"

#include <string>

/// What the database tells, as the JSON objects of the contract. Counts, serials, numbers and ids
/// are strings.
namespace gapless {

void append_series(series_record const& series, std::string& json);

/// `dry_run`: the block was checked and not kept; it has no id, and "dry_run":true is added.
void append_block(block_record const& block, bool dry_run, std::string& json);

void append_verification(verification const& checked, std::string& json);

void append_readiness(readiness const& found, std::string& json);

/// The ETag of a version of a series.
std::string to_etag(series_record const& series);

}  // namespace gapless
