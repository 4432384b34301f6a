#pragma once

#include "base/messages.hpp"

#include <string>
#include <string_view>
#include <vector>

/// JSON for refusals and warnings, as the contract defines it. Counts, serials, numbers and ids are
/// strings.
namespace gapless {

/// Appends "warnings":[…], preceded by a comma if needed.
void append_warnings(std::string& json, std::vector<load_warning> const& warnings);

/// Appends "faults":[…], preceded by a comma if needed.
void append_faults(
    std::string& json, std::vector<line_fault> const& faults, language wanted = language::english
);

/// Appends a sentence as ,"detail": or another name, and ,"lang":"en" if it is English although
/// another language was requested.
void append_sentence(std::string& json, std::string_view name, told const& sentence);

/// Appends "series":[…], preceded by a comma if needed.
void append_series(std::string& json, std::vector<std::string> const& names);

/// Appends "gone":[…], preceded by a comma if needed.
void append_gone(std::string& json, std::vector<gone_numbers> const& gone);

}  // namespace gapless
