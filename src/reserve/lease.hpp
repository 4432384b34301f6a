#pragma once

#include "base/idempotency_key.hpp"
#include "issuing/issuance.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// Names a lease, an instance or a claim: a random UUID.
struct lease_id
{
    std::array<unsigned char, 16> bytes{};

    friend auto operator<=>(lease_id const&, lease_id const&) = default;
};

/// As PostgreSQL writes a UUID.
std::string to_text(lease_id const& id);

/// Reads a UUID as to_text() writes it; none for anything else.
std::optional<lease_id> read_lease_id(std::string_view text) noexcept;

/// A new one. Throws std::runtime_error when the system has no randomness.
lease_id make_lease_id();

/// What proves that somebody acts for an instance: random, in its journal of leases alone. The
/// database keeps the SHA-256 of it. Goes into no log.
using instance_secret = std::array<unsigned char, 32>;

/// A new one. Throws std::runtime_error when the system has no randomness.
instance_secret make_instance_secret();

/// Who an instance is for the database.
struct instance_identity
{
    lease_id instance;
    std::int32_t incarnation{};
    instance_secret secret{};
};

/// Numbers that an instance may draw on while the database cannot answer: one run in one block,
/// issued to the instance on hold (turn 0). The lease covers `count` ordinals from `ordinal` on.
struct lease_grant
{
    lease_id lease;
    std::int32_t series_id{};
    std::int32_t block_id{};
    std::int32_t epoch{};
    std::int64_t ordinal{};  // of the first number
    std::int64_t serial{};   // of the first number
    std::int64_t count{};    // 1..lease_numbers_max

    friend bool operator==(lease_grant const&, lease_grant const&) = default;
};

/// An answer that was given from a lease: what the ledger has to learn.
struct lease_left
{
    std::int64_t ordinal{};  // of the first number
    std::int32_t count{};    // 1..count_max
    std::int32_t owner_id{};
    idempotency_key key;
    std::optional<std::string> reference;
    database_time answered_at;

    friend bool operator==(lease_left const&, lease_left const&) = default;
};

enum class lease_status
{
    open = 1,  // may be drawn on until its time is over
    recalled,  // an operator wants it back: settled and returned, drawn on no more
    closed,    // returned, or used up
    lost,      // written off, or of an epoch that is over
};

std::string_view name_of(lease_status status) noexcept;
std::optional<lease_status> read_lease_status(std::string_view name) noexcept;

inline constexpr std::int64_t lease_numbers_max = 1'000'000;

}  // namespace gapless
