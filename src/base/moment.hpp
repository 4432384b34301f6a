#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

/// Moments and days as text; always UTC.
namespace gapless {

/// A moment by the database's clock, to the microsecond.
using database_time = std::chrono::sys_time<std::chrono::microseconds>;

/// Appends 2026-11-20.
void append_date(std::string& text, std::chrono::sys_days day);

/// Appends RFC 3339 to the microsecond: 2026-11-20T22:05:11.123456Z
void append_timestamp(std::string& text, database_time moment);

/// The same as a text of its own.
std::string to_rfc3339(database_time moment);

/// Reads a date (valid through its end) or an RFC 3339 moment; none for any other text.
std::optional<database_time> read_valid_until(std::string_view text) noexcept;

/// The text of a moment: the bare date when it is the last microsecond of a day, RFC 3339 with
/// microseconds else.
std::string to_valid_until(database_time moment);

}  // namespace gapless
