#pragma once

#include "domain/format/bound_format.hpp"
#include "domain/records.hpp"
#include "domain/token.hpp"

#include <nlohmann/json.hpp>

#include <string>

/// Records as JSON, with the names and shapes of the HTTP interface: counts, serials, numbers, ids
/// and ordinals are strings, what is absent is null. Pure.
namespace gapless::cli {

/// RFC 3339 in UTC with microseconds: 2026-11-20T22:05:11.123456Z.
std::string to_moment_text(database_time moment);

nlohmann::ordered_json to_json(series_record const& series, bound_format const& format);
nlohmann::ordered_json to_json(block_record const& block, bound_format const& format);

/// Every number is listed, however many there are.
nlohmann::ordered_json to_json(
    issuance const& issued, std::string const& series, bound_format const& format
);

/// A token as a list shows it: without its secret, with its state.
nlohmann::ordered_json to_json(token_record const& token);

nlohmann::ordered_json to_json(finding const& found);

}  // namespace gapless::cli
