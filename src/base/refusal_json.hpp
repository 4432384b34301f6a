#pragma once

#include "base/messages.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Records of the clerk, the auditor and the administrator as the JSON objects of the contract.
/// Counts, serials, numbers and ids are strings.
namespace gapless {

/// Appends "warnings":[…], with a comma where one is due.
void append_warnings(std::string& json, std::vector<load_warning> const& warnings);

/// Appends "faults":[…], with a comma where one is due.
void append_faults(
    std::string& json, std::vector<line_fault> const& faults, language wanted = language::english
);

/// Appends ,"detail": or under another name a sentence, and ,"lang":"en" where it is English and
/// another language was asked for.
void append_sentence(std::string& json, std::string_view name, told const& sentence);

/// Appends "gone":[…], with a comma where one is due.
void append_gone(std::string& json, std::vector<gone_numbers> const& gone);

}  // namespace gapless
