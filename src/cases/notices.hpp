#pragma once

#include "domain/refusal.hpp"
#include "store/notice_store.hpp"
#include "store/pqxx_fwd.hpp"
#include "wire/notice_chunk.hpp"

#include <cstdint>
#include <optional>
#include <vector>

/// Use cases of notices; see cases/series.hpp.
namespace gapless::cases {

/// Published notices, the oldest first. Refuses with unknown_series, forbidden.
struct list_notices
{
    using answer = std::vector<notice_record>;
    notice_page page{};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Tells of findings in one series, unless that is told of all of them. At most once until a
/// verification of all series finds nothing.
struct tell_findings
{
    using answer = std::int64_t;  // how many
    std::int64_t findings{};

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// Notices for streams.
struct notice_events
{
    notice_bounds bounds;  // at that moment
    notice_chunks chunks;  // reach to bounds.last, unless there are more of them than were wanted
    bool more{};           // so it is
};

/// Notices as the events of streams. Refuses as list_notices.
struct read_notice_events
{
    using answer = notice_events;
    notice_page page{};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// What a stream begins with.
struct notice_start
{
    notice_events events;
    std::optional<notice_reach> reach{};  // none: the token is not in force
};

/// The first notices of a stream, and what its token may see. Refuses as list_notices.
struct begin_notices
{
    using answer = notice_start;
    notice_page page{};
    shown_secret token{};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// What tokens may see by now; those that are not in force are missing.
struct read_reach
{
    using answer = std::vector<notice_reach>;
    std::vector<shown_secret> tokens{};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// If it is this instance's turn: makes the forecasts of all series and writes notices of what no
/// transaction tells. Returns how many. In transactions of its own; blocks.
result<std::int64_t> look_for_notices(pqxx::connection& connection);

}  // namespace gapless::cases
