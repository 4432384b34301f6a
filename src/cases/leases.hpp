#pragma once

#include "domain/refusal.hpp"
#include "store/lease_list_store.hpp"

#include <pqxx/pqxx>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Use cases of leases; see cases/series.hpp.
namespace gapless::cases {

/// Leases, the oldest first. Refuses with unknown_series, forbidden.
struct list_leases
{
    using answer = std::vector<lease_record>;
    lease_page page{};

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Refuses with not_found, forbidden.
struct read_lease
{
    using answer = lease_record;
    lease_id lease;

    result<answer> run(pqxx::transaction_base& transaction) const;
};

/// Wants a lease back; the answer is the lease as it is then. Repeatable. Refuses with not_found,
/// forbidden.
struct recall_lease
{
    using answer = lease_record;
    lease_id lease;

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// The same for every open lease; the answer is all that then still hold numbers. Refuses with
/// unknown_series, forbidden.
struct recall_leases
{
    using answer = std::vector<lease_record>;
    std::optional<std::string> series;  // none: all

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

/// A lease that was written off, and how many numbers that voided.
struct written_off_lease
{
    lease_record lease;
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

}  // namespace gapless::cases
