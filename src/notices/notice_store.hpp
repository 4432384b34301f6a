#pragma once

#include "notices/notice.hpp"
#include "record/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Notices: what happened, told to people and programs. Every function runs inside the caller's
/// transaction and blocks for one round trip.
namespace gapless {

/// Which notices are wanted.
struct notice_page
{
    std::int64_t after{};                 // those with higher seq
    std::int32_t limit{100};              // at most so many
    std::optional<std::string> series{};  // none: any, and those that concern no series
    std::optional<std::string> kind{};    // none: any
};

/// A row with the columns seq, id, kind, series, at_us, epoch, environment, data, day, expires_on,
/// as read_notices() selects them.
notice_record to_notice(pqxx::row const& row);

/// Published notices, the oldest first; those that the named actor may see, all where none is
/// named. Refuses with unauthenticated, forbidden, unknown_series, malformed_request (a kind that
/// there is none of).
std::vector<notice_record> read_notices(
    pqxx::transaction_base& transaction, notice_page const& page
);

/// Which notices can be read.
notice_bounds read_notice_bounds(pqxx::transaction_base& transaction);

/// Numbers what was committed, and tells PostgreSQL's channel gapless_notice; one instance at a
/// time. Returns how many, notices_at_once where there may be more. At READ COMMITTED.
std::int64_t publish_notices(pqxx::transaction_base& transaction);
inline constexpr std::int32_t notices_at_once = 1'000;

/// True for one of all instances every 15 seconds: it is its turn to find_notices(). At READ
/// COMMITTED.
bool are_notices_due(pqxx::transaction_base& transaction);

/// Writes notices of what no transaction tells: a series that runs low, a day by which to order, a
/// token that expires soon; once per crossing. `forecasts` as series::to_forecasts_json() has them.
/// Returns how many. At READ COMMITTED.
std::int64_t find_notices(pqxx::transaction_base& transaction, std::string const& forecasts);

/// Tells of findings of a verification of all series, `chain`: of their chains, too; once until one
/// of that extent is without any. At READ COMMITTED.
void note_verified(pqxx::transaction_base& transaction, std::int64_t findings, bool chain);

/// Forgets notices that are older than 90 days; returns how many, notices_at_once where there may
/// be more. At READ COMMITTED.
std::int64_t expire_notices(pqxx::transaction_base& transaction);

}  // namespace gapless
