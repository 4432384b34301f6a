#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

/// Moments and days as text, in UTC except for what people write.
namespace gapless {

/// A moment by the database's clock, to the microsecond.
using database_time = std::chrono::sys_time<std::chrono::microseconds>;

/// The start of something, as a person wrote it: 2027-12-31, a day (its first moment), or
/// 2027-12-31T12:00:00.000000, both in the database's time zone, or followed by Z, in UTC. Only the
/// database can tell the moment: gapless.moment_of.
struct first_moment
{
    std::string text;

    bool operator==(first_moment const&) const = default;
};

/// The same for an end: a day counts to its end.
struct last_moment
{
    std::string text;

    bool operator==(last_moment const&) const = default;
};

/// Appends 2026-11-20.
void append_date(std::string& text, std::chrono::sys_days day);

/// Appends RFC 3339 to the microsecond: 2026-11-20T22:05:11.123456Z
void append_timestamp(std::string& text, database_time moment);

/// The same, returned as a string.
std::string to_rfc3339(database_time moment);

/// Reads 2026-11-20; nullopt for any other text.
std::optional<std::chrono::sys_days> read_date(std::string_view text) noexcept;

/// Reads an RFC 3339 moment; nullopt for any other text.
std::optional<database_time> read_rfc3339(std::string_view text) noexcept;

}  // namespace gapless
