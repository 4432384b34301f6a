#pragma once

#include "access/token_text.hpp"
#include "harness/issuing.hpp"
#include "harness/new_token.hpp"
#include "postgres/transaction.hpp"
#include "reserve/lease_operations.hpp"
#include "reserve/lease_store.hpp"

#include <string>
#include <vector>

namespace gapless::test {

using namespace std::chrono_literals;

/// Series s with a reserve, an instance, and a lease of it that a test takes.
struct leasing : issuing
{
    leasing()
    {
        run("set timezone = 'UTC'; set datestyle = 'ISO, YMD'");  // as open_connection does
        series = create_series("s", {{100, 199}, {500, 599}});
        run("select gapless.series_change('s', '{\"reserve_numbers\": 20}', null, 'me')");
        owner = created({.name = "shop", .scopes = {"issue"}}).owner_id;
        made_at = std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    }

    /// What `work` returns, in a transaction that changes something.
    template <class Work>
    auto tried(Work work)
    {
        return run_serializable(connection(), {}, work);
    }

    template <class Work>
    auto done(Work work)
    {
        return tried(work).value();
    }

    template <class Work>
    std::string refused(Work work)
    {
        auto const end = tried(work);
        return end.has_error() ? std::string{name_of(end.error().kind)} : "done";
    }

    made_token created(wanted_token const& wanted)
    {
        return done([&](auto& transaction) { return make_token(transaction, wanted); });
    }

    instance_identity at(std::int32_t known) const { return {instance, known, secret}; }

    lease_claim claim(std::int32_t known, lease_id const& by)
    {
        return done([&](auto& transaction) {
            return claim_instance(transaction, at(known), by, "packing-1");
        });
    }

    /// The instance is known, and has numbers from 100 on.
    lease_grant take(std::int64_t count, std::chrono::milliseconds lease_time = 8h)
    {
        if (incarnation == 0)
            incarnation = claim(0, make_lease_id()).incarnation;
        return done([&](auto& transaction) {
                   return take_lease(
                       transaction, series, at(incarnation), lease, count, lease_time
                   );
               })
            .value()
            .grant;
    }

    std::vector<settled_record> settle(std::vector<lease_left> const& records)
    {
        return done([&](auto& transaction) {
            return settle_lease(transaction, lease, at(incarnation), records);
        });
    }

    /// An answer with the numbers from that ordinal on.
    lease_left left(std::int64_t ordinal, std::int32_t count, unsigned char key) const
    {
        lease_left one{.ordinal = ordinal, .count = count, .owner_id = owner};
        one.key.bytes[15] = key;
        one.reference = "order \"" + std::to_string(key) + "\", \\";
        one.answered_at = made_at + std::chrono::microseconds{key};
        return one;
    }

    leases::listed_lease listed()
    {
        return done([&](auto& transaction) { return leases::read(transaction, {lease}); });
    }

    /// "10: 5 held, 3 settled, 2 returned, 0 written off, open"
    std::string standing()
    {
        auto const now = listed();
        return std::to_string(now.count) + ": " + std::to_string(now.held) + " held, " +
               std::to_string(now.settled) + " settled, " + std::to_string(now.returned) +
               " returned, " + std::to_string(now.written_off) + " written off, " +
               std::string{name_of(now.status)};
    }

    std::int32_t series{};
    std::int32_t owner{};
    std::int32_t incarnation{};
    lease_id instance{make_lease_id()};
    instance_secret secret{make_instance_secret()};
    lease_id lease{make_lease_id()};
    database_time made_at;  // after the owner was
};

}  // namespace gapless::test
