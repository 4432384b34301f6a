#pragma once

#include "base/refusal.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"
#include "reserve/lease.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace gapless {

BOOST_DESCRIBE_ENUM(lease_status, open, recalled, closed, lost)

inline std::string text_of(lease_id const& id)
{
    return to_text(id);
}

inline std::string to_sql(lease_id const& id)
{
    return to_text(id);
}

/// Refuses with malformed_request.
result<lease_id> read_text(std::string_view text, std::type_identity<lease_id>);

}  // namespace gapless

/// The records of leases as people see them. Instances use src/reserve/lease_store.hpp.
namespace gapless::leases {

/// A lease and the state of its numbers: count = held + settled + returned + written_off.
struct listed_lease
{
    std::string lease;  // a UUID, as instance is
    std::string series;
    std::string instance;
    std::string host;
    lease_status status{lease_status::open};
    database_time contact;
    database_time granted_at;
    database_time draw_until;
    std::string first;
    std::string last;
    quoted<std::int64_t> count;
    quoted<std::int64_t> held;
    quoted<std::int64_t> settled;
    quoted<std::int64_t> returned;
    quoted<std::int64_t> written_off;
    bool overdue{};
};
GAPLESS_RECORD(
    listed_lease,
    (),
    (lease, "Id of the lease."),
    (series, "Name of the series."),
    (instance, "The instance that issues from it.", .in_table = false),
    (host, "Where the instance runs."),
    (status,
     "recalled: wanted back; closed: returned or used up; lost: written off, or of an epoch that "
     "is over."),
    (contact, "When the instance was heard of last."),
    (granted_at, "When it was granted.", .in_table = false),
    (draw_until, "From then on nothing of it is issued any more."),
    (first, "Its first number.", .in_table = false, .number = true),
    (last, "Its last number.", .in_table = false, .number = true),
    (count, "How many numbers it was granted."),
    (held, "Numbers on lease now."),
    (settled, "Numbers that were issued from it, and are in the ledger."),
    (returned, "Numbers that came back.", .in_table = false),
    (written_off,
     "Numbers that were voided, because the instance did not come back.",
     .in_table = false),
    (overdue, "draw_until is over, and numbers are still on lease.")
)

/// Which leases to list.
struct wanted_leases
{
    std::optional<std::string> series;
    std::optional<bool> all;
};
GAPLESS_RECORD(
    wanted_leases,
    (),
    (series, "Name of the series.", .option = "SERIES", .help = "Name of the series; default: all"),
    (all, "Also leases that hold no number any more.")
)

struct lease_name
{
    lease_id lease;
};
GAPLESS_RECORD(lease_name, (), (lease, "Id of the lease.", .option = "LEASE"))

/// Leases to recall: one, or all open ones.
struct lease_recall
{
    std::optional<lease_id> lease;
    std::optional<bool> all;
    std::optional<std::string> series;
};
GAPLESS_RECORD(
    lease_recall,
    (),
    (lease, "Id of the lease.", .option = "LEASE"),
    (all, "Every lease that is open."),
    (series, "With --all: of this series only.")
)

/// A lease whose numbers are given up, with the reason.
struct lease_end : lease_name
{
    std::string reason;
};
GAPLESS_RECORD(lease_end, (lease_name), (reason, "Why; stays in the records.", .value = "TEXT"))

// What a command may contain; see record/read.hpp.
void check(lease_recall const& wanted);
void check(lease_end const& wanted);

}  // namespace gapless::leases
