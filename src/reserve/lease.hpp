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

/// In PostgreSQL's UUID format.
std::string to_text(lease_id const& id);

/// Reads a UUID in the format of to_text(); nullopt for anything else.
std::optional<lease_id> read_lease_id(std::string_view text) noexcept;

/// Makes a new id. Throws std::runtime_error if the system has no randomness.
lease_id make_lease_id();

/// Proves that a client acts for an instance: random, stored only in the instance's journal of
/// leases. The database keeps its SHA-256. Never logged.
using instance_secret = std::array<unsigned char, 32>;

/// Makes a new secret. Throws std::runtime_error if the system has no randomness.
instance_secret make_instance_secret();

/// How an instance identifies itself to the database.
struct instance_identity
{
    lease_id instance;
    std::int32_t incarnation{};
    instance_secret secret{};
};

/// Numbers that an instance may issue while the database cannot answer: one run in one block,
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

/// An answer that was given from a lease, for the ledger to record.
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
    open = 1,  // may be drawn on until it expires
    recalled,  // an operator wants it back: settled, returned, not drawn on
    closed,    // returned, or used up
    lost,      // written off, or of a past epoch
};

std::string_view name_of(lease_status status) noexcept;
std::optional<lease_status> read_lease_status(std::string_view name) noexcept;

inline constexpr std::int64_t lease_numbers_max = 1'000'000;

}  // namespace gapless
