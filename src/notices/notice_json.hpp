#pragma once

#include "notices/notice.hpp"

#include <string>

namespace gapless {

/// Appends a notice with its texts in English and German. `data` of the record is a JSON object;
/// throws nlohmann::json::exception for anything else.
void append_notice(notice_record const& notice, std::string& json);

/// The same as a string: the body of a webhook, a line for a program.
std::string notice_json(notice_record const& notice);

}  // namespace gapless
