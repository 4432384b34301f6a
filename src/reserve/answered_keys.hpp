#pragma once

#include "issuing/issuance.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gapless {

/// The keys that this instance answered last: in an outage a repeated key gets the same numbers
/// where they were drawn in this outage, since nothing can have happened to them. What happened to
/// others only the database knows. The oldest is forgotten first. I/O thread only.
class answered_keys
{
public:
    /// `keys_max`: 1..2^30. They take up to 100 bytes each.
    explicit answered_keys(std::size_t keys_max);

    /// Notes an answer with numbers by the database: known, but not repeated.
    void note(issue_request const& asked, issuance const& answer);

    /// Notes an answer of one range that was drawn: repeated until settled() is told of its key.
    void note_drawn(issue_request const& asked, issuance const& answer);

    /// The database knows the key by now.
    void settled(std::int32_t owner_id, idempotency_key const& key) noexcept;

    struct unknown
    {
    };
    struct not_repeatable  // it was answered; only the database can say with what
    {
    };

    /// What a request with this key gets: the same answer (replayed), a refusal
    /// (idempotency_key_reused, when it asks for something else), or nothing is known.
    using verdict = std::variant<unknown, not_repeatable, issuance, refusal>;
    verdict find(issue_request const& asked) const;

    std::size_t size() const noexcept { return answers_.size(); }

private:
    struct answer
    {
        idempotency_key key;
        std::int32_t owner_id{};
        std::int32_t series_id{};
        std::int64_t ordinal{};
        std::int64_t serial{};
        database_time issued_at;
        std::uint64_t reference{};  // its hash; 0: none
        std::int32_t count{};       // of the issuance
        std::int32_t block_id{};
        std::int32_t epoch{};
        std::int32_t turn{};
        std::int32_t hold_seconds{};  // 0: none
        bool contiguous{};
        bool drawn{};  // and not settled
    };

    using place = std::uint32_t;  // in answers_, from 1; 0: none

    std::size_t hash_of(std::int32_t owner_id, idempotency_key const& key) const noexcept;
    std::uint64_t hash_of(std::optional<std::string> const& reference) const noexcept;

    /// Where in index_ the key is, or where it would be put.
    std::size_t slot_of(std::int32_t owner_id, idempotency_key const& key) const noexcept;

    /// The answer that is to be filled: the key's own, a new one, or the oldest one's.
    answer& answer_for(std::int32_t owner_id, idempotency_key const& key);

    void empty_slot(std::size_t slot) noexcept;

    answer& fill(issue_request const& asked, issuance const& answered);

    std::size_t keys_max_;
    std::uint64_t seed_;          // so that nobody can choose keys that share a slot
    std::deque<answer> answers_;  // a ring once it is full: oldest_ is replaced next
    std::size_t oldest_{};
    std::vector<place> index_;  // open addressing; at most half of it is used
};

}  // namespace gapless
