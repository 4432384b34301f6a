#pragma once

#include "notices/notice.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Notices: events reported to people and programs. Every function blocks for one round trip inside
/// the caller's transaction.
namespace gapless {

/// Which notices to read.
struct notice_page
{
    std::int64_t after{};                 // those with a higher seq
    std::int32_t limit{100};              // at most that many
    std::optional<std::string> series{};  // none: any, including those that concern no series
    std::optional<std::string> kind{};    // none: any
};

/// Converts a row with the columns seq, id, kind, series, at_us, epoch, environment, data, day,
/// data_day, as selected by read_notices().
notice_record to_notice(pqxx::row const& row);

/// Published notices, oldest first; those that the named actor may see, or all if none is named.
/// Refuses with unauthenticated, forbidden, unknown_series, malformed_request (an unknown kind).
std::vector<notice_record> read_notices(
    pqxx::transaction_base& transaction, notice_page const& page
);

/// The range of notices that can be read.
notice_bounds read_notice_bounds(pqxx::transaction_base& transaction);

/// Numbers committed notices, and notifies PostgreSQL's channel gapless_notice; one instance at a
/// time. Returns how many, notices_at_once if there may be more. At READ COMMITTED.
std::int64_t publish_notices(pqxx::transaction_base& transaction);
inline constexpr std::int32_t notices_at_once = 1'000;

/// True for one of all instances every 15 seconds: it should call find_notices(). At READ
/// COMMITTED.
bool are_notices_due(pqxx::transaction_base& transaction);

/// Writes notices that no transaction writes: a series that runs low, a day by which to order, a
/// token that expires soon; once per crossing. `forecasts`: see series::to_forecasts_json().
/// Returns how many. At READ COMMITTED.
std::int64_t find_notices(pqxx::transaction_base& transaction, std::string const& forecasts);

/// Reports the findings of a verification of all series, with `chain` of their chains, too; once,
/// until a verification of the same extent finds none. At READ COMMITTED.
void note_verified(pqxx::transaction_base& transaction, std::int64_t findings, bool chain);

/// Deletes notices older than 90 days; returns how many, notices_at_once if there may be more. At
/// READ COMMITTED.
std::int64_t expire_notices(pqxx::transaction_base& transaction);

}  // namespace gapless
