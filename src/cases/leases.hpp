#pragma once

#include "domain/refusal.hpp"
#include "store/lease_list_store.hpp"
#include "store/pqxx_fwd.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Use cases of leases; see cases/series.hpp.
namespace gapless::cases {

/// Leases, the oldest first. Refuses with unknown_series, forbidden.
struct list_leases
{
    using answer = std::vector<listed_lease>;
    lease_page page{};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Refuses with not_found, forbidden.
struct read_lease
{
    using answer = listed_lease;
    lease_id lease;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Wants a lease back; the answer is the lease as it is then. Repeatable. Refuses with not_found,
/// forbidden.
struct recall_lease
{
    using answer = listed_lease;
    lease_id lease;

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// The same for every open lease; the answer is all that then still hold numbers. Refuses with
/// unknown_series, forbidden.
struct recall_leases
{
    using answer = std::vector<listed_lease>;
    std::optional<std::string> series;  // none: all

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// A lease that was written off, and how many numbers that voided.
struct written_off_lease
{
    listed_lease lease;
    std::int64_t voided{};
};

/// Gives up what a lease still holds. Repeatable. Refuses with not_found, forbidden, out_of_range,
/// state_conflict.
struct write_off_lease
{
    using answer = written_off_lease;
    lease_id lease;
    std::string reason;

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// Has instances answer requests of a series from their reserves for so long; the answer is when
/// that ends. Refuses with unknown_series, forbidden, out_of_range, state_conflict.
struct drill_series
{
    using answer = database_time;
    std::string series;
    std::chrono::seconds time{};

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

}  // namespace gapless::cases
