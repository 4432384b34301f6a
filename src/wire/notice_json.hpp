#pragma once

#include "domain/notice.hpp"

#include <string>

namespace gapless {

/// Appends a notice with its words in English and German. `data` of the record is a JSON object;
/// throws nlohmann::json::exception for anything else.
void append_notice(notice_record const& notice, std::string& json);

/// The same as a text of its own: the body of a webhook, a line for a program.
std::string notice_json(notice_record const& notice);

/// Appends a notice as an event of a stream (text/event-stream): id, event, data.
void append_notice_event(notice_record const& notice, std::string& events);

/// Appends the event that tells a client of a stream that notices are missing; the stream goes on
/// with `oldest`.
void append_reset_event(std::int64_t oldest, std::string& events);

/// What a stream says while nothing happens, so that everybody in between knows that it stands.
inline constexpr std::string_view stream_comment{": nothing new\n\n"};

}  // namespace gapless
